#include <stdio.h>
#include_next <stdlib.h>
int main(){ return 0;}

#include <stdio.h>
int main(){ printf("%s %s %s\n",__func__,__FUNCTION__,__PRETTY_FUNCTION__); return 0;}

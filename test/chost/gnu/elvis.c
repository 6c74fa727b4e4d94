#include <stdio.h>
int main(){ int x=0; printf("%d %d\n",x?:7,(x+2)?:7); return 0;}

#include <stdio.h>
int f(int x){ switch(x){case 1:return 2; default: __builtin_unreachable();} }
int main(){ printf("%d\n",f(1)); return 0;}

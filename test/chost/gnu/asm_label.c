#include <stdio.h>
extern int foo(int) __asm__("bar"); int bar(int x){return x+1;}
int main(){ printf("%d\n",foo(3)); return 0;}

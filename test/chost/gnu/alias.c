#include <stdio.h>
int real(int x){return x*2;} int other(int x) __attribute__((alias("real")));
int main(){ printf("%d\n",other(4)); return 0;}

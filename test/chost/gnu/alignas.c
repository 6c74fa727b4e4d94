#include <stdio.h>
struct s{ _Alignas(16) char c; int x; }; _Alignas(double) char buf[8]; _Alignas(64) static int q;
int main(){ _Alignas(32) char l[3]; printf("%d %d %d %d\n",(int)sizeof(struct s),(int)((unsigned long)buf%8),(int)((unsigned long)l%32),(int)((unsigned long)&q%64)); return 0;}

#include <stdio.h>
int f(int n,...){__builtin_va_list ap; __builtin_va_start(ap,n); int s=0; while(n--) s+=__builtin_va_arg(ap,int); __builtin_va_list b; __builtin_va_copy(b,ap); __builtin_va_end(ap); return s;}
int main(){ printf("%d\n",f(3,1,2,3)); return 0;}

#include <stdio.h>
typedef float v4 __attribute__((vector_size(16))); typedef int i4 __attribute__((__vector_size__(16)));
int main(){ v4 a={1,2,3,4},b={5,6,7,8}; v4 c=a*b+a; i4 d={1,2,3,4}; d=d<<1; i4 e=a<b; printf("%d %g %g %d %d\n",(int)sizeof(v4),c[0],c[3],d[3],e[0]); c[1]=9; printf("%g\n",c[1]); v4 z=a*2; printf("%g\n",z[2]); return 0;}

#include <stdio.h>
#define max(a,b) ({__typeof__(a) _a=(a);__typeof__(b) _b=(b);_a>_b?_a:_b;})
int main(){ int x=3; printf("%d %g\n",max(x++,2),max(1.5,2)); return 0;}

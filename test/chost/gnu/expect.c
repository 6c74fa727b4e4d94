#include <stdio.h>
int main(){ int x=3; if(__builtin_expect(x==3,1)) puts("y"); if(__builtin_expect(!!(x),0)) puts("z"); long l=__builtin_expect(x,3); printf("%ld %d\n",l,(int)sizeof(__builtin_expect(x,1))==(int)sizeof(long)); return 0;}

#include <stdio.h>
enum { A=__builtin_popcount(255), B=__builtin_bswap32(1)==0x1000000, C=__builtin_clz(1)};
static int t = __builtin_ctz(8);
int main(){ printf("%d %d %d %d\n",A,B,C,t); return 0;}

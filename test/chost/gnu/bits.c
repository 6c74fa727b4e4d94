#include <stdio.h>
int main(int c,char**v){ unsigned x=0x12345678u+c-1; unsigned long long y=0x123456789abcdef0ull+c-1; printf("%d %d %d %d\n",__builtin_clz(x),__builtin_ctz(x),__builtin_popcount(x),__builtin_parity(x));
printf("%d %d %d %d\n",__builtin_clzll(y),__builtin_ctzll(y),__builtin_popcountll(y),__builtin_parityll(y));
printf("%d %d %d\n",__builtin_ffs(x),__builtin_ffsll(y),__builtin_ffs(0)); printf("%d %d\n", __builtin_clrsb(x), __builtin_clrsbll(y));
printf("%x %x %llx\n",__builtin_bswap16(0x1234),__builtin_bswap32(x),(unsigned long long)__builtin_bswap64(y)); return 0;}

#include <stdio.h>
int main(int c,char**v){ unsigned long x=c; printf("%d %d\n",__builtin_ctzl(x),__builtin_popcountl(x)); return 0;}

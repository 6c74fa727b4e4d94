#include <stdio.h>
int main(){ char a[20]; __builtin_memset(a,0,20); __builtin_memcpy(a,"hello",6); __builtin_memmove(a+1,a,6); printf("%s %d %d\n",a,(int)__builtin_strlen(a),__builtin_memcmp(a,"hh",2)); printf("%d\n",__builtin_strcmp("a","a")); __builtin_puts("x"); __builtin_printf("%d\n",3); printf("%d\n",__builtin_abs(-3)); return 0;}

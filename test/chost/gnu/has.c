#include <stdio.h>
#if defined(__has_include) && __has_include(<stdio.h>) && !__has_include("nix.h")
#define A 1
#else
#define A 0
#endif
#if defined __has_attribute && __has_attribute(packed) && __has_attribute(__aligned__) && !__has_attribute(nonsuch)
#define B 1
#else
#define B 0
#endif
#if defined __has_builtin && __has_builtin(__builtin_clz) && !__has_builtin(__builtin_nonsuch)
#define C 1
#else
#define C 0
#endif
int main(){ printf("%d %d %d\n",A,B,C); return 0;}

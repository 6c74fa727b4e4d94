#include <stdio.h>
__INT32_TYPE__ a; __UINT64_TYPE__ b; __UINTPTR_TYPE__ c; __WCHAR_TYPE__ w; __INTMAX_TYPE__ m; __CHAR16_TYPE__ c16;
int main(){ printf("%d %d %d %d %d %lld %d\n",(int)sizeof a,(int)sizeof b,__INT_MAX__,__SCHAR_MAX__,__SHRT_MAX__,(long long)__LONG_LONG_MAX__,(int)sizeof(__INT8_TYPE__)); printf("%g %g %d %d\n",__FLT_MAX__,__DBL_EPSILON__,__FLT_MANT_DIG__,__DBL_DIG__); printf("%d\n", __SIZEOF_FLOAT__+__SIZEOF_SHORT__); return 0;}

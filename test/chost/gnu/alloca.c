#include <stdio.h>
int main(){ char*a=__builtin_alloca(20); a[0]='x';a[1]=0; puts(a); return 0;}

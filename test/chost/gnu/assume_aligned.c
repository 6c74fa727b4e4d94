#include <stdio.h>
int main(){ int x=3; int*p=__builtin_assume_aligned(&x,4); printf("%d %d\n",*p,(int)__builtin_object_size(p,0)!=0); return 0;}

#include <stdio.h>
static __thread int x=4; _Thread_local int y=5; extern __thread int z; __thread int z=3;
int main(){ x++; static _Thread_local int w=1; printf("%d %d %d %d\n",x,y,z,w); return 0;}

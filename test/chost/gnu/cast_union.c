#include <stdio.h>
union u{int i; float f;}; int g(union u x){return x.i;} int main(){printf("%d\n",g((union u)5)); return 0;}

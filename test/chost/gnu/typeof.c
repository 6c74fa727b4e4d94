#include <stdio.h>
int main(){ double d=1.5; __typeof__(d) e=d*2; typeof(int[3]) a={1,2,3}; __typeof(e+1) f=e; printf("%g %d %g\n",e,a[2],f); return 0;}

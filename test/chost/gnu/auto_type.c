#include <stdio.h>
int main(){ __auto_type x=3.5; __auto_type p=&x; const __auto_type q = "abc"; printf("%g %s\n",*p*2,q); return 0;}

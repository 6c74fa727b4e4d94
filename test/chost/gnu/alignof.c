#include <stdio.h>
struct s{char c; double d;}; int main(){ struct s v; printf("%d %d %d\n",(int)__alignof__(struct s),(int)__alignof__(v.c),(int)_Alignof(short)); return 0;}

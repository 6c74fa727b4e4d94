#include <stdio.h>
struct a{char c;}__attribute__((aligned(16))); struct b{char c; int i __attribute__((aligned(8)));}; typedef int al __attribute__((aligned(32))); struct c{char x; al y;}; struct d {char c;} __attribute__((aligned));
int main(){ printf("%d %d %d %d\n",(int)sizeof(struct a),(int)sizeof(struct b),(int)sizeof(struct c),(int)sizeof(struct d)); return 0;}

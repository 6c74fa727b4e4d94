#include <stdio.h>
struct __attribute__((packed)) a{char c;int i;}; struct b{char c;int i;}__attribute__((__packed__)); struct c{char c;int i __attribute__((packed)); };
int main(){ printf("%d %d %d\n",(int)sizeof(struct a),(int)sizeof(struct b),(int)sizeof(struct c)); return 0;}

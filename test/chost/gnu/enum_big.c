#include <stdio.h>
enum e{X=0x80000000u,Y=0xffffffff}; enum __attribute__((packed)) pe{P,Q}; int main(){printf("%d %d %u\n",(int)sizeof(enum e),(int)sizeof(enum pe),X); return 0;}

#include <stdio.h>
int main(){ int x=3; __asm__ __volatile__("":::"memory"); asm volatile("" : "+r"(x)); __asm__("" : : "r"(x) : "memory"); printf("%d\n",x); return 0;}

#include <stdio.h>
static __inline__ int f(int *__restrict__ p, int *__restrict q){return *p+*q;} static __inline int g(void){return 1;} extern __inline__ __attribute__((__gnu_inline__)) int h(void){return 5;}
static inline __attribute__((always_inline)) int k(void){return 7;}
int main(){ int a=1,b=2; printf("%d %d %d\n",f(&a,&b),g(),k()); return 0;}

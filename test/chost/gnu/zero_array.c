#include <stdio.h>
#include <stdlib.h>
struct s{int n; int a[0];}; struct t{int n; int a[];}; struct e{};
int main(){ struct s*p=malloc(sizeof*p+8); p->a[1]=4; printf("%d %d %d %d\n",(int)sizeof(struct s),(int)sizeof(struct t),(int)sizeof(struct e),p->a[1]); return 0;}

#include <stdio.h>
int main(){ printf("%d\n",__builtin_choose_expr(1,5,"abc")); __builtin_choose_expr(0,1,puts)("hi"); return 0;}

#include <stdio.h>
int g(int x){return __builtin_constant_p(x);} 
int a[__builtin_constant_p(5)?3:-1];
int main(int argc,char**argv){ printf("%d %d %d %d %d\n",__builtin_constant_p(3+4),__builtin_constant_p(argc),__builtin_constant_p("abc"),(int)(sizeof a/sizeof *a),__builtin_constant_p(1.5)); return 0;}

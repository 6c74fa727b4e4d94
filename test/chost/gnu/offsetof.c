#include <stdio.h>
#include <stddef.h>
struct s{char c; struct {int x; double d[4];} in;};
int a[__builtin_offsetof(struct s,in.d[2])];
int main(){ printf("%d %d\n",(int)__builtin_offsetof(struct s,in.d[2]),(int)offsetof(struct s,in)); int i=3; printf("%d\n",(int)__builtin_offsetof(struct s,in.d[i])); return (int)sizeof a;}

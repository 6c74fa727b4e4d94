#include <stdio.h>
#define P(fmt,args...) printf(fmt "\n",##args)
#define Q(fmt,...) printf(fmt "\n",##__VA_ARGS__)
int main(){ P("a"); P("%d",1); Q("b"); Q("%d %d",1,2); return 0;}

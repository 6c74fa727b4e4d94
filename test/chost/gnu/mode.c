#include <stdio.h>
typedef int qi __attribute__((mode(QI))); typedef unsigned int udi __attribute__((__mode__(__DI__))); typedef int hi __attribute__((mode(HI))); typedef float df __attribute__((mode(DF))); typedef int word __attribute__((mode(SI)));
int main(){ printf("%d %d %d %d %d\n",(int)sizeof(qi),(int)sizeof(udi),(int)sizeof(hi),(int)sizeof(df),(int)sizeof(word)); udi u=-1; printf("%d\n",u>0); return 0;}

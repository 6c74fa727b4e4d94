#include <stdio.h>
#define F(n) ({__label__ done; int r=0; for(int i=0;i<10;i++) if(i==n){r=i*10; goto done;} done: r;})
int main(){ printf("%d %d\n",F(3),F(4)); return 0;}

#include <stdio.h>
int a[]={[0 ... 3]=5,[5]=2}; struct {int x,y;} s={x:1,y:2};
int main(){ printf("%d %d %d %d\n",a[2],a[4],(int)(sizeof a/4),s.y); return 0;}

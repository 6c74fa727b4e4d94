#include <stdio.h>
static void bye(int*p){printf("bye %d\n",*p);} 
int f(void){ __attribute__((cleanup(bye))) int x=1; for(int i=0;i<2;i++){ int y __attribute__((__cleanup__(bye)))=10+i; if(i==1) break; } { int z __attribute__((cleanup(bye)))=5; if(x) return x+z; } return 0;}
int main(){ printf("%d\n",f()); return 0;}

#include <stdio.h>
int main(){char a[4]={1,2,3,4}; void*p=a; p+=2; printf("%d %d %d\n",*(char*)p,(int)sizeof(void),(int)sizeof(main)); return 0;}

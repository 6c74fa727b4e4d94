#include <stdio.h>
__extension__ typedef long long ll; int main(){ ll x = __extension__ 5; printf("%d\n",(int)x); return 0;}

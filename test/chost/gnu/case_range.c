#include <stdio.h>
int f(int c){switch(c){case 'a'...'z':return 1;case '0' ... '9':return 2;default:return 0;}}
int main(){ printf("%d%d%d\n",f('b'),f('5'),f('Z')); return 0;}

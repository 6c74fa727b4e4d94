#include <stdio.h>
#define N(x) _Generic((x), int:"int", float:"float", double:"double", char*:"char*", const char*:"cchar*", default:"other")
int main(){ char b[3]; const int ci=1; printf("%s %s %s %s %s %s %s\n",N(1),N(1.f),N(1.0),N(b),N("s"),N(1LL),N(ci)); return 0;}

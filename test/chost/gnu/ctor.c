#include <stdio.h>
__attribute__((constructor)) static void a(void){puts("ctor");} __attribute__((destructor)) void b(void){puts("dtor");} static void __attribute__((__constructor__(101))) c(void){puts("ctor101");} __attribute__((constructor(200))) void c2(void){puts("ctor200");} __attribute__((destructor(101))) void d1(void){puts("dtor101");}
int main(){ puts("main"); return 0;}

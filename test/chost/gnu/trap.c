int main(){ if(0) __builtin_trap(); return 0;}

_Static_assert(sizeof(int)==4,"x"); struct s{ int a; _Static_assert(1,"y"); }; int main(){ _Static_assert(1,"z"); return 0;}

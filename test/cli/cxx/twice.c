/* C, which C++ would refuse. */
int twice(int new) { return 2 * new; }

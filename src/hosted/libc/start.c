/* Where a program begins. */
#include <stdlib.h>
extern int __main(int argc, char **argv);
void _start(void) { exit(__main(0, 0)); }

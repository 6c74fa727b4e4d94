/* Short vectors for C files beside .br files, under the name that Brook+ has for them. */
#include <brook.h>

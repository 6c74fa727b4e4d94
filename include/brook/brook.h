/* brook.hpp, as what brcc of Brook+ 1.3 and later writes includes it: with its names in the open. */
#ifndef MILLRACE_BROOK_BROOK_H
#define MILLRACE_BROOK_BROOK_H

#include "brook/brook.hpp"

using namespace brook;

#endif

/* All of Brook+ for programs in C++. */
#ifndef MILLRACE_BROOK_HPP
#define MILLRACE_BROOK_HPP

#include <assert.h>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brook/Device.h"
#include "brook/ErrorCodes.h"
#include "brook/KernelInterface.h"
#include "brook/Stream.h"
#include "brook/VectorDataType.h"

#endif

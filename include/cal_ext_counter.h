/* Programs include this for CAL's counters; they are in cal_ext.h. */
#ifndef MILLRACE_CAL_EXT_COUNTER_H
#define MILLRACE_CAL_EXT_COUNTER_H

#include "cal_ext.h"

#endif

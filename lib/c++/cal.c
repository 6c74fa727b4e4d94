// For programs that bring AMD's headers of CAL: the one function that Millrace's header defines and does not import, as it gives pointers
// to functions of the program.
#define calExtGetProc find_here
#include <cal_ext.h>
#undef calExtGetProc

__attribute__((weak)) CALresult calExtGetProc(CALextproc *proc, CALextid extid, const CALchar *name) {
  return find_here(proc, extid, name);
}

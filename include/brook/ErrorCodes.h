/* What Stream::error() gives (Stream Computing User Guide, 2.7.1). */
#ifndef MILLRACE_BROOK_ERROR_CODES_H
#define MILLRACE_BROOK_ERROR_CODES_H

namespace brook {

enum BRerror {
  BR_NO_ERROR,
  BR_ERROR_DECLARATION,
  BR_ERROR_READ,
  BR_ERROR_WRITE,
  BR_ERROR_KERNEL,
  BR_ERROR_DOMAIN,
  BR_ERROR_INVALID_PARAMATER,
  BR_ERROR_NOT_SUPPORTED
};

} /* namespace brook */

#endif

/* What Stream::error() and __brook_error() give (Stream Computing User Guide, 2.7.1): for programs in C++ in their namespace, for C as it is. */
#ifndef MILLRACE_BROOK_ERROR_CODES_H
#define MILLRACE_BROOK_ERROR_CODES_H

#ifdef __cplusplus
namespace brook {
#endif

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

#ifdef __cplusplus
} /* namespace brook */
#endif

#endif

/* arpa/inet.h of WASI's C library, with two functions that it has not declared (lib/c++/gaps.c). */
#ifndef MILLRACE_WASI_ARPA_INET_H
#define MILLRACE_WASI_ARPA_INET_H

#include_next <arpa/inet.h>

#ifdef __cplusplus
extern "C" {
#endif

in_addr_t inet_addr(const char *text);
char *inet_ntoa(struct in_addr address);

#ifdef __cplusplus
}
#endif

#endif

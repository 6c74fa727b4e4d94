/* Addresses of the internet as text (POSIX); those of IPv4. */
#ifndef MILLRACE_ARPA_INET_H
#define MILLRACE_ARPA_INET_H

#include <netinet/in.h>
#include <stddef.h>

#define AF_INET 1

in_addr_t inet_addr(const char *text);
int inet_aton(const char *text, struct in_addr *address);
char *inet_ntoa(struct in_addr address);
const char *inet_ntop(int family, const void *restrict address, char *restrict to, unsigned size);
int inet_pton(int family, const char *restrict text, void *restrict address);

#endif

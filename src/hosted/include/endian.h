/* The order of bytes, which is the lowest first. */
#ifndef MILLRACE_ENDIAN_H
#define MILLRACE_ENDIAN_H

#include <byteswap.h>

#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define BYTE_ORDER LITTLE_ENDIAN
#define __LITTLE_ENDIAN LITTLE_ENDIAN
#define __BIG_ENDIAN BIG_ENDIAN
#define __BYTE_ORDER BYTE_ORDER
#define htobe16(value) bswap_16(value)
#define htobe32(value) bswap_32(value)
#define htobe64(value) bswap_64(value)
#define be16toh(value) bswap_16(value)
#define be32toh(value) bswap_32(value)
#define be64toh(value) bswap_64(value)
#define htole16(value) ((unsigned short)(value))
#define htole32(value) ((unsigned)(value))
#define htole64(value) ((unsigned long long)(value))
#define le16toh(value) ((unsigned short)(value))
#define le32toh(value) ((unsigned)(value))
#define le64toh(value) ((unsigned long long)(value))

#endif

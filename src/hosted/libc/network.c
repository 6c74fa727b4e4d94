/* Numbers and addresses of the internet. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

uint32_t htonl(uint32_t value) { return __builtin_bswap32(value); }
uint16_t htons(uint16_t value) { return __builtin_bswap16(value); }
uint32_t ntohl(uint32_t value) { return __builtin_bswap32(value); }
uint16_t ntohs(uint16_t value) { return __builtin_bswap16(value); }

/* A number as C writes it, decimal, octal or hexadecimal; 0 if there is none. */
static int read_number(const char **text, uint32_t *value) {
  const char *at = *text;
  uint64_t sum = 0;
  uint32_t base = 10;
  int digits = 0;
  if (*at == '0') {
    base = 8;
    digits = 1;
    at++;
    if (*at == 'x' || *at == 'X') {
      base = 16;
      digits = 0;
      at++;
    }
  }
  for (;; at++, digits++) {
    uint32_t digit = *at >= '0' && *at <= '9' ? *at - '0' : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : *at >= 'A' && *at <= 'F' ? *at - 'A' + 10 : 99;
    if (digit >= base) break;
    sum = sum * base + digit;
    if (sum > UINT32_MAX) return 0;
  }
  *text = at;
  *value = sum;
  return digits > 0;
}

/* One to four numbers with dots between them; the last one fills what is left. */
int inet_aton(const char *text, struct in_addr *address) {
  uint32_t part, sum = 0;
  for (int count = 0;; count++) {
    if (!read_number(&text, &part)) return 0;
    if (*text != '.') {
      if (*text && !strchr(" \t\n\r\f\v", *text)) return 0;
      if (count > 0 && part >> (32 - 8 * count)) return 0;
      address->s_addr = htonl(sum | part);
      return 1;
    }
    if (count == 3 || part > 255) return 0;
    sum |= part << (24 - 8 * count);
    text++;
  }
}

in_addr_t inet_addr(const char *text) {
  struct in_addr found;
  return inet_aton(text, &found) ? found.s_addr : INADDR_NONE;
}

char *inet_ntoa(struct in_addr address) {
  static _Thread_local char text[INET_ADDRSTRLEN];
  return (char *)inet_ntop(AF_INET, &address, text, sizeof text);
}

const char *inet_ntop(int family, const void *restrict address, char *restrict to, unsigned size) {
  const unsigned char *bytes = address;
  char text[INET_ADDRSTRLEN];
  if (family != AF_INET) {
    errno = ENOTSUP;
    return NULL;
  }
  int length = sprintf(text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
  if (length >= (int)size) {
    errno = ENOSPC;
    return NULL;
  }
  return strcpy(to, text);
}

/* Four decimal numbers without zeros before them. */
int inet_pton(int family, const char *restrict text, void *restrict address) {
  unsigned char bytes[4];
  if (family != AF_INET) {
    errno = ENOTSUP;
    return -1;
  }
  for (int count = 0; count < 4; count++) {
    int value = 0, digits = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++) {
      if (digits > 0 && value == 0) return 0;
      value = value * 10 + *text - '0';
      if (value > 255) return 0;
    }
    if (digits == 0 || *text != (count < 3 ? '.' : 0)) return 0;
    text++;
    bytes[count] = value;
  }
  memcpy(address, bytes, sizeof bytes);
  return 1;
}

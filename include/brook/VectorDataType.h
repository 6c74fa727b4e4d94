/* Short vectors of Brook+ for programs in C++, laid out as elements of streams: components one after another. */
#ifndef MILLRACE_BROOK_VECTOR_DATA_TYPE_H
#define MILLRACE_BROOK_VECTOR_DATA_TYPE_H

#include <stdlib.h>
#include <string.h>

#ifndef __cplusplus
#error "this header is for C++; files in C include <brook.h>, which millrace run and millrace compile have"
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define MILLRACE_VECTOR_ACCESS(T)                                                                                  \
  operator T *() { return reinterpret_cast<T *>(this); }                                                           \
  operator const T *() const { return reinterpret_cast<const T *>(this); }

#define MILLRACE_VECTOR2(T)                                                                                        \
  struct T##2 {                                                                                                    \
    T x, y;                                                                                                        \
    T##2(T _x = 0, T _y = 0) : x(_x), y(_y) {}                                                                     \
    MILLRACE_VECTOR_ACCESS(T)                                                                                      \
  };

#define MILLRACE_VECTORS(T)                                                                                        \
  MILLRACE_VECTOR2(T)                                                                                              \
  struct T##3 {                                                                                                    \
    T x, y, z;                                                                                                     \
    T##3(T _x = 0, T _y = 0, T _z = 0) : x(_x), y(_y), z(_z) {}                                                    \
    MILLRACE_VECTOR_ACCESS(T)                                                                                      \
  };                                                                                                               \
  struct T##4 {                                                                                                    \
    T x, y, z, w;                                                                                                  \
    T##4(T _x = 0, T _y = 0, T _z = 0, T _w = 0) : x(_x), y(_y), z(_z), w(_w) {}                                   \
    MILLRACE_VECTOR_ACCESS(T)                                                                                      \
  };

MILLRACE_VECTORS(char)
MILLRACE_VECTORS(uchar)
MILLRACE_VECTORS(short)
MILLRACE_VECTORS(ushort)
MILLRACE_VECTORS(int)
MILLRACE_VECTORS(uint)
MILLRACE_VECTORS(float)
MILLRACE_VECTOR2(double)

#undef MILLRACE_VECTORS
#undef MILLRACE_VECTOR2
#undef MILLRACE_VECTOR_ACCESS

#endif

// One pixel of an image, at a place that is known to be inside, as the program sees it (OpenCL 1.2, 8.3.1 and 6.12.14.2).
// The commonest formats, four channels of bytes or floats, are read in line; one function reads all others.

#include "image-memory.cl"

// Channels as they lie in memory, in the places of r, g, b and a; missing colours are 0, and alpha is 1.
#define DEFINE_PLACED(TYPE, ONE)                                                                        \
  static TYPE placed_##TYPE(uint order, TYPE c) {                                                       \
    switch (order) {                                                                                    \
      case CLK_A: return (TYPE)(0, 0, 0, c.x);                                                          \
      case CLK_RG:                                                                                      \
      case CLK_RGx: return (TYPE)(c.xy, 0, ONE);                                                        \
      case CLK_RA: return (TYPE)(c.x, 0, 0, c.y);                                                       \
      case CLK_RGB:                                                                                     \
      case CLK_RGBx: return (TYPE)(c.xyz, ONE);                                                         \
      case CLK_RGBA: return c;                                                                          \
      case CLK_BGRA: return c.zyxw;                                                                     \
      case CLK_ARGB: return c.yzwx;                                                                     \
      case CLK_INTENSITY: return c.xxxx;                                                                \
      case CLK_LUMINANCE: return (TYPE)(c.xxx, ONE);                                                    \
      default: return (TYPE)(c.x, 0, 0, ONE);                                                           \
    }                                                                                                   \
  }

DEFINE_PLACED(float4, 1)
DEFINE_PLACED(int4, 1)

// One, two or four channels of a type; only packed formats have three.
#define DEFINE_LOAD(TYPE)                                                                               \
  static TYPE##4 load_##TYPE(global const uchar *at, uint count) {                                      \
    global const TYPE *p = (global const TYPE *)at;                                                     \
    if (count == 4) return vload4(0, p);                                                                \
    return (TYPE##4)(p[0], count > 1 ? p[1] : 0, 0, 0);                                                 \
  }

DEFINE_LOAD(char)
DEFINE_LOAD(uchar)
DEFINE_LOAD(short)
DEFINE_LOAD(ushort)
DEFINE_LOAD(int)

__attribute__((noinline)) float4 __millrace_image_other_pixel_f32(constant uint *image, int x, int y, int z) {
  uint bytes = image[WORD_PIXEL_BYTES];
  global const uchar *at = pixel_address(image, bytes, x, y, z);
  float4 c;
  switch (image[WORD_TYPE]) {
    case CLK_UNORM_INT8: c = convert_float4(load_uchar(at, bytes)) / 255.0f; break;
    case CLK_UNORM_INT16: c = convert_float4(load_ushort(at, bytes / 2)) / 65535.0f; break;
    case CLK_SNORM_INT8: c = max(convert_float4(load_char(at, bytes)) / 127.0f, -1.0f); break;
    case CLK_SNORM_INT16: c = max(convert_float4(load_short(at, bytes / 2)) / 32767.0f, -1.0f); break;
    case CLK_UNORM_SHORT_565: {
      uint p = *(global const ushort *)at;
      c = (float4)(p >> 11, (p >> 5) & 63, p & 31, 0) / (float4)(31, 63, 31, 1);
      break;
    }
    case CLK_UNORM_SHORT_555: {
      uint p = *(global const ushort *)at;
      c = (float4)((p >> 10) & 31, (p >> 5) & 31, p & 31, 0) / 31.0f;
      break;
    }
    case CLK_UNORM_INT_101010: {
      uint p = *(global const uint *)at;
      c = (float4)((p >> 20) & 1023, (p >> 10) & 1023, p & 1023, 0) / 1023.0f;
      break;
    }
    case CLK_HALF_FLOAT: {
      global const half *p = (global const half *)at;
      if (bytes == 8) c = vload_half4(0, p);
      else c = (float4)(vload_half(0, p), bytes > 2 ? vload_half(1, p) : 0.0f, 0, 0);
      break;
    }
    case CLK_FLOAT: c = as_float4(load_int(at, bytes / 4)); break;
    default: return (float4)(0);
  }
  return placed_float4(image[WORD_ORDER], c);
}

__attribute__((noinline)) int4 __millrace_image_other_pixel_i32(constant uint *image, int x, int y, int z) {
  uint bytes = image[WORD_PIXEL_BYTES];
  global const uchar *at = pixel_address(image, bytes, x, y, z);
  int4 c;
  switch (image[WORD_TYPE]) {
    case CLK_SIGNED_INT8: c = convert_int4(load_char(at, bytes)); break;
    case CLK_SIGNED_INT16: c = convert_int4(load_short(at, bytes / 2)); break;
    case CLK_UNSIGNED_INT8: c = convert_int4(load_uchar(at, bytes)); break;
    case CLK_UNSIGNED_INT16: c = convert_int4(load_ushort(at, bytes / 2)); break;
    case CLK_SIGNED_INT32:
    case CLK_UNSIGNED_INT32: c = load_int(at, bytes / 4); break;
    default: return (int4)(0);
  }
  return placed_int4(image[WORD_ORDER], c);
}

float4 __millrace_image_pixel_f32(constant uint *image, int x, int y, int z) {
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_UNORM_INT8) {
    return convert_float4(vload4(0, pixel_address(image, 4, x, y, z))) / 255.0f;
  }
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_FLOAT) {
    return vload4(0, (global const float *)pixel_address(image, 16, x, y, z));
  }
  return __millrace_image_other_pixel_f32(image, x, y, z);
}

int4 __millrace_image_pixel_i32(constant uint *image, int x, int y, int z) {
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_UNSIGNED_INT8) {
    return convert_int4(vload4(0, pixel_address(image, 4, x, y, z)));
  }
  return __millrace_image_other_pixel_i32(image, x, y, z);
}

// The same as a call.
__attribute__((noinline)) float4 __millrace_image_called_pixel_f32(constant uint *image, int x, int y, int z) {
  return __millrace_image_pixel_f32(image, x, y, z);
}

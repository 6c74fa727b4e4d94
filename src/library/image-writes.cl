// Writing a pixel (OpenCL 1.2, 8.3.1 and 6.12.14.4). The commonest formats, four channels of bytes or floats, are written
// in line; one function writes all others.

#include "image-memory.cl"

// r, g, b and a in the places that they have in memory.
#define DEFINE_ORDERED(TYPE)                                                                            \
  static TYPE ordered_##TYPE(uint order, TYPE c) {                                                      \
    switch (order) {                                                                                    \
      case CLK_A: return c.wwww;                                                                        \
      case CLK_RA: return c.xwww;                                                                       \
      case CLK_BGRA:                                                                                    \
      case CLK_sBGRA: return c.zyxw;                                                                     \
      case CLK_ARGB: return c.wxyz;                                                                     \
      default: return c;                                                                                \
    }                                                                                                   \
  }

DEFINE_ORDERED(float4)
DEFINE_ORDERED(int4)

// One to four channels of a type.
#define DEFINE_STORE(TYPE)                                                                              \
  static void store_##TYPE(global uchar *at, uint count, TYPE##4 c) {                                   \
    global TYPE *p = (global TYPE *)at;                                                                 \
    if (count == 4) {                                                                                   \
      vstore4(c, 0, p);                                                                                 \
    } else {                                                                                            \
      p[0] = c.x;                                                                                       \
      if (count > 1) p[1] = c.y;                                                                        \
      if (count > 2) p[2] = c.z;                                                                        \
    }                                                                                                   \
  }

DEFINE_STORE(char)
DEFINE_STORE(uchar)
DEFINE_STORE(short)
DEFINE_STORE(ushort)
DEFINE_STORE(int)

// A colour in the sRGB encoding (OpenCL 2.0, 8.3.1.2); NaN becomes 0.
static float encoded_colour(float c) {
  if (!(c > 0.0f)) return 0.0f;
  return c < 0.0031308f ? 12.92f * c : 1.055f * powr(c, 1.0f / 2.4f) - 0.055f;
}

__attribute__((noinline)) void __millrace_image_store_other_f32(constant uint *image, int x, int y, int z,
                                                                float4 colour) {
  uint bytes = image[WORD_PIXEL_BYTES];
  global uchar *at = pixel_address(image, bytes, x, y, z);
  if (IS_ENCODED(image[WORD_ORDER])) {
    colour.xyz = (float3)(encoded_colour(colour.x), encoded_colour(colour.y), encoded_colour(colour.z));
  }
  float4 c = ordered_float4(image[WORD_ORDER], colour);
  switch (image[WORD_TYPE]) {
    case CLK_UNORM_INT8: store_uchar(at, bytes, convert_uchar4_sat_rte(c * 255.0f)); break;
    case CLK_UNORM_INT16: store_ushort(at, bytes / 2, convert_ushort4_sat_rte(c * 65535.0f)); break;
    case CLK_SNORM_INT8: store_char(at, bytes, convert_char4_sat_rte(c * 127.0f)); break;
    case CLK_SNORM_INT16: store_short(at, bytes / 2, convert_short4_sat_rte(c * 32767.0f)); break;
    case CLK_UNORM_SHORT_565: {
      uint4 p = min(convert_uint4_sat_rte(c * (float4)(31, 63, 31, 0)), (uint4)(31, 63, 31, 0));
      *(global ushort *)at = (ushort)(p.x << 11 | p.y << 5 | p.z);
      break;
    }
    case CLK_UNORM_SHORT_555: {
      uint4 p = min(convert_uint4_sat_rte(c * 31.0f), 31u);
      *(global ushort *)at = (ushort)(p.x << 10 | p.y << 5 | p.z);
      break;
    }
    case CLK_UNORM_INT_101010: {
      uint4 p = min(convert_uint4_sat_rte(c * 1023.0f), 1023u);
      *(global uint *)at = p.x << 20 | p.y << 10 | p.z;
      break;
    }
    case CLK_UNORM_INT24: {
      // The stencil's place has no value of its own.
      *(global uint *)at = min(convert_uint_sat_rte(c.x * 16777215.0f), 16777215u) << 8;
      break;
    }
    case CLK_HALF_FLOAT: {
      global half *p = (global half *)at;
      if (bytes == 8) {
        vstore_half4_rte(c, 0, p);
      } else {
        vstore_half_rte(c.x, 0, p);
        if (bytes > 2) vstore_half_rte(c.y, 1, p);
      }
      break;
    }
    case CLK_FLOAT: store_int(at, bytes / 4, as_int4(c)); break;
    default: break;
  }
}

__attribute__((noinline)) void __millrace_image_store_other_i32(constant uint *image, int x, int y, int z,
                                                                int4 colour) {
  uint bytes = image[WORD_PIXEL_BYTES];
  global uchar *at = pixel_address(image, bytes, x, y, z);
  int4 c = ordered_int4(image[WORD_ORDER], colour);
  switch (image[WORD_TYPE]) {
    case CLK_SIGNED_INT8: store_char(at, bytes, convert_char4_sat(c)); break;
    case CLK_SIGNED_INT16: store_short(at, bytes / 2, convert_short4_sat(c)); break;
    case CLK_UNSIGNED_INT8: store_uchar(at, bytes, convert_uchar4_sat(as_uint4(c))); break;
    case CLK_UNSIGNED_INT16: store_ushort(at, bytes / 2, convert_ushort4_sat(as_uint4(c))); break;
    case CLK_SIGNED_INT32:
    case CLK_UNSIGNED_INT32: store_int(at, bytes / 4, c); break;
    default: break;
  }
}

static void store_f32(constant uint *image, int x, int y, int z, float4 colour) {
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_UNORM_INT8) {
    vstore4(convert_uchar4_sat_rte(colour * 255.0f), 0, pixel_address(image, 4, x, y, z));
    return;
  }
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_FLOAT) {
    vstore4(colour, 0, (global float *)pixel_address(image, 16, x, y, z));
    return;
  }
  __millrace_image_store_other_f32(image, x, y, z, colour);
}

static void store_i32(constant uint *image, int x, int y, int z, int4 colour) {
  if (image[WORD_ORDER] == CLK_RGBA & image[WORD_TYPE] == CLK_UNSIGNED_INT8) {
    vstore4(convert_uchar4_sat(as_uint4(colour)), 0, pixel_address(image, 4, x, y, z));
    return;
  }
  __millrace_image_store_other_i32(image, x, y, z, colour);
}

// What is written outside is dropped.
#define INSIDE(COORDINATE, WORD) ((uint)(COORDINATE) < image[WORD])

#define DEFINE_WRITES(SUFFIX, COLOUR)                                                                   \
  void __millrace_image_write_1d_##SUFFIX(constant uint *image, int at, COLOUR colour) {                \
    if (INSIDE(at, WORD_WIDTH)) store_##SUFFIX(image, at, 0, 0, colour);                                \
  }                                                                                                     \
  void __millrace_image_write_2d_##SUFFIX(constant uint *image, int2 at, COLOUR colour) {               \
    if (INSIDE(at.x, WORD_WIDTH) & INSIDE(at.y, WORD_HEIGHT)) {                                         \
      store_##SUFFIX(image, at.x, at.y, 0, colour);                                                     \
    }                                                                                                   \
  }                                                                                                     \
  void __millrace_image_write_3d_##SUFFIX(constant uint *image, int4 at, COLOUR colour) {               \
    if (INSIDE(at.x, WORD_WIDTH) & INSIDE(at.y, WORD_HEIGHT) & INSIDE(at.z, WORD_DEPTH)) {              \
      store_##SUFFIX(image, at.x, at.y, at.z, colour);                                                  \
    }                                                                                                   \
  }                                                                                                     \
  void __millrace_image_write_1d_array_##SUFFIX(constant uint *image, int2 at, COLOUR colour) {         \
    if (INSIDE(at.x, WORD_WIDTH) & INSIDE(at.y, WORD_ARRAY_SIZE)) {                                     \
      store_##SUFFIX(image, at.x, 0, at.y, colour);                                                     \
    }                                                                                                   \
  }                                                                                                     \
  void __millrace_image_write_2d_array_##SUFFIX(constant uint *image, int4 at, COLOUR colour) {         \
    if (INSIDE(at.x, WORD_WIDTH) & INSIDE(at.y, WORD_HEIGHT) & INSIDE(at.z, WORD_ARRAY_SIZE)) {         \
      store_##SUFFIX(image, at.x, at.y, at.z, colour);                                                  \
    }                                                                                                   \
  }

DEFINE_WRITES(f32, float4)
DEFINE_WRITES(i32, int4)

// Reading an image: from coordinates and a sampler to pixels (OpenCL 1.2, 8.2 and 6.12.14.2 and 3).
//
// Everything here is inlined, so that a sampler that is known when the program is compiled leaves one way of addressing
// and one filter. `dims` is 1, 2 or 3, a constant; `layer` is the image of an array, or 0.

#include "image-memory.cl"

#define ADDRESSING(SAMPLER) ((SAMPLER) & 0xeu)

float4 __millrace_image_pixel_f32(constant uint *image, int x, int y, int z);
float4 __millrace_image_called_pixel_f32(constant uint *image, int x, int y, int z);
int4 __millrace_image_pixel_i32(constant uint *image, int x, int y, int z);

// ---- one axis

// Images are no longer than 32767 pixels, so that what lies further off may count as there. Between bounds that are known,
// the compiler finds ids again in coordinates that were made of them.
static int whole_coordinate(float s) { return convert_int_rtn(clamp(s, -32768.0f, 32767.0f)); }

// The pixel along an axis; with CLK_ADDRESS_CLAMP it may lie outside, where the border is. In all other modes any number,
// however far off, gives a pixel: that is more than CLK_ADDRESS_NONE promises.
static int nearest_on_axis(float s, uint sampler, int size) {
  if (ADDRESSING(sampler) == CLK_ADDRESS_REPEAT) {
    int i = convert_int_sat_rtn((s - floor(s)) * (float)size);
    return i > size - 1 ? i - size : i;
  }
  if (ADDRESSING(sampler) == CLK_ADDRESS_MIRRORED_REPEAT) {
    return min(convert_int_sat_rtn(fabs(s - 2.0f * rint(0.5f * s)) * (float)size), size - 1);
  }
  int i = whole_coordinate(sampler & CLK_NORMALIZED_COORDS_TRUE ? s * (float)size : s);
  return ADDRESSING(sampler) == CLK_ADDRESS_CLAMP ? i : clamp(i, 0, size - 1);
}

// The same for whole coordinates, which are never normalised or repeated.
static int whole_on_axis(int i, uint sampler, int size) {
  return ADDRESSING(sampler) == CLK_ADDRESS_CLAMP ? i : clamp(i, 0, size - 1);
}

// The two pixels along an axis between which a coordinate lies, and how far it is from the first.
static int2 linear_on_axis(float s, uint sampler, int size, float *fraction) {
  float u;
  int first, second;
  if (ADDRESSING(sampler) == CLK_ADDRESS_REPEAT) {
    u = (s - floor(s)) * (float)size - 0.5f;
    first = convert_int_sat_rtn(u);
    second = first + 1;
    if (first < 0) first += size;
    if (second > size - 1) second -= size;
  } else if (ADDRESSING(sampler) == CLK_ADDRESS_MIRRORED_REPEAT) {
    u = fabs(s - 2.0f * rint(0.5f * s)) * (float)size - 0.5f;
    first = convert_int_sat_rtn(u);
    second = min(first + 1, size - 1);
    first = max(first, 0);
  } else {
    u = (sampler & CLK_NORMALIZED_COORDS_TRUE ? s * (float)size : s) - 0.5f;
    first = clamp(convert_int_sat_rtn(u), -2, size);
    second = first + 1;
    if (ADDRESSING(sampler) != CLK_ADDRESS_CLAMP) {
      first = clamp(first, 0, size - 1);
      second = clamp(second, 0, size - 1);
    }
  }
  *fraction = u - floor(u);
  return (int2)(first, second);
}

// OpenCL 1.2, 8.4
static int layer_of(float w, uint layers) { return clamp(convert_int_sat_rte(w), 0, (int)layers - 1); }
static int whole_layer_of(int w, uint layers) { return clamp(w, 0, (int)layers - 1); }

// ---- the border

static bool is_inside(constant uint *image, int x, int y, int z, int dims) {
  bool inside = (uint)x < image[WORD_WIDTH];
  if (dims > 1) inside = inside & ((uint)y < image[WORD_HEIGHT]);
  if (dims > 2) inside = inside & ((uint)z < image[WORD_DEPTH]);
  return inside;
}

// Alpha of the border (OpenCL 1.2, 6.12.14.1).
static int border_alpha(uint order) {
  return order == CLK_R || order == CLK_RG || order == CLK_RGB || order == CLK_LUMINANCE || order == CLK_DEPTH ||
         order == CLK_sRGB;
}

#define DEFINE_AT(SUFFIX, COLOUR, ELEMENT)                                                              \
  static COLOUR at_##SUFFIX(constant uint *image, uint sampler, int x, int y, int z, int dims) {        \
    if (ADDRESSING(sampler) == CLK_ADDRESS_CLAMP && !is_inside(image, x, y, z, dims)) {                 \
      return (COLOUR)(0, 0, 0, (ELEMENT)border_alpha(image[WORD_ORDER]));                               \
    }                                                                                                   \
    return __millrace_image_pixel_##SUFFIX(image, x, y, z);                                             \
  }

DEFINE_AT(f32, float4, float)
DEFINE_AT(i32, int4, int)

// A call for each pixel, where there are many of them.
static float4 called_at_f32(constant uint *image, uint sampler, int x, int y, int z) {
  if (ADDRESSING(sampler) == CLK_ADDRESS_CLAMP && !is_inside(image, x, y, z, 3)) {
    return (float4)(0, 0, 0, (float)border_alpha(image[WORD_ORDER]));
  }
  return __millrace_image_called_pixel_f32(image, x, y, z);
}

// ---- filters

static int3 nearest_place(constant uint *image, uint sampler, float4 at, int dims, int layer) {
  int x = nearest_on_axis(at.x, sampler, (int)image[WORD_WIDTH]);
  int y = dims > 1 ? nearest_on_axis(at.y, sampler, (int)image[WORD_HEIGHT]) : 0;
  int z = dims > 2 ? nearest_on_axis(at.z, sampler, (int)image[WORD_DEPTH]) : layer;
  return (int3)(x, y, z);
}

static int3 whole_place(constant uint *image, uint sampler, int4 at, int dims, int layer) {
  int x = whole_on_axis(at.x, sampler, (int)image[WORD_WIDTH]);
  int y = dims > 1 ? whole_on_axis(at.y, sampler, (int)image[WORD_HEIGHT]) : 0;
  int z = dims > 2 ? whole_on_axis(at.z, sampler, (int)image[WORD_DEPTH]) : layer;
  return (int3)(x, y, z);
}

static float4 linear_f32(constant uint *image, uint sampler, float4 at, int dims, int layer) {
  float a, b, c;
  int2 i = linear_on_axis(at.x, sampler, (int)image[WORD_WIDTH], &a);
  if (dims == 1) {
    return (1.0f - a) * at_f32(image, sampler, i.x, 0, layer, 1) + a * at_f32(image, sampler, i.y, 0, layer, 1);
  }
  int2 j = linear_on_axis(at.y, sampler, (int)image[WORD_HEIGHT], &b);
  if (dims == 2) {
    return (1.0f - a) * (1.0f - b) * at_f32(image, sampler, i.x, j.x, layer, 2) +
           a * (1.0f - b) * at_f32(image, sampler, i.y, j.x, layer, 2) +
           (1.0f - a) * b * at_f32(image, sampler, i.x, j.y, layer, 2) +
           a * b * at_f32(image, sampler, i.y, j.y, layer, 2);
  }
  int2 k = linear_on_axis(at.z, sampler, (int)image[WORD_DEPTH], &c);
  return (1.0f - a) * (1.0f - b) * (1.0f - c) * called_at_f32(image, sampler, i.x, j.x, k.x) +
         a * (1.0f - b) * (1.0f - c) * called_at_f32(image, sampler, i.y, j.x, k.x) +
         (1.0f - a) * b * (1.0f - c) * called_at_f32(image, sampler, i.x, j.y, k.x) +
         a * b * (1.0f - c) * called_at_f32(image, sampler, i.y, j.y, k.x) +
         (1.0f - a) * (1.0f - b) * c * called_at_f32(image, sampler, i.x, j.x, k.y) +
         a * (1.0f - b) * c * called_at_f32(image, sampler, i.y, j.x, k.y) +
         (1.0f - a) * b * c * called_at_f32(image, sampler, i.x, j.y, k.y) +
         a * b * c * called_at_f32(image, sampler, i.y, j.y, k.y);
}

static float4 sample_f32_f32(constant uint *image, uint sampler, float4 at, int dims, int layer) {
  if (sampler & CLK_FILTER_LINEAR) return linear_f32(image, sampler, at, dims, layer);
  int3 p = nearest_place(image, sampler, at, dims, layer);
  return at_f32(image, sampler, p.x, p.y, p.z, dims);
}

// Integers are never filtered.
static int4 sample_i32_f32(constant uint *image, uint sampler, float4 at, int dims, int layer) {
  int3 p = nearest_place(image, sampler, at, dims, layer);
  return at_i32(image, sampler, p.x, p.y, p.z, dims);
}

static float4 sample_f32_i32(constant uint *image, uint sampler, int4 at, int dims, int layer) {
  int3 p = whole_place(image, sampler, at, dims, layer);
  return at_f32(image, sampler, p.x, p.y, p.z, dims);
}

static int4 sample_i32_i32(constant uint *image, uint sampler, int4 at, int dims, int layer) {
  int3 p = whole_place(image, sampler, at, dims, layer);
  return at_i32(image, sampler, p.x, p.y, p.z, dims);
}

// ---- the functions of the library, by the kind of image, of colour and of coordinates

#define DEFINE_SAMPLES(COLOUR, C, COORDINATE, K, LAYER_OF)                                              \
  COLOUR __millrace_image_sample_1d_##C##_##K(constant uint *image, uint sampler, COORDINATE at) {      \
    return sample_##C##_##K(image, sampler, (COORDINATE##4)(at, 0, 0, 0), 1, 0);                        \
  }                                                                                                     \
  COLOUR __millrace_image_sample_2d_##C##_##K(constant uint *image, uint sampler, COORDINATE##2 at) {   \
    return sample_##C##_##K(image, sampler, (COORDINATE##4)(at, 0, 0), 2, 0);                           \
  }                                                                                                     \
  COLOUR __millrace_image_sample_3d_##C##_##K(constant uint *image, uint sampler, COORDINATE##4 at) {   \
    return sample_##C##_##K(image, sampler, at, 3, 0);                                                  \
  }                                                                                                     \
  COLOUR __millrace_image_sample_1d_array_##C##_##K(constant uint *image, uint sampler, COORDINATE##2 at) { \
    int layer = LAYER_OF(at.y, image[WORD_ARRAY_SIZE]);                                                 \
    return sample_##C##_##K(image, sampler, (COORDINATE##4)(at, 0, 0), 1, layer);                       \
  }                                                                                                     \
  COLOUR __millrace_image_sample_2d_array_##C##_##K(constant uint *image, uint sampler, COORDINATE##4 at) { \
    int layer = LAYER_OF(at.z, image[WORD_ARRAY_SIZE]);                                                 \
    return sample_##C##_##K(image, sampler, at, 2, layer);                                              \
  }

DEFINE_SAMPLES(float4, f32, float, f32, layer_of)
DEFINE_SAMPLES(float4, f32, int, i32, whole_layer_of)
DEFINE_SAMPLES(int4, i32, float, f32, layer_of)
DEFINE_SAMPLES(int4, i32, int, i32, whole_layer_of)

// Without a sampler only coordinates inside the image have a meaning; all others give its last pixel.
#define WITHIN(COORDINATE, WORD) ((int)min((uint)(COORDINATE), image[WORD] - 1))

#define DEFINE_READS(COLOUR, C)                                                                         \
  COLOUR __millrace_image_read_1d_##C(constant uint *image, int at) {                                   \
    return __millrace_image_pixel_##C(image, WITHIN(at, WORD_WIDTH), 0, 0);                             \
  }                                                                                                     \
  COLOUR __millrace_image_read_2d_##C(constant uint *image, int2 at) {                                  \
    return __millrace_image_pixel_##C(image, WITHIN(at.x, WORD_WIDTH), WITHIN(at.y, WORD_HEIGHT), 0);   \
  }                                                                                                     \
  COLOUR __millrace_image_read_3d_##C(constant uint *image, int4 at) {                                  \
    return __millrace_image_pixel_##C(image, WITHIN(at.x, WORD_WIDTH), WITHIN(at.y, WORD_HEIGHT),       \
                                      WITHIN(at.z, WORD_DEPTH));                                        \
  }                                                                                                     \
  COLOUR __millrace_image_read_1d_array_##C(constant uint *image, int2 at) {                            \
    return __millrace_image_pixel_##C(image, WITHIN(at.x, WORD_WIDTH), 0, WITHIN(at.y, WORD_ARRAY_SIZE)); \
  }                                                                                                     \
  COLOUR __millrace_image_read_2d_array_##C(constant uint *image, int4 at) {                            \
    return __millrace_image_pixel_##C(image, WITHIN(at.x, WORD_WIDTH), WITHIN(at.y, WORD_HEIGHT),       \
                                      WITHIN(at.z, WORD_ARRAY_SIZE));                                   \
  }

DEFINE_READS(float4, f32)
DEFINE_READS(int4, i32)

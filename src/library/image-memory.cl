// Included by the other image files: where a pixel lies.
//
// An image is the address of its descriptor, whose words src/runtime/image-descriptor.ts lists.

#define WORD_ADDRESS 0
#define WORD_WIDTH 2
#define WORD_HEIGHT 3
#define WORD_DEPTH 4
#define WORD_ARRAY_SIZE 5
#define WORD_ROW_PITCH 6
#define WORD_SLICE_PITCH 7
#define WORD_ORDER 8
#define WORD_TYPE 9
#define WORD_PIXEL_BYTES 10

// Orders of OpenCL C 2.0, which these files are not written in.
#define CLK_DEPTH 0x10bd
#define CLK_DEPTH_STENCIL 0x10be
#define CLK_UNORM_INT24 0x10df
#define CLK_sRGB 0x10bf
#define CLK_sRGBx 0x10c0
#define CLK_sRGBA 0x10c1
#define CLK_sBGRA 0x10c2

// Colours, but not alpha, lie in memory in the sRGB encoding (OpenCL 2.0, 8.3.1.2).
#define IS_ENCODED(ORDER) ((ORDER) - CLK_sRGB <= 3u)

static global uchar *pixel_address(constant uint *image, uint pixel_bytes, int x, int y, int z) {
#if __ADDRESS_BITS__ == 64
  global uchar *first = (global uchar *)((ulong)image[WORD_ADDRESS + 1] << 32 | image[WORD_ADDRESS]);
  return first + ((ulong)(uint)z * image[WORD_SLICE_PITCH] + (ulong)(uint)y * image[WORD_ROW_PITCH] +
                  (ulong)(uint)x * pixel_bytes);
#else
  global uchar *first = (global uchar *)image[WORD_ADDRESS];
  return first + ((uint)z * image[WORD_SLICE_PITCH] + (uint)y * image[WORD_ROW_PITCH] + (uint)x * pixel_bytes);
#endif
}

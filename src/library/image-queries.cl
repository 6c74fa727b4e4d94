// What a program may ask about an image (OpenCL 1.2, 6.12.14.6).

#include "image-memory.cl"

int __millrace_image_width(constant uint *image) { return (int)image[WORD_WIDTH]; }
int __millrace_image_height(constant uint *image) { return (int)image[WORD_HEIGHT]; }
int __millrace_image_depth(constant uint *image) { return (int)image[WORD_DEPTH]; }
int __millrace_image_array_size(constant uint *image) { return (int)image[WORD_ARRAY_SIZE]; }
int __millrace_image_channel_data_type(constant uint *image) { return (int)image[WORD_TYPE]; }
int __millrace_image_channel_order(constant uint *image) { return (int)image[WORD_ORDER]; }

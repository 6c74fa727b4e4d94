// Images and samplers in every way they may be used, as a seed for damaged sources.
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
const sampler_t exact = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
typedef read_only image2d_t picture;

float4 shade(picture image, sampler_t how, float2 at) {
  const sampler_t again = how;
  return read_imagef(image, again, at) * 0.5f + read_imagef(image, smooth, at.yx) + read_imagef(image, exact, convert_int2(at));
}

void put(write_only image2d_t image, int2 at, float4 c) {
  if (at.x < get_image_width(image) && all(at < get_image_dim(image))) write_imagef(image, at, c);
}

kernel void filter(picture in, write_only image2d_t out, sampler_t how, float2 scale) {
  const sampler_t near = CLK_ADDRESS_CLAMP_TO_EDGE;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = (float4)(0);
  for (int i = -1; i <= 1; i++) sum += read_imagef(in, near, at + (int2)(i, 0));
  put(out, at, sum / 3 + shade(in, how, convert_float2(at) * scale));
}

kernel void all_kinds(image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_array_t d, read_only image3d_t e,
                      write_only image3d_t f, write_only image1d_array_t g, write_only image2d_array_t h, global int4 *out) {
  int i = get_global_id(0);
  int4 n = read_imagei(a, exact, i) + read_imagei(b, (int2)(i, 1)) + read_imagei(c, i);
  uint4 u = read_imageui(d, smooth, (float4)(i, 1, 2, 0)) + read_imageui(e, (int4)(i, 1, 2, 3));
  out[i] = n + (int)get_image_array_size(d) + get_image_dim(e) + (get_image_channel_order(a) == CLK_RGBA);
  write_imageui(f, (int4)(i, get_image_depth(f) - 1, 0, 0), u);
  write_imagei(g, (int2)(i, get_image_channel_data_type(b) - CLK_FLOAT), n);
  write_imagef(h, (int4)(i), as_float4(n));
}

// Pictures as images rather than as buffers: the kernel says where it wants to look, and the sampler, made by
// the host or written here, says what that means - between pixels, and outside the picture. The image knows
// its own size and format, so a kernel takes neither.

// For whole coordinates: no filter, and outside the picture its edge goes on.
__constant sampler_t at_pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;


// Turns the picture about its middle. Each work-item asks from where its pixel comes: the point turned back,
// which hardly ever is the middle of a pixel. A linear filter mixes the four pixels around it; and with
// CLK_ADDRESS_CLAMP what lies outside is the border, transparent black, so that no test for it is needed.
__kernel void rotate_image(__read_only image2d_t source,
                           __write_only image2d_t target,
                           sampler_t between,
                           const float2 direction) // cosine and sine of the angle
{
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = get_image_dim(target);
    if (pixel.x >= size.x || pixel.y >= size.y)
        return;

    // The middle of pixel 0 is at 0.5.
    const float2 middle = 0.5f * convert_float2(size);
    const float2 away = convert_float2(pixel) + 0.5f - middle;
    const float2 from = (float2)(direction.x * away.x + direction.y * away.y,
                                 direction.x * away.y - direction.y * away.x) + middle;
    write_imagef(target, pixel, read_imagef(source, between, from));
}


// A weighted sum of the neighbourhood, on the integers of an image of bytes: compare the kernel of the same
// purpose in ../image-filters, which has to say itself what is at the edge and where a pixel lies in memory.
__kernel void convolve_image(__read_only image2d_t source,
                             __write_only image2d_t target,
                             __constant float *weights,
                             const int radius)
{
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = get_image_dim(target);
    if (pixel.x >= size.x || pixel.y >= size.y)
        return;

    float4 sum = (float4)(0.0f);
    int weight = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx, ++weight)
            sum += weights[weight] * convert_float4(read_imageui(source, at_pixels, pixel + (int2)(dx, dy)));
    write_imageui(target, pixel, convert_uint4_sat(min(sum + 0.5f, 255.0f)));
}


// Fills the target with copies of the picture, each the mirror image of its neighbours, so that they meet
// without a seam. The sampler does it all: with normalised coordinates the picture goes from 0 to 1, whatever
// its size, and CLK_ADDRESS_MIRRORED_REPEAT says what comes after.
__kernel void mirror_image(__read_only image2d_t source,
                           __write_only image2d_t target,
                           sampler_t mirrored,
                           const float times)
{
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = get_image_dim(target);
    if (pixel.x >= size.x || pixel.y >= size.y)
        return;

    const float2 place = (convert_float2(pixel) + 0.5f) / convert_float2(size);
    write_imagef(target, pixel, read_imagef(source, mirrored, times * place));
}


// Shows what a sampler answers inside a picture and around it: a part of the target, a cell, gets the picture
// in its middle and half a picture more on every side. The host gives each cell another sampler.
__kernel void explore_sampler(__read_only image2d_t source,
                              __write_only image2d_t target,
                              sampler_t explored,
                              const int2 corner, // of the cell in the target
                              const int2 cell)   // its size
{
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    if (pixel.x >= cell.x || pixel.y >= cell.y)
        return;

    const float2 place = 2.0f * (convert_float2(pixel) + 0.5f) / convert_float2(cell) - 0.5f;
    write_imagef(target, corner + pixel, read_imagef(source, explored, place));
}

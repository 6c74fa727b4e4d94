// Five classic filters. Each computes a pixel from the pixels around it, the first from the pixel alone, so one work-item makes one pixel of
// the result and reads its neighbourhood from the source: no two work-items ever write to the same place.
//
// Pictures are buffers of uchar4 (red, green, blue, alpha), rows from the top. Where a neighbourhood reaches
// over the border, the nearest pixel inside the picture is taken instead, as a sampler with
// CLK_ADDRESS_CLAMP_TO_EDGE would.

static uchar4 pixel_at(__global const uchar4 *source, const int width, const int height,
                       const int x, const int y)
{
    return source[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}


// Brightness: a point filter, which looks at no neighbour. Each colour gets the same amount, or loses it, and stops at the ends of its range:
// add_sat and sub_sat do that for all four at once, where a plain sum of bytes would begin again at the other end.
__kernel void brightness_filter(__global const uchar4 *source,
                                __global uchar4 *target,
                                const int width,
                                const int height,
                                const int change)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    // Opacity stays as it is.
    const uchar4 amount = (uchar4)((uchar3)(min(abs(change), 255u)), 0);
    const uchar4 pixel = source[y * width + x];
    target[y * width + x] = change < 0 ? sub_sat(pixel, amount) : add_sat(pixel, amount);
}


// Mean: the plain average of a square of (2 * radius + 1) by (2 * radius + 1) pixels. It smooths, and leaves
// the square's own shape behind wherever there is a bright dot.
//
// All in whole numbers: adding half the divisor first makes the division round to nearest.
__kernel void mean_filter(__global const uchar4 *source,
                          __global uchar4 *target,
                          const int width,
                          const int height,
                          const int radius)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    uint4 sum = (uint4)(0);
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
            sum += convert_uint4(pixel_at(source, width, height, x + dx, y + dy));

    const uint area = (2 * radius + 1) * (2 * radius + 1);
    target[y * width + x] = convert_uchar4((sum + area / 2) / area);
}


// Convolution: a weighted sum of the neighbourhood, the weights row after row in constant memory, which all
// work-items read at the same time. With the weights of a bell curve this is the Gaussian filter: near pixels
// count for more, and the result looks softer than a mean over the same square.
__kernel void convolution_filter(__global const uchar4 *source,
                                 __global uchar4 *target,
                                 const int width,
                                 const int height,
                                 __constant float *weights,
                                 const int radius)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    const int side = 2 * radius + 1;
    float4 sum = (float4)(0.0f);
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            const float weight = weights[(dy + radius) * side + dx + radius];
            sum += weight * convert_float4(pixel_at(source, width, height, x + dx, y + dy));
        }

    // Weights may be negative or add up to more than one, hence the saturation.
    target[y * width + x] = convert_uchar4_sat(sum + 0.5f);
}


// Median: the middle one of the nine values of a 3 by 3 square, for each colour on its own. Where a mean
// smears a wrong pixel over its surroundings, a median drops it, and edges stay sharp.
//
// Sorting would take branches, and branches that go different ways in neighbouring work-items are dear.
// Instead nineteen exchanges of two values each (a min and a max, for four colours at once) bring the fifth
// smallest of nine to the middle, whatever order they were in: first sort three triples, then compare the
// smallest ones, the middle ones and the largest ones of the triples.
#define EXCHANGE(low, high) { const uchar4 smaller = min(low, high); high = max(low, high); low = smaller; }

__kernel void median_filter(__global const uchar4 *source,
                            __global uchar4 *target,
                            const int width,
                            const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    uchar4 p[9];
    for (int i = 0; i < 9; ++i)
        p[i] = pixel_at(source, width, height, x + i % 3 - 1, y + i / 3 - 1);

    // Each triple in order: p[0] <= p[1] <= p[2], and so on.
    EXCHANGE(p[1], p[2]) EXCHANGE(p[4], p[5]) EXCHANGE(p[7], p[8])
    EXCHANGE(p[0], p[1]) EXCHANGE(p[3], p[4]) EXCHANGE(p[6], p[7])
    EXCHANGE(p[1], p[2]) EXCHANGE(p[4], p[5]) EXCHANGE(p[7], p[8])
    // The largest of the smallest to p[6], the smallest of the largest to p[2], the middle of the middles to
    // p[4].
    EXCHANGE(p[0], p[3]) EXCHANGE(p[5], p[8]) EXCHANGE(p[4], p[7])
    EXCHANGE(p[3], p[6]) EXCHANGE(p[1], p[4]) EXCHANGE(p[2], p[5])
    EXCHANGE(p[4], p[7])
    // The median of those three is the median of all nine.
    EXCHANGE(p[4], p[2]) EXCHANGE(p[6], p[4]) EXCHANGE(p[4], p[2])

    target[y * width + x] = p[4];
}


// Sobel: how steeply does the brightness change? Two small weightings estimate the slope to the right and the
// slope downwards; the length of that slope is large on edges and zero on even ground.
__constant int slope_right[9] = { -1, 0, 1,
                                  -2, 0, 2,
                                  -1, 0, 1 };
__constant int slope_down[9] = { -1, -2, -1,
                                  0,  0,  0,
                                  1,  2,  1 };

// Brightness as the eye weighs the colours (ITU-R BT.601), in 256ths.
static int brightness(const uchar4 pixel)
{
    return (77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128) >> 8;
}

__kernel void sobel_filter(__global const uchar4 *source,
                           __global uchar4 *target,
                           const int width,
                           const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    int right = 0;
    int down = 0;
    for (int i = 0; i < 9; ++i) {
        const int value = brightness(pixel_at(source, width, height, x + i % 3 - 1, y + i / 3 - 1));
        right += slope_right[i] * value;
        down += slope_down[i] * value;
    }

    const float length = sqrt((float)(right * right + down * down));
    const uchar edge = convert_uchar_sat(length + 0.5f);
    target[y * width + x] = (uchar4)(edge, edge, edge, 255);
}

// Histogram: how often does each of the 256 values occur among the red, the green and the blue bytes?
//
// Counting is hard to share out, because many work-items want to raise the same counter. Each kernel here
// lets every work-group count its own part of the picture in fast local memory, and writes one partial
// histogram per work-group: 256 counts for red, 256 for green, 256 for blue. The host adds the partial
// histograms up.
//
// Pixels are uchar4: red, green, blue and an alpha that nobody counts.

#define BINS 256
#define COUNTERS (3 * BINS)


// 1. Naive: every work-item has counters of its own, so nobody gets in anybody's way.
//
// That takes a great deal of local memory: 3 * 256 counters for each work-item. They are 16 bits wide to make
// it bearable, which limits a work-item to 65535 pixels (8 bits would overflow where 256 pixels in a row are
// alike, as in an overexposed sky). And each work-item walks through a stretch of pixels of its own, far from
// its neighbours.
__kernel void histogram_naive(__global const uchar4 *pixels,
                              const uint pixel_count,
                              const uint pixels_per_item,
                              __local ushort *counters,
                              __global uint *partial)
{
    const size_t item = get_local_id(0);
    const size_t items = get_local_size(0);

    __local ushort *own = counters + item * COUNTERS;
    for (uint i = 0; i < COUNTERS; ++i)
        own[i] = 0;

    const size_t first = get_global_id(0) * pixels_per_item;
    const size_t end = min(first + pixels_per_item, (size_t)pixel_count);
    for (size_t i = first; i < end; ++i) {
        const uchar4 pixel = pixels[i];
        own[pixel.x]++;
        own[BINS + pixel.y]++;
        own[2 * BINS + pixel.z]++;
    }

    // From here on the work-items look at each other's counters.
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t bin = item; bin < COUNTERS; bin += items) {
        uint sum = 0;
        for (size_t other = 0; other < items; ++other)
            sum += counters[other * COUNTERS + bin];
        partial[get_group_id(0) * COUNTERS + bin] = sum;
    }
}


// 2. Atomic: one set of counters for the whole work-group, raised with atomic_inc.
//
// Atomic operations never lose a count, so the counters can be shared and can have 32 bits; a group may now
// be large. Each work-group takes 256 pixels for each of its work-items, and the group walks through them
// in step: in every turn neighbouring work-items read neighbouring pixels.
#define PIXELS_PER_ITEM 256

__kernel void histogram_atomic(__global const uchar4 *pixels,
                               const uint pixel_count,
                               __global uint *partial)
{
    __local uint counters[COUNTERS];
    const size_t item = get_local_id(0);
    const size_t items = get_local_size(0);

    for (size_t bin = item; bin < COUNTERS; bin += items)
        counters[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const size_t first = get_group_id(0) * items * PIXELS_PER_ITEM;
    for (uint turn = 0; turn < PIXELS_PER_ITEM; ++turn) {
        const size_t i = first + turn * items + item;
        if (i < pixel_count) {
            const uchar4 pixel = pixels[i];
            atomic_inc(&counters[pixel.x]);
            atomic_inc(&counters[BINS + pixel.y]);
            atomic_inc(&counters[2 * BINS + pixel.z]);
        }
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t bin = item; bin < COUNTERS; bin += items)
        partial[get_group_id(0) * COUNTERS + bin] = counters[bin];
}


// 3. As 2, but the host says how many pixels a work-item takes.
//
// With 256 pixels for each, the size of the picture decides how many work-groups there are, and that number
// seldom suits the device: with 16 groups on 12 compute units, 8 units have nothing to do in the second
// round. The host knows the device, so it picks the number of groups and divides the pixels among them.
__kernel void histogram_pixels_per_item(__global const uchar4 *pixels,
                                        const uint pixel_count,
                                        const uint pixels_per_item,
                                        __global uint *partial)
{
    __local uint counters[COUNTERS];
    const size_t item = get_local_id(0);
    const size_t items = get_local_size(0);

    for (size_t bin = item; bin < COUNTERS; bin += items)
        counters[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // The last group's share may be shorter, or empty.
    const size_t first = get_group_id(0) * items * pixels_per_item;
    const size_t end = min(first + items * pixels_per_item, (size_t)pixel_count);
    for (size_t i = first + item; i < end; i += items) {
        const uchar4 pixel = pixels[i];
        atomic_inc(&counters[pixel.x]);
        atomic_inc(&counters[BINS + pixel.y]);
        atomic_inc(&counters[2 * BINS + pixel.z]);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t bin = item; bin < COUNTERS; bin += items)
        partial[get_group_id(0) * COUNTERS + bin] = counters[bin];
}


// 4. As 3, but the picture is an image, and a work-group counts a rectangle of it.
//
// An image is read by column and row, its size comes with it, and a device with a cache for images keeps what is near in both
// directions. Each work-item takes a pixel of every tile as large as the group, so that neighbours read
// neighbours.
__constant sampler_t at_pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

__kernel void histogram_image(__read_only image2d_t image,
                              const int2 tiles, // of a work-group, across and down
                              __global uint *partial)
{
    __local uint counters[COUNTERS];
    const int2 tile = (int2)(get_local_size(0), get_local_size(1));
    const int item = get_local_id(1) * tile.x + get_local_id(0);
    const int items = tile.x * tile.y;

    for (int bin = item; bin < COUNTERS; bin += items)
        counters[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int2 size = get_image_dim(image);
    const int2 first = (int2)(get_group_id(0), get_group_id(1)) * tiles * tile
                     + (int2)(get_local_id(0), get_local_id(1));
    for (int row = 0; row < tiles.y; ++row)
        for (int column = 0; column < tiles.x; ++column) {
            const int2 at = first + (int2)(column, row) * tile;
            if (at.x < size.x && at.y < size.y) {
                const uint4 pixel = read_imageui(image, at_pixels, at);
                atomic_inc(&counters[pixel.x]);
                atomic_inc(&counters[BINS + pixel.y]);
                atomic_inc(&counters[2 * BINS + pixel.z]);
            }
        }

    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    for (int bin = item; bin < COUNTERS; bin += items)
        partial[group * COUNTERS + bin] = counters[bin];
}

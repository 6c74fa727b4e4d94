// The parts of JPEG that every block of 8 by 8 samples, or every pixel, can do by itself: transforms, quantisation, colours. What lies between
// them, the code words one after another, has no such parts and is the host's.
//
// Coefficients are shorts, 64 a block in rows (not in zigzag order), blocks in rows. Planes hold one component, in whole blocks.

// cosines[u * 8 + x] = s(u) / 2 * cos((2 * x + 1) * u * pi / 16) with s(0) = 1 / sqrt(2) and s(u) = 1: rows are orthonormal, so that the
// same numbers lead there and back.
__constant float cosines[64] = {
    0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,  0.35355339f,
    0.49039264f,  0.41573481f,  0.27778512f,  0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f, -0.49039264f,
    0.46193977f,  0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f,  0.19134172f,  0.46193977f,
    0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f,  0.27778512f,  0.49039264f,  0.09754516f, -0.41573481f,
    0.35355339f, -0.35355339f, -0.35355339f,  0.35355339f,  0.35355339f, -0.35355339f, -0.35355339f,  0.35355339f,
    0.27778512f, -0.49039264f,  0.09754516f,  0.41573481f, -0.41573481f, -0.09754516f,  0.49039264f, -0.27778512f,
    0.19134172f, -0.46193977f,  0.46193977f, -0.19134172f, -0.19134172f,  0.46193977f, -0.46193977f,  0.19134172f,
    0.09754516f, -0.27778512f,  0.41573481f, -0.49039264f,  0.49039264f, -0.41573481f,  0.27778512f, -0.09754516f,
};


// Coefficients to samples: one work-item for a block. Two passes of eight sums, along the rows and down the columns, take a quarter of
// the multiplications of the sum over all 64.
__kernel void decode_blocks(__global const short *coefficients,
                            __global const ushort *quantisation,
                            __global uchar *plane,
                            const int blocks_wide,
                            const int blocks_high)
{
    const int bx = get_global_id(0);
    const int by = get_global_id(1);
    if (bx >= blocks_wide || by >= blocks_high)
        return;

    __global const short *block = coefficients + (by * blocks_wide + bx) * 64;
    float rows[64];
    for (int v = 0; v < 8; ++v)
        for (int x = 0; x < 8; ++x) {
            float sum = 0.0f;
            for (int u = 0; u < 8; ++u)
                sum += cosines[u * 8 + x] * (float)(block[v * 8 + u] * quantisation[v * 8 + u]);
            rows[v * 8 + x] = sum;
        }

    const int pitch = blocks_wide * 8;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            float sum = 0.0f;
            for (int v = 0; v < 8; ++v)
                sum += cosines[v * 8 + y] * rows[v * 8 + x];
            // Samples were taken to -128 ... 127 before they were transformed.
            plane[(by * 8 + y) * pitch + bx * 8 + x] = convert_uchar_sat_rte(sum + 128.0f);
        }
}


// Planes to pixels: one work-item for a pixel. A plane with fewer samples than there are pixels (every second one in a row, say) gives
// each sample to all the pixels that it stands for. With one component the picture is grey.
__kernel void combine_planes(__global const uchar *luma,
                             __global const uchar *blue,
                             __global const uchar *red,
                             __global uchar4 *pixels,
                             const int width,
                             const int height,
                             const int3 pitches,
                             const int2 shrink_luma,
                             const int2 shrink_chroma,
                             const int components)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    const float light = luma[y / shrink_luma.y * pitches.x + x / shrink_luma.x];
    float cb = 0.0f;
    float cr = 0.0f;
    if (components > 1) {
        const int row = y / shrink_chroma.y;
        const int column = x / shrink_chroma.x;
        cb = blue[row * pitches.y + column] - 128.0f;
        cr = red[row * pitches.z + column] - 128.0f;
    }
    const float3 colour = (float3)(light + 1.402f * cr,
                                   light - 0.344136f * cb - 0.714136f * cr,
                                   light + 1.772f * cb);
    pixels[y * width + x] = (uchar4)(convert_uchar3_sat_rte(colour), 255);
}


// Pixels to quantised coefficients of one component: one work-item for a block. `weights` make the component of red, green, blue and 1
// (1 stands for the 128 in the middle). A sample is the mean over shrink.x by shrink.y pixels; beyond the border pixels repeat.
__kernel void encode_blocks(__global const uchar4 *pixels,
                            const int width,
                            const int height,
                            const float4 weights,
                            const int2 shrink,
                            __global const ushort *quantisation,
                            __global short *coefficients,
                            const int blocks_wide,
                            const int blocks_high)
{
    const int bx = get_global_id(0);
    const int by = get_global_id(1);
    if (bx >= blocks_wide || by >= blocks_high)
        return;

    float samples[64];
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            int4 sum = (int4)(0);
            for (int dy = 0; dy < shrink.y; ++dy)
                for (int dx = 0; dx < shrink.x; ++dx) {
                    const int column = min((bx * 8 + x) * shrink.x + dx, width - 1);
                    const int row = min((by * 8 + y) * shrink.y + dy, height - 1);
                    sum += convert_int4(pixels[row * width + column]);
                }
            const float3 mean = convert_float3(sum.xyz) / (float)(shrink.x * shrink.y);
            samples[y * 8 + x] = dot(mean, weights.xyz) + weights.w - 128.0f;
        }

    float rows[64];
    for (int y = 0; y < 8; ++y)
        for (int u = 0; u < 8; ++u) {
            float sum = 0.0f;
            for (int x = 0; x < 8; ++x)
                sum += cosines[u * 8 + x] * samples[y * 8 + x];
            rows[y * 8 + u] = sum;
        }

    __global short *block = coefficients + (by * blocks_wide + bx) * 64;
    for (int v = 0; v < 8; ++v)
        for (int u = 0; u < 8; ++u) {
            float sum = 0.0f;
            for (int y = 0; y < 8; ++y)
                sum += cosines[v * 8 + y] * rows[y * 8 + u];
            // Files have code words for ten bits.
            block[v * 8 + u] = convert_short_rte(clamp(sum / (float)quantisation[v * 8 + u], -1023.0f, 1023.0f));
        }
}

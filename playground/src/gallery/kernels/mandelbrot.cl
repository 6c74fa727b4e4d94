// How many steps does z = z * z + c take to leave the circle
// of radius 2? One work-item computes a pixel.
kernel void mandelbrot(global uchar4 *image,
                       const float centre_x, const float centre_y,
                       const float scale, const int steps)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float cx = centre_x + (x - 0.5f * width) * scale / height;
    const float cy = centre_y + (y - 0.5f * height) * scale / height;

    float zx = 0.0f, zy = 0.0f;
    int n = 0;
    while (n < steps && zx * zx + zy * zy < 4.0f) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        ++n;
    }

    // Colours run through three phases of one wave; what never leaves is dark.
    const float t = n == steps ? 0.0f : 0.35f * sqrt((float)n);
    const float3 wave = 0.5f - 0.5f * cos((float3)(t, t + 0.6f, t + 1.2f));
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * wave), 255);
}

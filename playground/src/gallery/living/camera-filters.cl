// Filters on the camera's picture, or on a drawn scene: edges, relief, sketch and glow, left and right of the pointer.
float3 pixel(global const uchar4 *camera, int x, int y, int width, int height)
{
    return convert_float3(camera[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)].xyz) / 255.0f;
}

kernel void filter(global const uchar4 *camera, global uchar4 *image, const float2 mouse,
                   const int kind, // @slider 0..3 = 0
                   const float strength) // @slider 0..3 = 1.2
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float3 grey = (float3)(0.299f, 0.587f, 0.114f);
    float3 across = (float3)(0.0f), down = (float3)(0.0f), sum = (float3)(0.0f);
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const float3 p = pixel(camera, x + dx, y + dy, width, height);
            across += dx * (2 - (int)abs(dy)) * p;
            down += dy * (2 - (int)abs(dx)) * p;
            sum += p / 9.0f;
        }
    }
    const float3 own = pixel(camera, x, y, width, height);
    const float edge = strength * sqrt(dot(grey, across * across + down * down));
    float3 colour = own;
    if (kind == 0)
        colour = (float3)(edge) * (0.3f + own);
    else if (kind == 1)
        colour = (float3)(0.5f + 0.35f * strength * dot(grey, across + down));
    else if (kind == 2)
        colour = (float3)(1.0f - edge) * (0.85f + 0.15f * floor(4.0f * dot(grey, sum)) / 4.0f);
    else {
        float3 glow = (float3)(0.0f);
        for (int dy = -4; dy <= 4; dy += 2)
            for (int dx = -4; dx <= 4; dx += 2)
                glow += fmax(pixel(camera, x + 2 * dx, y + 2 * dy, width, height) - 0.5f, 0.0f) / 25.0f;
        colour = own + 2.0f * strength * glow;
    }
    const bool plain = mouse.x >= 0.0f && x < (int)mouse.x;
    const float3 shown = x == (int)mouse.x ? (float3)(1.0f) : plain ? own : colour;
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * shown), 255);
}

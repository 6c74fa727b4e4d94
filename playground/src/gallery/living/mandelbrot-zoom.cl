// Into the Mandelbrot set and out again, towards a place on its border. Move the pointer to look around.
kernel void zoom(global uchar4 *image, const float time, const float2 mouse,
                 const float depth, // @slider 1..11 = 8
                 const int steps, // @slider 50..600 = 220
                 const float colours) // @slider 0.02..0.4 = 0.12
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float scale = 3.0f * exp(-depth * (0.5f - 0.5f * cos(0.25f * time)));
    const float2 shift = mouse.x < 0.0f ? (float2)(0.0f) : mouse - 0.5f * (float2)(width, height);
    const float cx = -0.743644f + (x - 0.5f * width + shift.x) * scale / height;
    const float cy = 0.131826f + (y - 0.5f * height + shift.y) * scale / height;

    float zx = 0.0f, zy = 0.0f;
    int n = 0;
    while (n < steps && zx * zx + zy * zy < 64.0f) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        ++n;
    }
    // How far beyond the border the last step went makes the colours run smoothly.
    const float smooth = n - log2(0.5f * log2(zx * zx + zy * zy + 1.0f));
    const float t = colours * smooth + 0.3f * time;
    const float3 wave = 0.5f - 0.5f * cos((float3)(t, t + 0.7f, t + 1.4f));
    image[y * width + x] = n == steps ? (uchar4)(8, 8, 16, 255) : (uchar4)(convert_uchar3_sat(255.0f * wave), 255);
}

// Waves on a pond by the wave equation: three states of the water, of which two are known. Press to throw stones; rain falls by itself.
// @frame spread before<->water water<->after *2, draw
kernel void spread(global const float *before, global float *water, global float *after, const int frame, const float4 mouse,
                   const float speed, // @slider 0.05..0.5 = 0.3
                   const float calm) // @slider 0.9..1 step 0.001 = 0.994
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const int at = y * width + x;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const int up = max(y - 1, 0), down = min(y + 1, height - 1);
    const float own = water[at];
    const float bend = water[y * width + left] + water[y * width + right] + water[up * width + x] + water[down * width + x] - 4.0f * own;
    float next = calm * (2.0f * own - before[at] + speed * bend);
    // A drop every twentieth frame, at a place that looks like chance.
    const int drop = frame / 20;
    const float px = fmod(drop * 127.3f, (float)width), py = fmod(drop * 83.7f, (float)height);
    const float dx = x - px, dy = y - py;
    if (frame % 20 < 2)
        next += 0.5f * exp(-(dx * dx + dy * dy) / 12.0f);
    const float mx = x - mouse.x, my = y - mouse.y;
    if (mouse.z > 0.0f)
        next += 0.35f * exp(-(mx * mx + my * my) / 20.0f);
    after[at] = next;
}

// The water refracts what is below, tiles, and mirrors the sun.
kernel void draw(global const float *water, global uchar4 *image)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float sx = water[y * width + min(x + 1, width - 1)] - water[y * width + max(x - 1, 0)];
    const float sy = water[min(y + 1, height - 1) * width + x] - water[max(y - 1, 0) * width + x];
    const float tx = x + 24.0f * sx, ty = y + 24.0f * sy;
    const float gx = fabs(fmod(tx + 640.0f, 32.0f) - 16.0f), gy = fabs(fmod(ty + 640.0f, 32.0f) - 16.0f);
    const float tile = gx > 15.0f || gy > 15.0f ? 0.55f : 0.85f + 0.05f * ((((int)(tx + 640.0f) / 32) + ((int)(ty + 640.0f) / 32)) & 1);
    const float3 n = normalize((float3)(-3.0f * sx, -3.0f * sy, 1.0f));
    const float sun = pow(fmax(dot(n, normalize((float3)(-0.4f, -0.5f, 1.0f))), 0.0f), 60.0f);
    const float3 colour = tile * (float3)(0.18f, 0.55f, 0.68f) * (0.8f + 1.2f * n.x + 0.4f * n.y) + 0.5f * sun;
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}

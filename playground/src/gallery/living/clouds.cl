// Clouds: noise of several sizes that is added up, drawn along and lit from one side.
float lattice(int x, int y)
{
    uint h = (uint)x * 374761393u + (uint)y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return ((h ^ (h >> 16)) & 0xffff) / 65535.0f;
}

float noise(float2 p)
{
    const float2 cell = floor(p);
    const float2 t = p - cell;
    const float2 s = t * t * (3.0f - 2.0f * t);
    const int x = (int)cell.x, y = (int)cell.y;
    return mix(mix(lattice(x, y), lattice(x + 1, y), s.x), mix(lattice(x, y + 1), lattice(x + 1, y + 1), s.x), s.y);
}

float cover(float2 p, float time, int octaves)
{
    float sum = 0.0f, weight = 0.5f;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * noise(p + (float2)(0.15f * time * (i + 1), 0.0f));
        p = 2.03f * (float2)(0.8f * p.x + 0.6f * p.y, 0.8f * p.y - 0.6f * p.x) + 17.0f;
        weight *= 0.5f;
    }
    return sum;
}

kernel void sky(global uchar4 *image, const float time,
                const float amount, // @slider 0.2..0.8 = 0.5
                const float size, // @slider 1..8 = 3
                const int octaves) // @slider 1..7 = 5
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float v = (float)y / height;
    const float2 p = size * (float2)((float)x / height, v) + (float2)(0.3f * time + 40.0f, 40.0f);
    const float here = cover(p, time, octaves);
    const float sunward = cover(p + (float2)(0.06f, -0.08f), time, octaves);
    const float thick = clamp(4.0f * (here - (1.0f - amount) + 0.1f), 0.0f, 1.0f);
    const float light = clamp(0.75f + 2.2f * (here - sunward), 0.35f, 1.0f);
    const float3 blue = mix((float3)(0.16f, 0.36f, 0.72f), (float3)(0.66f, 0.8f, 0.93f), v);
    const float3 colour = mix(blue, light * (float3)(1.0f, 0.98f, 0.95f), thick);
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}

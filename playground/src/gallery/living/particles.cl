// Particles in a field of swirls that changes with time; the pointer draws them to itself, and pressed it drives them away.
// @start scatter[60000]
// @frame fade, drive[60000], draw
uint next_random(uint state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ (state << 5);
}

kernel void scatter(global float4 *dots, const float2 extent)
{
    const int i = get_global_id(0);
    const uint one = next_random(i * 2654435761u + 12345u), two = next_random(one + i);
    dots[i] = (float4)(extent.x * (one >> 8) / 16777216.0f, extent.y * (two >> 8) / 16777216.0f, 0.0f, 0.0f);
}

kernel void fade(global uint *light)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    light[at] = light[at] * 7 / 8;
}

kernel void drive(global float4 *dots, global uint *light, const float2 extent, const float time, const float4 mouse,
                  const float swirl, // @slider 0..0.5 = 0.12
                  const float drag) // @slider 0.8..1 = 0.96
{
    const int i = get_global_id(0);
    const float4 d = dots[i];
    const float2 p = 0.018f * d.xy;
    float2 force = swirl * (float2)(sin(p.y + 0.7f * time) + cos(2.1f * p.y - p.x), cos(p.x - 0.5f * time) - sin(1.7f * p.x + p.y));
    if (mouse.x >= 0.0f) {
        const float2 way = mouse.xy - d.xy;
        const float pull = (mouse.z > 0.0f ? -60.0f : 12.0f) / (dot(way, way) + 400.0f);
        force += pull * way;
    }
    const float2 speed = drag * d.zw + force;
    float2 place = d.xy + speed;
    // What leaves on one side comes back on the other.
    place -= extent * floor(place / extent);
    dots[i] = (float4)(place, speed);
    const int x = min((int)place.x, (int)extent.x - 1), y = min((int)place.y, (int)extent.y - 1);
    atomic_add(&light[y * (int)extent.x + x], (uint)(40.0f + 12.0f * fast_length(speed)));
}

kernel void draw(global const uint *light, global uchar4 *image)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float t = light[at] / 300.0f;
    const float3 colour = (float3)(1.0f) - exp(-t * (float3)(0.5f, 1.0f, 1.8f));
    image[at] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}

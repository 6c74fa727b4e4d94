// Each body is drawn to all others: as many steps as there are pairs. Two discs of bodies meet.
// @start place[1536], clear
// @frame fade, move[1536] bodies<->bodies_next, drift[1536], splat[1536], draw
kernel void place(global float4 *bodies, global float2 *speed)
{
    const int i = get_global_id(0), count = get_global_size(0);
    const int disc = i & 1;
    // A sunflower's spiral fills a disc evenly.
    const float angle = 2.39996f * i, radius = 0.28f * sqrt((float)i / count);
    const float2 centre = disc ? (float2)(0.42f, 0.16f) : (float2)(-0.42f, -0.16f);
    const float2 offset = radius * (float2)(cos(angle), sin(angle));
    bodies[i] = (float4)(centre + offset, 0.0f, 1.0f / count);
    const float round = 1.1f * sqrt(radius);
    const float way = disc ? -0.22f : 0.22f;
    speed[i] = round * (float2)(-sin(angle), cos(angle)) + (float2)(way, 0.0f);
}

kernel void clear(global uint *light)
{
    light[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 0;
}

kernel void fade(global uint *light)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    light[at] = light[at] * 13 / 16;
}

kernel void move(global const float4 *bodies, global float4 *bodies_next, global float2 *speed,
                 const float gravity, // @slider 0..1 = 0.35
                 const float softening) // @slider 0.01..0.2 = 0.05
{
    const int i = get_global_id(0), count = get_global_size(0);
    const float4 own = bodies[i];
    float2 pull = (float2)(0.0f);
    for (int j = 0; j < count; ++j) {
        const float4 other = bodies[j];
        const float2 way = other.xy - own.xy;
        const float r = rsqrt(dot(way, way) + softening * softening);
        pull += other.w * r * r * r * way;
    }
    speed[i] += 0.006f * gravity * pull;
    bodies_next[i] = own;
}

kernel void drift(global float4 *bodies, global const float2 *speed)
{
    const int i = get_global_id(0);
    bodies[i].xy += 0.006f * speed[i];
}

kernel void splat(global const float4 *bodies, global uint *light, const int image_width, const int image_height)
{
    const float2 at = bodies[get_global_id(0)].xy;
    const int x = (int)(0.5f * image_width + 0.5f * at.x * image_height);
    const int y = (int)(0.5f * image_height + 0.5f * at.y * image_height);
    if (x > 0 && y > 0 && x < image_width - 1 && y < image_height - 1) {
        atomic_add(&light[y * image_width + x], 160u);
        atomic_add(&light[y * image_width + x + 1], 60u);
        atomic_add(&light[y * image_width + x - 1], 60u);
        atomic_add(&light[(y + 1) * image_width + x], 60u);
        atomic_add(&light[(y - 1) * image_width + x], 60u);
    }
}

kernel void draw(global const uint *light, global uchar4 *image)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float t = light[at] / 400.0f;
    const float3 colour = (float3)(1.0f) - exp(-t * (float3)(1.0f, 0.75f, 1.6f));
    image[at] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}

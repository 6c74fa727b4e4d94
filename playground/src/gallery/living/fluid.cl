// A fluid that is moved by its own velocity, and kept free of divergence (Stam's stable fluids). Drag to push it.
// @frame advect speed<->speed_next, stir, diverge, relax pressure<->pressure_next *24, project, carry ink<->ink_next, draw
constant float step = 1.0f;

float2 at2(global const float2 *field, int x, int y, int width, int height)
{
    return field[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

float at1(global const float *field, int x, int y, int width, int height)
{
    return field[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

// Where the fluid at a place has come from: between (x, y) and the three places after it, `part` away from (x, y).
typedef struct {
    int x, y;
    float2 part;
} origin;

origin origin_of(global const float2 *speed, int x, int y, int width, int height)
{
    const float2 place = (float2)(x, y) - step * speed[y * width + x];
    const float2 from = clamp(place, (float2)(0.0f), (float2)(width - 1, height - 1));
    const origin found = {(int)from.x, (int)from.y, from - floor(from)};
    return found;
}

kernel void advect(global const float2 *speed, global float2 *speed_next, const float calm) // @slider 0.9..1 = 0.995
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const origin o = origin_of(speed, x, y, width, height);
    const float2 above = mix(at2(speed, o.x, o.y, width, height), at2(speed, o.x + 1, o.y, width, height), o.part.x);
    const float2 below = mix(at2(speed, o.x, o.y + 1, width, height), at2(speed, o.x + 1, o.y + 1, width, height), o.part.x);
    speed_next[y * width + x] = calm * mix(above, below, o.part.y);
}

// Two fountains that sway, and the pointer.
kernel void stir(global float2 *speed, global float *ink, const float time, const float4 mouse,
                 const float force) // @slider 0..2 = 0.7
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const int at = y * width + x;
    const float2 place = (float2)(x, y);
    for (int i = 0; i < 2; ++i) {
        const float2 centre = (float2)(width * (0.3f + 0.4f * i), height * 0.85f);
        const float2 away = place - centre;
        const float near = exp(-dot(away, away) / 40.0f);
        const float sway = sin(1.3f * time + 2.0f * i);
        speed[at] += near * force * (float2)(0.7f * sway, -1.0f);
        ink[at] = fmin(1.5f, ink[at] + 0.3f * near);
    }
    if (mouse.z > 0.0f) {
        const float2 away = place - mouse.xy;
        const float near = exp(-dot(away, away) / 90.0f);
        speed[at] += near * force * (float2)(sin(5.0f * time), cos(5.0f * time));
        ink[at] = fmin(1.5f, ink[at] + 0.4f * near);
    }
}

kernel void diverge(global const float2 *speed, global float *divergence)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    divergence[y * width + x] =
        0.5f * (at2(speed, x + 1, y, width, height).x - at2(speed, x - 1, y, width, height).x +
                at2(speed, x, y + 1, width, height).y - at2(speed, x, y - 1, width, height).y);
}

kernel void relax(global const float *divergence, global const float *pressure, global float *pressure_next)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float around = at1(pressure, x - 1, y, width, height) + at1(pressure, x + 1, y, width, height) +
                         at1(pressure, x, y - 1, width, height) + at1(pressure, x, y + 1, width, height);
    pressure_next[y * width + x] = 0.25f * (around - divergence[y * width + x]);
}

kernel void project(global const float *pressure, global float2 *speed)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float2 slope = (float2)(at1(pressure, x + 1, y, width, height) - at1(pressure, x - 1, y, width, height),
                                  at1(pressure, x, y + 1, width, height) - at1(pressure, x, y - 1, width, height));
    const bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    speed[y * width + x] = border ? (float2)(0.0f) : speed[y * width + x] - 0.5f * slope;
}

kernel void carry(global const float2 *speed, global const float *ink, global float *ink_next)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const origin o = origin_of(speed, x, y, width, height);
    const float above = mix(at1(ink, o.x, o.y, width, height), at1(ink, o.x + 1, o.y, width, height), o.part.x);
    const float below = mix(at1(ink, o.x, o.y + 1, width, height), at1(ink, o.x + 1, o.y + 1, width, height), o.part.x);
    ink_next[y * width + x] = 0.996f * mix(above, below, o.part.y);
}

kernel void draw(global const float *ink, global uchar4 *image)
{
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const float t = ink[at];
    const float3 colour = (float3)(t * t, 0.25f * t + 0.6f * t * t * t, 0.12f + 0.6f * t);
    image[at] = (uchar4)(convert_uchar3_sat(255.0f * colour), 255);
}

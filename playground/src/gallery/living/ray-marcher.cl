// Each ray goes as far as nothing can be, and again, until it is at a surface: spheres that melt into each other over a floor.
float scene(float3 p, const float3 *centres, float melt)
{
    float blended = 0.0f;
    for (int i = 0; i < 4; ++i) {
        const float3 away = p - centres[i];
        // Fast ones are good enough for a picture; length() guards against numbers too large to square.
        blended += native_exp((0.55f - native_sqrt(dot(away, away))) / melt);
    }
    return fmin(-melt * native_log(blended), p.y + 0.7f);
}

float3 normal_at(float3 p, const float3 *centres, float melt)
{
    const float e = 0.002f;
    const float here = scene(p, centres, melt);
    return normalize((float3)(scene(p + (float3)(e, 0, 0), centres, melt) - here,
                              scene(p + (float3)(0, e, 0), centres, melt) - here,
                              scene(p + (float3)(0, 0, e), centres, melt) - here));
}

kernel void march(global uchar4 *image, const float time,
                  const float melt, // @slider 0.02..0.5 = 0.18
                  const float height_of_eye, // @slider 0..4 = 1.2
                  const float2 mouse)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int width = get_global_size(0), height = get_global_size(1);
    const float round = mouse.x < 0.0f ? 0.2f * time : 6.2832f * mouse.x / width;
    const float3 eye = (float3)(4.2f * sin(round), height_of_eye, 4.2f * cos(round));
    const float3 ahead = normalize((float3)(0.0f, 0.2f, 0.0f) - eye);
    const float3 right = normalize(cross(ahead, (float3)(0.0f, 1.0f, 0.0f)));
    const float3 up = cross(right, ahead);
    const float u = (x + 0.5f - 0.5f * width) / height, v = (0.5f * height - y - 0.5f) / height;
    const float3 ray = normalize(1.3f * ahead + u * right + v * up);

    // Where the spheres are does not depend on the ray, so it is computed once and not at each step.
    float3 centres[4];
    for (int i = 0; i < 4; ++i) {
        const float phase = time * (0.6f + 0.15f * i) + 1.7f * i;
        centres[i] = (float3)(1.3f * sin(phase), 0.4f + 0.5f * sin(1.4f * phase + i), 1.1f * cos(0.8f * phase));
    }

    float way = 0.0f;
    for (int i = 0; i < 80; ++i) {
        const float free = scene(eye + way * ray, centres, melt);
        way += 0.9f * free;
        if (free < 0.001f * way || way > 20.0f)
            break;
    }
    float3 colour = mix((float3)(0.75f, 0.82f, 0.9f), (float3)(0.25f, 0.42f, 0.7f), clamp(2.0f * ray.y + 0.3f, 0.0f, 1.0f));
    if (way < 20.0f) {
        const float3 p = eye + way * ray;
        const float3 n = normal_at(p, centres, melt);
        const float3 sun = normalize((float3)(0.6f, 0.9f, 0.3f));
        float shadow = 1.0f, along = 0.05f;
        for (int i = 0; i < 24; ++i) {
            const float free = scene(p + along * sun, centres, melt);
            shadow = fmin(shadow, 8.0f * free / along);
            along += clamp(free, 0.03f, 0.3f);
            if (shadow < 0.01f || along > 5.0f)
                break;
        }
        const bool floor = p.y < -0.69f;
        const int tile = ((int)(p.x + 100.0f) + (int)(p.z + 100.0f)) & 1;
        const float3 paint = floor ? (tile ? (float3)(0.75f) : (float3)(0.45f)) : (float3)(0.85f, 0.4f, 0.25f);
        const float light = fmax(dot(n, sun), 0.0f) * clamp(shadow, 0.0f, 1.0f);
        const float shine = floor ? 0.0f : pow(fmax(dot(n, normalize(sun - ray)), 0.0f), 40.0f) * light;
        const float3 lit = paint * (0.28f + 0.12f * n.y + 0.8f * light) + 0.6f * shine;
        colour = mix(lit, colour, clamp(way / 20.0f, 0.0f, 1.0f));
    }
    image[y * width + x] = (uchar4)(convert_uchar3_sat(255.0f * sqrt(colour)), 255);
}

// Edges of a photograph: the slope of its brightness to the right and downwards. Images have samplers, which say what
// is read beyond the border.
constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

static float brightness(read_only image2d_t photo, const int2 at)
{
    return dot(read_imagef(photo, clamped, at).xyz, (float3)(0.299f, 0.587f, 0.114f));
}

kernel void edges(read_only image2d_t photo, write_only image2d_t result, const float strength)
{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float right = 0.0f, down = 0.0f;
    for (int i = -1; i <= 1; ++i) {
        const float weight = i == 0 ? 2.0f : 1.0f;
        right += weight * (brightness(photo, at + (int2)(1, i)) - brightness(photo, at + (int2)(-1, i)));
        down += weight * (brightness(photo, at + (int2)(i, 1)) - brightness(photo, at + (int2)(i, -1)));
    }
    const float edge = clamp(strength * hypot(right, down), 0.0f, 1.0f);
    write_imagef(result, at, (float4)((float3)(1.0f - edge), 1.0f));
}

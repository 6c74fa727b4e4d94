// A sum of sines approaches a square wave: each work-item adds up the terms for its own place.
kernel void waves(global float *height, const int terms)
{
    const int i = get_global_id(0);
    const float x = 4.0f * M_PI_F * i / get_global_size(0);
    float sum = 0.0f;
    for (int k = 0; k < terms; ++k) {
        const int n = 2 * k + 1;
        sum += sin(n * x) / n;
    }
    height[i] = 4.0f / M_PI_F * sum;
}

// Each work-group adds up its part of the numbers in local memory: half of the work-items add the other half's,
// then a quarter, until one is left. The barrier keeps everybody in step.
kernel void group_sums(global const float *numbers, global float *sums, local float *part)
{
    const int i = get_local_id(0);
    part[i] = numbers[get_global_id(0)];
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_size)
            part[i] += part[i + half_size];
    }
    if (i == 0)
        sums[get_group_id(0)] = part[0];
}

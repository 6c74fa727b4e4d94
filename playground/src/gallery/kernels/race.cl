// Moves every number one place to the left, and is wrong: a work-item may read its neighbour's number after the
// neighbour has moved it. The Check panel finds it. Two barriers would mend it for one work-group; for more than one,
// the result has to go to another buffer.
kernel void shift_left(global float *numbers, const int count)
{
    const int i = get_global_id(0);
    if (i + 1 < count)
        numbers[i] = numbers[i + 1];
}

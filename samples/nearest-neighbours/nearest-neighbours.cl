// k nearest neighbours: an unknown point gets the class that most of its k nearest known points have.
//
// Three steps. The first kernel measures how far every known point lies from the unknown one. The second
// sorts the points by that, pass by pass (bitonic-sort.cl explains how). The host then lets the first k of
// them vote.

typedef struct {
    float x;
    float y;
    uint label;
} Point;


// One work-item for each place in the sorted order to come. The unknown point arrives by value, as a struct.
//
// There are as many places as the next power of two, since the sort wants that; those past the last point are
// infinitely far away and end up behind all others (what lies there is of no interest, so the unknown point
// will do). The points are copied, because the sort moves them and the next unknown point wants them as they
// were.
//
// The distance is left squared: the order is the same, and no root is needed.
__kernel void knn_distances(const Point unknown,
                            __global const Point *points,
                            const uint count,
                            __global float *distances,
                            __global Point *candidates)
{
    const size_t i = get_global_id(0);
    if (i >= count) {
        distances[i] = INFINITY;
        candidates[i] = unknown;
        return;
    }

    const Point point = points[i];
    const float dx = point.x - unknown.x;
    const float dy = point.y - unknown.y;
    distances[i] = dx * dx + dy * dy;
    candidates[i] = point;
}


// One pass of a bitonic sort of distances that carries the points along. Points equally far away are put in
// the order of their labels, so that the vote does not depend on chance.
__kernel void knn_bitonic_pass(__global float *distances,
                               __global Point *candidates,
                               const uint stage,
                               const uint pass)
{
    const uint pair = get_global_id(0);
    const uint distance = 1u << (stage - pass);
    const uint low = (pair / distance) * 2 * distance + pair % distance;
    const uint high = low + distance;
    const bool rising = ((low >> (stage + 1)) & 1) == 0;

    const float first = distances[low];
    const float second = distances[high];
    const Point first_point = candidates[low];
    const Point second_point = candidates[high];

    const bool in_order = first < second || (first == second && first_point.label <= second_point.label);
    if (in_order != rising) {
        distances[low] = second;
        distances[high] = first;
        candidates[low] = second_point;
        candidates[high] = first_point;
    }
}

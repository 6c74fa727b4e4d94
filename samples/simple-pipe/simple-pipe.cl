// Simple pipe: one kernel throws darts at a square, another counts where those lie that hit the disc in it.
//
// How many darts hit is not known before, so the first kernel cannot give each a place in a buffer. A pipe needs none: who has
// something to say writes a packet, who has nothing writes none, and the reader takes packets as they come.

typedef struct {
    short x, y;
} dart;

// A number that looks random (a step of xorshift, and a multiplication), so that host and kernel throw alike.
static uint scattered(uint n)
{
    n ^= n << 13;
    n ^= n >> 17;
    n ^= n << 5;
    return n * 0x9e3779b1u;
}

// Each work-item throws one dart. The disc has radius 2^15, so what hits it is told by whole numbers.
__kernel void throw_darts(const uint first,
                          const uint count,
                          write_only pipe dart hits,
                          __global uint *lost)
{
    const uint id = get_global_id(0);
    if (id >= count)
        return;
    const uint n = scattered(first + id + 1);
    dart thrown;
    thrown.x = (short)n;
    thrown.y = (short)(n >> 16);
    const int x = thrown.x, y = thrown.y;
    if ((uint)(x * x) + (uint)(y * y) >= 1u << 30)
        return;
    // The pipe has room for every dart of a round, so this should never be.
    if (write_pipe(hits, &thrown) != 0)
        atomic_inc(lost);
}

// Takes what there is, and counts it by rings of the same area: as many darts should be in each.
__kernel void count_rings(read_only pipe dart hits,
                          __global uint *rings)
{
    __local uint counts[RINGS];
    for (uint ring = get_local_id(0); ring < RINGS; ring += get_local_size(0))
        counts[ring] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    dart taken;
    while (read_pipe(hits, &taken) == 0) {
        const int x = taken.x, y = taken.y;
        const uint square = (uint)(x * x) + (uint)(y * y);
        atomic_inc(&counts[square / ((1u << 30) / RINGS)]);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint ring = get_local_id(0); ring < RINGS; ring += get_local_size(0))
        atomic_add(&rings[ring], counts[ring]);
}

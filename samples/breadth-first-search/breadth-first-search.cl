// Breadth-first search of a graph, level by level. The vertices of a level lie in a pipe; those that are found beside them go into
// another, which is the next level. How many there will be only the device knows, so the device launches each level itself.

// The edges of vertex v lead to to[first[v]] up to, without it, to[first[v + 1]].
typedef struct graph {
    global const uint *first;
    global const uint *to;
    global atomic_int *distance;  // edges from the root; -1 where nobody has been
} graph;

// A work-item for each vertex of a level. Of those who find a vertex at once, one sets its distance and passes it on.
void expand(const graph *g, read_only pipe uint level, write_only pipe uint next, int depth)
{
    uint vertex;
    if (read_pipe(level, &vertex) != 0)
        return;
    const uint end = g->first[vertex + 1];
    for (uint edge = g->first[vertex]; edge < end; edge++) {
        const uint other = g->to[edge];
        int nobody = -1;
        // Looking first is cheaper than trying: most vertices that an edge leads to are known already.
        if (atomic_load_explicit(g->distance + other, memory_order_relaxed) == -1 &&
            atomic_compare_exchange_strong_explicit(g->distance + other, &nobody, depth,
                                                    memory_order_relaxed, memory_order_relaxed))
            write_pipe(next, &other);
    }
}

// One work-item: launches what expands a level, and itself behind that, with the pipes in each other's place. A kernel may use only
// one end of a pipe; this uses none, and hands to each launch the ends that it needs.
void descend(const graph *given,
             read_only pipe uint level, write_only pipe uint to_level,
             read_only pipe uint next, write_only pipe uint to_next, int depth)
{
    const graph g = *given;
    const uint count = get_pipe_num_packets(level);
    if (count == 0)
        return;
    const queue_t queue = get_default_queue();
    clk_event_t expanded;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(count), 0, NULL, &expanded,
                   ^{ expand(&g, level, to_next, depth); });
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &expanded, NULL,
                   ^{ descend(&g, next, to_next, level, to_level, depth + 1); });
    release_event(expanded);
}

// One work-item. Both pipes are empty, have room for every vertex, and are handed over twice, once for each end.
kernel void search_graph(global const uint *first, global const uint *to, uint root, global atomic_int *distance,
                         write_only pipe uint to_even, read_only pipe uint even,
                         write_only pipe uint to_odd, read_only pipe uint odd)
{
    const graph g = { first, to, distance };
    atomic_store_explicit(distance + root, 0, memory_order_relaxed);
    write_pipe(to_even, &root);
    descend(&g, even, to_even, odd, to_odd, 1);
}

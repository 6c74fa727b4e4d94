// Grows regions of similar brightness from seeds. What a region gains in one step are the pixels beside those that it gained in
// the step before; how many that are only the device knows, so the device launches the next step itself.

typedef struct growth {
  global const uchar *light;
  global int *labels;         // 0: nobody's
  global int *fronts;         // two lists of pixels, in turns
  global atomic_int *counts;  // how many are in each
  int width, height;
  int centre, tolerance;      // of brightness
  int label;
} growth;

// A work-item for each pixel of the last step: takes the neighbours that belong to the region and are nobody's yet.
void gain(const growth *g, int turn) {
  int pixels = g->width * g->height;
  int from = g->fronts[turn * pixels + get_global_id(0)];
  int x = from % g->width;
  for (int side = 0; side < 4; side++) {
    int step = side == 0 ? -1 : side == 1 ? 1 : side == 2 ? -g->width : g->width;
    if ((side == 0 && x == 0) || (side == 1 && x == g->width - 1)) continue;
    int pixel = from + step;
    if (pixel < 0 || pixel >= pixels) continue;
    if (abs(g->light[pixel] - g->centre) > g->tolerance) continue;
    // Looking first is cheaper than trying: most pixels around have been taken in an earlier step. Of those who come at once to
    // one that was not, one gets it.
    if (((volatile global int *)g->labels)[pixel] != 0) continue;
    if (atomic_cmpxchg((volatile global int *)g->labels + pixel, 0, g->label) != 0) continue;
    int place = atomic_fetch_add_explicit(g->counts + (1 - turn), 1, memory_order_relaxed, memory_scope_device);
    g->fronts[(1 - turn) * pixels + place] = pixel;
  }
}

// One work-item: launches a step over what the last one has gained, and itself again behind it.
void go_on(const growth *given, int turn) {
  growth g = *given;
  int count = atomic_load_explicit(g.counts + turn, memory_order_relaxed, memory_scope_device);
  if (count == 0) return;
  atomic_store_explicit(g.counts + (1 - turn), 0, memory_order_relaxed, memory_scope_device);
  queue_t queue = get_default_queue();
  clk_event_t gained;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(count), 0, NULL, &gained, ^{ gain(&g, turn); });
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gained, NULL, ^{ go_on(&g, 1 - turn); });
  release_event(gained);
}

// One work-item. A seed that another region has taken grows nothing.
kernel void grow_region(global const uchar *light, int width, int height, int seed, int tolerance, int label,
                        global int *labels, global int *fronts, global atomic_int *counts) {
  if (labels[seed] != 0) return;
  labels[seed] = label;
  fronts[0] = seed;
  atomic_store_explicit(counts, 1, memory_order_relaxed, memory_scope_device);
  growth g = { light, labels, fronts, counts, width, height, light[seed], tolerance, label };
  go_on(&g, 0);
}

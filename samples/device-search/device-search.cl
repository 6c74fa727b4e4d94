// Finds keys in a sorted array by narrowing: a work-group looks at the ends of as many parts as it has work-items, and the
// one whose part can hold the key launches the same for that part. The host launches once for all keys.
void narrow(global const uint *sorted, uint key, uint begin, uint count, global uint *place) {
  uint parts = get_local_size(0);
  uint length = (count + parts - 1) / parts;
  uint first = begin + get_local_id(0) * length;
  uint end = min(first + length, begin + count);
  // Keys are distinct, so they fit into one part at most.
  if (first >= end || sorted[first] > key || sorted[end - 1] < key) return;
  if (end - first == 1) {
    *place = first;
    return;
  }
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(parts, parts),
                 ^{ narrow(sorted, key, first, end - first, place); });
}

// A work-group for each key. `places` must hold the number that stands for none.
kernel void find_keys(global const uint *sorted, uint count, global const uint *keys, global uint *places) {
  uint i = get_group_id(0);
  narrow(sorted, keys[i], 0, count, places + i);
}

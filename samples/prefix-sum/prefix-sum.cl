// Running sums of a long array. Each work-group makes those of its own part with one built-in function; then parts are
// joined to twice as long ones, again and again, by adding the first half's last sum to the second half.

kernel void scan_groups(global const uint *in, uint count, global uint *out) {
  uint i = get_global_id(0);
  uint sum = work_group_scan_inclusive_add(i < count ? in[i] : 0);
  if (i < count) out[i] = sum;
}

// Joins parts of 2^stage work-groups in pairs. There is a work-group here for each one that lies in a second half.
kernel void join_parts(global uint *out, uint count, uint stage) {
  uint part = 1u << stage;
  uint pair = get_group_id(0) >> stage;
  uint half_begin = (pair * 2 + 1) * part;                     // in work-groups
  uint group = half_begin + (get_group_id(0) & (part - 1));
  uint size = get_local_size(0);
  // All work-items must come by, so those beyond the end leave only after it.
  uint before = 0;
  if (get_local_id(0) == 0 && half_begin * size <= count) before = out[half_begin * size - 1];
  before = work_group_broadcast(before, 0);
  uint i = group * size + get_local_id(0);
  if (i < count) out[i] += before;
}

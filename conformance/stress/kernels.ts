/** The kernels that hand tokens round (stress.ts). What does not fit into a pipe waits in a lot, which has room for all. */
export const source = `
typedef struct { uint id, hops; } token;
kernel void start(write_only pipe token lot, uint count) {
  token t = { get_global_id(0), 0 };
  if (t.id < count) write_pipe(lot, &t);
}
// Takes a token from one pipe, or if that is empty from the lot, and puts it into the next, or if that is full into the lot.
static void relay_one(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                      write_only pipe token lot, volatile global uint *hops, volatile global uint *lost) {
  token t;
  if (read_pipe(from, &t) != 0 && read_pipe(parked, &t) != 0) return;
  t.hops++;
  if (write_pipe(to, &t) == 0 || write_pipe(lot, &t) == 0) atomic_inc(hops);
  else atomic_inc(lost);
}
kernel void relay(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                  write_only pipe token lot, volatile global uint *hops, volatile global uint *lost) {
  relay_one(from, parked, to, lot, hops, lost);
}
// The same by work-items of another kernel, which this one launches, once it has ended or at once.
kernel void relay_nested(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                         write_only pipe token lot, volatile global uint *hops, volatile global uint *lost,
                         volatile global uint *nested) {
  kernel_enqueue_flags_t flags = get_global_id(0) % 2 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_KERNEL;
  int error = enqueue_kernel(get_default_queue(), flags, ndrange_1D(64, 16), ^{
    relay_one(from, parked, to, lot, hops, lost);
    atomic_inc(nested);
  });
  if (error != CLK_SUCCESS) atomic_inc(nested + 1);
}
// The same by launches that wait for each other: two for an event of the kernel's own, a marker for these, a last one for that.
kernel void relay_chain(read_only pipe token from, read_only pipe token parked, write_only pipe token to,
                        write_only pipe token lot, volatile global uint *hops, volatile global uint *lost,
                        volatile global uint *nested) {
  queue_t queue = get_default_queue();
  clk_event_t gate = create_user_event(), both[2], passed;
  void (^step)(void) = ^{ relay_one(from, parked, to, lot, hops, lost); atomic_inc(nested); };
  int made = 0;
  for (int i = 0; i < 2; i++)
    made += enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(32, 8), 1, &gate, both + made, step) == CLK_SUCCESS;
  if (made == 2 && enqueue_marker(queue, 2, both, &passed) == CLK_SUCCESS) {
    made += enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), 1, &passed, NULL, step) == CLK_SUCCESS;
    release_event(passed);
  }
  atomic_add(nested + 1, 3 - made);
  set_user_event_status(gate, CL_COMPLETE);
  release_event(gate);
  for (int i = 0; i < min(made, 2); i++) release_event(both[i]);
}
// The same by whole work-groups, as far as there are as many tokens as the group has work-items.
kernel void relay_groups(read_only pipe token from, write_only pipe token to, write_only pipe token lot,
                         volatile global uint *hops, volatile global uint *lost) {
  reserve_id_t in = work_group_reserve_read_pipe(from, get_local_size(0));
  if (!is_valid_reserve_id(in)) return;
  token t;
  read_pipe(from, in, get_local_id(0), &t);
  work_group_commit_read_pipe(from, in);
  t.hops++;
  reserve_id_t out = work_group_reserve_write_pipe(to, get_local_size(0));
  if (is_valid_reserve_id(out)) {
    write_pipe(to, out, get_local_id(0), &t);
    work_group_commit_write_pipe(to, out);
    atomic_inc(hops);
  } else if (write_pipe(lot, &t) == 0) atomic_inc(hops);
  else atomic_inc(lost);
}
kernel void drain(read_only pipe token from, volatile global uint *seen, volatile global ulong *hops) {
  token t;
  while (read_pipe(from, &t) == 0) { atomic_inc(seen + t.id); atom_add(hops, (ulong)t.hops); }
}`;

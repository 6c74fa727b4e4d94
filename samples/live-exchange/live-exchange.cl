// Works beside the host: one launch takes batches of samples as the host makes them, and says after each that its place is
// free again. The two counters are all that passes between them; what they cover is ordinary memory.
kernel void batch_energies(global atomic_int *ready, global atomic_int *done, global const int *ring, int slots,
                           int length, int batches, global uint *energies) {
  for (int batch = 0; batch < batches; batch++) {
    // What the host wrote before it counted up is seen after the acquire.
    while (atomic_load_explicit(ready, memory_order_acquire, memory_scope_all_svm_devices) <= batch)
      ;
    global const int *samples = ring + batch % slots * length;
    uint energy = 0;
    for (int i = 0; i < length; i++) energy += samples[i] * samples[i];
    energies[batch] = energy;
    atomic_store_explicit(done, batch + 1, memory_order_release, memory_scope_all_svm_devices);
  }
}

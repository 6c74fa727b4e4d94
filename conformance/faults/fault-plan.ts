/** What is to go wrong in a thread, as it is told when it starts (in-thread.ts). */
export type ThreadFault =
  /** The thread ends at its n-th operation on shared memory. */
  | { readonly kind: 'end'; readonly at: number }
  /** WebGPU's device is destroyed at its n-th call; at 0 none is given. */
  | { readonly kind: 'device loss'; readonly at: number }
  /** Its n-th WebAssembly module or instance finds no memory. */
  | { readonly kind: 'no code'; readonly at: number }
  /** Nothing goes wrong, but operations on shared memory take long now and then: one in so many. */
  | { readonly kind: 'delays'; readonly oneIn: number; readonly seed: number };

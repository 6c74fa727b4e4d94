/**
 * Memory that another thread may have grown. V8 tells a thread of that by an interrupt, so that for a moment `memory.buffer` still ends where
 * the memory did before, although the thread has been told (by an atomic operation) of something behind it. What is written there is lost, and
 * atomic operations throw.
 */

/** The buffer of a shared memory, which reaches up to a byte at least if the memory does. */
export function bufferUpTo(memory: WebAssembly.Memory, end: number): ArrayBufferLike {
  if (end <= memory.buffer.byteLength) return memory.buffer;
  // Growing by nothing makes the engine look.
  memory.grow(0);
  return memory.buffer;
}

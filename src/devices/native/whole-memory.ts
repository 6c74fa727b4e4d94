/** Takes all the address space of a context's memory: machine code must find memory at every 32-bit address. */
import type { DeviceMemory } from '../../runtime/device-memory.ts';

const pageBytes = 65536;
/** Less than the step in which memories grow, so that the last one reaches the end. */
const step = 8 << 20;

/**
 * Makes a context's memory as large as it can be, which costs nothing until it is touched. False if that is not 4 GiB, as with memory of
 * programs in C or on machines without so much address space.
 */
export function takeWholeMemory(memory: DeviceMemory): boolean {
  const limit = memory.maximumPages * pageBytes;
  if (memory.isLent || !memory.shared || limit !== 2 ** 32) return false;
  // A range as long as there can be one behind what is in use makes it grow.
  for (let bytes = limit - step / 4; memory.bytes.byteLength < limit && bytes > 0; bytes -= step) {
    try {
      memory.free(memory.allocate(bytes));
    } catch {
      // Shorter.
    }
  }
  return memory.bytes.byteLength === limit;
}

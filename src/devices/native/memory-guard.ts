/**
 * Makes every 32-bit address of a memory safe to access: the memory has all of its 4 GiB, and {@link guardBytes} behind them can be read and
 * written, for accesses that begin in the last bytes and go on (codegen/x64/calling-convention.ts).
 *
 * V8 reserves address space behind the memories of WebAssembly, so that accesses there fault and become traps. Of that reserve the first pages
 * are opened here. They are V8's still: it gives them back with the memory. Whether there is such a reserve is found out first, because
 * opening what belongs to somebody else would be worse than having no device: all of it must be mapped, and no page of the guard
 * readable. What kernels write there nobody reads.
 */
import { guardBytes } from '../../codegen/x64/calling-convention.ts';
import { openSystem, pageBytes, type System } from './system.ts';

/** Bytes that 32-bit addresses reach. */
const wholeBytes = 2 ** 32;

/** Those of this thread: each memory has one host, whose thread opens its guard for all. */
const guarded = new WeakSet<WebAssembly.Memory>();

/** Opens the guard of a memory. Gives, in words, why that cannot be done; undefined if it is. */
export function openGuard(
  memory: WebAssembly.Memory,
  system: System | string = openSystem(),
): string | undefined {
  if (typeof system === 'string') return system;
  if (guarded.has(memory)) return undefined;
  if (memory.buffer.byteLength !== wholeBytes)
    return 'machine code needs a memory of 4 GiB, and this one has less';
  const end = system.addressOf(new Uint8Array(memory.buffer)) + BigInt(wholeBytes);
  for (let at = 0; at < guardBytes; at += pageBytes) {
    const page = end + BigInt(at);
    if (!system.isMapped(page, pageBytes) || system.isReadable(page)) return noReserve;
  }
  // As far as a reserve of V8's goes.
  for (let at = guardBytes; at < wholeBytes; at += wholeBytes / 16) {
    if (!system.isMapped(end + BigInt(at), pageBytes)) return noReserve;
  }
  if (!system.protect(end, guardBytes, 'write')) return 'the system refuses pages behind the memory';
  guarded.add(memory);
  return undefined;
}

const noReserve =
  'the JavaScript engine reserves nothing behind the memory of kernels, so machine code would not be safe';

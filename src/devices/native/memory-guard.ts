/**
 * Makes every 32-bit address of a memory safe to access: all of its 4 GiB, of which the memory may have less so far, and {@link guardBytes}
 * behind them can be read and written (codegen/x64/calling-convention.ts).
 *
 * V8 reserves address space for all that a memory could grow to and more, so that accesses behind its end fault and become traps. Of that reserve
 * the pages up to the guard's end are opened here; they cost nothing until they are touched. They are V8's still: it makes the memory grow into
 * them, and gives them back with the memory. Whether there is such a reserve is found out first, because opening what belongs to somebody else
 * would be worse than having no device: all of it must be mapped, and none of it readable. What stray kernels write there is theirs alone: memory
 * that the context takes later has any content, as ever.
 */
import { guardBytes } from '../../codegen/x64/calling-convention.ts';
import { openSystem, type System } from './system.ts';

/** Bytes that 32-bit addresses reach. */
const wholeBytes = 2 ** 32;
/** So much is asked about at a time. */
const pieceBytes = 2 ** 30;
/** What is looked at whether it can be read lies so far apart, as far as a reserve of V8's goes. */
const sampleBytes = 2 ** 26;

/** Those of this thread: each memory has one host, whose thread opens its guard for all. */
const guarded = new WeakSet<WebAssembly.Memory>();

/** Opens the rest of a memory and its guard. Gives, in words, why that cannot be done; undefined if it is. */
export function openGuard(
  memory: WebAssembly.Memory,
  system: System | string = openSystem(),
): string | undefined {
  if (typeof system === 'string') return system;
  if (guarded.has(memory)) return undefined;
  const start = system.addressOf(new Uint8Array(memory.buffer));
  const size = memory.buffer.byteLength;
  const end = wholeBytes + guardBytes;
  for (let at = size; at < 2 * wholeBytes; at += pieceBytes) {
    const bytes = Math.min(pieceBytes, 2 * wholeBytes - at);
    if (!system.isMapped(start + BigInt(at), bytes)) return noReserve;
  }
  for (const at of samples(size, end)) if (system.isReadable(start + BigInt(at))) return noReserve;
  if (!system.protect(start + BigInt(size), end - size, 'write')) {
    return 'the system refuses pages behind the memory of kernels';
  }
  guarded.add(memory);
  return undefined;
}

function* samples(from: number, to: number): Generator<number> {
  for (let at = from; at < to; at += sampleBytes) yield at;
  yield to - guardBytes;
  yield to - 1;
}

const noReserve =
  'the JavaScript engine reserves nothing behind the memory of kernels, so machine code would not be safe';

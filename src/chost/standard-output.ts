/**
 * What kernels print goes where the program's own standard output goes: through its file 1, which the program may have led to
 * another file. So it is written as the program would write it, by fd_write from its own memory.
 */
import type { CHost } from '../api/c/index.ts';
import { writeOutput } from '../runtime/host.ts';
import type { OutputFunction } from './descriptors.ts';

/** fd_write: file, list of pieces, their number, where to say how much was written; 0 if all is well. */
export type WriteFunction = (file: number, pieces: number, count: number, written: number) => number;

const standardOutput = 1;
export const standardError = 2;
/** One piece (address and length), and a number. */
const headerBytes = 12;
const blockBytes = 65536;

/** @param flush writes out what the program has printed before, if its library lets it be asked */
export function printerOf(
  host: CHost,
  write: WriteFunction,
  flush: () => void = () => {},
  file = standardOutput,
): (text: string) => void {
  const encoder = new TextEncoder();
  return (text) => {
    flush();
    const { pool } = host.memory;
    const block = pool.take(blockBytes);
    if (!block) return;
    const room = block.end - block.start - headerBytes;
    const data = block.start + headerBytes;
    const bytes = encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + room);
        new Uint8Array(pool.memory.buffer, data, part.length).set(part);
        const header = new DataView(pool.memory.buffer, block.start, headerBytes);
        header.setUint32(0, data, true);
        header.setUint32(4, part.length, true);
        // A program that has closed its output does not want it.
        if (write(file, block.start, 1, block.start + 8) !== 0) return;
        at += header.getUint32(8, true);
      }
    } finally {
      pool.giveBack(block);
    }
  };
}

/** What takes bytes of a text where nobody else does. They may end in the middle of a character. */
export function toConsole(): OutputFunction {
  const decoder = new TextDecoder();
  return (bytes) => writeOutput(decoder.decode(bytes, { stream: true }));
}

import { describe, expect, it } from 'vitest';
import { CHost } from '../../src/api/c/index.ts';
import { printerOf } from '../../src/chost/standard-output.ts';

describe('what kernels of a host program print', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1000, shared: true });
  const host = new CHost({ memory, maximumPages: 1000, table: () => undefined });

  /** An fd_write that takes at most `most` bytes a call, and what it has taken. */
  function output(most: number) {
    const taken: number[] = [];
    const calls: number[] = [];
    const write = (file: number, pieces: number, count: number, written: number) => {
      const view = new DataView(memory.buffer);
      const [at, length] = [view.getUint32(pieces, true), view.getUint32(pieces + 4, true)];
      const now = Math.min(length, most);
      taken.push(...new Uint8Array(memory.buffer, at, now));
      view.setUint32(written, now, true);
      calls.push(file, count);
      return 0;
    };
    return { write, taken, calls };
  }

  it("goes through the program's file 1", () => {
    const { write, taken, calls } = output(1e6);
    printerOf(host, write)('größer\n');
    expect(taken).toEqual([...Buffer.from('größer\n')]);
    expect(calls).toEqual([1, 1]);
  });

  it('goes on after writes of a part, and in several pieces', () => {
    const text = 'x'.repeat(300_000);
    const { write, taken } = output(50_000);
    printerOf(host, write)(text);
    expect(taken.length).toBe(text.length);
  });

  it('is given up where the file does not take it', () => {
    expect(() => printerOf(host, () => 8)('lost')).not.toThrow();
  });
});

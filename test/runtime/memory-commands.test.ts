/** Commands that move bytes inside device memory: done at once, or written into a command stream and done from there. */
import { expect, it } from 'vitest';
import type { MemoryObject } from '../../src/runtime/command.ts';
import {
  bytesMovedBy,
  encodeMemoryCommand,
  isMemoryCommand,
  type MemoryBody,
  memoryKinds,
  runEncodedCommand,
  runMemoryCommand,
} from '../../src/runtime/memory-commands.ts';

const object = (address: number): MemoryObject => ({ address, size: 64 });
const fresh = (): Uint8Array => Uint8Array.from({ length: 256 }, (_, index) => index);

/** Each with how many bytes it writes, and what is then where. */
const cases: readonly [MemoryBody, moved: number, changed: Readonly<Record<number, number>>][] = [
  [
    // Overlapping: as if the source were read first.
    {
      kind: 'copy',
      source: { memory: object(16), offset: 4 },
      target: { memory: object(16), offset: 6 },
      bytes: 5,
    },
    5,
    { 22: 20, 23: 21, 24: 22, 25: 23, 26: 24 },
  ],
  [
    {
      kind: 'copy-rectangle',
      source: { memory: object(0), offset: 1, rowPitch: 8, slicePitch: 32 },
      target: { memory: object(128), offset: 2, rowPitch: 4, slicePitch: 16 },
      region: [2, 2, 2],
    },
    8,
    { 130: 1, 131: 2, 134: 9, 135: 10, 146: 33, 147: 34, 150: 41, 151: 42 },
  ],
  [
    // A pitch of 0 repeats the row of the source.
    {
      kind: 'copy-rectangle',
      source: { memory: object(0), offset: 5, rowPitch: 0, slicePitch: 0 },
      target: { memory: object(64), offset: 0, rowPitch: 3, slicePitch: 9 },
      region: [2, 2, 1],
    },
    4,
    { 64: 5, 65: 6, 67: 5, 68: 6 },
  ],
  [
    {
      kind: 'fill',
      target: { memory: object(64), offset: 3 },
      bytes: 6,
      pattern: Uint8Array.of(7, 8, 9),
    },
    6,
    { 67: 7, 68: 8, 69: 9, 70: 7, 71: 8, 72: 9 },
  ],
];

it('are all tried here', () => {
  expect(new Set(cases.map(([{ kind }]) => kind))).toEqual(new Set(memoryKinds));
});

it.each(cases)('%o', (body, moved, changed) => {
  const expected = fresh();
  for (const [at, byte] of Object.entries(changed)) expected[Number(at)] = byte;
  expect(isMemoryCommand(body)).toBe(true);
  expect(bytesMovedBy(body)).toBe(moved);

  const atOnce = fresh();
  runMemoryCommand(body, atOnce);
  expect(atOnce).toEqual(expected);

  // Somewhere in a stream, whose other words stay as they are.
  const { words: length, write } = encodeMemoryCommand(body);
  const words = new Int32Array(40).fill(-1);
  write(words, new Uint8Array(words.buffer), 5);
  expect(words.subarray(0, 5).every((word) => word === -1)).toBe(true);
  expect(words.subarray(5 + length).every((word) => word === -1)).toBe(true);
  const fromStream = fresh();
  runEncodedCommand(body.kind, fromStream, words.subarray(5, 5 + length));
  expect(fromStream).toEqual(expected);
});

it('have addresses up to four gigabytes', () => {
  const body: MemoryBody = {
    kind: 'copy',
    source: { memory: { address: 0xffff_0000, size: 64 }, offset: 8 },
    target: { memory: object(0), offset: 0 },
    bytes: 4,
  };
  const { words: length, write } = encodeMemoryCommand(body);
  const words = new Int32Array(length);
  write(words, new Uint8Array(words.buffer), 0);
  const calls: number[][] = [];
  const memory = { copyWithin: (...args: number[]) => calls.push(args) } as unknown as Uint8Array;
  runEncodedCommand('copy', memory, words);
  runMemoryCommand(body, memory);
  expect(calls).toEqual([
    [0, 0xffff_0008, 0xffff_000c],
    [0, 0xffff_0008, 0xffff_000c],
  ]);
});

it('are not all commands', () => {
  expect(isMemoryCommand({ kind: 'marker' })).toBe(false);
  expect(isMemoryCommand({ kind: 'host' })).toBe(false);
});

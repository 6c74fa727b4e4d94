/** What a launch tells checked code of its arguments: how large they are, what must be watched. */
import type { KernelArgument } from '../runtime/command.ts';
import type { CheckedKernel } from './instrument/check-module.ts';

/** Bytes of memory that a pointer argument leads to. */
export interface ArgumentRange {
  readonly index: number;
  readonly address: number;
  readonly bytes: number;
  readonly isWatched: boolean;
  /** Of what kernels may not read, or not write, whatever they are given. */
  readonly access: MemoryAccess;
}

/** How a host has said that kernels may use a buffer. */
export type MemoryAccess = 'read-write' | 'read-only' | 'write-only';

export interface MemoryFacts {
  accessOf(argument: KernelArgument): MemoryAccess;
  /** Whether it has bytes that nobody has written. */
  hasUnwritten(argument: KernelArgument): boolean;
}

/** The ranges of the pointer arguments; null has no bytes. */
export function rangesOf(
  { pointers, written, writesAnything }: CheckedKernel,
  args: readonly KernelArgument[],
  facts: MemoryFacts,
): ArgumentRange[] {
  const ranges = pointers.map((index) => {
    const argument = args[index]!;
    const range = argument.kind === 'memory' ? argument.range : undefined;
    const access = facts.accessOf(argument);
    if (!range) {
      const bytes = argument.kind === 'local' ? argument.bytes : 0;
      return { index, address: 0, bytes, isWritten: false, hasUnwritten: false, access };
    }
    return {
      index,
      address: range.memory.address + range.offset,
      bytes: range.memory.size - range.offset,
      isWritten: written.has(index),
      hasUnwritten: facts.hasUnwritten(argument),
      access,
    };
  });
  return ranges.map(({ isWritten, hasUnwritten, ...range }) => {
    const meetsWrites = ranges.some(
      (other) =>
        other.isWritten &&
        other.address < range.address + range.bytes &&
        range.address < other.address + other.bytes,
    );
    return { ...range, isWatched: writesAnything || hasUnwritten || meetsWrites };
  });
}

/** The arguments with those that checked kernels have beside them: three words for each pointer. */
export function withFacts(
  args: readonly KernelArgument[],
  ranges: readonly ArgumentRange[],
): KernelArgument[] {
  const words = ranges.flatMap(({ bytes, isWatched, access }) => [
    access === 'write-only' ? 0 : bytes,
    access === 'read-only' ? 0 : bytes,
    isWatched ? 1 : 0,
  ]);
  return [
    ...args,
    ...words.map((word): KernelArgument => {
      return { kind: 'value', bytes: new Uint8Array(Uint32Array.of(word).buffer) };
    }),
  ];
}

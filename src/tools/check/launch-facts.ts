/** What a launch tells checked code of its arguments: how large they are, what must be watched. */
import type { KernelAccess, KernelArgument } from '../../runtime/command.ts';
import type { CheckedKernel } from './instrument/check-module.ts';

/** Bytes of memory that a pointer argument leads to. */
export interface ArgumentRange {
  readonly index: number;
  readonly address: number;
  readonly bytes: number;
  readonly isWatched: boolean;
  /** What the host has said that kernels do with it. */
  readonly access: KernelAccess | undefined;
}

/** The ranges of the pointer arguments; null has no bytes. */
export function rangesOf(
  { pointers, written, writesAnything }: CheckedKernel,
  args: readonly KernelArgument[],
  hasUnwritten: (argument: KernelArgument, index: number) => boolean,
): ArgumentRange[] {
  const ranges = pointers.map((index) => {
    const argument = args[index]!;
    const range = argument.kind === 'memory' ? argument.range : undefined;
    const access = range?.memory.kernelAccess;
    if (!range) {
      const bytes = argument.kind === 'local' ? argument.bytes : 0;
      return { index, address: 0, bytes, isWritten: false, hasUnwritten: false, access };
    }
    return {
      index,
      address: range.memory.address + range.offset,
      bytes: range.memory.size - range.offset,
      isWritten: written.has(index),
      hasUnwritten: hasUnwritten(argument, index),
      access,
    };
  });
  return ranges.map(({ isWritten, hasUnwritten: isPartial, ...range }) => {
    const meetsWrites = ranges.some(
      (other) =>
        other.isWritten &&
        other.address < range.address + range.bytes &&
        range.address < other.address + other.bytes,
    );
    return { ...range, isWatched: writesAnything || isPartial || meetsWrites };
  });
}

/** The arguments with those that checked kernels have beside them: three words for each pointer, one for each sampler. */
export function withFacts(
  { samplers }: CheckedKernel,
  args: readonly KernelArgument[],
  ranges: readonly ArgumentRange[],
): KernelArgument[] {
  const words = ranges.flatMap(({ bytes, isWatched, access }) => [
    access === 'write-only' ? 0 : bytes,
    access === 'read-only' ? 0 : bytes,
    isWatched ? 1 : 0,
  ]);
  const bits = samplers.map((index) => {
    const argument = args[index]!;
    return argument.kind === 'sampler' ? argument.bits : 0;
  });
  return [
    ...args,
    ...[...words, ...bits].map((word): KernelArgument => {
      return { kind: 'value', bytes: new Uint8Array(Uint32Array.of(word).buffer) };
    }),
  ];
}

/**
 * The commands that move bytes inside device memory, each in one place: for every device that works in the context's memory (the
 * WebAssembly device with threads or without, the interpreter, the checker) and for the profiler. A command is some numbers and, for some,
 * bytes that it carries; so it is written into a command stream, or done at once. To add one: its body in command.ts, an entry here, and
 * what the drivers' device makes of it (src/devices/icd/native-queue.ts).
 */
import type { CommandBody, MemoryRange } from './command.ts';
import { copyRectangle, fillPattern } from './transfer.ts';

/** Commands that are done by moving bytes, and by nothing else. */
export type MemoryBody = Exclude<CommandBody, { kind: 'launch' | 'marker' | 'barrier' | 'host' }>;
export type MemoryKind = MemoryBody['kind'];

interface MemoryCommand<B extends MemoryBody> {
  /** Addresses, sizes and the like, below 2^32. */
  numbers(body: B): readonly number[];
  /** The bytes that it carries. */
  data?(body: B): Uint8Array;
  /** Does it, by its numbers and bytes. */
  run(memory: Uint8Array, numbers: ArrayLike<number>, data: Uint8Array): void;
  /** Behind the last address that it reads or writes. */
  end(numbers: ArrayLike<number>): number;
  /** How many bytes it writes: for those who watch. */
  bytesMoved(body: B): number;
}

const commands: { readonly [K in MemoryKind]: MemoryCommand<Extract<MemoryBody, { kind: K }>> } = {
  copy: {
    numbers: ({ source, target, bytes }) => [addressOf(source), addressOf(target), bytes],
    run(memory, numbers) {
      const [source, target, bytes] = [numbers[0]!, numbers[1]!, numbers[2]!];
      memory.copyWithin(target, source, source + bytes);
    },
    end: (numbers) => Math.max(numbers[0]!, numbers[1]!) + numbers[2]!,
    bytesMoved: ({ bytes }) => bytes,
  },
  'copy-rectangle': {
    numbers: ({ source, target, region }) => [
      ...[addressOf(source), source.rowPitch, source.slicePitch],
      ...[addressOf(target), target.rowPitch, target.slicePitch],
      ...region,
    ],
    run(memory, numbers) {
      const rectangle = (at: number) => ({
        start: numbers[at]!,
        rowPitch: numbers[at + 1]!,
        slicePitch: numbers[at + 2]!,
      });
      const region = [numbers[6]!, numbers[7]!, numbers[8]!] as const;
      copyRectangle(memory, rectangle(3), memory, rectangle(0), region);
    },
    end(numbers) {
      const endOf = (at: number): number =>
        numbers[at]! +
        (numbers[8]! - 1) * numbers[at + 2]! +
        (numbers[7]! - 1) * numbers[at + 1]! +
        numbers[6]!;
      return Math.max(endOf(0), endOf(3));
    },
    bytesMoved: ({ region }) => region[0] * region[1] * region[2],
  },
  fill: {
    numbers: ({ target, bytes }) => [addressOf(target), bytes],
    data: ({ pattern }) => pattern,
    run: (memory, numbers, data) => fillPattern(memory, numbers[0]!, numbers[1]!, data),
    end: (numbers) => numbers[0]! + numbers[1]!,
    bytesMoved: ({ bytes }) => bytes,
  },
};

const noData = new Uint8Array(0);

/** What there is, in the order of their numbers in command streams. */
export const memoryKinds = Object.keys(commands) as readonly MemoryKind[];

export function isMemoryCommand(body: CommandBody): body is MemoryBody {
  return Object.hasOwn(commands, body.kind);
}

// A table of functions for each kind is one of functions for any, as long as who looks into it has the kind from the body.
function commandOf({ kind }: Pick<MemoryBody, 'kind'>): MemoryCommand<MemoryBody> {
  return commands[kind] as MemoryCommand<MemoryBody>;
}

export function bytesMovedBy(body: MemoryBody): number {
  return commandOf(body).bytesMoved(body);
}

/** Does a command at once. */
export function runMemoryCommand(body: MemoryBody, memory: Uint8Array): void {
  const command = commandOf(body);
  command.run(memory, command.numbers(body), command.data?.(body) ?? noData);
}

/** A command as words: how many numbers, the numbers, how many bytes of data, the data. */
export interface EncodedCommand {
  readonly words: number;
  /** Writes it at a word. */
  write(words: Int32Array, bytes: Uint8Array, at: number): void;
}

export function encodeMemoryCommand(body: MemoryBody): EncodedCommand {
  const command = commandOf(body);
  const numbers = command.numbers(body);
  const data = command.data?.(body) ?? noData;
  return {
    words: 2 + numbers.length + ((data.length + 3) >> 2),
    write(words, bytes, at) {
      words[at] = numbers.length;
      words.set(numbers, at + 1);
      words[at + 1 + numbers.length] = data.length;
      bytes.set(data, (at + 2 + numbers.length) * 4);
    },
  };
}

/** Does a command that was written so. */
export function runEncodedCommand(kind: MemoryKind, memory: Uint8Array, payload: Int32Array): void {
  const count = payload[0]!;
  const numbers = numbersOf(payload);
  const data = new Uint8Array(payload.buffer, payload.byteOffset + 4 * (count + 2), payload[count + 1]!);
  commandOf({ kind }).run(memory, numbers, data);
}

/** Behind the last address of memory that a command which was written so reads or writes. */
export function endOfEncoded(kind: MemoryKind, payload: Int32Array): number {
  return commandOf({ kind }).end(numbersOf(payload));
}

function numbersOf(payload: Int32Array): Uint32Array {
  return new Uint32Array(payload.buffer, payload.byteOffset + 4, payload[0]!);
}

function addressOf({ memory, offset }: MemoryRange): number {
  return memory.address + offset;
}

/**
 * A program between selection and its last form: operations on registers without numbers, in blocks between marks of control
 * flow. Registers are of 32 bits; several of them may have to lie in one general register of four channels, because fetches,
 * exports and doubles name one. Which channel and which number each gets, scheduling and allocation decide.
 */
import type { Span } from '../../source/span.ts';
import type { Opcode } from './opcodes.ts';

export type Channel = 0 | 1 | 2 | 3;
export const channels: readonly Channel[] = [0, 1, 2, 3];

/** Registers that lie in the same general register, in different channels. */
export interface Group {
  readonly members: Set<Register>;
  /** A general register that the program begins with. */
  fixed?: number | undefined;
}

export interface Register {
  readonly id: number;
  group: Group;
  channel: Channel | undefined;
}

export interface RegisterSource {
  readonly kind: 'register';
  readonly register: Register;
  readonly negate?: boolean | undefined;
  readonly absolute?: boolean | undefined;
}

export interface LiteralSource {
  readonly kind: 'literal';
  /** A pattern, read as a signed integer. */
  readonly bits: number;
  /** It stands for the size of an output, which positions never reach. */
  readonly isBound?: boolean | undefined;
}

/** A component of a constant buffer. */
export interface ConstantSource {
  readonly kind: 'constant';
  readonly buffer: number;
  readonly index: number;
  readonly channel: Channel;
  readonly negate?: boolean | undefined;
  readonly absolute?: boolean | undefined;
}

export type Source = RegisterSource | LiteralSource | ConstantSource;

/** An ALU operation. Of doubles, `targets` and `sources` are words, the low one of each number first. */
export interface Alu {
  readonly kind: 'alu';
  readonly opcode: Opcode;
  readonly targets: readonly Register[];
  sources: Source[];
  readonly span: Span | undefined;
}

export type FetchName =
  | 'SAMPLE' // an element of a texture, by coordinates in floats
  | 'LD' // the same by integers
  | 'VFETCH' // bytes of a buffer
  | 'LOCAL_DS_READ' // memory of the group
  | 'READ_SCRATCH' // the thread's own memory
  | 'GET_TEXTURE_RESINFO'; // the sizes of a texture

export interface Fetch {
  readonly kind: 'fetch';
  readonly name: FetchName;
  /** For each component that is fetched, where it goes; all in one group. */
  readonly targets: readonly (Register | undefined)[];
  /** Coordinates, or an address in bytes; all in one group. None of scratch memory at a place that is known. */
  readonly address: readonly Register[];
  readonly resource: number;
  readonly sampler: number | undefined;
  /** Bytes added to the address. */
  readonly offset: number;
  /** Of VFETCH: what is there, e.g. `32_32_FLOAT`, and its bytes. */
  readonly format: string | undefined;
  readonly bytes: number;
  readonly isNormalised?: boolean | undefined;
  /** Nobody writes there while the kernel runs. */
  readonly isConstant: boolean;
  readonly span: Span | undefined;
}

export type WriteName = 'EXP' | 'MEM_EXPORT_WRITE_IND' | 'MEM_SCRATCH_WRITE_IND' | 'LOCAL_DS_WRITE';

export interface Write {
  readonly kind: 'write';
  readonly name: WriteName;
  /** What is written; all in one group. */
  readonly data: readonly (Register | undefined)[];
  /** Where: in words, of scratch memory in fours of them; none for outputs and places of scratch memory that are known. */
  readonly index: Register | undefined;
  /** The output of EXP, the start in scratch or local memory. */
  readonly base: number;
  readonly span: Span | undefined;
}

export type Operation = Alu | Fetch | Write;

/** Operations without control flow between them; a predicate is the last of them. */
export interface Block {
  readonly kind: 'block';
  operations: Operation[];
  predicate?: Alu | undefined;
}

/**
 * Marks of control flow. `if` and `break-if` take the predicate of the block before them: threads for which it fails skip to
 * `else` or `end-if`, or leave the loop.
 */
export interface Mark {
  readonly kind: 'if' | 'else' | 'end-if' | 'loop' | 'break-if' | 'break' | 'continue' | 'end-loop';
  readonly span?: Span | undefined;
}

export type Item = Block | Mark;

/** What selection hands on. */
export interface VirtualProgram {
  readonly items: Item[];
  /** Bytes of the group's and of the thread's own memory; the latter in units of 16. */
  readonly localBytes: number;
  readonly scratchBytes: number;
  readonly isCompute: boolean;
  /** Things worth saying about how the program differs from its source. */
  readonly notes: readonly { readonly text: string; readonly span: Span | undefined }[];
}

let count = 0;

export function newRegister(channel?: Channel): Register {
  count += 1;
  const register = { id: count, channel } as Register;
  register.group = { members: new Set([register]) };
  return register;
}

/** Registers that must lie in one general register. */
export function newGroup(size: number, isFixed = false): readonly Register[] {
  const members = Array.from({ length: size }, (_, lane) =>
    newRegister(isFixed ? (lane as Channel) : undefined),
  );
  const group: Group = { members: new Set(members) };
  for (const member of members) member.group = group;
  return members;
}

export function registersRead(operation: Operation): readonly Register[] {
  switch (operation.kind) {
    case 'alu':
      return operation.sources.flatMap((source) => (source.kind === 'register' ? [source.register] : []));
    case 'fetch':
      return operation.address;
    case 'write': {
      const data = operation.data.filter((one) => one !== undefined);
      return operation.index ? [...data, operation.index] : data;
    }
  }
}

export function registersWritten(operation: Operation): readonly Register[] {
  if (operation.kind === 'write') return [];
  return operation.kind === 'alu' ? operation.targets : operation.targets.filter((one) => one !== undefined);
}

/**
 * The binary form of instructions: which number stands for each kind, and which fields it has besides operands, results
 * and regions. The writer and the reader both go by these tables, and so a new kind of instruction needs a line here.
 *
 * An entry's place in a list or table is its number in the file: add at the end, or count {@link formatVersion} up.
 */
import { imageType, imageTypeNames, samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import {
  atomicFunctions,
  binaryFunctions,
  collectiveFunctions,
  collectiveScopes,
  combineFunctions,
  compareFunctions,
  convertFunctions,
  imageChannels,
  imageQueryFunctions,
  memoryOrders,
  memoryScopes,
  queryFunctions,
  roundingModes,
  testedSpaces,
  unaryFunctions,
} from '../text/functions.ts';
import { bool, f16, f32, f64, i8, i16, i32, i64, pointerType, type Type, vectorType } from '../types.ts';

/** Files of another version are refused. */
export const formatVersion = 5;

/** Programs are stored as front ends deliver them, so that every device can use them: not in work-group form. */
type StoredOpcode = Exclude<
  ir.Opcode,
  | 'context_array'
  | 'context_read'
  | 'context_write'
  | 'item_address'
  | 'copies_address'
  | 'work_item_loop'
  | 'test'
  | 'masked_load'
  | 'masked_store'
  | 'gather'
  | 'scatter'
>;

/** How a field is written. */
export type Field =
  /** One of a list; `optional` if it may be absent. */
  | { readonly kind: 'choice' | 'optional choice' | 'choices'; readonly of: readonly string[] }
  /** Present (true) or absent. */
  | { readonly kind: 'flag' }
  /** A whole number up to a largest one; `optional` if it may be absent. */
  | { readonly kind: 'count' | 'optional count'; readonly most: number }
  | { readonly kind: 'align' | 'text' | 'lanes' | 'value' | 'function' | 'global' | 'target' | 'cases' };

const flag: Field = { kind: 'flag' };
const align: Field = { kind: 'align' };
const count = (most: number): Field => ({ kind: 'count', most });
const choice = (of: readonly string[]): Field => ({ kind: 'choice', of });

const spaces: readonly string[] = ['private', 'local', 'global', 'constant', 'generic'];

/** The largest variable, in bytes. */
const mostBytes = 2 ** 32 - 1;

const instructionFields: {
  readonly [Op in StoredOpcode]: Readonly<Record<string, Field>>;
} = {
  constant: { value: { kind: 'value' } },
  undefined: {},
  unary: { fn: choice(unaryFunctions) },
  binary: { fn: choice(binaryFunctions), contract: flag, reassociate: flag },
  fma: {},
  compare: { fn: choice(compareFunctions) },
  select: {},
  convert: {
    fn: choice(convertFunctions),
    rounding: { kind: 'optional choice', of: roundingModes },
    saturate: flag,
  },
  splat: {},
  build: {},
  extract: { lane: count(15) },
  insert: { lane: count(15) },
  shuffle: { lanes: { kind: 'lanes' } },
  variable: { space: choice(['private', 'local']), size: count(mostBytes), align, name: { kind: 'text' } },
  global_address: { global: { kind: 'global' } },
  offset: {},
  load: { align, volatile: flag },
  store: { align, volatile: flag },
  copy: { align },
  fill: { byte: count(255), align },
  atomic: { fn: choice(atomicFunctions), order: choice(memoryOrders), scope: choice(memoryScopes) },
  fence: {
    spaces: { kind: 'choices', of: spaces },
    order: choice(memoryOrders),
    scope: choice(memoryScopes),
  },
  barrier: {
    spaces: { kind: 'choices', of: spaces },
    scope: { kind: 'optional choice', of: collectiveScopes },
  },
  query: { fn: choice(queryFunctions), dimension: count(2) },
  call: { callee: { kind: 'function' } },
  if: {},
  switch: { cases: { kind: 'cases' } },
  block: {},
  loop: { unroll: { kind: 'optional count', most: 2 ** 31 } },
  yield: {},
  break: { target: { kind: 'target' } },
  continue: { target: { kind: 'target' } },
  return: {},
  unreachable: {},
  printf: { format: { kind: 'text' } },
  image_read: { channels: choice(imageChannels) },
  image_write: { channels: choice(imageChannels) },
  image_query: { fn: choice(imageQueryFunctions) },
  collective: {
    fn: choice(collectiveFunctions),
    combine: choice(combineFunctions),
    scope: choice(collectiveScopes),
  },
  in_space: { space: choice(testedSpaces) },
  function_address: { callee: { kind: 'function' } },
  call_indirect: {},
};

export const storedOpcodes = Object.keys(instructionFields) as readonly StoredOpcode[];
/** The fields of each kind of instruction in their order, by its number. */
export const fieldsByOpcode: readonly (readonly (readonly [string, Field])[])[] = storedOpcodes.map((op) =>
  Object.entries(instructionFields[op]),
);
export const opcodeNumbers: ReadonlyMap<string, number> = new Map(
  storedOpcodes.map((op, index) => [op, index]),
);

const elements = [bool, i8, i16, i32, i64, f16, f32, f64] as const;
const accesses = ['read_only', 'write_only', 'read_write'] as const;

/** Every type that values can have; a type is its number here. */
export const types: readonly Type[] = [
  ...elements,
  ...(['private', 'local', 'global', 'constant', 'generic'] as const).map(pointerType),
  ...elements.flatMap((element) => ([2, 3, 4, 8, 16] as const).map((lanes) => vectorType(element, lanes))),
  samplerType,
  ...accesses.flatMap((access) => imageTypeNames.map((name) => imageType(name, access))),
];
export const typeNumbers: ReadonlyMap<Type, number> = new Map(types.map((type, index) => [type, index]));

/** Added to the width of addresses in a program for the host. */
export const hostedMark = 1;
/** Bits of the number that says what a global has. */
export const globalFlags = {
  internal: 1,
  declared: 2,
  global: 4,
  place: 8,
  private: 16,
  functions: 32,
  threadLocal: 64,
} as const;
/** The same for functions. */
export const functionFlags = {
  kernel: 1,
  internal: 2,
  body: 4,
  result: 8,
  place: 16,
  outlined: 32,
  imported: 64,
  unprototyped: 128,
  servesImages: 256,
  servesPipes: 512,
  cold: 1024,
} as const;
/** The same for parameters. */
export const parameterFlags = { aggregate: 1, const: 2, restrict: 4, volatile: 8, info: 16 } as const;

/** What a host sets parameters to that are no values. */
export const handleKinds = ['sampler', 'image', 'pipe', 'queue'] as const;

export const pipeAccesses = ['read_only', 'write_only'] as const;

/** Qualifiers of a parameter's type. */
export const typeQualifiers = ['const', 'restrict', 'volatile', 'pipe'] as const;
export const imageAccesses = accesses;

/** The largest alignment is 2 to this; `aligned` attributes end there too. */
export const mostAlignLog = 12;
/** How deep regions nest at most: deeper ones no device builds. */
export const mostNesting = 1000;
/** How many bytes all program-scope variables take together at most. */
export const mostGlobalBytes = 2 ** 26;
/** How deep types of parameters nest at most. */
export const mostLayoutNesting = 1200;

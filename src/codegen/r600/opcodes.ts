/**
 * The ALU instructions of the R600 family that Millrace uses: their names in listings, how many sources they have, which slots of a
 * bundle can run them, and what they compute. Selection makes nothing that is not here; the scheduler, the validator
 * and the simulator ask this table.
 */
import { bitsOfFloat, floatOfBits, rounded } from './bits.ts';

/** Where an instruction may be: in one of x y z w or in t; in t only; or in several of x y z w at once. */
export type Units = 'any' | 'vector' | 'trans' | 'shift' | 'pair' | 'quad';

export interface Opcode {
  readonly name: string;
  readonly sources: 0 | 1 | 2 | 3;
  readonly units: Units;
  /** Sources are floats, so that negation and magnitude are free (magnitude not with three sources). */
  readonly takesFloats: boolean;
  /** It sets the predicate, and by it which threads go on. */
  readonly isPredicate: boolean;
  /** What one thread gets of 32-bit patterns; undefined for doubles and for what computes nothing. */
  readonly compute: ((a: number, b: number, c: number) => number) | undefined;
  /** Of doubles. */
  readonly computeDouble: ((a: number, b: number, c: number) => number) | undefined;
}

const table = new Map<string, Opcode>();

function define(
  name: string,
  sources: Opcode['sources'],
  units: Units,
  kind: 'float' | 'bits',
  compute?: Opcode['compute'],
): void {
  const isPredicate = name.startsWith('PRED');
  const takesFloats = kind === 'float';
  table.set(name, { name, sources, units, takesFloats, isPredicate, compute, computeDouble: undefined });
}

function defineDouble(
  name: string,
  sources: 1 | 2 | 3,
  units: 'pair' | 'quad',
  compute: Opcode['computeDouble'],
): void {
  const isPredicate = name.startsWith('PRED');
  table.set(name, {
    name,
    sources,
    units,
    takesFloats: true,
    isPredicate,
    compute: undefined,
    computeDouble: compute,
  });
}

const f = floatOfBits;
const b = bitsOfFloat;
const yes = (truth: boolean): number => (truth ? -1 : 0);
const one = (fn: (a: number) => number) => (x: number) => b(rounded(fn(f(x))));
const two = (fn: (a: number, b: number) => number) => (x: number, y: number) => b(rounded(fn(f(x), f(y))));
const test = (fn: (a: number, b: number) => boolean) => (x: number, y: number) => yes(fn(f(x), f(y)));

/** The integer nearest to a number; of two the even one. */
function nearest(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return Object.is(x, -0) || (x < 0 && x >= -0.5) ? -0 : Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** As MAX_DX10 and MIN_DX10 have it: of a number and no number, the number. */
function extreme(x: number, y: number, pick: (...of: number[]) => number): number {
  return Number.isNaN(x) ? y : Number.isNaN(y) ? x : pick(x, y);
}

function zeroProduct(x: number, y: number): number {
  return f(x) === 0 || f(y) === 0 ? 0 : b(rounded(f(x) * f(y)));
}

function toInteger(x: number, low: number, high: number): number {
  return Number.isNaN(x) ? 0 : Math.min(high, Math.max(low, Math.trunc(x)));
}

const big = (x: number, y: number, signed: boolean): bigint =>
  signed ? BigInt(x | 0) * BigInt(y | 0) : BigInt(x >>> 0) * BigInt(y >>> 0);

// Floats in every slot.
define('MOV', 1, 'any', 'float', (x) => x);
define(
  'ADD',
  2,
  'any',
  'float',
  two((x, y) => x + y),
);
define(
  'MUL_e',
  2,
  'any',
  'float',
  two((x, y) => x * y),
);
// Without _e, a product with a zero is zero, whatever the other factor.
define('MUL', 2, 'any', 'float', (x, y) => zeroProduct(x, y));
define('MULADD', 3, 'any', 'float', (x, y, z) => b(rounded(f(zeroProduct(x, y)) + f(z))));
define('MULADD_e', 3, 'any', 'float', (x, y, z) => b(rounded(rounded(f(x) * f(y)) + f(z))));
define(
  'MAX_DX10',
  2,
  'any',
  'float',
  two((x, y) => extreme(x, y, Math.max)),
);
define(
  'MIN_DX10',
  2,
  'any',
  'float',
  two((x, y) => extreme(x, y, Math.min)),
);
define('FLOOR', 1, 'any', 'float', one(Math.floor));
define('CEIL', 1, 'any', 'float', one(Math.ceil));
define('TRUNC', 1, 'any', 'float', one(Math.trunc));
define('RNDNE', 1, 'any', 'float', one(nearest));
define(
  'FRACT',
  1,
  'any',
  'float',
  one((x) => x - Math.floor(x)),
);
define(
  'SETE_DX10',
  2,
  'any',
  'float',
  test((x, y) => x === y),
);
define(
  'SETGT_DX10',
  2,
  'any',
  'float',
  test((x, y) => x > y),
);
define(
  'SETGE_DX10',
  2,
  'any',
  'float',
  test((x, y) => x >= y),
);
define(
  'SETNE_DX10',
  2,
  'any',
  'float',
  test((x, y) => x !== y),
);
// Integers and bits in every slot.
define('ADD_INT', 2, 'any', 'bits', (x, y) => (x + y) | 0);
define('SUB_INT', 2, 'any', 'bits', (x, y) => (x - y) | 0);
define('AND_INT', 2, 'any', 'bits', (x, y) => x & y);
define('OR_INT', 2, 'any', 'bits', (x, y) => x | y);
define('XOR_INT', 2, 'any', 'bits', (x, y) => x ^ y);
define('NOT_INT', 1, 'any', 'bits', (x) => ~x);
define('MAX_INT', 2, 'any', 'bits', (x, y) => Math.max(x | 0, y | 0));
define('MIN_INT', 2, 'any', 'bits', (x, y) => Math.min(x | 0, y | 0));
define('MAX_UINT', 2, 'any', 'bits', (x, y) => Math.max(x >>> 0, y >>> 0) | 0);
define('MIN_UINT', 2, 'any', 'bits', (x, y) => Math.min(x >>> 0, y >>> 0) | 0);
define('SETE_INT', 2, 'any', 'bits', (x, y) => yes((x | 0) === (y | 0)));
define('SETNE_INT', 2, 'any', 'bits', (x, y) => yes((x | 0) !== (y | 0)));
define('SETGT_INT', 2, 'any', 'bits', (x, y) => yes((x | 0) > (y | 0)));
define('SETGE_INT', 2, 'any', 'bits', (x, y) => yes((x | 0) >= (y | 0)));
define('SETGT_UINT', 2, 'any', 'bits', (x, y) => yes(x >>> 0 > y >>> 0));
define('SETGE_UINT', 2, 'any', 'bits', (x, y) => yes(x >>> 0 >= y >>> 0));
define('CNDE_INT', 3, 'any', 'bits', (x, y, z) => ((x | 0) === 0 ? y : z));
// Shifts: in t before R700.
define('LSHL_INT', 2, 'shift', 'bits', (x, y) => (x << (y & 31)) | 0);
define('LSHR_INT', 2, 'shift', 'bits', (x, y) => (x >>> (y & 31)) | 0);
define('ASHR_INT', 2, 'shift', 'bits', (x, y) => x >> (y & 31));
// The transcendental slot alone.
define(
  'RCP_e',
  1,
  'trans',
  'float',
  one((x) => 1 / x),
);
define(
  'RSQ_e',
  1,
  'trans',
  'float',
  one((x) => 1 / Math.sqrt(x)),
);
define('SQRT_e', 1, 'trans', 'float', one(Math.sqrt));
define(
  'EXP_e',
  1,
  'trans',
  'float',
  one((x) => 2 ** x),
);
define('LOG_e', 1, 'trans', 'float', one(Math.log2));
// R700 takes turns, R600 radians; listings do not tell them apart.
define(
  'SIN',
  1,
  'trans',
  'float',
  one((x) => Math.sin(x * 2 * Math.PI)),
);
define(
  'COS',
  1,
  'trans',
  'float',
  one((x) => Math.cos(x * 2 * Math.PI)),
);
define('SIN_RADIANS', 1, 'trans', 'float', one(Math.sin));
define('COS_RADIANS', 1, 'trans', 'float', one(Math.cos));
define('FLT_TO_INT', 1, 'trans', 'float', (x) => toInteger(f(x), -(2 ** 31), 2 ** 31 - 1) | 0);
define('FLT_TO_UINT', 1, 'trans', 'float', (x) => toInteger(f(x), 0, 2 ** 32 - 1) | 0);
define('INT_TO_FLT', 1, 'trans', 'bits', (x) => b(rounded(x | 0)));
define('UINT_TO_FLT', 1, 'trans', 'bits', (x) => b(rounded(x >>> 0)));
define('MULLO_INT', 2, 'trans', 'bits', (x, y) => Math.imul(x, y));
define('MULHI_INT', 2, 'trans', 'bits', (x, y) => Number(BigInt.asIntN(32, big(x, y, true) >> 32n)));
define('MULHI_UINT', 2, 'trans', 'bits', (x, y) => Number(BigInt.asIntN(32, big(x, y, false) >> 32n)));
define('RCP_UINT', 1, 'trans', 'bits', (x) =>
  x === 0 ? -1 : Math.min(2 ** 32 - 1, Math.floor(2 ** 32 / (x >>> 0))) | 0,
);
// Doubles: the words of one in two neighbouring channels, the low one first.
defineDouble('ADD_64', 2, 'pair', (x, y) => x + y);
defineDouble('MUL_64', 2, 'quad', (x, y) => x * y);
defineDouble('MULADD_64', 3, 'quad', (x, y, z) => x * y + z);
define('FLT32_TO_FLT64', 1, 'pair', 'float');
define('FLT64_TO_FLT32', 1, 'pair', 'float');
// Predicates. Threads for which they fail are switched off, or leave the loop.
define(
  'PREDE',
  2,
  'vector',
  'float',
  test((x, y) => x === y),
);
define(
  'PREDGT',
  2,
  'vector',
  'float',
  test((x, y) => x > y),
);
define(
  'PREDGE',
  2,
  'vector',
  'float',
  test((x, y) => x >= y),
);
define(
  'PREDNE',
  2,
  'vector',
  'float',
  test((x, y) => x !== y),
);
define('PREDE_INT', 2, 'vector', 'bits', (x, y) => yes((x | 0) === (y | 0)));
define('PREDNE_INT', 2, 'vector', 'bits', (x, y) => yes((x | 0) !== (y | 0)));
define('PREDGT_INT', 2, 'vector', 'bits', (x, y) => yes((x | 0) > (y | 0)));
define('PREDGE_INT', 2, 'vector', 'bits', (x, y) => yes((x | 0) >= (y | 0)));
define('PREDGT_UINT', 2, 'vector', 'bits', (x, y) => yes(x >>> 0 > y >>> 0));
define('PREDGE_UINT', 2, 'vector', 'bits', (x, y) => yes(x >>> 0 >= y >>> 0));
// A comparison of doubles: only as a predicate, whose value can be kept besides.
defineDouble('PREDGT_64', 2, 'pair', (x, y) => yes(x > y));
defineDouble('PREDGE_64', 2, 'pair', (x, y) => yes(x >= y));
defineDouble('PREDE_64', 2, 'pair', (x, y) => yes(x === y));
// Ends a thread whose sources are equal: what it exports from there on is lost.
define(
  'KILLE',
  2,
  'vector',
  'float',
  test((x, y) => x === y),
);
define('GROUP_BARRIER', 0, 'vector', 'bits');

/** @throws Error for a name that is none: a bug */
export function opcode(name: string): Opcode {
  const found = table.get(name);
  if (!found) throw new Error(`no R600 instruction ${name}`);
  return found;
}

export const opcodeNames: readonly string[] = [...table.keys()];

/** Integer and truth-value arithmetic on scalars, as the definition says it. Results are in the signed reading. */
import type * as ir from '../ir.ts';
import type { Scalar } from './values.ts';

type Bits = 8 | 16 | 32 | 64;
type Narrow = (a: number, b: number) => number;
type Wide = (a: bigint, b: bigint) => bigint;
type IntegerFunction = Exclude<ir.BinaryFunction, `f${string}`>;

/** A binary function on i8 to i64; a division by zero gives zero, being any value. */
export function integerBinary(fn: IntegerFunction, bits: Bits): (a: Scalar, b: Scalar) => Scalar {
  return (bits === 64 ? wideBinary(fn) : narrowBinary(fn, bits)) as (a: Scalar, b: Scalar) => Scalar;
}

/** The signed reading of the lowest bits. */
export function wrapTo(bits: 8 | 16 | 32): (x: number) => number {
  const unused = 32 - bits;
  return (x) => (x << unused) >> unused;
}

/** The unsigned reading. */
export function unsignedOf(bits: 8 | 16 | 32): (x: number) => number {
  const unused = 32 - bits;
  return (x) => (x << unused) >>> unused;
}

function narrowBinary(fn: IntegerFunction, bits: 8 | 16 | 32): Narrow {
  const wrap = wrapTo(bits);
  const unsigned = unsignedOf(bits);
  const countMask = bits - 1;
  switch (fn) {
    case 'iadd':
      return (a, b) => wrap(a + b);
    case 'isub':
      return (a, b) => wrap(a - b);
    case 'imul':
      return (a, b) => wrap(Math.imul(a, b));
    case 'sdiv':
      return (a, b) => (b === 0 ? 0 : wrap(Math.trunc(a / b)));
    case 'udiv':
      return (a, b) => (b === 0 ? 0 : wrap(Math.floor(unsigned(a) / unsigned(b))));
    case 'srem':
      return (a, b) => (b === 0 ? 0 : wrap(a % b));
    case 'urem':
      return (a, b) => (b === 0 ? 0 : wrap(unsigned(a) % unsigned(b)));
    case 'and':
      return (a, b) => a & b;
    case 'or':
      return (a, b) => a | b;
    case 'xor':
      return (a, b) => a ^ b;
    case 'shl':
      return (a, b) => wrap(a << (b & countMask));
    case 'sshr':
      return (a, b) => a >> (b & countMask);
    case 'ushr':
      return (a, b) => wrap(unsigned(a) >>> (b & countMask));
    case 'rotl':
      return (a, b) => {
        const count = b & countMask;
        return count === 0 ? a : wrap((a << count) | (unsigned(a) >>> (bits - count)));
      };
    case 'smin':
      return Math.min;
    case 'smax':
      return Math.max;
    case 'umin':
      return (a, b) => (unsigned(a) < unsigned(b) ? a : b);
    case 'umax':
      return (a, b) => (unsigned(a) > unsigned(b) ? a : b);
    case 'smulhi':
      return (a, b) => wrap(Number((BigInt(a) * BigInt(b)) >> BigInt(bits)));
    case 'umulhi':
      return (a, b) => wrap(Number((BigInt(unsigned(a)) * BigInt(unsigned(b))) >> BigInt(bits)));
  }
}

function wideBinary(fn: IntegerFunction): Wide {
  const wrap = (x: bigint) => BigInt.asIntN(64, x);
  const unsigned = (x: bigint) => BigInt.asUintN(64, x);
  switch (fn) {
    case 'iadd':
      return (a, b) => wrap(a + b);
    case 'isub':
      return (a, b) => wrap(a - b);
    case 'imul':
      return (a, b) => wrap(a * b);
    case 'sdiv':
      return (a, b) => (b === 0n ? 0n : wrap(a / b));
    case 'udiv':
      return (a, b) => (b === 0n ? 0n : wrap(unsigned(a) / unsigned(b)));
    case 'srem':
      return (a, b) => (b === 0n ? 0n : a % b);
    case 'urem':
      return (a, b) => (b === 0n ? 0n : wrap(unsigned(a) % unsigned(b)));
    case 'and':
      return (a, b) => a & b;
    case 'or':
      return (a, b) => a | b;
    case 'xor':
      return (a, b) => a ^ b;
    case 'shl':
      return (a, b) => wrap(a << (b & 63n));
    case 'sshr':
      return (a, b) => a >> (b & 63n);
    case 'ushr':
      return (a, b) => wrap(unsigned(a) >> (b & 63n));
    case 'rotl':
      return (a, b) => wrap((a << (b & 63n)) | (unsigned(a) >> (64n - (b & 63n))));
    case 'smin':
      return (a, b) => least(a, b);
    case 'smax':
      return (a, b) => (a === least(a, b) ? b : a);
    case 'umin':
      return (a, b) => (unsigned(a) < unsigned(b) ? a : b);
    case 'umax':
      return (a, b) => (unsigned(a) > unsigned(b) ? a : b);
    case 'smulhi':
      return (a, b) => (a * b) >> 64n;
    case 'umulhi':
      return (a, b) => wrap((unsigned(a) * unsigned(b)) >> 64n);
  }
}

/** Math.min does not take bigints. */
function least(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

/** A unary function on i8 to i64. */
export function integerUnary(fn: 'not' | 'clz' | 'ctz' | 'popcount', bits: Bits): (a: Scalar) => Scalar {
  if (fn === 'not') return (a) => (typeof a === 'bigint' ? ~a : ~(a as number));
  /** The bits from the highest to the lowest. */
  const digits = (a: Scalar) => BigInt.asUintN(bits, BigInt(a)).toString(2).padStart(bits, '0');
  const count = (a: Scalar): number => {
    const text = digits(a);
    if (fn === 'popcount') return text.replaceAll('0', '').length;
    if (!text.includes('1')) return bits;
    return fn === 'clz' ? text.indexOf('1') : bits - 1 - text.lastIndexOf('1');
  };
  return bits === 64 ? (a) => BigInt(count(a)) : count;
}

/** A comparison of integers, of truth values (eq, ne), or of pointers, which are compared as unsigned numbers. */
export function integerCompare(
  fn: Exclude<ir.CompareFunction, `f${string}`>,
  unsigned: (x: Scalar) => Scalar,
): (a: Scalar, b: Scalar) => boolean {
  switch (fn) {
    case 'eq':
      return (a, b) => a === b;
    case 'ne':
      return (a, b) => a !== b;
    case 'slt':
      return (a, b) => a < b;
    case 'sle':
      return (a, b) => a <= b;
    case 'sgt':
      return (a, b) => a > b;
    case 'sge':
      return (a, b) => a >= b;
    case 'ult':
      return (a, b) => unsigned(a) < unsigned(b);
    case 'ule':
      return (a, b) => unsigned(a) <= unsigned(b);
    case 'ugt':
      return (a, b) => unsigned(a) > unsigned(b);
    case 'uge':
      return (a, b) => unsigned(a) >= unsigned(b);
  }
}

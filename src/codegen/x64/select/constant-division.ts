/**
 * Integer divisions by constants, as products with their reciprocals (Granlund and Montgomery, "Division by Invariant Integers using
 * Multiplication", 1994). WebAssembly has no upper halves of products, so that stack code leaves these divisions to whoever compiles it.
 */
import { type GeneralRegister, general, immediate } from '../assembler/instruction.ts';
import type { MachineFunction } from '../machine/function.ts';
import { isShort } from './values.ts';

/** How n / d is computed: the upper part of n * factor, shifted by `shift` more. `factor` may have one bit more than n. */
export interface Reciprocal {
  readonly factor: bigint;
  readonly shift: number;
}

const log2Above = (value: bigint): number => (value === 1n ? 0 : (value - 1n).toString(2).length);

/** For n of `precision` bits, of which the upper `bits` of the product are taken: floor(n * factor / 2^(bits + shift)). */
export function unsignedReciprocal(divisor: bigint, bits: number, precision = bits): Reciprocal {
  let shift = log2Above(divisor);
  let low = (1n << BigInt(bits + shift)) / divisor;
  let high = ((1n << BigInt(bits + shift)) + (1n << BigInt(bits + shift - precision))) / divisor;
  while (shift > 0 && low >> 1n < high >> 1n) {
    low >>= 1n;
    high >>= 1n;
    shift -= 1;
  }
  return { factor: high, shift };
}

/** For n with a sign and a positive divisor: floor(n * factor / 2^(bits + shift)), and one more where n is negative. */
export function signedReciprocal(divisor: bigint, bits: number): Reciprocal {
  const log = Math.max(log2Above(divisor), 1);
  return { factor: (1n << BigInt(bits + log - 1)) / divisor + 1n, shift: log - 1 };
}

type Bits = 32 | 64;

/** n / d or n % d for a constant d that is not 0, 1 or -1, in a new register. */
export function divideByConstant(
  fn: MachineFunction,
  n: GeneralRegister,
  divisor: bigint,
  { bits, signed, remainder }: { readonly bits: Bits; readonly signed: boolean; readonly remainder: boolean },
): GeneralRegister {
  const d = signed ? BigInt.asIntN(bits, divisor) : BigInt.asUintN(bits, divisor);
  const quotient = signed ? signedQuotient(fn, n, d, bits) : unsignedQuotient(fn, n, d, bits);
  if (!remainder) return quotient;
  const product = fn.general(bits);
  const factor = BigInt.asIntN(bits, d);
  if (isShort(factor)) fn.emit('imul', product, quotient, immediate(factor));
  else {
    fn.emit('mov', product, quotient);
    fn.emit('imul', product, number(fn, factor, bits));
  }
  const rest = fn.general(bits);
  fn.emit('mov', rest, n);
  fn.emit('sub', rest, product);
  return rest;
}

function unsignedQuotient(fn: MachineFunction, n: GeneralRegister, d: bigint, bits: Bits): GeneralRegister {
  if ((d & (d - 1n)) === 0n) return shifted(fn, 'shr', n, log2Above(d));
  const { factor, shift } = unsignedReciprocal(d, bits);
  if (bits === 32) {
    const wide = general(n.number, 64);
    // n has zeros above its 32 bits.
    if (factor < 1n << 32n) {
      const product = fn.general(64);
      fn.emit('mov', product, wide);
      fn.emit('imul', product, number(fn, factor, 64));
      return narrowed(fn, shifted(fn, 'shr', product, 32 + shift));
    }
    return narrowed(fn, shifted(fn, 'shr', upper(fn, 'mul', wide, factor << 31n), shift - 1));
  }
  if (factor < 1n << 64n) return shifted(fn, 'shr', upper(fn, 'mul', n, factor), shift);
  if ((d & 1n) === 0n) {
    let even = 0;
    while (((d >> BigInt(even)) & 1n) === 0n) even += 1;
    const rest = unsignedReciprocal(d >> BigInt(even), 64, 64 - even);
    return shifted(fn, 'shr', upper(fn, 'mul', shifted(fn, 'shr', n, even), rest.factor), rest.shift);
  }
  // The factor's highest bit apart: (n - t) / 2 + t does not overflow as n + t would.
  const t = upper(fn, 'mul', n, factor - (1n << 64n));
  const half = fn.general(64);
  fn.emit('mov', half, n);
  fn.emit('sub', half, t);
  fn.emit('shr', half, immediate(1));
  fn.emit('add', half, t);
  return shifted(fn, 'shr', half, shift - 1);
}

function signedQuotient(fn: MachineFunction, n: GeneralRegister, d: bigint, bits: Bits): GeneralRegister {
  const { factor, shift } = signedReciprocal(d < 0n ? -d : d, bits);
  let quotient: GeneralRegister;
  if (bits === 32) {
    const product = fn.general(64);
    fn.emit('movsxd', product, n);
    fn.emit('imul', product, number(fn, factor, 64));
    quotient = narrowed(fn, shifted(fn, 'sar', product, 32 + shift));
  } else {
    const sum = upper(fn, 'imul', n, factor - (1n << 64n));
    fn.emit('add', sum, n);
    quotient = shifted(fn, 'sar', sum, shift);
  }
  const sign = shifted(fn, 'sar', n, bits - 1);
  const [from, minus] = d < 0n ? [sign, quotient] : [quotient, sign];
  const result = fn.general(bits);
  fn.emit('mov', result, from);
  fn.emit('sub', result, minus);
  return result;
}

function number(fn: MachineFunction, value: bigint, bits: Bits): GeneralRegister {
  const to = fn.general(bits);
  const unsigned = BigInt.asUintN(bits, value);
  if (unsigned < 1n << 32n) fn.emit('mov', general(to.number, 32), immediate(unsigned));
  else fn.emit('mov', to, immediate(BigInt.asIntN(64, value)));
  return to;
}

function shifted(
  fn: MachineFunction,
  name: 'shr' | 'sar',
  from: GeneralRegister,
  count: number,
): GeneralRegister {
  if (count === 0) return from;
  const to = fn.general(from.bits as Bits);
  fn.emit('mov', to, from);
  fn.emit(name, to, immediate(count));
  return to;
}

/** The lower half, in a register of its own. */
function narrowed(fn: MachineFunction, from: GeneralRegister): GeneralRegister {
  const to = fn.general(32);
  fn.emit('mov', to, general(from.number, 32));
  return to;
}

/** The upper half of a product of 64 bits. */
function upper(
  fn: MachineFunction,
  name: 'mul' | 'imul',
  n: GeneralRegister,
  factor: bigint,
): GeneralRegister {
  const by = number(fn, factor, 64);
  fn.emit('mov', general(0, 64), n);
  fn.append({ mnemonic: name, operands: [by] }, { uses: [0], definitions: [0, 2] });
  const to = fn.general(64);
  fn.emit('mov', to, general(2, 64));
  return to;
}

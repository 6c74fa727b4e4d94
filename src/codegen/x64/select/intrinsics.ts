/** Functions of codegen/wasm's runtime that the processor has instructions for, in the place of calls. */
import { maskedStoreName } from '../../wasm/memory/masked-store-routine.ts';
import { byteSumsName } from '../../wasm/vector/byte-sums-routine.ts';
import { upperProductName } from '../../wasm/vector/upper-product-routine.ts';
import { wholeDoublesName } from '../../wasm/vector/whole-doubles-routine.ts';
import { type GeneralRegister, general, immediate, maskRegister, vector } from '../assembler/instruction.ts';
import { laneShifts, laneShifts512 } from './lane-shifts.ts';
import { popPlace } from './memory.ts';
import type { PlainRule } from './rule.ts';
import { give, made, two, zero } from './vector.ts';

/** a * b + c, rounded once. */
function fused(type: 'f32' | 'f64'): PlainRule {
  return ({ fn, stack }) => {
    const sum = stack.popCopy();
    const b = stack.popVector();
    const a = stack.popVector();
    fn.emit(type === 'f32' ? 'vfmadd231ss' : 'vfmadd231sd', sum, a, b);
    stack.pushRegister(type, sum.number);
  };
}

/** The upper half of a product. */
function upperProduct(name: 'mul' | 'imul'): PlainRule {
  return ({ fn, stack }) => {
    const b = stack.popGeneral(64);
    const a = stack.popGeneral(64);
    const [rax, rdx]: GeneralRegister[] = [general(0, 64), general(2, 64)];
    fn.emit('mov', rax!, a);
    fn.append({ mnemonic: name, operands: [b] }, { uses: [0], definitions: [0, 2] });
    fn.emit('mov', stack.result('i64'), rdx!);
  };
}

const fromHalf: PlainRule = ({ fn, stack }) => {
  const bits = stack.popGeneral(32);
  const half = fn.vector();
  fn.emit('vmovd', half, bits);
  fn.emit('vcvtph2ps', stack.result('f32'), half);
};

/**
 * What doubles are without their fractions. The two vectors of them are put together first: where they come of one operation each, join-halves.ts makes
 * that one, and nothing is left to be put together.
 */
function wholeDoubles(sign: 's' | 'u'): [string, PlainRule] {
  const rule: PlainRule = ({ fn, stack }) => {
    const high = stack.popVector();
    const low = stack.popVector();
    const both = fn.vector(256);
    fn.emit('vinserti128', both, vector(low.number, 256), high, immediate(1));
    fn.emit(sign === 's' ? 'vcvttpd2dq' : 'vcvttpd2udq', stack.result('v128'), both);
  };
  return [wholeDoublesName(sign), rule];
}

/** Lanes of so many bits, under a mask of which their highest bits count. k1 is nobody's between two instructions. */
function maskedStore(bits: 8 | 16 | 32 | 64, letter: string): [string, PlainRule] {
  const rule: PlainRule = (s) => {
    const { fn, stack } = s;
    const chosen = stack.popVector();
    const value = stack.popVector();
    const place = popPlace(s, 128, 0);
    const mask = maskRegister(1);
    fn.emit(`vpmov${letter}2m`, mask, chosen);
    fn.append({ mnemonic: `vmovdqu${bits}`, operands: [place, value], mask });
  };
  return [maskedStoreName(bits), rule];
}

/** Those that only AVX-512 has. */
const avx512: readonly [string, PlainRule][] = [
  maskedStore(8, 'b'),
  maskedStore(16, 'w'),
  maskedStore(32, 'd'),
  maskedStore(64, 'q'),
  wholeDoubles('u'),
];

const avx2: readonly [string, PlainRule][] = [
  ['fma_f32', fused('f32')],
  ['fma_f64', fused('f64')],
  ['umulhi64', upperProduct('mul')],
  ['smulhi64', upperProduct('imul')],
  ['f16_to_f32', fromHalf],
  [upperProductName('s'), two('vpmulhw')],
  [upperProductName('u'), two('vpmulhuw')],
  wholeDoubles('s'),
  [byteSumsName, give((s, bytes) => made(s, 'vpsadbw', bytes, zero(s)), 1)],
];

const forAvx2: ReadonlyMap<string, PlainRule> = new Map([...avx2, ...laneShifts]);
const forAvx512: ReadonlyMap<string, PlainRule> = new Map([...forAvx2, ...avx512, ...laneShifts512]);

/** By the name of the function. */
export function intrinsicsFor(hasAvx512: boolean): ReadonlyMap<string, PlainRule> {
  return hasAvx512 ? forAvx512 : forAvx2;
}

/** The names of those that a processor has. */
export function intrinsicNames(hasAvx512: boolean): ReadonlySet<string> {
  return new Set(intrinsicsFor(hasAvx512).keys());
}

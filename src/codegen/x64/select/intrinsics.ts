/** Functions of codegen/wasm's runtime that the processor has instructions for, in the place of calls. */
import { type GeneralRegister, general } from '../assembler/instruction.ts';
import type { Rule } from './scalar.ts';

/** a * b + c, rounded once. */
function fused(type: 'f32' | 'f64'): Rule {
  return ({ fn, stack }) => {
    const sum = stack.popCopy();
    const b = stack.popVector();
    const a = stack.popVector();
    fn.emit(type === 'f32' ? 'vfmadd231ss' : 'vfmadd231sd', sum, a, b);
    stack.pushRegister(type, sum.number);
  };
}

/** The upper half of a product. */
function upperProduct(name: 'mul' | 'imul'): Rule {
  return ({ fn, stack }) => {
    const b = stack.popGeneral(64);
    const a = stack.popGeneral(64);
    const [rax, rdx]: GeneralRegister[] = [general(0, 64), general(2, 64)];
    fn.emit('mov', rax!, a);
    fn.append({ mnemonic: name, operands: [b] }, { uses: [0], definitions: [0, 2] });
    fn.emit('mov', stack.result('i64'), rdx!);
  };
}

const fromHalf: Rule = ({ fn, stack }) => {
  const bits = stack.popGeneral(32);
  const half = fn.vector();
  fn.emit('vmovd', half, bits);
  fn.emit('vcvtph2ps', stack.result('f32'), half);
};

export const intrinsics: ReadonlyMap<string, Rule> = new Map([
  ['fma_f32', fused('f32')],
  ['fma_f64', fused('f64')],
  ['umulhi64', upperProduct('mul')],
  ['smulhi64', upperProduct('imul')],
  ['f16_to_f32', fromHalf],
]);

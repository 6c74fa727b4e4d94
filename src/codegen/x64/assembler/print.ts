/** Instructions as Intel's text, as a disassembly has it: `vaddps zmm1{k2}{z},zmm3,DWORD PTR [rax+rcx*4+0x10]`. */

import type {
  GeneralRegister,
  Immediate,
  Instruction,
  MemoryOperand,
  Operand,
  VectorRegister,
} from './instruction.ts';
import { matches } from './match.ts';
import { formsOfMnemonic } from './tables/index.ts';

const names64 = ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi'];
const names8 = ['al', 'cl', 'dl', 'bl', 'spl', 'bpl', 'sil', 'dil'];
const sizeWords: Readonly<Record<number, string>> = {
  8: 'BYTE',
  16: 'WORD',
  32: 'DWORD',
  64: 'QWORD',
  128: 'XMMWORD',
  256: 'YMMWORD',
  512: 'ZMMWORD',
};

/** How labels and constants are written. */
export interface PrintNames {
  label(number: number): string;
  constant(number: number): string;
}

const usualNames: PrintNames = { label: (number) => `L${number}`, constant: (number) => `constant${number}` };

/** Any instruction, also one that cannot be encoded. Registers beyond the machine's are written by their numbers: `v70.512`. */
export function printInstruction(instruction: Instruction, names: PrintNames = usualNames): string {
  const { operands, mask, zeroing, rounding, lock } = instruction;
  const form = formsOfMnemonic(instruction.mnemonic).find((form) => matches(form, instruction));
  const bits = form?.bits ?? 64;
  const texts = operands.map((operand, index) => {
    const immediate = form?.operands[index]?.immediate;
    const width = immediate ? (immediate.extended ? bits : immediate.bytes * 8) : 64;
    return printOperand(operand, names, width);
  });
  const predicate = predicateOf(instruction);
  if (predicate) texts.pop();
  if (mask && texts.length > 0) texts[0] += `{k${mask.number}}${zeroing ? '{z}' : ''}`;
  // With the last operand that is no number.
  const last = operands.findLastIndex(({ kind }) => kind !== 'immediate');
  if (rounding) texts[last] += `{${rounding}}`;
  const name = predicate ?? form?.printed ?? instruction.mnemonic;
  return `${lock ? 'lock ' : ''}${name}${texts.length > 0 ? ` ${texts.join(',')}` : ''}`;
}

const floatPredicates =
  'eq lt le unord neq nlt nle ord eq_uq nge ngt false neq_oq ge gt true eq_os lt_oq le_oq unord_s neq_us nlt_uq nle_uq ord_s eq_us nge_uq ngt_uq false_os neq_os ge_oq gt_oq true_us'.split(
    ' ',
  );
const integerPredicates = ['eq', 'lt', 'le', undefined, 'neq', 'nlt', 'nle', undefined];

/** A comparison under the name that its number has: `vcmpltps`. */
function predicateOf({ mnemonic, operands }: Instruction): string | undefined {
  const last = operands.at(-1);
  if (last?.kind !== 'immediate') return undefined;
  const value = Number(last.value);
  const floating = /^vcmp([ps][sd])$/.exec(mnemonic);
  if (floating && floatPredicates[value]) return `vcmp${floatPredicates[value]}${floating[1]}`;
  const integer = /^vpcmp(u?[bwdq])$/.exec(mnemonic);
  if (integer && integerPredicates[value]) return `vpcmp${integerPredicates[value]}${integer[1]}`;
  return undefined;
}

function printOperand(operand: Operand, names: PrintNames, width: number): string {
  switch (operand.kind) {
    case 'general':
      return generalName(operand);
    case 'vector':
      return vectorName(operand);
    case 'mask':
      return `k${operand.number}`;
    case 'memory':
      return printMemory(operand, names);
    case 'immediate':
      return printNumber(operand, width);
    case 'label':
      return names.label(operand.label);
  }
}

function generalName({ number, bits }: GeneralRegister): string {
  if (number < 0 || number > 15) return `r${number}.${bits}`;
  if (number > 7) return `r${number}${bits === 64 ? '' : bits === 32 ? 'd' : bits === 16 ? 'w' : 'b'}`;
  if (bits === 8) return names8[number]!;
  const name = names64[number]!;
  return bits === 64 ? name : bits === 32 ? `e${name.slice(1)}` : name.slice(1);
}

function vectorName({ number, bits }: VectorRegister): string {
  if (number < 0 || number > 31) return `v${number}.${bits}`;
  return `${bits === 512 ? 'z' : bits === 256 ? 'y' : 'x'}mm${number}`;
}

function printNumber({ value }: Immediate, bits: number): string {
  return `0x${BigInt.asUintN(bits, BigInt(value)).toString(16)}`;
}

function printMemory(memory: MemoryOperand, names: PrintNames): string {
  const { base, index, scale = 1, offset = 0, bits, broadcast, constant } = memory;
  const size = bits === 0 ? '' : `${sizeWords[bits] ?? `${bits} BITS`} ${broadcast ? 'BCST' : 'PTR'} `;
  const times = broadcast ? `{1to${broadcast}}` : '';
  if (constant !== undefined) {
    return `${size}[${names.constant(constant)}${offset === 0 ? '' : signed(offset)}]${times}`;
  }
  if (!base && !index) return `${size}ds:0x${BigInt.asUintN(64, BigInt(offset)).toString(16)}${times}`;
  const parts: string[] = [];
  if (base) parts.push(generalName(base));
  if (index) parts.push(`${index.kind === 'vector' ? vectorName(index) : generalName(index)}*${scale}`);
  const isShown = offset !== 0 || !base;
  return `${size}[${parts.join('+')}${isShown ? signed(offset) : ''}]${times}`;
}

function signed(offset: number): string {
  return `${offset < 0 ? '-' : '+'}0x${Math.abs(offset).toString(16)}`;
}

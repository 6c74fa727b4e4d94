/**
 * Writes a syntax tree as IL text again: one instruction a line, blocks indented, masks of four places. What it writes
 * reads as the same tree.
 */
import type {
  Comment,
  Destination,
  Index,
  Instruction,
  Operand,
  Program,
  Register,
  Source,
  Write,
} from './tree.ts';

const indentation = '    ';
/** blocks within so many others are not indented further */
const deepest = 20;
const opening = /^(if|else|whileloop|loop|switch|mdef$)/;
const closing = /^(else|endif|endloop|endswitch|mend)$/;

export function printIl(program: Program): string {
  const lines: string[] = [];
  let depth = 0;
  for (const item of program.items) {
    if (item.kind === 'comment') {
      addComment(lines, item, depth);
    } else if (item.kind === 'header') {
      lines.push(`il_${item.shader}${item.version === '' ? '' : `_${item.version}`}`);
    } else {
      const { name } = item.opcode;
      if (closing.test(name)) depth = Math.max(0, depth - 1);
      lines.push(indent(depth) + printInstruction(item));
      if (opening.test(name)) depth += 1;
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

function addComment(lines: string[], { text, isTrailing }: Comment, depth: number): void {
  const last = lines.length - 1;
  if (isTrailing && last >= 0) lines[last] += ` ;${text}`;
  else lines.push(`${indent(depth)};${text}`);
}

const indent = (depth: number): string => indentation.repeat(Math.min(depth, deepest));

export function printInstruction({ opcode, modifiers, operands }: Instruction): string {
  const mnemonic = modifiers.reduce((text, { name, values }) => {
    const list = values.length === 0 ? '' : `(${values.join(',')})`;
    return `${text}${name === '' ? '' : `_${name}`}${list}`;
  }, opcode.name);
  if (operands.length === 0) return mnemonic;
  const separator = operands[0]?.kind === 'word' ? '|' : ', ';
  return `${mnemonic} ${operands.map(printOperand).join(separator)}`;
}

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'destination':
      return printDestination(operand);
    case 'source':
      return printSource(operand);
    case 'number':
    case 'word':
      return operand.text;
    case 'arguments':
      return `(${operand.operands.map(printOperand).join(', ')})`;
  }
}

const places: Readonly<Record<Write, string>> = { write: 'xyzw', keep: '____', zero: '0000', one: '1111' };

function printDestination({ register, mask }: Destination): string {
  const text = mask.map((write, component) => places[write].charAt(component)).join('');
  return printRegister(register) + (text === 'xyzw' ? '' : `.${text}`);
}

function printSource({ register, swizzle, modifiers }: Source): string {
  const suffixes = modifiers.map(
    ({ name, components }) => `_${name}${components === '' ? '' : `(${components})`}`,
  );
  return `${printRegister(register)}${swizzle === undefined ? '' : `.${swizzle.join('')}`}${suffixes.join('')}`;
}

function printRegister({ kind, number, indices }: Register): string {
  return `${kind}${number ?? ''}${indices.map(printIndex).join('')}`;
}

const printIndex = ({ terms }: Index): string => `[${terms.map(printOperand).join('+')}]`;

/** Atomic operations and fences as OpenCL C 1.1 has them: relaxed, with fences around them for stronger orders. */
import type * as ir from '../../ir/ir.ts';
import type { AddressSpace, Type } from '../../ir/types.ts';
import { pointerTo } from './addresses.ts';
import { scalarName } from './c-types.ts';
import { OpenCLCError } from './error.ts';
import { call, type Expression, precedence, unary, within } from './expression.ts';
import type { ValueWriter } from './value-writer.ts';

const names: Record<Exclude<ir.AtomicFunction, 'load' | 'store'>, string> = {
  exchange: 'xchg',
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
  smin: 'min',
  smax: 'max',
  umin: 'min',
  umax: 'max',
  compare_exchange: 'cmpxchg',
};

/** An atomic operation; a store is an assignment. */
export function atomicExpression(writer: ValueWriter, instruction: ir.Atomic): Expression {
  const { fn, operands, results } = instruction;
  const [pointer, ...values] = operands as [ir.Value, ...ir.Value[]];
  const { type } = results[0] ?? values[0]!;
  const space = writer.spaceOf(pointer);
  if (fn === 'load' || fn === 'store') {
    // An aligned access is whole; volatile keeps the compiler from leaving it out.
    const place = unary(`*${pointerText(writer, pointer, type, false)}`);
    if (fn === 'load') return place;
    return { text: `${place.text} = ${writer.value(values[0]!).text}`, precedence: 0, signed: false };
  }
  if (space === 'private')
    throw new OpenCLCError('atomic operations on private memory do not exist in OpenCL C');
  const bits = type.kind === 'int' || type.kind === 'float' ? type.bits : 32;
  const name = `${bits === 64 ? 'atom' : 'atomic'}_${names[fn]}`;
  if (type.kind === 'float' && bits === 64) {
    const place = unary(`(volatile ${space} ulong *)${within(writer.value(pointer), precedence.unary)}`);
    const bytes = values.map((value) => call('as_ulong', [writer.value(value)]));
    return call('as_double', [call(name, [place, ...bytes])]);
  }
  const signed = fn === 'smin' || fn === 'smax';
  const place = unary(pointerText(writer, pointer, type, signed));
  const read = (value: ir.Value): Expression => (signed ? writer.signed(value) : writer.unsigned(value));
  return call(name, [place, ...values.map(read)], signed);
}

function pointerText(writer: ValueWriter, pointer: ir.Value, type: Type, signed: boolean): string {
  const element = type.kind === 'int' || type.kind === 'float' ? scalarName(type, signed) : type;
  const object = writer.objectOf(pointer);
  const from = object ? object.name : within(writer.value(pointer), precedence.unary);
  return `(${pointerTo(writer, pointer, element, true)})${from}`;
}

/** The fences that an order needs before and after the operation. */
export function fencesAround(order: ir.MemoryOrder): { before: string[]; after: string[] } {
  const fence = ['mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);'];
  const releases = order === 'release' || order === 'acq_rel' || order === 'seq_cst';
  const acquires = order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
  return { before: releases ? fence : [], after: acquires ? fence : [] };
}

/** The argument of barrier and mem_fence. */
export function fenceFlags(spaces: readonly AddressSpace[]): string {
  const flags = [];
  if (spaces.includes('local')) flags.push('CLK_LOCAL_MEM_FENCE');
  if (spaces.includes('global')) flags.push('CLK_GLOBAL_MEM_FENCE');
  return flags.length > 0 ? flags.join(' | ') : '0';
}

export function fenceStatement({ spaces, order }: ir.Fence): string {
  const name = order === 'acquire' ? 'read_mem_fence' : order === 'release' ? 'write_mem_fence' : 'mem_fence';
  return `${name}(${fenceFlags(spaces)});`;
}

/**
 * Objects of atomic type (C11, 6.2.6.1, 6.5.2.4 and 6.5.16.2): each read and write is one atomic operation, and a compound assignment
 * or a step reads, computes and writes as one. All are sequentially consistent.
 */
import type * as ir from '../../ir/ir.ts';
import { i32, i64, type Type } from '../../ir/types.ts';
import type { ArithmeticOperator } from '../ast.ts';
import { arithmeticOf } from '../type-facts.ts';
import type { AtomicType, CType } from '../types.ts';
import type { FunctionLowering } from './function-lowering.ts';

/** Atomic instructions know no pointers: these are moved as the integers that they are. */
function toMoved(fn: FunctionLowering, value: ir.Value): ir.Value {
  const { builder } = fn;
  return value.type.kind === 'pointer' ? builder.convert('ptoi', value, builder.addressType) : value;
}

function fromMoved(fn: FunctionLowering, moved: ir.Value, type: Type): ir.Value {
  return type.kind === 'pointer' ? fn.builder.convert('itop', moved, type) : moved;
}

/** They are compared as the bytes that they are, too. */
function bitsOf(fn: FunctionLowering, value: ir.Value): ir.Value {
  const moved = toMoved(fn, value);
  if (moved.type.kind !== 'float') return moved;
  return fn.builder.convert('bitcast', moved, moved.type.bits === 64 ? i64 : i32);
}

function fromBits(fn: FunctionLowering, bits: ir.Value, type: Type): ir.Value {
  return type.kind === 'float' ? fn.builder.convert('bitcast', bits, type) : fromMoved(fn, bits, type);
}

export function atomicLoad(fn: FunctionLowering, pointer: ir.Value, value: CType): ir.Value {
  const type = fn.typeOf(value);
  const moved = type.kind === 'pointer' ? fn.builder.addressType : type;
  return fromMoved(fn, fn.builder.atomic('load', [pointer], moved, 'seq_cst', 'all-devices')!, type);
}

export function atomicStore(fn: FunctionLowering, pointer: ir.Value, stored: ir.Value): void {
  const moved = toMoved(fn, stored);
  fn.builder.atomic('store', [pointer, moved], moved.type, 'seq_cst', 'all-devices');
}

/** What takes a value and gives the object's old one. */
export function atomicFetch(
  fn: FunctionLowering,
  operation: 'exchange' | 'add' | 'sub' | 'and' | 'or' | 'xor',
  pointer: ir.Value,
  operand: ir.Value,
): ir.Value {
  const moved = toMoved(fn, operand);
  const old = fn.builder.atomic(operation, [pointer, moved], moved.type, 'seq_cst', 'all-devices')!;
  return fromMoved(fn, old, operand.type);
}

/** Whether the object held `expected`, and is `desired` now; and what it held. */
export function atomicCompareExchange(
  fn: FunctionLowering,
  pointer: ir.Value,
  expected: ir.Value,
  desired: ir.Value,
): { readonly isSame: ir.Value; readonly old: ir.Value } {
  const { builder } = fn;
  const wanted = bitsOf(fn, expected);
  const operands = [pointer, wanted, bitsOf(fn, desired)];
  const old = builder.atomic('compare_exchange', operands, wanted.type, 'seq_cst', 'all-devices')!;
  return { isSame: builder.compare('eq', old, wanted), old: fromBits(fn, old, expected.type) };
}

/** Changes the object to what `change` makes of its value, again and again until nobody else has changed it meanwhile. */
export function atomicUpdate(
  fn: FunctionLowering,
  pointer: ir.Value,
  value: CType,
  change: (old: ir.Value) => ir.Value,
): { readonly old: ir.Value; readonly renewed: ir.Value } {
  const { builder } = fn;
  const type = fn.typeOf(value);
  const [seen, made] = [fn.temporary(value, 'seen'), fn.temporary(value, 'made')];
  const align = fn.module.alignOf(value);
  builder.store(seen, atomicLoad(fn, pointer, value), align);
  fn.inLoop(
    undefined,
    (loop) => {
      const old = builder.load(type, seen, align);
      const renewed = change(old);
      builder.store(made, renewed, align);
      const exchange = atomicCompareExchange(fn, pointer, old, renewed);
      fn.branch(
        exchange.isSame,
        () => fn.breakTo(loop),
        () => builder.store(seen, exchange.old, align),
      );
    },
    'continue',
  );
  return { old: builder.load(type, seen, align), renewed: builder.load(type, made, align) };
}

/** The instruction that does `op=` on an integer object, where there is one. */
export function operationFor(
  operator: ArithmeticOperator,
  { value }: AtomicType,
  computation: CType,
): 'add' | 'sub' | 'and' | 'or' | 'xor' | undefined {
  const type = arithmeticOf(value);
  // The sum's low bits are the same whatever width it is computed in.
  if (!type || type.floating || type.name === 'bool' || arithmeticOf(computation)?.floating !== false)
    return undefined;
  switch (operator) {
    case '+':
      return 'add';
    case '-':
      return 'sub';
    case '&':
      return 'and';
    case '|':
      return 'or';
    case '^':
      return 'xor';
    default:
      return undefined;
  }
}

/** Steps of the instructions that touch memory: variables, loads, stores, copies, atomics, and context arrays. */
import type * as ir from '../ir.ts';
import { parseFormat } from '../printf/format.ts';
import { recordLayout } from '../printf/record.ts';
import { printfText } from '../printf/text.ts';
import { type AddressSpace, sizeOf, type Type } from '../types.ts';
import { binaryOperation } from './arithmetic.ts';
import { combination } from './collectives.ts';
import type { CompileContext } from './compile-function.ts';
import { type Allocation, Fault, type Memory, mayWrite } from './memory.ts';
import { cellIndex, type Frame } from './state.ts';
import { type RuntimeValue, readerOf, type Scalar, writerOf, zeroOf } from './values.ts';

type Run = (frame: Frame) => void;
type NumberOf = (value: ir.Value) => number;

/** What a step does, or undefined for instructions of other kinds. */
export function memoryStep(
  instruction: ir.Instruction,
  context: CompileContext,
  numberOf: NumberOf,
  isUsed: (value: ir.Value) => boolean,
): Run | undefined {
  switch (instruction.op) {
    case 'variable':
      return context.isHosted
        ? variableOfCall(instruction, context.memory, numberOf(instruction.results[0]!))
        : variable(instruction, context.memory, numberOf(instruction.results[0]!));
    case 'item_address': {
      const [from, to] = [numberOf(instruction.operands[0]!), numberOf(instruction.results[0]!)];
      const { row } = instruction;
      return ({ values, item }) => {
        values[to] = (values[from] as readonly number[])[cellIndex(item, row)]!;
      };
    }
    case 'copies_address': {
      const [from, to] = [numberOf(instruction.operands[0]!), numberOf(instruction.results[0]!)];
      return ({ values }) => {
        values[to] = (values[from] as readonly number[])[0]!;
      };
    }
    case 'in_space': {
      const [from, to] = [numberOf(instruction.operands[0]!), numberOf(instruction.results[0]!)];
      return ({ values }) => {
        values[to] = context.memory.spaceAt(values[from] as number) === instruction.space;
      };
    }
    case 'load':
      return load(instruction, context, numberOf);
    case 'store':
      return store(instruction, context, numberOf);
    case 'copy':
      return copy(instruction, context, numberOf);
    case 'fill':
      return fill(instruction, context, numberOf);
    case 'atomic':
      return atomic(instruction, context, numberOf, isUsed);
    case 'context_array':
      return ({ item }) => {
        item.group.contextArrays.set(instruction, new Array(item.group.itemCount));
      };
    case 'context_read': {
      const to = numberOf(instruction.results[0]!);
      const { contextArray, row } = instruction;
      return ({ values, item }) => {
        const kept =
          item.group.contextArrays.get(contextArray)?.[contextArray.combine ? 0 : cellIndex(item, row)];
        if (kept === undefined && context.checkUninitialised)
          throw new Fault(`context array $${contextArray.name} was never written`);
        values[to] = kept ?? zeroOf(contextArray.type);
      };
    }
    case 'context_write': {
      const from = numberOf(instruction.operands[0]!);
      const { contextArray, row, scan } = instruction;
      const combine = contextArray.combine && combination(contextArray.combine, contextArray.type);
      if (combine) {
        const to = scan && numberOf(instruction.results[0]!);
        return ({ values, item: { group } }) => {
          const cells = group.contextArrays.get(contextArray)!;
          const before = cells[0]!;
          cells[0] = combine(before, values[from]!);
          if (to !== undefined) values[to] = scan === 'inclusive' ? cells[0] : before;
        };
      }
      return ({ values, item }) => {
        item.group.contextArrays.get(contextArray)![cellIndex(item, row)] = values[from];
      };
    }
    case 'printf':
      return printf(instruction, context, numberOf);
    case 'fence':
      // Work-items run one after another here: every access is in order already.
      return () => {};
    default:
      return undefined;
  }
}

function variable(instruction: ir.Variable, memory: Memory, to: number): Run {
  const { space, size, align, name } = instruction;
  const reserve = (copies = 1) => memory.reserve(space, size * copies, align, name);
  if (instruction.perItem) {
    const { elementSize } = instruction;
    // Stands for all copies: item_address picks one of the addresses.
    return ({ values, item: { group } }) => {
      let addresses = group.perItem.get(instruction);
      if (!addresses) {
        const { itemCount } = group;
        if (elementSize === undefined) {
          addresses = Array.from({ length: itemCount }, () => reserve().start);
        } else {
          const { start } = reserve(itemCount);
          addresses = Array.from({ length: itemCount }, (_, index) => start + index * elementSize);
        }
        group.perItem.set(instruction, addresses);
      }
      values[to] = addresses;
    };
  }
  return ({ values, item }) => {
    const reserved = space === 'private' ? item.privates : item.group.locals;
    let allocation = reserved.get(instruction);
    if (!allocation) {
      allocation = reserve();
      reserved.set(instruction, allocation);
    } else if (space === 'private') {
      allocation.written?.fill(0);
    }
    values[to] = allocation.start;
  };
}

/** Of a program for the host: gone when the function is left (compile-function.ts). */
function variableOfCall(instruction: ir.Variable, memory: Memory, to: number): Run {
  const { space, size, align, name } = instruction;
  return (frame) => {
    frame.privates ??= new Map();
    let allocation = frame.privates.get(instruction);
    if (!allocation) {
      allocation = memory.reserve(space, size, align, name);
      frame.privates.set(instruction, allocation);
    } else allocation.written?.fill(0);
    frame.values[to] = allocation.start;
  };
}

/** Text leaves by the launch's own way out; a string among the arguments is read from memory, as loads read. */
function printf(instruction: ir.Printf, context: CompileContext, numberOf: NumberOf): Run {
  const { memory, addressBits } = context;
  const { pieces } = parseFormat(instruction.format);
  const types = instruction.operands.map(({ type }) => type);
  const { size } = recordLayout(types, addressBits / 8);
  const from = instruction.operands.map(numberOf);
  const to = numberOf(instruction.results[0]!);
  const readString = (address: number): string | undefined => {
    if (address === 0) return undefined;
    let text = '';
    for (let at = address; ; at += 1) {
      const { start, bytes } = memory.access(at, 1, 1, 'constant', 'load');
      const byte = bytes[at - start]!;
      if (byte === 0) return text;
      text += String.fromCharCode(byte);
    }
  };
  return ({ values }) => {
    const given = types.map((type, index) => ({ type, value: values[from[index]!]! }));
    values[to] = context.print(printfText(pieces, given, readString), size) ? 0 : -1;
  };
}

function spaceOf(pointer: ir.Value): AddressSpace {
  return pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
}

function load(instruction: ir.Load, context: CompileContext, numberOf: NumberOf): Run {
  const { memory, addressBits } = context;
  const { align } = instruction;
  const pointer = instruction.operands[0]!;
  const { type } = instruction.results[0]!;
  const from = numberOf(pointer);
  const to = numberOf(instruction.results[0]!);
  const space = spaceOf(pointer);
  const size = sizeOf(type, addressBits / 8);
  const read = readerOf(type, addressBits);
  let last: Allocation | undefined;
  return ({ values, item }) => {
    const address = values[from] as number;
    last = memory.access(address, size, align, space, 'load', last);
    const offset = address - last.start;
    if (last.written) memory.checkWritten(last, offset, size);
    context.observer()?.read(last, offset, size, item);
    values[to] = read(last.view, offset);
  };
}

function store(instruction: ir.Store, context: CompileContext, numberOf: NumberOf): Run {
  const { memory, addressBits } = context;
  const { align } = instruction;
  const [pointer, value] = instruction.operands as [ir.Value, ir.Value];
  const to = numberOf(pointer);
  const from = numberOf(value);
  const space = spaceOf(pointer);
  const size = sizeOf(value.type, addressBits / 8);
  const write = writerOf(value.type, addressBits);
  let last: Allocation | undefined;
  const after = new DataView(new ArrayBuffer(size));
  return ({ values, item }) => {
    const address = values[to] as number;
    last = memory.access(address, size, align, space, 'store', last);
    mayWrite(last);
    const offset = address - last.start;
    const observer = context.observer();
    if (observer) {
      write(after, 0, values[from]!);
      observer.write(last, offset, new Uint8Array(after.buffer), item);
    }
    last.written?.fill(1, offset, offset + size);
    write(last.view, offset, values[from]!);
  };
}

/** A number of bytes, which a program computed. */
function byteCount(value: RuntimeValue | undefined): number {
  return typeof value === 'bigint' ? Number(BigInt.asUintN(64, value)) : (value as number) >>> 0;
}

function copy(instruction: ir.Copy, context: CompileContext, numberOf: NumberOf): Run {
  const { memory } = context;
  const { align } = instruction;
  const [destination, source, bytes] = instruction.operands as [ir.Value, ir.Value, ir.Value];
  const numbers = [numberOf(destination), numberOf(source), numberOf(bytes)] as const;
  const [toSpace, fromSpace] = [spaceOf(destination), spaceOf(source)];
  return ({ values, item }) => {
    const size = byteCount(values[numbers[2]]);
    if (size === 0) return;
    const to = values[numbers[0]] as number;
    const from = values[numbers[1]] as number;
    if (to !== from && Math.abs(to - from) < size) throw new Fault('copy between ranges that overlap');
    const target = memory.access(to, size, align, toSpace, 'copy');
    const origin = memory.access(from, size, align, fromSpace, 'copy');
    mayWrite(target);
    const toOffset = to - target.start;
    const fromOffset = from - origin.start;
    const moved = origin.bytes.subarray(fromOffset, fromOffset + size);
    context.observer()?.read(origin, fromOffset, size, item);
    context.observer()?.write(target, toOffset, moved, item);
    target.bytes.set(moved, toOffset);
    // Copying what was never written is allowed (a struct's padding is), but stays unwritten.
    if (!origin.written) target.written?.fill(1, toOffset, toOffset + size);
    else target.written?.set(origin.written.subarray(fromOffset, fromOffset + size), toOffset);
  };
}

function fill(instruction: ir.Fill, context: CompileContext, numberOf: NumberOf): Run {
  const { memory } = context;
  const { align, byte } = instruction;
  const [pointer, bytes] = instruction.operands as [ir.Value, ir.Value];
  const [to, count] = [numberOf(pointer), numberOf(bytes)];
  const space = spaceOf(pointer);
  return ({ values, item }) => {
    const size = byteCount(values[count]);
    if (size === 0) return;
    const address = values[to] as number;
    const target = memory.access(address, size, align, space, 'fill');
    mayWrite(target);
    const offset = address - target.start;
    context.observer()?.write(target, offset, new Uint8Array(size).fill(byte), item);
    target.bytes.fill(byte, offset, offset + size);
    target.written?.fill(1, offset, offset + size);
  };
}

/** Work-items run one after another, so an atomic operation is a load and a store. */
function atomic(
  instruction: ir.Atomic,
  context: CompileContext,
  numberOf: NumberOf,
  isUsed: (value: ir.Value) => boolean,
): Run {
  const { memory, addressBits } = context;
  const { fn, operands, results } = instruction;
  const pointer = operands[0]!;
  const type = (results[0] ?? operands[1]!).type;
  const [at, first, second] = operands.map(numberOf) as [number, number, number];
  const to = results[0] ? numberOf(results[0]) : -1;
  const space = spaceOf(pointer);
  const size = sizeOf(type);
  const read = readerOf(type, addressBits);
  const write = writerOf(type, addressBits);
  const change = atomicChange(fn, type);
  const replaces = fn === 'store' || fn === 'exchange' || fn === 'compare_exchange';
  let isObserved: boolean | undefined;
  let last: Allocation | undefined;
  return ({ values, item }) => {
    const address = values[at] as number;
    last = memory.access(address, size, size, space, `atomic ${fn}`, last);
    const offset = address - last.start;
    const observer = context.observer();
    if (observer) {
      isObserved ??= replaces || (results[0] !== undefined && isUsed(results[0]));
      observer.atomic(last, offset, size, item, isObserved);
    }
    const needsOld = fn !== 'store' && fn !== 'exchange';
    if (needsOld && last.written) memory.checkWritten(last, offset, size);
    const old = read(last.view, offset) as Scalar;
    if (fn !== 'load') {
      mayWrite(last);
      last.written?.fill(1, offset, offset + size);
      write(last.view, offset, change(old, values[first] as Scalar, values[second] as Scalar));
    }
    if (to >= 0) values[to] = old;
  };
}

/** The new value from the old one and the other operands. */
function atomicChange(
  fn: ir.AtomicFunction,
  type: Type,
): (old: Scalar, first: Scalar, second: Scalar) => RuntimeValue {
  switch (fn) {
    case 'load':
      return (old) => old;
    case 'store':
    case 'exchange':
      return (_old, value) => value;
    case 'compare_exchange':
      return (old, expected, desired) => (old === expected ? desired : old);
    default: {
      const combine = binaryOperation(fn === 'add' ? 'iadd' : fn === 'sub' ? 'isub' : fn, type);
      return (old, operand) => combine(old, operand);
    }
  }
}

/** Steps of what is particular to vector regions: masked and scattered accesses, tests of masks, cells of a vector. */
import type * as ir from '../ir.ts';
import { type ScalarType, sizeOf, type VectorType } from '../types.ts';
import { combination } from './collectives.ts';
import type { CompileContext } from './compile-function.ts';
import { type Allocation, Fault, mayWrite } from './memory.ts';
import { cellIndex, type Frame } from './state.ts';
import { readerOf, type Scalar, writerOf, zeroOf } from './values.ts';

type Run = (frame: Frame) => void;
type NumberOf = (value: ir.Value) => number;

/** What a step does, or undefined for instructions that are not particular to vector regions. */
export function vectorStep(
  instruction: ir.Instruction,
  context: CompileContext,
  numberOf: NumberOf,
): Run | undefined {
  switch (instruction.op) {
    case 'test': {
      const from = numberOf(instruction.operands[0]!);
      const to = numberOf(instruction.results[0]!);
      const { fn } = instruction;
      return ({ values }) => {
        const mask = values[from] as readonly boolean[];
        if (fn === 'count') values[to] = mask.filter((lane) => lane).length;
        else values[to] = fn === 'any' ? mask.includes(true) : !mask.includes(false);
      };
    }
    case 'masked_load':
    case 'gather':
      return read(instruction, context, numberOf);
    case 'masked_store':
    case 'scatter':
      return write(instruction, context, numberOf);
    case 'context_read': {
      const { type } = instruction.results[0]!;
      return type === instruction.contextArray.type
        ? undefined
        : readCells(instruction, type as VectorType, context, numberOf);
    }
    case 'context_write': {
      const { type } = instruction.operands[0]!;
      if (instruction.contextArray.combine && type.kind === 'vector')
        return combineCells(instruction, numberOf);
      return type === instruction.contextArray.type
        ? undefined
        : writeCells(instruction, type as VectorType, numberOf);
    }
    case 'item_address': {
      const { type } = instruction.results[0]!;
      if (type.kind !== 'vector') return undefined;
      const from = numberOf(instruction.operands[0]!);
      const to = numberOf(instruction.results[0]!);
      const { row } = instruction;
      return ({ values, item }) => {
        const addresses = values[from] as readonly number[];
        const first = cellIndex(item, row);
        values[to] = addresses.slice(first, first + type.lanes).map((address) => address | 0);
      };
    }
    default:
      return undefined;
  }
}

/** The bytes from the pointer to each lane that takes part. */
type LaneOffsets = (frame: Frame) => readonly (number | undefined)[];

function laneOffsets(
  lanes: number,
  size: number,
  offsets: number | undefined,
  mask: number | undefined,
): LaneOffsets {
  const consecutive = Array.from({ length: lanes }, (_, lane) => lane * size);
  return ({ values }) => {
    const taken = mask === undefined ? undefined : (values[mask] as readonly boolean[]);
    if (taken && !taken.includes(true)) throw new Fault('an access in which no work-item takes part');
    const all = offsets === undefined ? consecutive : (values[offsets] as readonly Scalar[]).map(Number);
    return all.map((offset, lane) => (taken && !taken[lane] ? undefined : offset));
  };
}

function addressOf(base: number, offset: number, addressBits: 32 | 64): number {
  return addressBits === 32 ? (base + offset) >>> 0 : base + offset;
}

function read(instruction: ir.MaskedLoad | ir.Gather, context: CompileContext, numberOf: NumberOf): Run {
  const { memory, addressBits } = context;
  const { align, op, operands } = instruction;
  const pointer = operands[0]!;
  const type = instruction.results[0]!.type as VectorType;
  const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
  const size = sizeOf(type.element);
  const readLane = readerOf(type.element, addressBits);
  const numbers = operands.map(numberOf);
  const [from, second, third] = numbers as [number, number | undefined, number | undefined];
  const offsetsOf =
    op === 'gather'
      ? laneOffsets(type.lanes, size, second, third)
      : laneOffsets(type.lanes, size, undefined, second);
  const to = numberOf(instruction.results[0]!);
  const absent = zeroOf(type.element) as Scalar;
  // Consecutive lanes are only as aligned as the first one's alignment and the distance allow.
  const laneAlign = op === 'gather' ? align : Math.min(align, size);
  let last: Allocation | undefined;
  return (frame) => {
    const base = frame.values[from] as number;
    frame.values[to] = offsetsOf(frame).map((offset) => {
      if (offset === undefined) return absent;
      const address = addressOf(base, offset, addressBits);
      last = memory.access(address, size, laneAlign, space, op, last);
      if (last.written) memory.checkWritten(last, address - last.start, size);
      return readLane(last.view, address - last.start) as Scalar;
    });
  };
}

function write(instruction: ir.MaskedStore | ir.Scatter, context: CompileContext, numberOf: NumberOf): Run {
  const { memory, addressBits } = context;
  const { align, op, operands } = instruction;
  const pointer = operands[0]!;
  const isScatter = op === 'scatter';
  const value = operands[isScatter ? 2 : 1]!;
  const type = value.type as VectorType;
  const space = pointer.type.kind === 'pointer' ? pointer.type.space : 'generic';
  const size = sizeOf(type.element);
  const writeLane = writerOf(type.element, addressBits);
  const numbers = operands.map(numberOf);
  const from = numberOf(value);
  const offsetsOf = isScatter
    ? laneOffsets(type.lanes, size, numbers[1], numbers[3])
    : laneOffsets(type.lanes, size, undefined, numbers[2]);
  const laneAlign = isScatter ? align : Math.min(align, size);
  let last: Allocation | undefined;
  return (frame) => {
    const base = frame.values[numbers[0]!] as number;
    const lanes = frame.values[from] as readonly Scalar[];
    offsetsOf(frame).forEach((offset, lane) => {
      if (offset === undefined) return;
      const address = addressOf(base, offset, addressBits);
      last = memory.access(address, size, laneAlign, space, op, last);
      mayWrite(last);
      const at = address - last.start;
      last.written?.fill(1, at, at + size);
      writeLane(last.view, at, lanes[lane]!);
    });
  };
}

/** Addresses are kept as pointers, which are never negative, and used as integers. */
function readCells(
  { contextArray, row, results }: ir.ContextRead,
  type: VectorType,
  context: CompileContext,
  numberOf: NumberOf,
): Run {
  const to = numberOf(results[0]!);
  const absent = zeroOf(type.element as ScalarType) as Scalar;
  const isPointer = contextArray.type.kind === 'pointer';
  return ({ values, item }) => {
    const cells = item.group.contextArrays.get(contextArray) ?? [];
    const first = cellIndex(item, row);
    values[to] = Array.from({ length: type.lanes }, (_, lane): Scalar => {
      const kept = cells[first + lane] as Scalar | undefined;
      // Not an error: the lane may take no part.
      if (kept === undefined) return absent;
      return isPointer && context.addressBits === 32 ? (kept as number) | 0 : kept;
    });
  };
}

/** All lanes go into the cell of all work-items. */
function combineCells(
  { contextArray, operands }: ir.ContextWrite,
  numberOf: (value: ir.Value) => number,
): Run {
  const from = numberOf(operands[0]!);
  const combine = combination(contextArray.combine!, contextArray.type);
  return ({ values, item: { group } }) => {
    const cells = group.contextArrays.get(contextArray)!;
    for (const lane of values[from] as readonly Scalar[]) cells[0] = combine(cells[0]!, lane);
  };
}

function writeCells(
  { contextArray, row, operands }: ir.ContextWrite,
  type: VectorType,
  numberOf: NumberOf,
): Run {
  const from = numberOf(operands[0]!);
  const isPointer = contextArray.type.kind === 'pointer';
  return ({ values, item }) => {
    const cells = item.group.contextArrays.get(contextArray)!;
    const first = cellIndex(item, row);
    const lanes = values[from] as readonly Scalar[];
    for (let lane = 0; lane < type.lanes; lane += 1) {
      const value = lanes[lane]!;
      cells[first + lane] = isPointer && typeof value === 'number' ? value >>> 0 : value;
    }
  };
}

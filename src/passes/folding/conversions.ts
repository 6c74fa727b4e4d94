/** Rules for conversions and lanes: what was put together before is not taken apart again. */
import type * as ir from '../../ir/ir.ts';
import { bool, elementOf, type Type } from '../../ir/types.ts';
import type { Folds, Simpler } from './folds.ts';

export function foldConvert(folds: Folds, instruction: ir.Convert): Simpler {
  const source = instruction.operands[0]!;
  const { type } = instruction.results[0]!;
  const inner = folds.definition(source);
  if (source.type === type) {
    if (instruction.fn === 'bitcast' || instruction.fn === 'space') return source;
  }
  if (inner?.op !== 'convert') return undefined;
  const origin = inner.operands[0]!;
  switch (instruction.fn) {
    case 'space':
      if (inner.fn !== 'space') return undefined;
      return origin.type === type ? origin : { ...instruction, operands: [origin] };
    case 'bitcast':
      if (inner.fn !== 'bitcast') return undefined;
      return origin.type === type ? origin : { ...instruction, operands: [origin] };
    case 'trunc':
      if (inner.fn === 'trunc') return { ...instruction, operands: [origin] };
      if ((inner.fn === 'sext' || inner.fn === 'zext') && elementOf(origin.type) !== bool) {
        return truncatedExtension(instruction, inner, origin, type);
      }
      return undefined;
    case 'sext':
      if (inner.fn === 'sext') return { ...instruction, operands: [origin] };
      return inner.fn === 'zext' ? { ...instruction, fn: 'zext', operands: [origin] } : undefined;
    case 'zext':
      return inner.fn === 'zext' ? { ...instruction, operands: [origin] } : undefined;
    case 'ptoi':
      return inner.fn === 'itop' && origin.type === type ? origin : undefined;
    default:
      return undefined;
  }
}

function truncatedExtension(
  instruction: ir.Convert,
  inner: ir.Convert,
  origin: ir.Value,
  type: Type,
): Simpler {
  if (origin.type === type) return origin;
  const from = elementOf(origin.type);
  const to = elementOf(type);
  if (from.kind !== 'int' || to.kind !== 'int') return undefined;
  const fn = from.bits > to.bits ? 'trunc' : inner.fn;
  return { ...instruction, fn, operands: [origin] };
}

export function foldExtract(folds: Folds, instruction: ir.Extract): Simpler {
  const inner = folds.definition(instruction.operands[0]!);
  switch (inner?.op) {
    case 'build':
      return inner.operands[instruction.lane]!;
    case 'splat':
      return inner.operands[0]!;
    case 'insert':
      if (inner.lane === instruction.lane) return inner.operands[1]!;
      return { ...instruction, operands: [inner.operands[0]!] };
    case 'shuffle': {
      const lane = inner.lanes[instruction.lane]!;
      const first = inner.operands[0]!;
      const lanes = first.type.kind === 'vector' ? first.type.lanes : 1;
      if (lane < 0) return { op: 'undefined', operands: [], results: instruction.results, regions: [] };
      return lane < lanes
        ? { ...instruction, lane, operands: [first] }
        : { ...instruction, lane: lane - lanes, operands: [inner.operands[1]!] };
    }
    default:
      return undefined;
  }
}

export function foldShuffle(instruction: ir.Shuffle): ir.Value | undefined {
  const [a] = instruction.operands;
  if (a!.type !== instruction.results[0]!.type) return undefined;
  return instruction.lanes.every((lane, index) => lane === index || lane < 0) ? a! : undefined;
}

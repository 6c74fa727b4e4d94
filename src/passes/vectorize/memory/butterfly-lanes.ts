/**
 * What a known distance of pairs (butterflies.ts) makes of a vector's integers and pointers: how far each lane's lies from the
 * first one's. They are computed once, for the first lane.
 */
import type * as ir from '../../../ir/ir.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { VectorValue } from '../emit/vector-value.ts';
import type { KnownDistance } from './butterflies.ts';

type Patterned = VectorValue & { readonly kind: 'patterned' };

/** Numbers beyond this are no distances in a vector. */
const largest = 1024;

/** Integers and pointers whose lanes differ by what the distance says. */
export function vectorisePatterned(
  context: VectorContext,
  instruction: ir.Instruction,
): VectorValue | undefined {
  const { butterflies, writer } = context;
  const result = instruction.results[0]!;
  if (!butterflies || (result.type.kind !== 'int' && result.type.kind !== 'pointer')) return undefined;
  const [a, b] = instruction.operands as [ir.Value, ir.Value?];
  const own = b && vectorOfId(context, instruction, butterflies, a, b);
  if (own) return own;
  const offsets = offsetsOf(context, instruction);
  if (!offsets) return undefined;
  const scalars = instruction.operands.map((operand) => {
    const vectorised = context.vectorised(operand);
    return vectorised.kind === 'patterned' ? vectorised.first : writer.scalarOf(vectorised);
  });
  const first: ir.Value = { ...result };
  writer.append({ ...instruction, operands: scalars, results: [first], regions: [] });
  return { kind: 'patterned', first, offsets };
}

/** `id & (distance - 1)`, `id % distance`, `id / distance`. */
function vectorOfId(
  context: VectorContext,
  instruction: ir.Instruction,
  { distance, ids, elements }: KnownDistance,
  a: ir.Value,
  b: ir.Value,
): Patterned | undefined {
  if (instruction.op !== 'binary') return undefined;
  const { writer } = context;
  const isId = (value: ir.Value): boolean => {
    const vectorised = context.vectorised(value);
    return ids.has(value) && vectorised.kind === 'affine' && vectorised.step === 1;
  };
  const perLane = (of: (lane: number) => number): number[] =>
    Array.from({ length: writer.lanes }, (_, lane) => of(lane));
  const rest = (type: ir.Value['type']): Patterned => ({
    kind: 'patterned',
    first: writer.int(type, 0),
    offsets: perLane((lane) => lane % elements),
  });
  switch (instruction.fn) {
    case 'and': {
      const isMask = (value: ir.Value): boolean => {
        const definition = context.definition(value);
        return (
          definition?.op === 'binary' &&
          definition.operands[0] === distance &&
          knownOf(context, value) === elements - 1
        );
      };
      return (isId(a) && isMask(b)) || (isId(b) && isMask(a)) ? rest(a.type) : undefined;
    }
    case 'urem':
    case 'srem':
      return isId(a) && b === distance ? rest(a.type) : undefined;
    case 'udiv':
    case 'sdiv': {
      if (!isId(a) || b !== distance) return undefined;
      const shift = writer.int(a.type, Math.log2(elements));
      const first = writer.binary('ushr', writer.scalarOf(context.vectorised(a)), shift);
      return { kind: 'patterned', first, offsets: perLane((lane) => Math.floor(lane / elements)) };
    }
    default:
      return undefined;
  }
}

/** How far each lane's result lies from the first one's. */
function offsetsOf(context: VectorContext, instruction: ir.Instruction): readonly number[] | undefined {
  const vectorised = instruction.operands.map((operand) => context.vectorised(operand));
  if (!vectorised.some(({ kind }) => kind === 'patterned')) return undefined;
  const lanes = vectorised.map((one) => lanesOffsets(context, one));
  const [a, b] = lanes;
  if (!a) return undefined;
  if (instruction.op === 'offset') return b && a.map((one, lane) => one + b[lane]!);
  if (instruction.op === 'convert') {
    return instruction.fn === 'ptoi' || instruction.fn === 'itop' || instruction.fn === 'space'
      ? a
      : undefined;
  }
  if (instruction.op !== 'binary' || !b) return undefined;
  const times = (offsets: readonly number[], factor: number | undefined): readonly number[] | undefined =>
    factor === undefined ? undefined : offsets.map((one) => one * factor);
  const [left, right] = instruction.operands as [ir.Value, ir.Value];
  switch (instruction.fn) {
    case 'iadd':
      return a.map((one, lane) => one + b[lane]!);
    case 'isub':
      return a.map((one, lane) => one - b[lane]!);
    case 'imul':
      return vectorised[1]!.kind === 'uniform'
        ? times(a, knownOf(context, right))
        : vectorised[0]!.kind === 'uniform'
          ? times(b, knownOf(context, left))
          : undefined;
    case 'shl': {
      const count = vectorised[1]!.kind === 'uniform' ? knownOf(context, right) : undefined;
      return count === undefined || count < 0 || count > 16 ? undefined : times(a, 2 ** count);
    }
    default:
      return undefined;
  }
}

function lanesOffsets({ writer }: VectorContext, vectorised: VectorValue): readonly number[] | undefined {
  const step = vectorised.kind === 'affine' ? vectorised.step : vectorised.kind === 'uniform' ? 0 : undefined;
  if (step !== undefined) return Array.from({ length: writer.lanes }, (_, lane) => lane * step);
  return vectorised.kind === 'patterned' ? vectorised.offsets : undefined;
}

/** A small number that the distance makes of a value; undefined if it does not say. */
function knownOf(context: VectorContext, value: ir.Value): number | undefined {
  const { butterflies } = context;
  if (value === butterflies?.distance) return butterflies.elements;
  const definition = context.definition(value);
  if (definition?.op === 'constant') {
    const { value: constant } = definition;
    const number =
      typeof constant === 'number' || typeof constant === 'bigint' ? Number(constant) : Number.NaN;
    return Number.isInteger(number) && Math.abs(number) <= largest ? number : undefined;
  }
  if (definition?.op !== 'binary') return undefined;
  const [left, right] = definition.operands as [ir.Value, ir.Value];
  const a = knownOf(context, left);
  const b = a === undefined ? undefined : knownOf(context, right);
  if (a === undefined || b === undefined) return undefined;
  const known =
    definition.fn === 'iadd'
      ? a + b
      : definition.fn === 'isub'
        ? a - b
        : definition.fn === 'imul'
          ? a * b
          : definition.fn === 'shl' && b >= 0 && b <= 16
            ? a * 2 ** b
            : Number.NaN;
  return Math.abs(known) <= largest ? known : undefined;
}

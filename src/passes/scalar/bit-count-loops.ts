/**
 * Loops that take away the lowest bit of a number until none is left run once for each bit. What they count is the number of bits:
 *
 *     %n = loop @l (%x = %start, %y = 0) {
 *       if ne %x, 0 { yield } else { break @l %y }
 *       %x.1 = and %x, (iadd %x, -1)                   =>   %n = popcount %start
 *       %y.1 = iadd %y, 1
 *       continue @l %x.1, %y.1
 *     }
 *
 * Any number of counters may go along, by any steps that do not change in the loop. A loop that does more is left alone: its iterations
 * are as many still, but nobody asks how many. This is a pass of its own because no analysis of counted loops finds such a number.
 */
import { integerOf } from '../../ir/constants.ts';
import type * as ir from '../../ir/ir.ts';
import type { IntType, Type } from '../../ir/types.ts';

export function countBits(fn: ir.Function): void {
  if (fn.body) countIn(fn.body, new Map());
}

function countIn(region: ir.Region, definitions: Map<ir.Value, ir.Instruction>): void {
  const output: ir.Instruction[] = [];
  for (const instruction of region.instructions) {
    for (const result of instruction.results) definitions.set(result, instruction);
    for (const nested of instruction.regions) countIn(nested, definitions);
    const counted = instruction.op === 'loop' ? countOf(instruction, definitions) : undefined;
    if (counted) output.push(...counted);
    else output.push(instruction);
  }
  region.instructions = output;
}

/** What computes the results of a loop that counts bits; undefined for others. */
function countOf(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): ir.Instruction[] | undefined {
  const { parameters, instructions } = loop.regions[0]!;
  const [compare, exit, ...rest] = instructions;
  const next = rest.at(-1);
  if (compare?.op !== 'compare' || exit?.op !== 'if' || exit.operands[0] !== compare.results[0])
    return undefined;
  if (next?.op !== 'continue' || next.target !== loop || exit.results.length > 0) return undefined;
  const bits = parameters.find((parameter) => isNotZero(compare, parameter, definitions));
  const left = leavingWith(exit, loop, compare.fn === 'ne' ? 1 : 0);
  if (bits?.type.kind !== 'int' || !left) return undefined;

  const own = new Set(rest.flatMap(({ results }) => results));
  const isOutside = (value: ir.Value): boolean => !own.has(value) && !parameters.includes(value);
  const steps = parameters.map((parameter, at) => stepOf(parameter, next.operands[at]!, bits, definitions));
  const isAll = steps.every(
    (step) => step !== undefined && (step === 'bits' || step === 'same' || isOutside(step.by)),
  );
  // Besides what goes on there is one subtraction.
  const others = new Set(next.operands.flatMap((value) => definitions.get(value) ?? []));
  const isMore = rest.slice(0, -1).some((one) => !others.has(one) && !isOneLess(one, bits, definitions));
  if (!isAll || isMore) return undefined;

  const output: ir.Instruction[] = [];
  const append = (instruction: ir.Instruction, result: ir.Value): ir.Value => {
    instruction.results = [result];
    instruction.span ??= loop.span;
    output.push(instruction);
    return result;
  };
  const [start] = loop.operands.filter((_, at) => parameters[at] === bits) as [ir.Value];
  const count = append(
    { op: 'unary', fn: 'popcount', operands: [start], results: [], regions: [] },
    { type: start.type },
  );
  for (const [index, value] of left.entries()) {
    const at = parameters.indexOf(value);
    const result = loop.results[index]!;
    const step = steps[at];
    if (step === 'bits') {
      // None is left.
      append(
        { op: 'constant', value: integerOf(value.type, 0), operands: [], results: [], regions: [] },
        result,
      );
      continue;
    }
    const first = at < 0 ? value : loop.operands[at]!;
    const steady = at < 0 || step === 'same' || step === undefined;
    const zero = (): ir.Value =>
      append(
        { op: 'constant', value: integerOf(first.type, 0), operands: [], results: [], regions: [] },
        { type: first.type },
      );
    if (steady) {
      if (first.type.kind !== 'int') return undefined;
      append({ op: 'binary', fn: 'iadd', operands: [first, zero()], results: [], regions: [] }, result);
      continue;
    }
    const fitting = resized(count, first.type, append);
    const product = append(
      { op: 'binary', fn: 'imul', operands: [fitting, step.by], results: [], regions: [] },
      { type: first.type },
    );
    append({ op: 'binary', fn: step.fn, operands: [first, product], results: [], regions: [] }, result);
  }
  return output;
}

/** A count as another type of integer. */
function resized(
  count: ir.Value,
  to: Type,
  append: (instruction: ir.Instruction, result: ir.Value) => ir.Value,
): ir.Value {
  const [from, wanted] = [(count.type as IntType).bits, (to as IntType).bits];
  if (from === wanted) return count;
  const fn = from < wanted ? 'zext' : 'trunc';
  return append({ op: 'convert', fn, operands: [count], results: [], regions: [] }, { type: to });
}

function isConstant(
  value: ir.Value,
  wanted: bigint,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  const definition = definitions.get(value);
  const isNumber =
    definition?.op === 'constant' &&
    (typeof definition.value === 'number' || typeof definition.value === 'bigint');
  return isNumber && BigInt(definition.value as number | bigint) === wanted;
}

/** Whether a comparison asks if a value is, or is not, zero. */
function isNotZero(
  { fn, operands }: ir.Compare,
  value: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  return (fn === 'ne' || fn === 'eq') && operands[0] === value && isConstant(operands[1]!, 0n, definitions);
}

/** What a loop is left with, if the `if` does nothing but leave it in that region, and go on in the other. */
function leavingWith(exit: ir.If, loop: ir.Loop, at: 0 | 1): readonly ir.Value[] | undefined {
  const [leave, stay] = [exit.regions[at]!.instructions, exit.regions[1 - at]!.instructions];
  const [jump] = leave;
  if (leave.length !== 1 || stay.length !== 1 || stay[0]!.op !== 'yield') return undefined;
  return jump?.op === 'break' && jump.target === loop ? jump.operands : undefined;
}

/** Whether it computes %x - 1. */
function isOneLess(
  instruction: ir.Instruction | undefined,
  x: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  if (instruction?.op !== 'binary' || instruction.operands[0] !== x) return false;
  const [, by] = instruction.operands as [ir.Value, ir.Value];
  return (
    (instruction.fn === 'iadd' && isConstant(by, -1n, definitions)) ||
    (instruction.fn === 'isub' && isConstant(by, 1n, definitions))
  );
}

/** What a counter grows or shrinks by in an iteration. */
interface Step {
  readonly fn: 'iadd' | 'isub';
  readonly by: ir.Value;
}

/** What becomes of a parameter: the bits lose one, it stays the same, or so much is added or taken away; undefined for anything else. */
function stepOf(
  parameter: ir.Value,
  next: ir.Value,
  bits: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): 'bits' | 'same' | Step | undefined {
  if (next === parameter) return parameter === bits ? undefined : 'same';
  const definition = definitions.get(next);
  if (definition?.op !== 'binary') return undefined;
  const [a, b] = definition.operands as [ir.Value, ir.Value];
  if (parameter === bits) {
    const other = a === bits ? b : b === bits ? a : undefined;
    const isOne = other !== undefined && isOneLess(definitions.get(other), bits, definitions);
    return definition.fn === 'and' && isOne ? 'bits' : undefined;
  }
  if (parameter.type.kind !== 'int') return undefined;
  if (definition.fn === 'isub' && a === parameter) return { fn: 'isub', by: b };
  if (definition.fn !== 'iadd') return undefined;
  return a === parameter ? { fn: 'iadd', by: b } : b === parameter ? { fn: 'iadd', by: a } : undefined;
}

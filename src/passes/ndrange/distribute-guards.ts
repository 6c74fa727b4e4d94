/**
 * Distributes a guard over what is in it, so that a barrier may be there that all work-items reach:
 *
 *     if %inside {                                  %first, %x = if %inside { A; yield } else { undefined }
 *       A                                           loop @g (%k = 0, %s = %first) {
 *       loop @g (%k = 0, %s = %first) {               ...
 *         ...                                         %s' = if %inside { strip; yield } else { undefined }
 *         %s' = strip                     =>        barrier
 *         barrier                                     continue @g %end, %s'
 *         continue @g %end, %s'                     }
 *       }                                           if %inside { B with %x }
 *       B
 *     } else { yield }
 *
 * Work-items that the guard keeps out go through the loop, too, and do nothing there. So what the loop counts must be known
 * without the guard: simple computations are taken out of it. tile-loops.ts says what for.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { containsBarrier, containsLoop } from '../../ir/regions.ts';
import { walkRegion } from '../../ir/walk.ts';
import { insert } from '../../source/lists.ts';

/** An `if` that has loops on one side only. */
export interface Guard {
  readonly branch: ir.If;
  /** Which of its regions that is. */
  readonly side: 0 | 1;
}

/** The guard that an instruction is when seen from one of its regions; what the other one does may come later. */
export function guardOf(structure: ir.Structured, side: number): Guard | undefined {
  if (structure.op !== 'if' || containsBarrier(structure.regions[side]!)) return undefined;
  const other = structure.regions[1 - side]!;
  const meets = structure.regions.every(({ instructions }) => instructions.at(-1)!.op === 'yield');
  const isGuard = meets && !containsLoop(other) && !containsBarrier(other);
  return isGuard ? { branch: structure, side: side as 0 | 1 } : undefined;
}

/**
 * Makes guards of early returns, if loops but no barriers come later:
 *
 *     if %c { A; return } else { yield }            if %c { A; yield } else { B; yield }
 *     B                                      =>     return
 *     return
 */
export function returnsToGuards(body: ir.Region): boolean {
  let hasChanged = false;
  const { instructions } = body;
  for (let at = instructions.length - 2; at >= 0; at -= 1) {
    const branch = instructions[at]!;
    if (branch.op !== 'if' || branch.results.length > 0) continue;
    const [returning, other] = leaving(branch) === 0 ? branch.regions : [...branch.regions].reverse();
    if (leaving(branch) < 0 || other!.instructions[0]!.op !== 'yield') continue;
    const end = instructions.at(-1)!;
    const rest = newRegion();
    rest.instructions = instructions.slice(at + 1, -1);
    if (end.op !== 'return' || !containsLoop(rest) || containsBarrier(rest)) continue;
    const toEnd = returning!.instructions.at(-1)!;
    returning!.instructions[returning!.instructions.length - 1] = { ...toEnd, op: 'yield' } as ir.Yield;
    insert(other!.instructions, 0, rest.instructions);
    instructions.splice(at + 1, rest.instructions.length);
    hasChanged = true;
  }
  return hasChanged;
}

/** Which region of a branch returns; negative if none does, or both do. */
function leaving({ regions }: ir.If): number {
  const returns = regions.map(({ instructions }) => instructions.at(-1)!.op === 'return');
  return returns[0] === returns[1] ? -1 : returns.indexOf(true);
}

/**
 * Tells whether values are the same simple computations outside of guards. What many values come from is looked at once.
 * @param inside what the guards' regions define
 */
export function knownOutside(inside: ReadonlyMap<ir.Value, ir.Instruction>): (value: ir.Value) => boolean {
  const answers = new Map<ir.Value, boolean>();
  const isKnown = (value: ir.Value): boolean => {
    const definition = inside.get(value);
    if (!definition) return true;
    let answer = answers.get(value);
    if (answer === undefined) {
      answer = isSimple(definition) && definition.operands.every(isKnown);
      answers.set(value, answer);
    }
    return answer;
  };
  return isKnown;
}

/** What takes little time, and may be done by work-items that do not need it. */
function isSimple(instruction: ir.Instruction): boolean {
  if (instruction.results[0]?.type.kind === 'vector') return false;
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'variable':
    case 'query':
    case 'offset':
    case 'compare':
    case 'select':
      return true;
    case 'convert':
      return ['sext', 'zext', 'trunc', 'ptoi', 'itop', 'space'].includes(instruction.fn);
    case 'binary':
      return ['iadd', 'isub', 'imul', 'and', 'or', 'xor', 'shl', 'sshr', 'ushr'].includes(instruction.fn);
    default:
      return false;
  }
}

/**
 * Takes a loop out of the guard in whose region it is.
 * @param region where the guard is
 * @param guarded what is in the loop and is for the guarded work-items only
 * @returns what takes the place of `guarded`
 */
export function distributeGuard(
  { branch, side }: Guard,
  region: ir.Region,
  loop: ir.Loop,
  guarded: ir.Instruction,
  addressBits: 32 | 64,
): ir.Instruction {
  const inner = branch.regions[side]!;
  const at = inner.instructions.indexOf(loop);
  const before = inner.instructions.slice(0, at);
  const after = newRegion();
  after.instructions = inner.instructions.slice(at + 1);
  const wrapper = only({ branch, side }, guarded, addressBits);
  loop.regions[0]!.instructions[loop.regions[0]!.instructions.indexOf(guarded)] = wrapper;

  // What comes before goes out of the guard, if it is simple and needed later, or comes out as a result.
  const later = newRegion();
  later.instructions = [loop, ...after.instructions];
  const needed = new Set<ir.Value>();
  walkRegion(later, ({ operands }) => {
    for (const operand of operands) needed.add(operand);
  });
  const own = new Map<ir.Value, ir.Instruction>();
  for (const one of before) for (const result of one.results) own.set(result, one);
  const out = new Set<ir.Instruction>();
  const take = (value: ir.Value): void => {
    const definition = own.get(value);
    if (!definition || out.has(definition)) return;
    out.add(definition);
    for (const operand of definition.operands) take(operand);
  };
  const isKnown = knownOutside(own);
  for (const value of needed) if (isKnown(value)) take(value);
  const kept = [...own].filter(([value, one]) => needed.has(value) && !out.has(one)).map(([value]) => value);

  const { results } = branch;
  const other = branch.regions[1 - side]!;
  const last: ir.If = { ...branch, operands: [...branch.operands], results, regions: [] };
  last.regions = side === 0 ? [after, other] : [other, after];
  inner.instructions = before.filter((one) => !out.has(one));
  new Builder(inner, addressBits).yield(kept);
  branch.results = kept.map(({ type, name }) => newValue(type, name));
  branch.regions[1 - side] = nothing(kept, addressBits);
  replaceValues(later, new Map(kept.map((value, index) => [value, branch.results[index]!])));

  const place = region.instructions.indexOf(branch);
  const isEmpty = inner.instructions[0]!.op === 'yield' && kept.length === 0;
  const isLast =
    [after, other].some(({ instructions }) => instructions[0]!.op !== 'yield') || results.length > 0;
  region.instructions.splice(
    place,
    1,
    ...before.filter((one) => out.has(one)),
    ...(isEmpty ? [] : [branch]),
    loop,
    ...(isLast ? [last] : []),
  );
  return wrapper;
}

/** An instruction for guarded work-items only; its results are nothing for others. */
function only({ branch, side }: Guard, guarded: ir.Instruction, addressBits: 32 | 64): ir.If {
  const { results } = guarded;
  guarded.results = results.map(({ type, name }) => newValue(type, name));
  const inner = newRegion();
  inner.instructions = [guarded];
  new Builder(inner, addressBits).yield(guarded.results);
  const other = nothing(results, addressBits);
  return {
    op: 'if',
    operands: [...branch.operands],
    results,
    regions: side === 0 ? [inner, other] : [other, inner],
    span: branch.span,
  };
}

/** A region that gives nothing for each of some values. */
function nothing(values: readonly ir.Value[], addressBits: 32 | 64): ir.Region {
  const region = newRegion();
  const builder = new Builder(region, addressBits);
  builder.yield(values.map(({ type }) => builder.undefined(type)));
  return region;
}

function replaceValues(region: ir.Region, replaced: ReadonlyMap<ir.Value, ir.Value>): void {
  walkRegion(region, ({ operands }) => {
    for (let index = 0; index < operands.length; index += 1) {
      operands[index] = replaced.get(operands[index]!) ?? operands[index]!;
    }
  });
}

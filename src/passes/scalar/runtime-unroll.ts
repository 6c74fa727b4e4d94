/**
 * Writes four iterations of a short loop after one another, where work-items run one by one:
 *
 *                                                     if (ult %first, %end) {
 *     loop @l (%s = %zero, %k = %first) {               loop @l (%s = %zero, %left = isub %end, %first,
 *       %more = ult %k, %end                                     %q = offset %p, %first * 4) {
 *       if %more { yield } else { break @l %s }           %t = fadd %s, (load %q)
 *       %v = load (offset %p, %k * 4)                     if (ugt %left, 1) { yield } else { break @l %t }
 *       %t = fadd %s, %v                        =>        %t.1 = fadd %t, (load (offset %q, 4))
 *       %n = iadd %k, 1                                   if (ugt %left, 2) { yield } else { break @l %t.1 }
 *       continue @l %t, %n                                ...
 *     }                                                   if (ugt %left, 4) { yield } else { break @l %t.3 }
 *                                                         continue @l %t.3, (isub %left, 4), (offset %q, 16)
 *                                                       }
 *                                                     } else { yield %zero }
 *
 * An engine that unrolls such a loop by itself counts and computes all addresses in each iteration. Here they are those of the first
 * iteration and a constant, and the exit tests compare one number with constants. In a sum over short rows, where a processor does
 * nothing but fetch instructions, more than a third of them is saved. As `%k` is below the bound, the distance to it is
 * right as an unsigned number.
 *
 * A sum whose terms may come in any order (`reassociate`) becomes as many sums as there are iterations, each of every fourth term, and where the
 * loop is left they are added up. None of them waits for the one before, as a single sum would for each addition.
 *
 * Where a counter takes larger steps, or no address goes evenly with it, it goes on counting itself, and the distance is computed
 * anew every four iterations.
 */

import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, i64 } from '../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { isScalarOnly, scalarRegion } from '../../ir/work-item-loops.ts';
import type { PassWishes } from '../../target/target.ts';
import { AffineForms } from '../analysis/affine-forms.ts';
import { type CountedLoop, findCount } from '../analysis/counted-loops.ts';
import { foldConstants } from './constant-folding/constant-folding.ts';
import { gvn } from './gvn.ts';

/** Longer iterations gain little, and the code grows. */
const longestIteration = 24;

export function unrollAtRunTime(fn: ir.Function, addressBits: 32 | 64, wants: PassWishes): void {
  if (!fn.body || wants.runtimeUnroll < 2) return;
  let definitions: ReadonlyMap<ir.Value, ir.Instruction> | undefined;
  let isChanged = false;
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop' || !isScalarOnly(itemLoop)) return;
    walkRegionsInsideOut(scalarRegion(itemLoop), (region) => {
      region.instructions = region.instructions.flatMap((loop) => {
        if (loop.op !== 'loop' || !isShort(loop)) return [loop];
        definitions ??= findDefinitions(fn.body!);
        const counted = findCount(loop, definitions);
        if (!counted || !mayRepeat(counted)) return [loop];
        isChanged = true;
        const stepped = counted.step === 1 ? findSteppedPointers(counted, definitions, wants) : [];
        if (stepped.length > 0) return countDown(counted, stepped, wants, addressBits);
        repeat(counted, stepped, undefined, wants, addressBits);
        return [loop];
      });
    });
  });
  if (!isChanged) return;
  // Addresses become the first iteration's and a constant.
  foldConstants(fn, addressBits);
  gvn(fn, addressBits);
}

/** Whether an iteration is a few instructions that load something, one after another. */
function isShort(loop: ir.Loop): boolean {
  const { instructions } = loop.regions[0]!;
  return (
    loop.unroll === undefined &&
    instructions.length <= longestIteration &&
    instructions.some(({ op }) => op === 'load') &&
    instructions.filter(({ regions }) => regions.length > 0).length === 1 &&
    !instructions.some(({ op }) => op === 'call' || op === 'atomic')
  );
}

function mayRepeat({ loop, step, isSigned, testAt }: CountedLoop): boolean {
  const { instructions } = loop.regions[0]!;
  const before = instructions.slice(0, testAt);
  const given = exitOf(instructions[testAt]!).operands;
  return (
    // Unsigned counters may wrap around with larger steps, and go on.
    (step === 1 || isSigned) &&
    before.every(isPure) &&
    !before.some(({ results }) => results.some((result) => given.includes(result)))
  );
}

/** The jump out of the loop, on the other side of the test. */
function exitOf({ regions }: ir.Instruction): ir.Instruction {
  return regions[1]!.instructions[0]!;
}

/** A pointer that goes on evenly from iteration to iteration. */
interface SteppedPointer {
  readonly offset: ir.Instruction;
  /** Bytes an iteration. */
  readonly stride: number;
  /** What computes it from the counter, in order. */
  readonly chain: readonly ir.Instruction[];
  /** The parameter that is it in the first of the iterations, once there is one. */
  pointer?: ir.Value;
}

/** Pointers that only depend on the counter and what is known before the loop, if they are few. */
function findSteppedPointers(
  { loop, counter, testAt }: CountedLoop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  { carriedPointers }: PassWishes,
): SteppedPointer[] {
  const { parameters, instructions } = loop.regions[0]!;
  const forms = new AffineForms(definitions);
  const inside = new Set(instructions);
  const changes = new Set([...parameters, ...instructions.flatMap(({ results }) => results)]);
  const stepped = instructions.slice(testAt + 1).flatMap((offset): SteppedPointer[] => {
    if (offset.op !== 'offset') return [];
    const { terms } = forms.of(offset.results[0]!);
    const stride = terms.get(counter);
    // In `k + (k & 3)` the second term comes from the counter, too, and does not go evenly with it.
    if (stride === undefined || [...terms.keys()].some((term) => term !== counter && changes.has(term)))
      return [];
    const chain: ir.Instruction[] = [];
    let isOfCounter = true;
    const visit = (instruction: ir.Instruction): void => {
      if (chain.includes(instruction)) return;
      for (const operand of instruction.operands) {
        if (operand === counter) continue;
        const definition = definitions.get(operand);
        if (parameters.includes(operand)) isOfCounter = false;
        else if (definition && inside.has(definition)) visit(definition);
      }
      isOfCounter &&= isPure(instruction);
      chain.push(instruction);
    };
    visit(offset);
    return isOfCounter ? [{ offset, stride, chain }] : [];
  });
  return stepped.length <= carriedPointers ? stepped : [];
}

/**
 * Repeats the iterations of a loop that gets parameters for the pointers and for how many iterations are left instead of its counter.
 * @returns the loop, under the condition that there is any iteration, and what it begins with
 */
function countDown(
  counted: CountedLoop,
  stepped: readonly SteppedPointer[],
  wants: PassWishes,
  addressBits: 32 | 64,
): ir.Instruction[] {
  const { loop, counter, bound, isSigned, testAt } = counted;
  const { parameters, instructions } = loop.regions[0]!;
  const builder = new Builder(newRegion(), addressBits);
  const first = loop.operands[parameters.indexOf(counter)]!;
  const isAny = builder.compare(isSigned ? 'slt' : 'ult', first, bound);
  const given = exitOf(instructions[testAt]!).operands.map(
    (value) => loop.operands[parameters.indexOf(value)] ?? value,
  );
  const atFirst = [builder.binary('isub', bound, first)];
  const left = newValue(counter.type);
  parameters.push(left);
  for (const pointer of stepped) {
    const values = new Map([[counter, first]]);
    for (const one of pointer.chain) builder.region.instructions.push(cloneInstruction(one, values));
    const [result] = pointer.offset.results as [ir.Value];
    atFirst.push(values.get(result)!);
    pointer.pointer = newValue(result.type);
    parameters.push(pointer.pointer);
  }
  for (const { offset, pointer } of stepped)
    offset.operands = [pointer!, builder.integer(offset.operands[1]!.type, 0)];
  loop.operands = [...loop.operands, ...atFirst];
  const sums = findSums(counted);
  for (const sum of sums) {
    const { type } = parameters[sum.at]!;
    for (let more = 1; more < wants.runtimeUnroll; more += 1) {
      sum.others.push(newValue(type));
      loop.operands.push(builder.constant(type, -0));
    }
    parameters.push(...sum.others);
  }
  repeat(counted, stepped, left, wants, addressBits, sums);
  const choice = builder.if(isAny);
  choice.span = loop.span;
  choice.results = loop.results;
  loop.results = loop.results.map(({ type, name }) => newValue(type, name));
  builder.within(choice.regions[0]!, () => {
    builder.append(loop);
    builder.yield([...loop.results]);
  });
  builder.within(choice.regions[1]!, () => builder.yield(given));
  return builder.region.instructions;
}

/** A sum that a loop does nothing with but add to it. */
interface Sum {
  /** Which of the loop's parameters it is. */
  readonly at: number;
  /** The parameters for the sums of the other iterations, once there are any. */
  readonly others: ir.Value[];
}

function findSums({ loop }: CountedLoop): Sum[] {
  const { parameters, instructions } = loop.regions[0]!;
  const last = instructions.at(-1)!;
  const uses = (value: ir.Value): number =>
    instructions.reduce(
      (count, one) => count + one.operands.filter((operand) => operand === value).length,
      0,
    );
  return last.operands.flatMap((next, at): Sum[] => {
    const parameter = parameters[at]!;
    const addition = instructions.find(({ results }) => results[0] === next);
    const isSum =
      addition?.op === 'binary' &&
      addition.fn === 'fadd' &&
      addition.reassociate === true &&
      addition.operands.includes(parameter) &&
      uses(parameter) === 1 &&
      uses(next) === 1;
    return isSum ? [{ at, others: [] }] : [];
  });
}

/**
 * Writes the iterations.
 * @param counting how many iterations are left when the first of them begins, if that is counted down
 */
function repeat(
  { loop, counter, step, bound, testAt }: CountedLoop,
  stepped: readonly SteppedPointer[],
  counting: ir.Value | undefined,
  { runtimeUnroll: iterations }: PassWishes,
  addressBits: 32 | 64,
  sums: readonly Sum[] = [],
): void {
  const { instructions } = loop.regions[0]!;
  const test = instructions[testAt]!;
  const given = exitOf(test).operands;
  const once = [...instructions.slice(0, testAt), ...instructions.slice(testAt + 1, -1)];
  const next = instructions.pop()!.operands;
  const parameters = loop.regions[0]!.parameters.slice(0, next.length);
  const region = newRegion();
  const builder = new Builder(region, addressBits);
  const left = counting ?? builder.binary('isub', bound, counter);
  // With a count of iterations the test comes after them.
  instructions.splice(counting ? testAt : testAt + 1, counting ? 1 : 0, ...region.instructions);
  builder.region = loop.regions[0]!;
  const pointerIn = (iteration: number, { pointer, stride }: SteppedPointer): ir.Value =>
    builder.offset(pointer!, builder.integer(addressBits === 32 ? i32 : i64, iteration * stride));
  let current: readonly ir.Value[] = next;
  // Of each sum those of all iterations, as far as they have come.
  const parts = sums.map(({ at, others }) => [next[at]!, ...others]);
  const total = (part: readonly ir.Value[]): ir.Value =>
    part.reduce((sum, one) => builder.binary('fadd', sum, one, false, true));
  for (let iteration = 1; iteration <= iterations; iteration += 1) {
    const values = new Map(parameters.map((parameter, at) => [parameter, current[at]!]));
    if (iteration === iterations && !counting) break;
    const goesOn = builder.compare('ugt', left, builder.integer(counter.type, iteration * step));
    const exit = builder.if(goesOn);
    exit.span = test.span;
    builder.within(exit.regions[0]!, () => builder.yield());
    builder.within(exit.regions[1]!, () => {
      const leaving = new Map(values);
      sums.forEach(({ at }, index) => {
        if (given.includes(parameters[at]!)) leaving.set(parameters[at]!, total(parts[index]!));
      });
      builder.break(
        loop,
        given.map((value) => leaving.get(value) ?? value),
      );
    });
    if (iteration === iterations) break;
    sums.forEach(({ at }, index) => {
      values.set(parameters[at]!, parts[index]![iteration]!);
    });
    for (const instruction of once) {
      const one = stepped.find(({ offset }) => offset === instruction);
      if (one) values.set(instruction.results[0]!, pointerIn(iteration, one));
      else instructions.push(cloneInstruction(instruction, values));
    }
    current = next.map((value) => values.get(value) ?? value);
    sums.forEach(({ at }, index) => {
      parts[index]![iteration] = current[at]!;
    });
  }
  const all = current.map((value, at) => parts[sums.findIndex((sum) => sum.at === at)]?.[0] ?? value);
  const others = parts.flatMap((part) => part.slice(1));
  const counted = counting ? [builder.binary('isub', left, builder.integer(counter.type, iterations))] : [];
  builder.continue(loop, [
    ...all,
    ...counted,
    ...stepped.map((one) => pointerIn(iterations, one)),
    ...others,
  ]);
}

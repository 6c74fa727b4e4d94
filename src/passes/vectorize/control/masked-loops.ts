/**
 * Makes loops cheaper that lanes leave at different iterations, once vectorisation has written them and the other passes have tidied them
 * up. Two things are done to `while (n < limit && x * x < 4.0f) { ...; n++; }` and its like:
 *
 *     loop @L (%n = %zero, %seen = ..., %live = %all) {
 *       %more = slt %n, %limit                            the same for all lanes
 *       %m = and %live, (and %small, (splat %more))       %m = and %live, %small
 *       %left = select %live, (splat %n), %seen           %left is %seen
 *       %t = any %m                                       %t = and (any %m), %more
 *       if %t { yield } else { break @L %left }
 *       ...
 *       %next = iadd %n, %one                             %up = isub %seen, (sext %m)
 *       continue @L %next, %left, %m                      continue @L %next, %up, %m
 *     }
 *
 * **Common conditions** are asked as the truth values they are, and not spread over a mask first. Whoever looks at the
 * mask after the test does so where the common part was true. The exit must not look at it.
 *
 * **Counters that lanes take along** when they leave need not be spread and blended in each iteration: a lane that stays
 * has the counter's value and goes on to the next, one that has left keeps its own. So the mask is what is added.
 */
import { newValue } from '../../../ir/builder.ts';
import { integerOf, splatOf } from '../../../ir/constants.ts';
import { countUses } from '../../../ir/count-uses.ts';
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { bool, type VectorType } from '../../../ir/types.ts';
import { replaceOperands, walkRegion, walkRegionsInsideOut } from '../../../ir/walk.ts';
import { insert } from '../../../source/lists.ts';
import { stepOf } from '../../analysis/counted-loops.ts';

export function simplifyMasks(fn: ir.Function): void {
  if (!fn.body) return;
  const tools: Tools = { definitions: findDefinitions(fn.body), uses: countUses(fn), replaced: new Map() };
  walkRegionsInsideOut(fn.body, (region) => {
    region.instructions = region.instructions.flatMap((instruction) => {
      const found = instruction.op === 'loop' ? findMaskedLoop(instruction, tools) : undefined;
      if (!found) return [instruction];
      askCommon(found, tools);
      return [...countByMask(found, tools), instruction];
    });
  });
  replaceOperands(fn.body, tools.replaced);
}

/** What is known of all values, and what takes their places. */
interface Tools {
  readonly definitions: Map<ir.Value, ir.Instruction>;
  readonly uses: ReadonlyMap<ir.Value, number>;
  readonly replaced: Map<ir.Value, ir.Value>;
}

interface MaskedLoop {
  readonly loop: ir.Loop;
  readonly body: ir.Region;
  /** The exit: `if any %mask`. */
  readonly branch: ir.If;
  readonly test: ir.Test;
  readonly exit: ir.Region;
  readonly jump: ir.Continue;
}

function findMaskedLoop(loop: ir.Loop, { definitions, uses }: Tools): MaskedLoop | undefined {
  const body = loop.regions[0]!;
  const testOf = (condition: ir.Value): ir.Test | undefined => {
    const test = definitions.get(condition);
    return test?.op === 'test' && test.fn === 'any' ? test : undefined;
  };
  // Before it the loop may end for the last lanes.
  const branch = body.instructions.find(
    (one) => one.op === 'if' && leaves(one.regions[1]!, loop) && testOf(one.operands[0]!),
  ) as ir.If | undefined;
  const jump = body.instructions.at(-1);
  if (!branch || branch.results.length > 0 || jump?.op !== 'continue' || jump.target !== loop)
    return undefined;
  const [then, exit] = branch.regions as [ir.Region, ir.Region];
  if (then.instructions.at(-1)!.op !== 'yield') return undefined;
  const condition = branch.operands[0]!;
  const test = testOf(condition);
  if (!test || uses.get(condition) !== 1) return undefined;
  if (!body.instructions.includes(test)) return undefined;
  let jumps = 0;
  walkRegion(body, (one) => {
    if (one.op === 'continue' && one.target === loop) jumps += 1;
  });
  return jumps === 1 ? { loop, body, branch, test, exit, jump } : undefined;
}

function leaves({ instructions }: ir.Region, loop: ir.Loop): boolean {
  const last = instructions.at(-1);
  return last?.op === 'break' && last.target === loop;
}

// -------------------------------------------------------------------------------------- common conditions

/** The conditions that a mask joins with `and`: masks, and truth values that are the same for all lanes. */
interface Joined {
  readonly masks: ir.Value[];
  readonly common: ir.Value[];
}

/** @param isWhole whether it is the mask itself, which others may use too */
function splitMask(mask: ir.Value, tools: Tools, joined: Joined, isWhole: boolean): void {
  const definition = tools.definitions.get(mask);
  const isOwn = isWhole || tools.uses.get(mask) === 1;
  if (definition?.op === 'splat') joined.common.push(definition.operands[0]!);
  else if (definition?.op === 'binary' && definition.fn === 'and' && isOwn) {
    for (const operand of definition.operands) splitMask(operand, tools, joined, false);
  } else joined.masks.push(mask);
}

function askCommon({ body, branch, test, exit }: MaskedLoop, tools: Tools): void {
  const mask = test.operands[0]!;
  const joined: Joined = { masks: [], common: [] };
  splitMask(mask, tools, joined, true);
  if (joined.common.length === 0 || joined.masks.length === 0) return;
  if (isUsed(exit, mask) || isUsedBefore(body, mask, test, branch)) return;
  const before: ir.Instruction[] = [];
  const and = (a: ir.Value, b: ir.Value): ir.Value => {
    const result = newValue(a.type);
    before.push({ op: 'binary', fn: 'and', operands: [a, b], results: [result], regions: [] });
    return result;
  };
  const lanes = joined.masks.reduce(and);
  const any = newValue(bool);
  before.push({ ...test, operands: [lanes], results: [any] });
  branch.operands[0] = joined.common.reduce(and, any);
  for (const one of before) tools.definitions.set(one.results[0]!, one);
  body.instructions.splice(body.instructions.indexOf(test), 1, ...before);
  tools.replaced.set(mask, lanes);
}

function isUsed(region: ir.Region, value: ir.Value): boolean {
  let found = false;
  walkRegion(region, ({ operands }) => {
    found ||= operands.includes(value);
  });
  return found;
}

/** Whether something but the test uses the value before the loop's exit. */
function isUsedBefore({ instructions }: ir.Region, value: ir.Value, test: ir.Test, branch: ir.If): boolean {
  return instructions.slice(0, instructions.indexOf(branch)).some((one) => {
    const isNested = one.regions.some((region) => isUsed(region, value));
    return isNested || (one !== test && one.operands.includes(value));
  });
}

// ----------------------------------------------------------------------------------- counters taken along

/** @returns what is to be done before the loop */
function countByMask(found: MaskedLoop, tools: Tools): ir.Instruction[] {
  const { loop, body, jump } = found;
  const { definitions, replaced } = tools;
  const parameterOf = (value: ir.Value | undefined): number => (value ? body.parameters.indexOf(value) : -1);
  return body.parameters.flatMap((seen, index) => {
    const select = definitions.get(jump.operands[index]!);
    if (select?.op !== 'select' || select.operands[2] !== seen) return [];
    const [live, spread] = select.operands as [ir.Value, ir.Value, ir.Value];
    const splat = definitions.get(spread);
    const counter = parameterOf(splat?.op === 'splat' ? splat.operands[0] : undefined);
    const lanes = parameterOf(live);
    if (counter < 0 || lanes < 0) return [];
    const step = stepOf(body.parameters[counter]!, jump.operands[counter]!, definitions);
    const stay = jump.operands[lanes]!;
    if (step === undefined || !isPartOf(replaced.get(stay) ?? stay, live, definitions)) return [];
    replaced.set(jump.operands[index]!, seen);
    const [start, first] = [newValue(seen.type), newValue(seen.type)];
    const before: ir.Instruction[] = [
      { op: 'splat', operands: [loop.operands[counter]!], results: [start], regions: [] },
      {
        op: 'select',
        operands: [loop.operands[lanes]!, start, loop.operands[index]!],
        results: [first],
        regions: [],
      },
    ];
    loop.operands[index] = first;
    const ending = countUp(seen, stay, step);
    insert(body.instructions, -1, ending);
    jump.operands[index] = ending.at(-1)!.results[0]!;
    return before;
  });
}

/** Whether only lanes of the other mask are in this one. */
function isPartOf(
  mask: ir.Value,
  other: ir.Value,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  if (mask === other) return true;
  const definition = definitions.get(mask);
  if (definition?.op !== 'binary' || definition.fn !== 'and') return false;
  return definition.operands.some((operand) => isPartOf(operand, other, definitions));
}

/** Adds a step in the lanes of a mask, which are -1 as integers. */
function countUp(counter: ir.Value, mask: ir.Value, step: number): ir.Instruction[] {
  const type = counter.type as VectorType;
  const [lanes, steps, masked, sum] = Array.from({ length: 4 }, () => newValue(type)) as [
    ir.Value,
    ir.Value,
    ir.Value,
    ir.Value,
  ];
  const spread: ir.Convert = { op: 'convert', fn: 'sext', operands: [mask], results: [lanes], regions: [] };
  if (step === 1) {
    return [spread, { op: 'binary', fn: 'isub', operands: [counter, lanes], results: [sum], regions: [] }];
  }
  const value = splatOf(type, integerOf(type, step));
  return [
    spread,
    { op: 'constant', value, operands: [], results: [steps], regions: [] },
    { op: 'binary', fn: 'and', operands: [lanes, steps], results: [masked], regions: [] },
    { op: 'binary', fn: 'iadd', operands: [counter, masked], results: [sum], regions: [] },
  ];
}

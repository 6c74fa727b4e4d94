/**
 * if, switch, block and loop. The IR's region tree is WebAssembly's own shape, so each becomes the like-named
 * construct; results and loop parameters live in locals that whoever transfers control sets.
 *
 * A loop that begins with its exit test is rotated: the test runs once before the loop and then at its end, so that
 * an iteration takes one branch. That copies the test, and is done only where the test is a deferred pure computation.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import { isEmpty } from '../../../ir/regions.ts';
import type { Label } from '../module/code-writer.ts';
import { pushCondition } from '../scalar/scalar-operations.ts';
import { pushMask } from '../vector/vector-conversions.ts';
import type { FunctionCompiler } from './function-compiler.ts';
import { defaultMaskBits, partsOf, wasmTypeOf } from './value-layout.ts';

/** How a `return` leaves, and where `break` and `continue` go. */
export interface ControlTargets {
  /** A kernel's `return` ends the current work-group; in a helper it is undefined and the function is left. */
  readonly groupEnd: Label | undefined;
  /** Called before a function is left. */
  readonly leave?: (() => void) | undefined;
  readonly exits: Map<ir.Block | ir.Loop, Label>;
  readonly heads: Map<ir.Loop, LoopHead>;
}

interface LoopHead {
  readonly label: Label;
  readonly test: ExitTest | undefined;
}

/** The condition under which a loop ends, found at the start of its body. */
interface ExitTest {
  readonly condition: Value;
  /** Whether the loop ends when the condition is true. */
  readonly exitsOnTrue: boolean;
  readonly exit: ir.Break;
  /** What the body goes on with: the other region of the `if`, then the rest of the body. */
  readonly stay: ir.Region;
  readonly restAt: number;
}

/** Sets the locals of results or parameters from operands, all at once: a value may move from one to another. */
function transfer(fc: FunctionCompiler, targets: readonly Value[], values: readonly Value[]): void {
  const moved: number[] = [];
  values.forEach((value, index) => {
    const to = fc.info(targets[index]!);
    if (!to.locals || value === targets[index]) return;
    pushParts(fc, value);
    moved.push(...to.locals);
  });
  for (let i = moved.length - 1; i >= 0; i--) fc.code.set(moved[i]!);
  for (const value of values) fc.release(value);
}

/** Pushes all parts of a value as they cross the borders of regions and functions: masks at their default width. */
export function pushParts(fc: FunctionCompiler, value: Value): void {
  const isMask = value.type.kind === 'vector' && value.type.element.kind === 'bool';
  if (isMask) fc.settle(value);
  for (let part = 0; part < partsOf(value.type); part++) {
    if (isMask) pushMask(fc, value, defaultMaskBits, part);
    else fc.push(value, part);
  }
}

function assignResults(fc: FunctionCompiler, instruction: ir.Instruction): void {
  for (const result of instruction.results) if (fc.info(result).uses > 0) fc.assignLocals(result);
}

/** A region's instructions, and what its `yield` gives to the results. */
function emitRegion(fc: FunctionCompiler, region: ir.Region, results: readonly Value[]): void {
  fc.region(region);
  const last = region.instructions.at(-1);
  if (last?.op === 'yield') {
    transfer(fc, results, last.operands);
  }
}

/** A region that only leaves for somewhere, carrying nothing. */
function bareBreak(region: ir.Region): ir.Break | undefined {
  const [only] = region.instructions;
  return region.instructions.length === 1 && only?.op === 'break' && only.operands.length === 0
    ? only
    : undefined;
}

export function emitIf(fc: FunctionCompiler, instruction: ir.If): void {
  const { code } = fc;
  const condition = instruction.operands[0]!;
  const [then, otherwise] = instruction.regions as [ir.Region, ir.Region];
  assignResults(fc, instruction);
  const leave = bareBreak(then) ?? bareBreak(otherwise);
  const stays = bareBreak(then) ? otherwise : then;
  if (leave) {
    pushCondition(fc, condition, stays === then);
    fc.release(condition);
    code.branchIf(fc.control.exits.get(leave.target)!);
    emitRegion(fc, stays, instruction.results);
    return;
  }
  const isThenEmpty = isEmpty(then);
  pushCondition(fc, condition, isThenEmpty);
  fc.release(condition);
  code.open('if');
  if (!isThenEmpty) emitRegion(fc, then, instruction.results);
  if (!isEmpty(otherwise)) {
    if (!isThenEmpty) code.else();
    emitRegion(fc, otherwise, instruction.results);
  }
  code.end();
}

export function emitBlock(fc: FunctionCompiler, block: ir.Block): void {
  assignResults(fc, block);
  const exit = fc.code.open('block');
  fc.control.exits.set(block, exit);
  emitRegion(fc, block.regions[0]!, block.results);
  fc.code.end();
}

export function emitBreak(fc: FunctionCompiler, instruction: ir.Break): void {
  transfer(fc, instruction.target.results, instruction.operands);
  fc.code.branch(fc.control.exits.get(instruction.target)!);
}

export function emitReturn(fc: FunctionCompiler, instruction: ir.Return): void {
  const value = instruction.operands[0];
  if (value) {
    pushParts(fc, value);
    fc.release(value);
  }
  fc.control.leave?.();
  if (fc.control.groupEnd) fc.code.branch(fc.control.groupEnd);
  else fc.code.op('return');
}

// ----------------------------------------------------------------------------------------------------- loops

export function emitLoop(fc: FunctionCompiler, loop: ir.Loop): void {
  const { code } = fc;
  const body = loop.regions[0]!;
  assignResults(fc, loop);
  for (const parameter of body.parameters) if (fc.info(parameter).uses > 0) fc.assignLocals(parameter);
  transfer(fc, body.parameters, loop.operands);
  const exit = code.open('block');
  fc.control.exits.set(loop, exit);
  const test = findExitTest(fc, loop);
  fc.openScope(fc.plan.loops.get(loop)!);
  if (test) {
    // The tested values become deferred here, and are emitted for good at `continue`.
    fc.instructions(body.instructions.slice(0, test.restAt - 1));
    fc.replicate(() => emitExit(fc, test, exit));
  }
  const label = code.open('loop');
  fc.control.heads.set(loop, { label, test });
  if (test) {
    fc.instructions(test.stay.instructions);
    fc.instructions(body.instructions.slice(test.restAt));
  } else fc.region(body);
  code.end();
  fc.closeScope();
  code.end();
}

/** Before the loop: leaves if the test says so. */
function emitExit(fc: FunctionCompiler, test: ExitTest, exit: Label): void {
  const { code } = fc;
  const region = test.exit;
  pushCondition(fc, test.condition, !test.exitsOnTrue);
  if (region.operands.length === 0) {
    code.branchIf(exit);
    return;
  }
  code.open('if');
  transfer(fc, region.target.results, region.operands);
  code.branch(exit);
  code.end();
}

export function emitContinue(fc: FunctionCompiler, instruction: ir.Continue): void {
  const { label, test } = fc.control.heads.get(instruction.target)!;
  const body = instruction.target.regions[0]!;
  transfer(fc, body.parameters, instruction.operands);
  if (!test) {
    fc.code.branch(label);
    return;
  }
  const release = keepParameters(fc, body.parameters);
  pushCondition(fc, test.condition, test.exitsOnTrue);
  fc.release(test.condition);
  fc.code.branchIf(label);
  release();
  transfer(fc, test.exit.target.results, test.exit.operands);
  fc.code.branch(fc.control.exits.get(instruction.target)!);
}

/**
 * What the next iteration gets may have been used for the last time in this one, or is in the test: nothing that the test computes may take
 * its place.
 * @returns what ends that
 */
function keepParameters(fc: FunctionCompiler, parameters: readonly Value[]): () => void {
  const infos = parameters.map((parameter) => fc.info(parameter));
  const inUse = parameters.filter((_, index) => infos[index]!.remaining > 0);
  for (const parameter of inUse) fc.info(parameter).remaining += 1;
  const held = fc.code.hold(infos.flatMap(({ locals }) => locals ?? []));
  return () => {
    for (const parameter of inUse) fc.release(parameter);
    for (const local of held) fc.code.release(local);
  };
}

/**
 * Finds the exit test of a loop that can be rotated: pure computations used only by the test and its break, then
 * an `if` without results one of whose regions only breaks, and a single `continue`.
 */
function findExitTest(fc: FunctionCompiler, loop: ir.Loop): ExitTest | undefined {
  const { instructions } = loop.regions[0]!;
  const at = instructions.findIndex((one) => one.regions.length > 0);
  const branch = instructions[at];
  if (branch?.op !== 'if' || branch.results.length > 0) return undefined;
  const scope = fc.plan.loops.get(loop)!;
  for (let i = 0; i < at; i++) {
    const one = instructions[i]!;
    const result = one.results[0];
    if (!result || !fc.plan.values.has(result)) return undefined;
    const info = fc.info(result);
    if (info.isFree) continue;
    const isLone = info.uses <= 1 && info.parts === 1 && info.useScope === scope;
    if (!isPlainComputation(one) || !isLone || i > longestTest) return undefined;
  }
  const [then, otherwise] = branch.regions as [ir.Region, ir.Region];
  const exitsOnTrue = leavesLoop(fc, then, loop);
  const exitRegion = exitsOnTrue ? then : otherwise;
  const stay = exitsOnTrue ? otherwise : then;
  if (!leavesLoop(fc, exitRegion, loop)) return undefined;
  if (countContinues(stay, loop) + countInRest(instructions, at + 1, loop) !== 1) return undefined;
  const exit = exitRegion.instructions.at(-1) as ir.Break;
  const condition = branch.operands[0]!;
  // The test must be over when the body begins: none of its values may be used there.
  const own = new Set<Value>(instructions.slice(0, at).flatMap((one) => one.results));
  const inTest = new Set<Value>([condition, ...exit.operands]);
  for (let i = at - 1; i >= 0; i--) {
    const one = instructions[i]!;
    if (one.results.some((result) => inTest.has(result)))
      for (const operand of one.operands) inTest.add(operand);
  }
  for (const value of own) {
    const info = fc.info(value);
    if (!info.isFree && info.uses > 0 && !inTest.has(value)) return undefined;
  }
  return { condition, exitsOnTrue, exit, stay, restAt: at + 1 };
}

/** Tests of more instructions than this are not copied. */
const longestTest = 12;

function isPlainComputation(instruction: ir.Instruction): boolean {
  switch (instruction.op) {
    case 'unary':
    case 'binary':
    case 'compare':
    case 'select':
    case 'convert':
    case 'offset':
    case 'extract':
      return true;
    default:
      return false;
  }
}

/** Whether the region does nothing but break out of the loop, perhaps with constants. */
function leavesLoop(fc: FunctionCompiler, region: ir.Region, loop: ir.Loop): boolean {
  const last = region.instructions.at(-1);
  if (last?.op !== 'break' || last.target !== loop) return false;
  return region.instructions
    .slice(0, -1)
    .every((one) => one.results.length > 0 && one.results.every((result) => fc.info(result).isFree));
}

function countContinues(region: ir.Region, loop: ir.Loop): number {
  return countInRest(region.instructions, 0, loop);
}

function countInRest(instructions: readonly ir.Instruction[], from: number, loop: ir.Loop): number {
  let count = 0;
  for (let i = from; i < instructions.length; i++) {
    const one = instructions[i]!;
    if (one.op === 'continue' && one.target === loop) count++;
    for (const region of one.regions) count += countContinues(region, loop);
  }
  return count;
}

// ---------------------------------------------------------------------------------------------------- switch

/** A case's values, as numbers that compare in the signed order of the operand. */
interface Choice {
  readonly value: bigint;
  readonly target: Label;
}

/** Tables may have this many entries for each case value, and a few more. */
const tableSlack = 4;

export function emitSwitch(fc: FunctionCompiler, instruction: ir.Switch): void {
  const { code } = fc;
  const operand = instruction.operands[0]!;
  assignResults(fc, instruction);
  const wasm = wasmTypeOf(operand.type) as 'i32' | 'i64';
  fc.push(operand);
  fc.release(operand);
  const selector = code.toTemporary(wasm);
  const end = code.open('block');
  // Blocks open from the default inwards: the end of the i-th from inside is where region i begins.
  const { regions } = instruction;
  const labels = new Array<Label>(regions.length);
  for (let i = regions.length - 1; i >= 0; i--) labels[i] = code.open('block');
  const otherwise = labels.at(-1)!;
  const choices: Choice[] = instruction.cases.flatMap((values, index) =>
    values.map((value) => ({ value: BigInt(value), target: labels[index]! })),
  );
  choices.sort((a, b) => (a.value < b.value ? -1 : 1));
  emitDispatch(fc, wasm, selector, choices, otherwise);
  code.release(selector);
  regions.forEach((region, index) => {
    code.end();
    emitRegion(fc, region, instruction.results);
    if (index < regions.length - 1) code.branch(end);
  });
  code.end();
}

function emitDispatch(
  fc: FunctionCompiler,
  wasm: 'i32' | 'i64',
  selector: number,
  choices: readonly Choice[],
  otherwise: Label,
): void {
  const { code } = fc;
  const first = choices[0];
  const last = choices.at(-1);
  if (!first || !last) {
    code.branch(otherwise);
    return;
  }
  const range = last.value - first.value + 1n;
  if (wasm === 'i32' && choices.length >= 4 && range <= BigInt(choices.length * tableSlack + 8)) {
    const table = new Array<Label>(Number(range)).fill(otherwise);
    for (const { value, target } of choices) table[Number(value - first.value)] = target;
    code.get(selector);
    if (first.value !== 0n) {
      code.i32(Number(first.value));
      code.op('i32.sub');
    }
    code.branchTable(table, otherwise);
    return;
  }
  emitSearch(fc, wasm, selector, choices);
  code.branch(otherwise);
}

/** Binary search down to a few comparisons; falls through when nothing matches. */
function emitSearch(
  fc: FunctionCompiler,
  wasm: 'i32' | 'i64',
  selector: number,
  choices: readonly Choice[],
): void {
  const { code } = fc;
  const compare = (value: bigint, relation: 'eq' | 'lt_s'): void => {
    code.get(selector);
    if (wasm === 'i64') code.i64(value);
    else code.i32(Number(value));
    code.op(`${wasm}.${relation}`);
  };
  if (choices.length <= 4) {
    for (const { value, target } of choices) {
      compare(value, 'eq');
      code.branchIf(target);
    }
    return;
  }
  const middle = choices.length >> 1;
  compare(choices[middle]!.value, 'lt_s');
  code.open('if');
  emitSearch(fc, wasm, selector, choices.slice(0, middle));
  code.else();
  emitSearch(fc, wasm, selector, choices.slice(middle));
  code.end();
}

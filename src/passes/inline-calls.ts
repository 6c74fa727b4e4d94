/**
 * Puts the body of called functions in the place of the call, so that each kernel is one whole: private pointers
 * then lead to variables that can be seen, and barriers inside helpers stand in the kernel that runs them.
 *
 *     %r = call @f(%a)          =>    %r: i32 = block @b {
 *                                       ... the body of @f, its parameter replaced by %a ...
 *                                       break @b (%x)          was: return %x
 *                                     }
 *
 * A body whose only `return` is its last instruction needs no block. Helpers come before those who call them, so
 * every body is copied in its final form. A kernel may call a kernel.
 *
 * Large helpers that would be copied many times stay functions, for else a kernel of a thousand lines becomes
 * millions of instructions (a hash function, say, that calls its block function for every kind of input). Never
 * those with barriers or local variables inside: these belong to kernels. {@link isWorthKeeping} has the rule. Functions
 * that say so themselves ({@link ir.Function.isOutlined}) stay functions as well, and so do those that the machine supplies.
 */
import { cloneRegion } from '../ir/clone.ts';
import type * as ir from '../ir/ir.ts';
import { isBarrier } from '../ir/ir.ts';
import { walkRegion } from '../ir/walk.ts';
import type { Span } from '../source/span.ts';

/** A kernel with more instructions is refused: calls that call twice, and so on, soon fill any memory. */
const sizeLimit = 1_000_000;
/** Passes follow nested regions by recursion, so nesting must end somewhere. */
const depthLimit = 1000;

/** Helpers of more instructions, as a front end writes them, may stay functions. */
const defaultInlineLimit = 400;
/**
 * A helper with parameters of more components than that never stays a function: engines take 1000 values as the parameters of
 * one, among which are those that say which work-item runs.
 */
const parametersLimit = 500;
/** All copies of a helper together may have this many times the limit before it stays a function. */
const copiesLimit = 40;

interface Size {
  readonly instructions: number;
  readonly depth: number;
  /** Holds a barrier or a local variable. */
  readonly needsGroup: boolean;
}

/** How often a function is called. */
interface Frequency {
  /** Call instructions in all functions that kernels reach. */
  sites: number;
  /** Calls there would be if all others were inlined. */
  copies: number;
}

/**
 * Inlines calls and drops the functions that are neither entries nor called any more.
 * @param inlineLimit helpers of at most so many instructions are always inlined; with 0 none is that needs not be
 * @param isEntry which functions are called from outside; they stay, and calls of them, too, unless they are kernels
 * @returns what could not be inlined: calls to functions without a body and calls that recur, which a front end or
 *   the linker has refused before; and kernels that get too large. Empty when all went well.
 */
export function inlineCalls(
  module: ir.Module,
  inlineLimit = defaultInlineLimit,
  isEntry: (fn: ir.Function) => boolean = isKernel,
): string[] {
  const problems: string[] = [];
  const entries = module.functions.filter(isEntry);
  const frequencies = countCalls(entries);
  const kept = new Set<ir.Function>();
  const sizes = new Map<ir.Function, Size | 'active'>();

  const isKept = (callee: ir.Function, size: Size): boolean => {
    if (callee.kind === 'kernel' || size.needsGroup) return false;
    if (hasTooManyParameters(callee)) return false;
    if (callee.isOutlined || isEntry(callee)) return true;
    return isWorthKeeping(size, frequencies.get(callee)!, inlineLimit);
  };
  const prepare = (fn: ir.Function, callDepth: number): void => {
    if (sizes.has(fn) || !fn.body) return;
    sizes.set(fn, 'active');
    let inlined = 0;
    inlineInto(fn.body, (call): Expansion => {
      const { callee } = call;
      if (callee.imported) {
        kept.add(callee);
        return 'none';
      }
      if (!callee.body) {
        problems.push(`unresolved: function '${callee.name}' has no body`);
      } else if (callDepth > depthLimit) {
        problems.push(`function '${callee.name}' is called through more than ${depthLimit} others`);
      } else {
        prepare(callee, callDepth + 1);
        const size = sizes.get(callee)!;
        if (size === 'active') problems.push(`recursion: function '${callee.name}' calls itself`);
        else if (isKept(callee, size)) {
          kept.add(callee);
          return 'none';
        } else inlined += size.instructions;
      }
      if (problems.length === 0 && inlined > sizeLimit) {
        problems.push(`'${fn.name}' has more than ${sizeLimit} instructions when its calls are inlined`);
      }
      if (problems.length > 0) return 'none';
      fn.isSimplified = false;
      return frequencies.get(callee)!.sites === 1 && !isEntry(callee) ? 'move' : 'copy';
    });
    const size = measure(fn.body);
    sizes.set(fn, size);
    if (problems.length === 0 && size.depth > depthLimit) {
      problems.push(`'${fn.name}' nests more than ${depthLimit} deep when its calls are inlined`);
    }
  };

  for (const entry of entries) prepare(entry, 0);
  if (problems.length === 0) {
    const left = module.functions.filter((fn) => isEntry(fn) || kept.has(fn));
    module.functions.splice(0, module.functions.length, ...left);
  }
  return problems;
}

/** Whether calls of a helper, measured after its own calls were inlined, stay calls. */
function isWorthKeeping({ instructions }: Size, { sites, copies }: Frequency, inlineLimit: number): boolean {
  if (inlineLimit === 0) return true;
  return sites > 1 && instructions > inlineLimit && instructions * copies > copiesLimit * inlineLimit;
}

/** Whether a function has so many parameters that it is inlined whatever its size. */
export function hasTooManyParameters({ parameters }: ir.Function): boolean {
  const components = parameters.reduce(
    (sum, { value: { type } }) => sum + (type.kind === 'vector' ? type.lanes : 1),
    0,
  );
  return components > parametersLimit;
}

function isKernel({ kind }: ir.Function): boolean {
  return kind === 'kernel';
}

/** How often each function that the entries reach is called. Of what recurs the numbers say nothing. */
function countCalls(entries: readonly ir.Function[]): Map<ir.Function, Frequency> {
  const frequencies = new Map<ir.Function, Frequency>();
  const isEntry = new Set(entries);
  const calls = new Map<ir.Function, Map<ir.Function, number>>();
  /** Callees before callers. */
  const order: ir.Function[] = [];
  const visit = (fn: ir.Function, callDepth: number): void => {
    if (calls.has(fn)) return;
    const own = new Map<ir.Function, number>();
    calls.set(fn, own);
    frequencies.set(fn, { sites: 0, copies: isEntry.has(fn) ? 1 : 0 });
    if (!fn.body) return;
    walkRegion(fn.body, (instruction) => {
      if (instruction.op === 'call') own.set(instruction.callee, (own.get(instruction.callee) ?? 0) + 1);
    });
    // Deeper ones are refused anyway.
    if (callDepth <= depthLimit) for (const callee of own.keys()) visit(callee, callDepth + 1);
    order.push(fn);
  };
  for (const entry of entries) visit(entry, 0);
  for (const fn of order.reverse()) {
    const { copies } = frequencies.get(fn)!;
    for (const [callee, count] of calls.get(fn)!) {
      const frequency = frequencies.get(callee);
      if (!frequency) continue;
      frequency.sites += count;
      frequency.copies += count * copies;
    }
  }
  return frequencies;
}

function measure(region: ir.Region): Size {
  let { length: instructions } = region.instructions;
  let depth = 0;
  let needsGroup = false;
  for (const instruction of region.instructions) {
    if (isBarrier(instruction)) needsGroup = true;
    else if (instruction.op === 'variable' && instruction.space === 'local') needsGroup = true;
    for (const nested of instruction.regions) {
      const inner = measure(nested);
      instructions += inner.instructions;
      depth = Math.max(depth, inner.depth + 1);
      needsGroup ||= inner.needsGroup;
    }
  }
  return { instructions, depth, needsGroup };
}

/** What is done with a call: it stays, or the callee's body takes its place. A body that nobody else wants is not copied. */
type Expansion = 'none' | 'copy' | 'move';

/** Replaces calls in the region and those nested in it, as `expansionOf` says. */
export function inlineInto(region: ir.Region, expansionOf: (call: ir.Call) => Expansion): void {
  if (!containsCall(region)) return;
  const instructions: ir.Instruction[] = [];
  const replaced = new Map<ir.Value, ir.Value>();
  for (const instruction of region.instructions) {
    for (const nested of instruction.regions) inlineInto(nested, expansionOf);
    const expansion = instruction.op === 'call' ? expansionOf(instruction) : 'none';
    if (instruction.op !== 'call' || expansion === 'none') instructions.push(instruction);
    else expandCall(instruction, expansion, instructions, replaced);
  }
  region.instructions = instructions;
  if (replaced.size > 0) {
    walkRegion(region, ({ operands }) => {
      for (let index = 0; index < operands.length; index += 1) {
        let value = operands[index]!;
        for (let next = replaced.get(value); next; next = replaced.get(value)) value = next;
        operands[index] = value;
      }
    });
  }
}

function containsCall(region: ir.Region): boolean {
  return region.instructions.some(({ op, regions }) => op === 'call' || regions.some(containsCall));
}

/** Appends the callee's body; its parameters, where it is moved, and results of calls that need no block go to `replaced`. */
function expandCall(
  call: ir.Call,
  expansion: 'copy' | 'move',
  instructions: ir.Instruction[],
  replaced: Map<ir.Value, ir.Value>,
): void {
  const { callee } = call;
  const isMoved = expansion === 'move';
  const values = isMoved ? replaced : new Map<ir.Value, ir.Value>();
  callee.parameters.forEach((parameter, index) => {
    values.set(parameter.value, call.operands[index]!);
  });
  const body = isMoved ? callee.body! : cloneRegion(callee.body!, values);
  if (isMoved) callee.body = undefined;
  // What the library does is done where it is called.
  if (call.span && !callee.span) placeAt(body, call.span);

  const last = body.instructions.at(-1)!;
  if (last.op === 'return' && countReturns(body) === 1) {
    body.instructions.pop();
    for (const instruction of body.instructions) instructions.push(instruction);
    if (call.results.length > 0) replaced.set(call.results[0]!, last.operands[0]!);
    return;
  }

  const block: ir.Block = {
    op: 'block',
    operands: [],
    results: call.results,
    regions: [body],
    span: call.span,
  };
  returnsToBreaks(body, block);
  if (last.op === 'return') {
    const end: ir.Yield = { ...last, op: 'yield' };
    body.instructions[body.instructions.length - 1] = end;
  }
  instructions.push(block);
}

function placeAt(region: ir.Region, span: Span): void {
  walkRegion(region, (instruction) => {
    instruction.span ??= span;
  });
}

function countReturns(region: ir.Region): number {
  let count = 0;
  walkRegion(region, ({ op }) => {
    if (op === 'return') count += 1;
  });
  return count;
}

function returnsToBreaks(region: ir.Region, target: ir.Block): void {
  const last = region.instructions.length - 1;
  region.instructions.forEach((instruction, index) => {
    for (const nested of instruction.regions) returnsToBreaks(nested, target);
    if (instruction.op === 'return' && (index !== last || region !== target.regions[0])) {
      const jump: ir.Break = { ...instruction, op: 'break', target };
      region.instructions[index] = jump;
    }
  });
}

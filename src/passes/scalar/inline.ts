/**
 * Puts the body of called functions in the place of the call, so that each kernel is one whole: private pointers
 * then lead to variables that can be seen, and barriers inside helpers are in the kernel that runs them.
 *
 *     %r = call @f(%a)          =>    %r: i32 = block @b {
 *                                       ... the body of @f, its parameter replaced by %a ...
 *                                       break @b (%x)          was: return %x
 *                                     }
 *
 * A body whose only `return` is its last instruction needs no block. Helpers come before those who call them, so
 * every body is copied in its final form. A kernel may call a kernel. How large everything becomes is known before anything is
 * copied; expand-calls.ts does the rest.
 *
 * Large helpers that would be copied many times stay functions, for else a kernel of a thousand lines becomes
 * millions of instructions (a hash function, say, that calls its block function for every kind of input). Never
 * those with barriers or local variables inside: these belong to kernels. {@link isWorthKeeping} has the rule. So do calls with
 * which a function would become too large, or all functions together, or nest too deeply. Functions that say so themselves ({@link ir.Function.isOutlined})
 * stay functions as well, and so do those that the machine supplies.
 */
import { calleesFirst } from '../../ir/call-order.ts';
import type * as ir from '../../ir/ir.ts';
import { isBarrier } from '../../ir/ir.ts';
import { type BuildBudget, type Excess, overBudget } from '../../source/build-budget.ts';
import { replaceAll } from '../../source/lists.ts';
import { type Expansion, expandCalls, needsNoBlock } from './expand-calls.ts';

/**
 * A function that inlining makes larger by more instructions is refused: calls that call twice, and so on, soon fill any memory. What
 * it was before does not count: a source that long has paid for it.
 */
const growthLimit = 1_000_000;
/** What an instruction costs at least until it is code. */
const leastUnits = 32;
/** In a function that would have more than so many, all calls stay that can, but of what is small. */
const sizeWanted = 65_536;
const smallSize = 32;
/** All functions together may grow by so many; then calls stay that can, but of what is next to nothing. An instruction takes 300 bytes. */
const growthWanted = 1_000_000;
const tinySize = 8;
/** Passes follow nested regions by recursion, so nesting must end somewhere. */
const depthLimit = 1000;
/** Calls that would nest deeper stay calls where they can; code generators take less than passes. */
const depthWanted = 250;

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
  instructions: number;
  depth: number;
  /** Holds a barrier or a local variable. */
  needsGroup: boolean;
}

/** A call and how many regions are around it in its function. */
interface Site {
  readonly call: ir.Call;
  readonly depth: number;
}

/** A function as it was written. */
interface Shape {
  readonly size: Readonly<Size>;
  readonly sites: readonly Site[];
  /** Takes the place of a call without a block around it. */
  readonly isStraight: boolean;
}

export interface InlineOptions {
  /** Helpers of at most so many instructions are always inlined; with 0 none is that needs not be. Default 400. */
  readonly inlineLimit?: number | undefined;
  /** Whether any call may stay. Default true. */
  readonly mayCall?: boolean | undefined;
  /** Which functions are called from outside; they stay, and calls of them, too, unless they are kernels. Default: the kernels. */
  readonly isEntry?: ((fn: ir.Function) => boolean) | undefined;
  /** What there is to spend on what a function becomes. Default enough for anything. */
  readonly budget?: BuildBudget | undefined;
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
 * @returns what could not be inlined: calls to functions without a body and calls that recur, which a front end or
 *   the linker has refused before; and kernels that get too large. Empty when all went well.
 */
export function inlineCalls(module: ir.Module, options: InlineOptions = {}): Excess[] {
  return new Inlining(module, options).run();
}

class Inlining {
  readonly #module: ir.Module;
  readonly #inlineLimit: number;
  readonly #mayCall: boolean;
  readonly #isEntry: (fn: ir.Function) => boolean;
  readonly #budget: BuildBudget | undefined;
  readonly #mostInstructions: number;
  readonly #problems: Excess[] = [];
  readonly #shapes = new Map<ir.Function, Shape>();
  readonly #frequencies = new Map<ir.Function, Frequency>();
  /** How large functions are with what is inlined into them. */
  readonly #sizes = new Map<ir.Function, Size>();
  /** Calls that stay calls. */
  readonly #staying = new Set<ir.Call>();
  readonly #kept = new Set<ir.Function>();
  /** By how many instructions functions grow that are there more than once. */
  #growth = 0;

  constructor(module: ir.Module, { inlineLimit, mayCall = true, isEntry, budget }: InlineOptions) {
    this.#module = module;
    this.#inlineLimit = inlineLimit ?? defaultInlineLimit;
    this.#mayCall = mayCall;
    this.#isEntry = isEntry ?? isKernel;
    this.#budget = budget;
    this.#mostInstructions = budget
      ? Math.floor((budget.limit - budget.spent) / leastUnits)
      : Number.POSITIVE_INFINITY;
  }

  run(): Excess[] {
    const entries = this.#module.functions.filter(this.#isEntry);
    const { functions, recurring } = calleesFirst(entries, (fn) => this.#calleesOf(fn));
    for (const fn of recurring) this.#refuse(fn, `recursion: function '${fn.name}' calls itself`);
    if (this.#problems.length > 0) return this.#problems;
    this.#countCalls(functions);
    for (const fn of functions) if (fn.body) this.#decide(fn);
    if (this.#problems.length > 0) return this.#problems;

    for (const fn of functions) {
      // What is moved somewhere is put together there.
      if (!fn.body || (this.#isMoved(fn) && !this.#kept.has(fn))) continue;
      if (expandCalls(fn.body, (call) => this.#expansionOf(call))) fn.library = undefined;
    }
    const { functions: all } = this.#module;
    const left = all.filter((fn) => this.#isEntry(fn) || this.#kept.has(fn));
    replaceAll(all, left);
    return [];
  }

  #calleesOf(fn: ir.Function): Set<ir.Function> {
    const callees = new Set<ir.Function>();
    for (const { call } of this.#shapeOf(fn).sites) {
      const { callee } = call;
      callees.add(callee);
      if (!callee.body && !callee.imported) {
        this.#refuse(callee, `unresolved: function '${callee.name}' has no body`);
      }
    }
    return callees;
  }

  #shapeOf(fn: ir.Function): Shape {
    let shape = this.#shapes.get(fn);
    if (!shape) {
      shape = shapeOf(fn);
      this.#shapes.set(fn, shape);
    }
    return shape;
  }

  /** How often each function is called. @param functions callees before callers */
  #countCalls(functions: readonly ir.Function[]): void {
    for (const fn of functions) this.#frequencies.set(fn, { sites: 0, copies: this.#isEntry(fn) ? 1 : 0 });
    for (const fn of functions.toReversed()) {
      const { copies } = this.#frequencies.get(fn)!;
      for (const { call } of this.#shapeOf(fn).sites) {
        const frequency = this.#frequencies.get(call.callee)!;
        frequency.sites += 1;
        frequency.copies += copies;
      }
    }
  }

  /** Finds which calls in a function stay calls, now that it is known what its callees become. */
  #decide(fn: ir.Function): void {
    let { size, staying } = this.#expanded(fn, Number.POSITIVE_INFINITY);
    if (size.instructions > Math.min(sizeWanted, this.#mostInstructions)) {
      ({ size, staying } = this.#expanded(fn, smallSize));
    }
    const own = this.#shapeOf(fn).size.instructions;
    if (this.#growth + size.instructions - own > growthWanted) {
      ({ size, staying } = this.#expanded(fn, tinySize));
    }
    // What is called once is moved to its caller, and counted there.
    if (!this.#isMoved(fn)) this.#growth += size.instructions - own;
    this.#sizes.set(fn, size);
    for (const call of staying) {
      this.#staying.add(call);
      this.#kept.add(call.callee);
    }
    if (size.instructions - own > growthLimit) {
      this.#refuse(
        fn,
        `'${fn.name}' grows by more than ${growthLimit} instructions when its calls are inlined`,
      );
    } else if (this.#budget && size.instructions > this.#mostInstructions) {
      const what = `'${fn.name}' (${size.instructions} instructions when its calls are inlined)`;
      this.#refuse(fn, overBudget(what, this.#budget));
    } else if (size.depth > depthLimit) {
      this.#refuse(fn, `'${fn.name}' nests more than ${depthLimit} deep when its calls are inlined`);
    }
  }

  #refuse({ span }: ir.Function, message: string): void {
    this.#problems.push({ message, span });
  }

  /**
   * What a function becomes, and which calls in it stay.
   * @param largest callees of more instructions are not inlined where that can be avoided
   */
  #expanded(fn: ir.Function, largest: number): { size: Size; staying: ir.Call[] } {
    const { size: own, sites } = this.#shapeOf(fn);
    const size: Size = { ...own };
    const staying: ir.Call[] = [];
    for (const { call, depth } of sites) {
      const { callee } = call;
      const inner = this.#sizes.get(callee);
      if (!inner || this.#isKept(callee, inner)) {
        staying.push(call);
        continue;
      }
      const block = this.#shapeOf(callee).isStraight ? 0 : 1;
      const deepest = depth + block + inner.depth;
      const isTooMuch = inner.instructions > largest || deepest > depthWanted;
      if (isTooMuch && this.#mayStay(callee, inner)) {
        staying.push(call);
        continue;
      }
      // The call and the return go, where there is no block.
      size.instructions += inner.instructions - (block === 1 ? 0 : 2);
      size.depth = Math.max(size.depth, deepest);
      size.needsGroup ||= inner.needsGroup;
    }
    return { size, staying };
  }

  #isKept(callee: ir.Function, size: Size): boolean {
    if (!this.#mayStay(callee, size)) return false;
    if (callee.isOutlined || this.#isEntry(callee)) return true;
    return isWorthKeeping(size, this.#frequencies.get(callee)!, this.#inlineLimit);
  }

  /** Whether calls of a function may stay calls. */
  #mayStay(callee: ir.Function, size: Size): boolean {
    return this.#mayCall && callee.kind !== 'kernel' && !size.needsGroup && !hasTooManyParameters(callee);
  }

  #isMoved(fn: ir.Function): boolean {
    return this.#frequencies.get(fn)!.sites === 1 && !this.#isEntry(fn);
  }

  #expansionOf(call: ir.Call): Expansion {
    if (this.#staying.has(call)) return 'none';
    return this.#isMoved(call.callee) ? 'move' : 'copy';
  }
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

function shapeOf(fn: ir.Function): Shape {
  const size: Size = { instructions: 0, depth: 0, needsGroup: false };
  const sites: Site[] = [];
  const visit = ({ instructions }: ir.Region, depth: number): void => {
    size.instructions += instructions.length;
    size.depth = Math.max(size.depth, depth);
    for (const instruction of instructions) {
      if (instruction.op === 'call') sites.push({ call: instruction, depth });
      else if (isBarrier(instruction)) size.needsGroup = true;
      else if (instruction.op === 'variable' && instruction.space === 'local') size.needsGroup = true;
      for (const nested of instruction.regions) visit(nested, depth + 1);
    }
  };
  if (fn.body) visit(fn.body, 0);
  return { size, sites, isStraight: fn.body !== undefined && needsNoBlock(fn.body) };
}

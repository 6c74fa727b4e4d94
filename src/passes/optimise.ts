/**
 * The pipeline: from what a language front end delivers to kernels in work-group form, ready for a code generator.
 *
 * The order, in short: make each kernel whole (inlining all but large helpers), get rid of memory that need not be
 * (variables become values), simplify, then cut the kernel at its barriers, and simplify what that left.
 * docs/passes.md walks one kernel through it.
 */
import { imageFunctionsOf } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { assertValid } from '../ir/verify.ts';
import { BuildBudget, type Excess, overBudget } from '../source/build-budget.ts';
import { isStackFull } from '../source/stack-full.ts';
import { barrierRegions } from './barrier-regions.ts';
import { type CoarsenFacts, coarsenRows } from './coarsen-rows.ts';
import { cutLoops } from './cut-loops.ts';
import { cutStrides } from './cut-strides.ts';
import { dropClamps } from './drop-clamps.ts';
import { flattenControl } from './flatten-control.ts';
import { foldConstants } from './fold-constants.ts';
import { hoistInvariants } from './hoist-invariants.ts';
import { hasTooManyParameters, inlineCalls } from './inline-calls.ts';
import type { KnownHandles } from './known-images.ts';
import { liftFirstItem } from './lift-first-item.ts';
import { lowerImages } from './lower-images.ts';
import { numberValues } from './number-values.ts';
import { takeLanesApart } from './pack/lanes-apart.ts';
import { easeMaskedLoops } from './pack/masked-loops.ts';
import { type PackOptions, packItems } from './pack-items.ts';
import { PassAccount } from './pass-account.ts';
import { pruneResults } from './prune-results.ts';
import { readAhead } from './read-ahead.ts';
import { regroupTerms } from './regroup-terms.ts';
import { removeDeadCode } from './remove-dead-code.ts';
import { repeatTurns } from './repeat-turns.ts';
import { resolveSpaces } from './resolve-spaces.ts';
import { splitAggregates } from './split-aggregates.ts';
import { splitTiles } from './split-tiles.ts';
import { type Swapping, swapDimensions } from './swap-dimensions.ts';
import { turnLoops } from './turn-loops.ts';
import { unrollLoops } from './unroll-loops.ts';
import { variablesToValues } from './variables-to-values.ts';
import { walkPointers } from './walk-pointers.ts';

export interface OptimiseOptions {
  /** Called after each pass, for `--after PASS`. A pass that runs several times is reported each time. */
  readonly after?: ((passName: string, module: ir.Module) => void) | undefined;
  /** Check the module after every pass; a failure throws, naming the pass. For tests. */
  readonly verify?: boolean | undefined;
  /** `-cl-opt-disable`: only what a code generator cannot do without. */
  readonly disabled?: boolean | undefined;
  /**
   * Packs work-items into vectors (`pack-items`); false leaves it to the code generator to run them one by one. Default
   * false.
   */
  readonly pack?: boolean | PackOptions | undefined;
  /**
   * Whether kernels are rewritten for launches that swap dimensions 0 and 1 (`swap-dimensions`). Default false: those for which that would
   * pay are only marked.
   */
  readonly swap?: Swapping | undefined;
  /** `work-item` stops before barrier-regions, for those who leave barriers to others. Default `work-group`. */
  readonly form?: ir.Function['form'] | undefined;
  /** Leaves images to whoever compiles what comes out, for devices that have them. */
  readonly keepImages?: boolean | undefined;
  /** What is known of the images and samplers that kernels will be given, by the kernels' names. */
  readonly knownHandles?: ReadonlyMap<string, KnownHandles> | undefined;
  /** Helpers of at most so many instructions are always inlined; with 0 none is that needs not be. For tests. */
  readonly inlineLimit?: number | undefined;
  /** The functions that are called from outside: they stay, as calls of them do. Default: the kernels. */
  readonly isEntry?: ((fn: ir.Function) => boolean) | undefined;
  /** Pays for what is done. Default a new one. */
  readonly budget?: BuildBudget | undefined;
}

/** A pass over one function. */
type FunctionPass = (fn: ir.Function, addressBits: 32 | 64) => unknown;

const functionPasses = {
  'split-aggregates': splitAggregates,
  'variables-to-values': variablesToValues,
  'prune-results': pruneResults,
  'resolve-spaces': resolveSpaces,
  'fold-constants': foldConstants,
  'flatten-control': flattenControl,
  'number-values': numberValues,
  'unroll-loops': unrollLoops,
  'hoist-invariants': hoistInvariants,
  'remove-dead-code': removeDeadCode,
  'swap-dimensions': swapDimensions,
  'drop-clamps': dropClamps,
  'cut-loops': cutLoops,
  'cut-strides': cutStrides,
  'barrier-regions': barrierRegions,
  'lift-first-item': liftFirstItem,
  'regroup-terms': regroupTerms,
  'split-tiles': splitTiles,
  'coarsen-rows': coarsenRows,
  'pack-items': packItems,
  'take-lanes-apart': takeLanesApart,
  'ease-masked-loops': easeMaskedLoops,
  'repeat-turns': repeatTurns,
  'walk-pointers': walkPointers,
  'read-ahead': readAhead,
  'turn-loops': turnLoops,
} as const satisfies Record<string, FunctionPass>;

export type PassName = 'lower-images' | 'inline-calls' | keyof typeof functionPasses;

/** The names of all passes, in the order in which each first runs. */
export const passNames: readonly PassName[] = [
  'lower-images',
  'inline-calls',
  ...(Object.keys(functionPasses) as (keyof typeof functionPasses)[]),
];

type FunctionPassName = keyof typeof functionPasses;

/** Memory becomes values, values get known. */
const simplification: readonly FunctionPassName[] = [
  'split-aggregates',
  'variables-to-values',
  'prune-results',
  'resolve-spaces',
  'fold-constants',
  'flatten-control',
  'number-values',
];

/** What is left of a library function when it is known what image it is for. */
const ofKnownImages: readonly FunctionPassName[] = [...simplification, 'remove-dead-code'];

/** In the copies of an unrolled loop, offsets must be constants before `split-aggregates` looks at them. */
const afterUnrolling: readonly FunctionPassName[] = ['fold-constants', 'flatten-control', ...simplification];

/** How many layers of nested loops are unrolled; each is simplified before the next. */
const unrolledLayers = 6;

const workGroupPipeline: readonly FunctionPassName[] = [
  'hoist-invariants',
  'remove-dead-code',
  'swap-dimensions',
  'drop-clamps',
  'cut-loops',
  'cut-strides',
  'barrier-regions',
  // What nobody reads from slots goes first: its conditions then decide nothing any more.
  'remove-dead-code',
  'prune-results',
  'flatten-control',
  'fold-constants',
  'lift-first-item',
  'regroup-terms',
  'hoist-invariants',
  'split-tiles',
  // What came out of several structures to one place is often the same.
  'number-values',
  'remove-dead-code',
];

/** What packing leaves behind: results that are always the same, vectors that are computed twice. */
const packPipeline: readonly FunctionPassName[] = [
  'coarsen-rows',
  'pack-items',
  'prune-results',
  'fold-constants',
  'number-values',
  'take-lanes-apart',
  'remove-dead-code',
  'ease-masked-loops',
];

/** What engines like better; nothing is found in it any more. */
const lastPipeline: readonly FunctionPassName[] = [
  'repeat-turns',
  'walk-pointers',
  'read-ahead',
  'turn-loops',
  'fold-constants',
  'remove-dead-code',
];

const shortPipeline: readonly FunctionPassName[] = [
  'variables-to-values',
  'prune-results',
  'remove-dead-code',
  'barrier-regions',
  'remove-dead-code',
];

/** Those that a function cannot do without; each is needed once on either side of barrier-regions. */
const needed: ReadonlySet<FunctionPassName> = new Set([
  'variables-to-values',
  'prune-results',
  'remove-dead-code',
  'barrier-regions',
]);

/** What an instruction costs at least until it is code: so many may a function have at most, when its calls are inlined. */
const leastUnits = 32;

/** What makes functions small that are inlined many times though they have hundreds of parameters. */
const beforeCopies: readonly FunctionPassName[] = ['variables-to-values', 'remove-dead-code'];

/** The module cannot be built; what is too much in it, for a build log. */
export class OptimiseError extends Error {
  override readonly name = 'OptimiseError';
  readonly excesses: readonly Excess[];

  constructor(excesses: readonly Excess[]) {
    super(excesses.map(({ message }) => message).join('\n'));
    this.excesses = excesses;
  }
}

/** Inlines what programs call, but leaves the library functions for images, which nothing calls yet. */
function inlineHelpers(module: ir.Module, inlineLimit: number | undefined): void {
  const images = imageFunctionsOf(module);
  const isEntry = (fn: ir.Function): boolean => fn.kind === 'kernel' || images.has(fn.name);
  const problems = inlineCalls(module, { inlineLimit, isEntry });
  if (problems.length > 0) throw new OptimiseError(problems);
}

/**
 * Brings every kernel of a linked module into work-group form (or the form asked for), optimised. The module is
 * changed; afterwards it holds the kernels and the large helpers that they still call, in work-item form.
 * @throws OptimiseError for kernels that inlining makes too large, and for unresolved or recurring calls, which a
 *   front end or linker should have refused
 */
export function optimise(module: ir.Module, options: OptimiseOptions = {}): void {
  prepareForPacking(module, options);
  packAndFinish(module, options);
}

/**
 * The part of `optimise` that is the same however work-items are packed: those who build one module in several ways do it once, and
 * hand copies of it to `packAndFinish`.
 * @throws OptimiseError as `optimise` does
 */
export function prepareForPacking(module: ir.Module, options: OptimiseOptions = {}): void {
  withinStack(() => prepare(module, options));
}

function prepare(module: ir.Module, options: OptimiseOptions): void {
  const { addressBits } = module;
  const { budget = new BuildBudget(), inlineLimit, isEntry } = options;
  // Each of their parameters is a variable still, in every copy there would be.
  for (const fn of module.functions) {
    if (fn.kind !== 'function' || !fn.body || !hasTooManyParameters(fn)) continue;
    for (const name of beforeCopies) functionPasses[name](fn, addressBits);
  }
  if (!options.keepImages) {
    // What a helper is handed is known where the helper is inlined.
    if (options.knownHandles) inlineHelpers(module, inlineLimit);
    for (const fn of lowerImages(module, options.knownHandles)) {
      for (const name of ofKnownImages) functionPasses[name](fn, addressBits);
      fn.isSimplified = true;
    }
    finish(module, options, 'lower-images');
  }
  const mostInstructions = Math.floor((budget.limit - budget.spent) / leastUnits);
  const problems = inlineCalls(module, { inlineLimit, isEntry, mostInstructions });
  if (problems.length > 0) throw new OptimiseError(problems);
  finish(module, options, 'inline-calls');
  const functions = toOptimise(module);
  const runner = new Runner(module, options, budget, {
    'swap-dimensions': (fn) => swapDimensions(fn, addressBits, options.swap),
  });
  const names = (list: readonly FunctionPassName[]): readonly FunctionPassName[] => {
    if (options.form !== 'work-item') return list;
    const end = list.findIndex((name) => name === 'swap-dimensions' || name === 'barrier-regions');
    return end < 0 ? list : list.slice(0, end);
  };
  if (options.disabled) {
    runner.run(names(shortPipeline), functions);
    return;
  }
  runner.run(simplification, functions);
  let unrolled = functions;
  for (let layer = 0; layer < unrolledLayers && unrolled.length > 0; layer += 1) {
    unrolled = runner.run(['unroll-loops'], unrolled);
    if (unrolled.length > 0) runner.run(afterUnrolling, unrolled);
    // Offsets and conditions that have become constants show more.
    if (layer === 0)
      runner.run(
        simplification,
        functions.filter((fn) => !unrolled.includes(fn)),
      );
  }
  runner.run(names(workGroupPipeline), functions);
}

/** The rest of `optimise`, for what `prepareForPacking` made under the same options but for `pack`. */
export function packAndFinish(module: ir.Module, options: OptimiseOptions = {}): void {
  withinStack(() => pack(module, options));
}

function pack(module: ir.Module, options: OptimiseOptions): void {
  if (options.form === 'work-item') return;
  const { addressBits } = module;
  const packOptions = typeof options.pack === 'object' ? options.pack : {};
  const isPacking = (options.pack ?? false) !== false;
  /** What one of these finds out about a kernel the next one need not. */
  const known = new Map<ir.Function, CoarsenFacts>();
  const runner = new Runner(module, options, options.budget ?? new BuildBudget(), {
    'coarsen-rows': (fn) => {
      known.set(fn, coarsenRows(fn, addressBits, packOptions));
    },
    'pack-items': (fn) => packItems(fn, addressBits, packOptions, known.get(fn)),
  });
  const functions = toOptimise(module);
  if (options.disabled) {
    if (isPacking && packOptions.lanes !== undefined) runner.run(['pack-items'], functions);
    return;
  }
  if (isPacking) runner.run(packPipeline, functions);
  // It writes packs.
  runner.run(isPacking ? lastPipeline : lastPipeline.filter((name) => name !== 'read-ahead'), functions);
}

/** Runs passes, as far as the budget goes. */
class Runner {
  readonly #module: ir.Module;
  readonly #options: OptimiseOptions;
  readonly #account: PassAccount;
  readonly #special: Partial<Record<FunctionPassName, FunctionPass>>;
  /** Of the passes that a function cannot do without, those it has had. */
  readonly #had = new Map<ir.Function, Set<FunctionPassName>>();
  readonly #hadSinceCut = new Map<ir.Function, Set<FunctionPassName>>();

  /** @param special passes that are told more than others */
  constructor(
    module: ir.Module,
    options: OptimiseOptions,
    budget: BuildBudget,
    special: Partial<Record<FunctionPassName, FunctionPass>>,
  ) {
    this.#module = module;
    this.#options = options;
    this.#account = new PassAccount(budget);
    this.#special = special;
  }

  /** @returns the functions of which a pass has said that it found something */
  run(names: readonly FunctionPassName[], functions: readonly ir.Function[]): ir.Function[] {
    const found = new Set<ir.Function>();
    for (const name of names) {
      const pass: FunctionPass = this.#special[name] ?? functionPasses[name];
      for (const fn of functions) if (this.#pass(name, fn, pass)) found.add(fn);
      finish(this.#module, this.#options, name);
    }
    return [...found];
  }

  #pass(name: FunctionPassName, fn: ir.Function, pass: FunctionPass): boolean {
    const { addressBits } = this.#module;
    const account = this.#account;
    if (!this.#isNeeded(name, fn)) {
      return account.runOptional(name, fn, () => pass(fn, addressBits)) === true;
    }
    if (account.runNeeded(name, fn, () => pass(fn, addressBits))) return false;
    const what = `'${fn.name}' (${account.sizeOf(fn)} instructions, in pass ${name})`;
    throw new OptimiseError([{ message: overBudget(what, account.budget), span: fn.span }]);
  }

  #isNeeded(name: FunctionPassName, fn: ir.Function): boolean {
    const isCut = fn.form === 'work-group';
    if (isCut ? name !== 'remove-dead-code' : !needed.has(name)) return false;
    const had = isCut ? this.#hadSinceCut : this.#had;
    const names = had.get(fn) ?? new Set();
    had.set(fn, names);
    if (names.has(name)) return false;
    names.add(name);
    return true;
  }
}

/** Passes follow nested regions, and what values are computed from, by recursion. */
function withinStack(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (isStackFull(error))
      throw new OptimiseError([{ message: 'the program nests too deeply to be compiled' }]);
    throw error;
  }
}

/** What follows each pass. */
function finish(module: ir.Module, options: OptimiseOptions, name: PassName): void {
  if (options.verify) assertValid(module, name);
  options.after?.(name, module);
}

/** The functions that passes work on. */
function toOptimise(module: ir.Module): ir.Function[] {
  return module.functions.filter((fn) => !fn.isSimplified);
}

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
import type { KnownHandles } from './images/known-images.ts';
import { lowerImages } from './images/lower-images.ts';
import { interchangeDimensions, type Swapping } from './ndrange/interchange-dimensions.ts';
import { eliminateRangeChecks } from './ndrange/range-check-elimination.ts';
import { readAhead } from './ndrange/read-ahead.ts';
import { splitTiles } from './ndrange/split-tiles.ts';
import { type CoarseningFacts, coarsenThreads } from './ndrange/thread-coarsening.ts';
import { tileGridStrideLoops } from './ndrange/tile-grid-stride-loops.ts';
import { tileLoops } from './ndrange/tile-loops.ts';
import { PassAccount } from './pass-account.ts';
import { simplifyBlockArguments } from './scalar/block-arguments.ts';
import { foldConstants } from './scalar/constant-folding/constant-folding.ts';
import { dce } from './scalar/dce.ts';
import { gvn } from './scalar/gvn.ts';
import { inferAddressSpaces } from './scalar/infer-address-spaces.ts';
import { hasTooManyParameters, inlineCalls } from './scalar/inline.ts';
import { licm } from './scalar/licm.ts';
import { rotateLoops } from './scalar/loop-rotate.ts';
import { mem2reg } from './scalar/mem2reg.ts';
import { reassociate } from './scalar/reassociate.ts';
import { unrollAtRunTime } from './scalar/runtime-unroll.ts';
import { simplifyCfg } from './scalar/simplify-cfg.ts';
import { sroa } from './scalar/sroa.ts';
import { reduceStrength } from './scalar/strength-reduction.ts';
import { unrollLoops } from './scalar/unroll.ts';
import { simplifyMasks } from './vectorize/control/masked-loops.ts';
import { scalarise } from './vectorize/emit/scalarise.ts';
import { type VectoriseOptions, vectorise } from './vectorize/vectorize.ts';
import { formWorkItemLoops } from './workgroup/form-work-item-loops.ts';
import { liftFirstItem } from './workgroup/lift-first-item.ts';

export interface OptimiseOptions {
  /** Called after each pass, for `--after PASS`. A pass that runs several times is reported each time. */
  readonly after?: ((passName: string, module: ir.Module) => void) | undefined;
  /** Check the module after every pass; a failure throws, naming the pass. For tests. */
  readonly verify?: boolean | undefined;
  /** `-cl-opt-disable`: only what a code generator cannot do without. */
  readonly disabled?: boolean | undefined;
  /**
   * Packs work-items into vectors (`vectorise`); false leaves it to the code generator to run them one by one. Default
   * false.
   */
  readonly pack?: boolean | VectoriseOptions | undefined;
  /**
   * Whether kernels are rewritten for launches that swap dimensions 0 and 1 (`interchange-dimensions`). Default false: those for which that would
   * pay are only marked.
   */
  readonly swap?: Swapping | undefined;
  /** `work-item` stops before form-work-item-loops, for those who leave barriers to others. Default `work-group`. */
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
  sroa: sroa,
  mem2reg: mem2reg,
  'simplify-block-arguments': simplifyBlockArguments,
  'infer-address-spaces': inferAddressSpaces,
  'constant-folding': foldConstants,
  'simplify-cfg': simplifyCfg,
  gvn: gvn,
  unroll: unrollLoops,
  licm: licm,
  dce: dce,
  'interchange-dimensions': interchangeDimensions,
  'range-check-elimination': eliminateRangeChecks,
  'tile-loops': tileLoops,
  'tile-grid-stride-loops': tileGridStrideLoops,
  'form-work-item-loops': formWorkItemLoops,
  'lift-first-item': liftFirstItem,
  reassociate: reassociate,
  'split-tiles': splitTiles,
  'thread-coarsening': coarsenThreads,
  vectorise: vectorise,
  scalarise: scalarise,
  'simplify-masks': simplifyMasks,
  'runtime-unroll': unrollAtRunTime,
  'strength-reduction': reduceStrength,
  'read-ahead': readAhead,
  'loop-rotate': rotateLoops,
} as const satisfies Record<string, FunctionPass>;

export type PassName = 'lower-images' | 'inline' | keyof typeof functionPasses;

/** The names of all passes, in the order in which each first runs. */
export const passNames: readonly PassName[] = [
  'lower-images',
  'inline',
  ...(Object.keys(functionPasses) as (keyof typeof functionPasses)[]),
];

type FunctionPassName = keyof typeof functionPasses;

/** Memory becomes values, values get known. */
const simplification: readonly FunctionPassName[] = [
  'sroa',
  'mem2reg',
  'simplify-block-arguments',
  'infer-address-spaces',
  'constant-folding',
  'simplify-cfg',
  'gvn',
];

/** What is left of a library function when it is known what image it is for. */
const ofKnownImages: readonly FunctionPassName[] = [...simplification, 'dce'];

/** In the copies of an unrolled loop, offsets must be constants before `sroa` looks at them. */
const afterUnrolling: readonly FunctionPassName[] = ['constant-folding', 'simplify-cfg', ...simplification];

/** How many layers of nested loops are unrolled; each is simplified before the next. */
const unrolledLayers = 6;

const workGroupPipeline: readonly FunctionPassName[] = [
  'licm',
  'dce',
  'interchange-dimensions',
  'range-check-elimination',
  'tile-loops',
  'tile-grid-stride-loops',
  'form-work-item-loops',
  // What nobody reads from slots goes first: its conditions then decide nothing any more.
  'dce',
  'simplify-block-arguments',
  'simplify-cfg',
  'constant-folding',
  'lift-first-item',
  'reassociate',
  'licm',
  'split-tiles',
  // What came out of several structures to one place is often the same.
  'gvn',
  'dce',
];

/** What packing leaves behind: results that are always the same, vectors that are computed twice. */
const packPipeline: readonly FunctionPassName[] = [
  'thread-coarsening',
  'vectorise',
  'simplify-block-arguments',
  'constant-folding',
  'gvn',
  'scalarise',
  'dce',
  'simplify-masks',
];

/** What engines like better; nothing is found in it any more. */
const lastPipeline: readonly FunctionPassName[] = [
  'runtime-unroll',
  'strength-reduction',
  'read-ahead',
  'loop-rotate',
  'constant-folding',
  'dce',
];

const shortPipeline: readonly FunctionPassName[] = [
  'mem2reg',
  'simplify-block-arguments',
  'dce',
  'form-work-item-loops',
  'dce',
];

/** Those that a function cannot do without; each is needed once on either side of form-work-item-loops. */
const needed: ReadonlySet<FunctionPassName> = new Set([
  'mem2reg',
  'simplify-block-arguments',
  'dce',
  'form-work-item-loops',
]);

/** What makes functions small that are inlined many times though they have hundreds of parameters. */
const beforeCopies: readonly FunctionPassName[] = ['mem2reg', 'dce'];

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
  prepareForVectorising(module, options);
  vectoriseAndFinish(module, options);
}

/**
 * The part of `optimise` that is the same however work-items are packed: those who build one module in several ways do it once, and
 * hand copies of it to `vectoriseAndFinish`.
 * @throws OptimiseError as `optimise` does
 */
export function prepareForVectorising(module: ir.Module, options: OptimiseOptions = {}): void {
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
  const problems = inlineCalls(module, { inlineLimit, isEntry, budget });
  if (problems.length > 0) throw new OptimiseError(problems);
  finish(module, options, 'inline');
  const functions = toOptimise(module);
  const runner = new Runner(module, options, budget, {
    'interchange-dimensions': (fn) => interchangeDimensions(fn, addressBits, options.swap),
  });
  const names = (list: readonly FunctionPassName[]): readonly FunctionPassName[] => {
    if (options.form !== 'work-item') return list;
    const end = list.findIndex(
      (name) => name === 'interchange-dimensions' || name === 'form-work-item-loops',
    );
    return end < 0 ? list : list.slice(0, end);
  };
  if (options.disabled) {
    runner.run(names(shortPipeline), functions);
    return;
  }
  runner.run(simplification, functions);
  let unrolled = functions;
  for (let layer = 0; layer < unrolledLayers && unrolled.length > 0; layer += 1) {
    unrolled = runner.run(['unroll'], unrolled);
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

/** The rest of `optimise`, for what `prepareForVectorising` made under the same options but for `pack`. */
export function vectoriseAndFinish(module: ir.Module, options: OptimiseOptions = {}): void {
  withinStack(() => pack(module, options));
}

function pack(module: ir.Module, options: OptimiseOptions): void {
  if (options.form === 'work-item') return;
  const { addressBits } = module;
  const packOptions = typeof options.pack === 'object' ? options.pack : {};
  const isPacking = (options.pack ?? false) !== false;
  /** What one of these finds out about a kernel the next one need not. */
  const known = new Map<ir.Function, CoarseningFacts>();
  const runner = new Runner(module, options, options.budget ?? new BuildBudget(), {
    'thread-coarsening': (fn) => {
      known.set(fn, coarsenThreads(fn, addressBits, packOptions));
    },
    vectorise: (fn) => vectorise(fn, addressBits, packOptions, known.get(fn)),
  });
  const functions = toOptimise(module);
  if (options.disabled) {
    if (isPacking && packOptions.lanes !== undefined) runner.run(['vectorise'], functions);
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
    if (isCut ? name !== 'dce' : !needed.has(name)) return false;
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

/**
 * The order of the passes: from what a language front end delivers to what code generators take. Two lists of the same passes: kernels
 * for devices end in work-group form, programs for the host stay as they are. manager.ts runs them.
 *
 * For kernels, in short: inline all but large helpers; turn memory that need not be memory into values, and simplify (scalar/); choose
 * the order of dimensions and loops (ndrange/); cut the kernel at its barriers into work-item loops (workgroup/); coarsen and
 * vectorise those (vectorize/); bring loops into the form that engines like. docs/passes.md follows one kernel through it.
 *
 * A new pass is a file in one of the folders, an entry in `passes`, and its name in one of the lists.
 */
import { imageFunctionsOf } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { BuildBudget } from '../source/build-budget.ts';
import { scalarMachine, withoutVectors } from '../target/scalar.ts';
import { hasVectors, type Target } from '../target/target.ts';
import type { AlignPixels, KnownHandles } from './images/known-images.ts';
import { lowerImages } from './images/lower-images.ts';
import { OptimiseError, type Pass, PassManager, type PassManagerOptions, withinStack } from './manager.ts';
import { type Interchange, interchangeDimensions } from './ndrange/interchange-dimensions.ts';
import { eliminateRangeChecks } from './ndrange/range-check-elimination.ts';
import { readAhead } from './ndrange/read-ahead.ts';
import { splitTiles } from './ndrange/split-tiles.ts';
import { type CoarseningFacts, coarsenThreads } from './ndrange/thread-coarsening.ts';
import { tileGridStrideLoops } from './ndrange/tile-grid-stride-loops.ts';
import { tileLoops } from './ndrange/tile-loops.ts';
import { simplifyBlockArguments } from './scalar/block-arguments.ts';
import { foldConstants } from './scalar/constant-folding/constant-folding.ts';
import { dce } from './scalar/dce.ts';
import { computeFinalValues } from './scalar/final-values.ts';
import { gvn } from './scalar/gvn.ts';
import { inferAddressSpaces } from './scalar/infer-address-spaces.ts';
import { hasTooManyParameters, inlineCalls } from './scalar/inline.ts';
import { inlineSmallCalls } from './scalar/inline-small.ts';
import { licm } from './scalar/licm.ts';
import { rotateLoops } from './scalar/loop-rotate.ts';
import { mem2reg } from './scalar/mem2reg.ts';
import { reassociate } from './scalar/reassociate.ts';
import { unrollAtRunTime } from './scalar/runtime-unroll.ts';
import { promoteScalars } from './scalar/scalar-promotion.ts';
import { shareReciprocals } from './scalar/share-reciprocals.ts';
import { simplifyCfg } from './scalar/simplify-cfg.ts';
import { sinkStores } from './scalar/sink-stores.ts';
import { sroa } from './scalar/sroa.ts';
import { reduceStrength } from './scalar/strength-reduction.ts';
import { unrollLoops } from './scalar/unroll.ts';
import { simplifyMasks } from './vectorize/control/masked-loops.ts';
import { narrowVectors } from './vectorize/emit/narrow-vectors.ts';
import { orderByResults } from './vectorize/emit/order-by-results.ts';
import { scalarise } from './vectorize/emit/scalarise.ts';
import { VectorFunctions } from './vectorize/emit/vector-functions.ts';
import { vectoriseLoops } from './vectorize/loops/vectorize-loops.ts';
import { type VectoriseOptions, vectorise } from './vectorize/vectorize.ts';
import { formWorkItemLoops } from './workgroup/form-work-item-loops.ts';
import { liftFirstItem } from './workgroup/lift-first-item.ts';
import { mayJoinGroups, orderGroups } from './workgroup/order-groups.ts';
import { splitInductions } from './workgroup/split-inductions.ts';

export { OptimiseError, withinStack };

export interface OptimiseOptions extends PassManagerOptions {
  /** `-cl-opt-disable`: only what a code generator cannot do without. */
  readonly disabled?: boolean | undefined;
  /** The machine. Default one of which nothing is known, which runs work-items one by one. */
  readonly target?: Target | undefined;
  /** False for work-items one by one on a target that has vectors, too; how to decide, for tests. Default true. */
  readonly vectorise?: boolean | VectoriseOptions | undefined;
  /**
   * Whether kernels are rewritten for launches that exchange dimensions 0 and 1 (`interchange-dimensions`). Default false: those for
   * which that would pay are only marked.
   */
  readonly interchange?: Interchange | undefined;
  /** What is known of the images and samplers that kernels will be given, by the kernels' names. */
  readonly knownHandles?: ReadonlyMap<string, KnownHandles> | undefined;
  /** The longest vectors for launches with short rows of work-items, by the kernels' names; where groups may be joined rows are not short. */
  readonly rowLengths?: ReadonlyMap<string, number> | undefined;
  /** Of those whose memory is words: passes/images/pixel-alignment.ts. */
  readonly alignPixels?: AlignPixels | undefined;
  /** More passes, of those who compile for a machine that runs work-items itself: see scalar/shader-passes.ts. */
  readonly ownPasses?: readonly Pass[] | undefined;
  /** Helpers of at most so many instructions are always inlined; with 0 none is that needs not be. For tests. */
  readonly inlineLimit?: number | undefined;
  /** The functions that are called from outside: they stay, as calls of them do. Default: the kernels. */
  readonly isEntry?: ((fn: ir.Function) => boolean) | undefined;
}

type PassFacts = Pick<Pass, 'weight' | 'resizes' | 'isNeeded'>;

/** A pass that asks for nothing but the function and the width of addresses. */
function simple(
  name: string,
  run: (fn: ir.Function, addressBits: 32 | 64) => unknown,
  facts: PassFacts = {},
): Pass {
  return { name, run: (fn, { addressBits }) => run(fn, addressBits), ...facts };
}

/** The passes over functions, in the order in which each first runs. */
const passes = {
  sroa: simple('sroa', sroa, { resizes: true }),
  mem2reg: simple('mem2reg', mem2reg, { resizes: true, isNeeded: 'once' }),
  simplifyBlockArguments: simple('simplify-block-arguments', simplifyBlockArguments, { isNeeded: 'once' }),
  inferAddressSpaces: simple('infer-address-spaces', inferAddressSpaces),
  foldConstants: simple('constant-folding', foldConstants, { weight: 2 }),
  sinkStores: simple('sink-stores', sinkStores),
  simplifyCfg: simple('simplify-cfg', simplifyCfg),
  gvn: simple('gvn', gvn, { weight: 2 }),
  finalValues: simple('final-values', computeFinalValues, { resizes: true }),
  unroll: simple('unroll', unrollLoops, { resizes: true }),
  licm: simple('licm', licm),
  dce: simple('dce', dce, { weight: 2, resizes: true, isNeeded: 'in each form' }),
  scalarPromotion: simple('scalar-promotion', promoteScalars, { resizes: true }),
  interchangeDimensions: interchanging(false),
  eliminateRangeChecks: {
    name: 'range-check-elimination',
    run: (fn, { addressBits, analyses }) => eliminateRangeChecks(fn, addressBits, analyses),
    resizes: true,
  },
  tileLoops: {
    name: 'tile-loops',
    run: (fn, { addressBits, target, analyses }) =>
      tileLoops(fn, addressBits, target.cache, undefined, analyses),
    resizes: true,
  },
  tileGridStrideLoops: {
    name: 'tile-grid-stride-loops',
    run: (fn, { addressBits, target, analyses }) =>
      tileGridStrideLoops(fn, addressBits, target.cache, analyses),
    resizes: true,
  },
  splitInductions: {
    name: 'split-inductions',
    run: (fn, { addressBits, analyses }) => splitInductions(fn, addressBits, analyses),
    resizes: true,
  },
  formWorkItemLoops: {
    name: 'form-work-item-loops',
    run: (fn, { addressBits, analyses }) => formWorkItemLoops(fn, addressBits, analyses),
    resizes: true,
    isNeeded: 'once',
  },
  liftFirstItem: simple('lift-first-item', liftFirstItem),
  reassociate: simple('reassociate', reassociate),
  shareReciprocals: simple('share-reciprocals', shareReciprocals),
  splitTiles: simple('split-tiles', splitTiles),
  coarsenThreads: coarsening(new Map(), {}),
  vectorise: vectorising(new Map(), {}),
  vectoriseLoops: {
    name: 'vectorise-loops',
    run: (fn, { addressBits, target }) => hasVectors(target) && vectoriseLoops(fn, addressBits, target),
    resizes: true,
  },
  scalarise: {
    name: 'scalarise',
    run: (fn, { addressBits, target }) => hasVectors(target) && scalarise(fn, addressBits, target),
  },
  narrowVectors: {
    name: 'narrow-vectors',
    run: (fn, { target }) => hasVectors(target) && narrowVectors(fn, target),
    resizes: true,
  },
  simplifyMasks: simple('simplify-masks', simplifyMasks),
  orderByResults: {
    name: 'order-by-results',
    run: (fn, { target }) => hasVectors(target) && orderByResults(fn, target),
  },
  unrollAtRunTime: {
    name: 'runtime-unroll',
    run: (fn, { addressBits, target }) => unrollAtRunTime(fn, addressBits, target.wants),
    resizes: true,
  },
  reduceStrength: {
    name: 'strength-reduction',
    run: (fn, { addressBits, target }) => reduceStrength(fn, addressBits, target.wants),
  },
  readAhead: simple('read-ahead', readAhead),
  rotateLoops: simple('loop-rotate', rotateLoops),
  orderGroups: simple('order-groups', orderGroups),
} satisfies Record<string, Pass>;

function interchanging(interchange: Interchange): Pass {
  return {
    name: 'interchange-dimensions',
    run: (fn, { addressBits, target, analyses }) =>
      interchangeDimensions(fn, addressBits, target, interchange, analyses),
  };
}

/** @param known what thread coarsening finds out about a kernel, so that vectorisation need not */
function coarsening(known: Map<ir.Function, CoarseningFacts>, options: VectoriseOptions): Pass {
  return {
    name: 'thread-coarsening',
    run: (fn, { addressBits, target }) => {
      if (hasVectors(target)) known.set(fn, coarsenThreads(fn, addressBits, target, options));
    },
    weight: 2,
    resizes: true,
  };
}

function vectorising(known: ReadonlyMap<ir.Function, CoarseningFacts>, options: VectoriseOptions): Pass {
  let functions: VectorFunctions | undefined;
  return {
    name: 'vectorise',
    run: (fn, { addressBits, target, add }) => {
      functions ??= new VectorFunctions(add, addressBits);
      if (hasVectors(target)) vectorise(fn, addressBits, target, options, known.get(fn), functions);
    },
    weight: 10,
    resizes: true,
  };
}

/** The names of all passes over kernels, in the order in which each first runs. */
export const passNames: readonly string[] = [
  'lower-images',
  'inline',
  ...Object.values(passes).map(({ name }) => name),
];

// ------------------------------------------------------------------------------------------------ the lists

/** Memory becomes values, values become known. */
const simplification: readonly Pass[] = [
  passes.sroa,
  passes.mem2reg,
  passes.simplifyBlockArguments,
  passes.inferAddressSpaces,
  passes.foldConstants,
  passes.sinkStores,
  passes.simplifyCfg,
  passes.gvn,
];

/** In the copies of an unrolled loop, offsets must be constants before `sroa` looks at them. */
const afterUnrolling: readonly Pass[] = [passes.foldConstants, passes.simplifyCfg, ...simplification];

/** How many layers of nested loops are unrolled; each is simplified before the next. */
const unrolledLayers = 6;

/** The last passes over work-items one by one. */
const invariants: readonly Pass[] = [passes.licm, passes.dce];

/** Behind scalar-promotion and the passes that were given. */
const lastOfWorkItems: readonly Pass[] = [
  passes.foldConstants,
  // What does not change in a loop is added up before it.
  passes.reassociate,
  passes.gvn,
  ...invariants,
];

/** What loops do to memory at one place; the order of dimensions and of loops; then barriers become the ends of work-item loops. */
const toWorkGroups = (interchange: Interchange): readonly Pass[] => [
  passes.scalarPromotion,
  interchanging(interchange),
  passes.eliminateRangeChecks,
  passes.tileLoops,
  passes.tileGridStrideLoops,
  passes.splitInductions,
  passes.formWorkItemLoops,
  // What nobody reads from context arrays goes first: its conditions then decide nothing any more.
  passes.dce,
  passes.simplifyBlockArguments,
  passes.simplifyCfg,
  passes.foldConstants,
  passes.liftFirstItem,
  passes.reassociate,
  passes.shareReciprocals,
  passes.licm,
  passes.splitTiles,
  // What came out of several structures to one place is often the same.
  passes.gvn,
  passes.dce,
];

/** Several work-items at once; the rest removes what that leaves: results that are always the same, vectors computed twice. */
const toVectors = (options: VectoriseOptions): readonly Pass[] => {
  const known = new Map<ir.Function, CoarseningFacts>();
  return [
    coarsening(known, options),
    vectorising(known, options),
    passes.vectoriseLoops,
    passes.simplifyBlockArguments,
    passes.foldConstants,
    passes.gvn,
    passes.scalarise,
    passes.dce,
    // Single lanes are computed in 32 bits as fast as in fewer.
    passes.narrowVectors,
    passes.dce,
    passes.simplifyMasks,
    passes.orderByResults,
  ];
};

/** What engines like better; the passes before would find nothing new in it. */
const last = (isVectorised: boolean): readonly Pass[] => [
  passes.unrollAtRunTime,
  passes.reduceStrength,
  // It looks for vectors.
  ...(isVectorised ? [passes.readAhead] : []),
  passes.rotateLoops,
  passes.foldConstants,
  passes.dce,
  passes.orderGroups,
];

/** With `-cl-opt-disable`. */
const neededForItemLoops: readonly Pass[] = [passes.mem2reg, passes.simplifyBlockArguments, passes.dce];
const neededForGroups: readonly Pass[] = [passes.formWorkItemLoops, passes.dce];

/** What makes functions small that are inlined many times though they have hundreds of parameters. */
const beforeCopies: readonly Pass[] = [passes.mem2reg, passes.dce];

/** What is left of a library function when it is known what image it is for. */
const ofKnownImages: readonly Pass[] = [...simplification, passes.dce];

/** For the functions of programs for the host; nothing is known of a generic pointer there. */
const hostSimplification: readonly Pass[] = [
  ...simplification.filter((pass) => pass !== passes.inferAddressSpaces),
  passes.dce,
];

const hostLast: readonly Pass[] = [
  passes.licm,
  passes.simplifyCfg,
  passes.foldConstants,
  passes.rotateLoops,
  passes.dce,
];

// ------------------------------------------------------------------------------------------------- kernels

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
 * The part of `optimise` that is the same however work-items are vectorised: those who build one module in several ways do it once,
 * and hand copies of it to `vectoriseAndFinish`.
 * @throws OptimiseError as `optimise` does
 */
export function prepareForVectorising(module: ir.Module, options: OptimiseOptions = {}): void {
  withinStack(() => prepare(module, options));
}

function prepare(module: ir.Module, options: OptimiseOptions): void {
  const { budget = new BuildBudget(), inlineLimit, isEntry } = options;
  const target = targetOf(options);
  const { form, images, calls: mayCall } = target.wants;
  const manager = new PassManager(module, { ...options, target, budget });
  // Each of their parameters is a variable still, in every copy there would be.
  const copied = module.functions.filter(
    (fn) => fn.kind === 'function' && fn.body !== undefined && hasTooManyParameters(fn),
  );
  if (copied.length > 0) manager.run(beforeCopies, copied);
  for (const fn of module.functions) if (target.functions?.has(fn.name)) fn.isOutlined = true;
  if (!images) lowerImagesOf(module, manager, options);
  manager.runOnModule('inline', () => inlineOrThrow(module, { inlineLimit, mayCall, isEntry, budget }));

  const functions = toOptimise(module);
  if (options.disabled) {
    manager.run(neededForItemLoops, functions);
    if (form === 'work-group') manager.run(neededForGroups, functions);
    return;
  }
  manager.run(simplification, functions);
  manager.run([passes.finalValues], functions);
  let unrolled: readonly ir.Function[] = functions;
  for (let layer = 0; layer < unrolledLayers && unrolled.length > 0; layer += 1) {
    unrolled = manager.run([passes.unroll], unrolled);
    if (unrolled.length > 0) manager.run(afterUnrolling, unrolled);
    // Offsets and conditions that have become constants show more.
    if (layer === 0)
      manager.run(
        simplification,
        functions.filter((fn) => !unrolled.includes(fn)),
      );
  }
  manager.run(invariants, functions);
  if (form === 'work-group') manager.run(toWorkGroups(options.interchange ?? false), functions);
  else if (options.ownPasses) {
    manager.run([passes.scalarPromotion, ...options.ownPasses, ...lastOfWorkItems], functions);
  }
}

function lowerImagesOf(module: ir.Module, manager: PassManager, options: OptimiseOptions): void {
  const { inlineLimit, knownHandles } = options;
  manager.runOnModule('lower-images', () => {
    if (knownHandles) {
      // What a helper is handed is known where the helper is inlined. Nothing calls the library functions for images yet.
      const images = imageFunctionsOf(module);
      inlineOrThrow(module, {
        inlineLimit,
        isEntry: (fn) => fn.kind === 'kernel' || images.has(fn.name),
      });
    }
    const made = lowerImages(module, knownHandles, options.alignPixels);
    // A part of this pass: nobody is told of each of them.
    new PassManager(module).run(ofKnownImages, made);
    for (const fn of made) fn.library = 'opencl';
  });
}

function inlineOrThrow(module: ir.Module, options: Parameters<typeof inlineCalls>[1]): void {
  const problems = inlineCalls(module, options);
  if (problems.length > 0) throw new OptimiseError(problems);
}

/** The rest of `optimise`, for what `prepareForVectorising` made under the same options but for `vectorise`. */
export function vectoriseAndFinish(module: ir.Module, options: OptimiseOptions = {}): void {
  const target = targetOf(options);
  if (target.wants.form === 'work-group') withinStack(() => finish(module, { ...options, target }));
}

/** The machine as it is to be used. */
function targetOf({ target = scalarMachine, vectorise: wanted = true }: OptimiseOptions): Target {
  return wanted === false ? withoutVectors(target) : target;
}

function finish(module: ir.Module, options: OptimiseOptions): void {
  const { target = scalarMachine, vectorise: wanted, disabled } = options;
  const isVectorised = hasVectors(target);
  const vectorOptions = typeof wanted === 'object' ? wanted : {};
  const manager = new PassManager(module, options);
  const functions = toOptimise(module);
  if (disabled) {
    if (isVectorised && vectorOptions.lanes !== undefined)
      manager.run([vectorising(new Map(), vectorOptions)], functions);
    return;
  }
  if (isVectorised) {
    for (const fn of functions) limitRows(fn, options.rowLengths?.get(fn.name));
    manager.run(toVectors(vectorOptions), functions);
  }
  manager.run(last(isVectorised), functions);
}

function limitRows(fn: ir.Function, rowLength: number | undefined): void {
  if (rowLength === undefined || !fn.body || fn.attributes?.interchange === 'done') return;
  if (!mayJoinGroups(fn, fn.body)) fn.attributes = { ...fn.attributes, rowLength };
}

/** The functions that passes work on: the others have been through them when the library was built. */
function toOptimise(module: ir.Module): ir.Function[] {
  return module.functions.filter((fn) => fn.library === undefined);
}

// ------------------------------------------------------------------------------------- programs for the host

/**
 * Optimises a program for the host, whose functions all stay. There are no work-items, so there is nothing to cut or to vectorise.
 * @throws OptimiseError for a program that nests too deeply, or is more than the budget allows
 */
export function optimiseHost(module: ir.Module, options: PassManagerOptions = {}): void {
  withinStack(() => finishHost(module, new PassManager(module, options)));
}

function finishHost(module: ir.Module, manager: PassManager): void {
  manager.run(hostSimplification, toOptimise(module));
  const changed = inlineSmallCalls(module);
  for (const fn of changed) fn.library = undefined;
  manager.run(hostSimplification, [...changed]);
  manager.run(hostLast, toOptimise(module));
}

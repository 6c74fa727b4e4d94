/**
 * Vectorises work-items: gives work-item loops a second region that does for W neighbours along dimension 0 what the
 * first does for one, with vectors of W lanes (ir.ts, "Vector regions"; vectorize/emit/vectorize-region.ts says how).
 *
 *     work_item_loop {                                      } vector 8 {
 *       %x = query global_id 0                       %x = query global_id 0
 *       %4 = shl %x, %two                            %4 = shl %x, %two
 *       %p = offset %in, %4                          %p = offset %in, %4
 *       %v = load %p align=4 : f32                   %v = load %p align=4 : f32x8
 *       %w = fmul %v, %k : f32                       %w = fmul %v, %ks : f32x8          %ks: splat of %k
 *       ...                                          ...
 *
 * Runs last, on kernels in work-group form. The first region stays, for work-items that do not fill a vector. A region for
 * several rows (thread-coarsening) is replaced by its vector form.
 */
import type * as ir from '../../ir/ir.ts';
import type { LaneCount } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { scalarRegion } from '../../ir/work-item-loops.ts';
import type { VectorTarget } from '../../target/target.ts';
import type { Shape, Uniformity } from '../analysis/uniformity.ts';
import { type CoarseningFacts, forgetCoarseRegion } from '../ndrange/thread-coarsening.ts';
import { mem2reg } from '../scalar/mem2reg.ts';
import { moveLocalVariables } from '../workgroup/local-variables.ts';
import { sinkIntoGuard } from './control/sink-into-guard.ts';
import { splitVectorContextArrays } from './emit/split-context-arrays.ts';
import type { VectorContext } from './emit/vector-context.ts';
import { VectorFunctions } from './emit/vector-functions.ts';
import { VectorReport } from './emit/vector-report.ts';
import type { VectorValue } from './emit/vector-value.ts';
import { VectorWriter } from './emit/vector-writer.ts';
import { vectoriseRegion, versionSpeculatively } from './emit/vectorize-region.ts';
import { findButterflies, type KnownDistance, writeForDistances } from './memory/butterflies.ts';
import { isLikelyConsecutive } from './memory/likely-consecutive.ts';
import { layOutPrivateArrays } from './memory/private-array-layout.ts';
import { findLaneArrays } from './memory/private-arrays.ts';
import { findRowReductions } from './memory/reduction-privatisation.ts';
import { hoistRowInvariants } from './memory/row-invariants.ts';
import { findBlocks } from './memory/transposed-loads.ts';
import { withSeveralIterations } from './memory/transposed-loops.ts';
import {
  analyseKernel,
  assumptionsOf,
  findTransposedLoopsIn,
  type KernelAnalysis,
} from './plan/kernel-analysis.ts';
import type { Refusal } from './plan/obstacles.ts';
import type { Candidate, LoopPlan } from './plan/plan.ts';
import { findScalarTails } from './plan/plan-tails.ts';
import { planLoop } from './plan/planner.ts';

export interface VectoriseOptions {
  /** Vectorises everything that can be, with so many lanes, whatever the cost model says. For tests. */
  readonly lanes?: LaneCount | undefined;
  /** Vectorises everything that can be, with as many lanes as the planner takes, whatever the cost model says. To measure with. */
  readonly always?: boolean | undefined;
  /** Lets so many rows run together wherever that can be. For tests. */
  readonly rows?: number | undefined;
  /** Lets so many last lanes of any loop go on one by one. For tests. */
  readonly fewLanes?: number | undefined;
  /** Told of each region what became of it. */
  readonly onDecision?: ((decision: VectoriseDecision) => void) | undefined;
}

/** What became of one work-item loop. */
export interface VectoriseDecision {
  readonly kernel: ir.Function;
  readonly itemLoop: ir.WorkItemLoop;
  /** The ways to run it that were looked at (`--emit plan`); none where there is no choice. */
  readonly candidates: readonly Candidate[];
  /** How it was vectorised, or why not. */
  readonly outcome:
    | {
        readonly lanes: LaneCount;
        readonly report: VectorReport;
        /** Of the vectors that several rows form together, if they do. */
        readonly rows: { readonly count: number; readonly report: VectorReport } | undefined;
      }
    | Refusal;
}

/**
 * Vectorises what is worth it in a kernel.
 * @param known what thread-coarsening has found out about the kernel, if it is as it was then
 * @param functions of the module, which may get more of them
 */
export function vectorise(
  fn: ir.Function,
  addressBits: 32 | 64,
  target: VectorTarget,
  options: VectoriseOptions = {},
  known?: CoarseningFacts,
  functions = new VectorFunctions(() => {}, addressBits),
): void {
  if (!fn.body || fn.form !== 'work-group') return;
  moveLocalVariables(fn.body);
  const chosen: { itemLoop: ir.WorkItemLoop; lanes: LaneCount; forms: ir.Region[] }[] = [];
  const plans = new Map<ir.WorkItemLoop, readonly Candidate[]>();
  let analysis = known?.analysis ?? analyseKernel(fn, fn.body, target);
  walkRegion(fn.body, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    const explain = options.onDecision !== undefined;
    const plan = planLoop(fn, instruction, analysis, addressBits, {
      lanes: options.lanes,
      always: options.always,
      explain,
    });
    const { lanes, refusal } = plan;
    plans.set(instruction, candidatesOf(plan, instruction.rows, known?.tried.get(instruction)));
    if (lanes) chosen.push({ itemLoop: instruction, lanes, forms: instruction.regions });
    else {
      // Rows are done together in vectors only.
      if (instruction.rows !== undefined) forgetCoarseRegion(instruction);
      const candidates = plans.get(instruction)!;
      options.onDecision?.({ kernel: fn, itemLoop: instruction, candidates, outcome: refusal! });
    }
  });
  if (chosen.length === 0) return;
  const regions = chosen.flatMap(({ forms }) => forms);
  const hasLaidOut = layOutPrivateArrays(fn.body, regions, analysis.definitions, addressBits);
  const hasSplit = splitVectorContextArrays(fn);
  if (hasLaidOut || hasSplit) analysis = analyseKernel(fn, fn.body, target);
  const sunk = regions.filter((region) => sinkIntoGuard(region, analysis));
  if (sunk.length > 0) analysis = analyseKernel(fn, fn.body, target);
  // What vectors are to do several iterations of at once; one work-item does as before.
  const copies = new Set<ir.Instruction>();
  const singles = chosen.map(({ itemLoop }) => scalarRegion(itemLoop));
  let hasTransposed = false;
  for (const { itemLoop, forms, lanes } of chosen) {
    itemLoop.regions = forms.map((form) => {
      const { transposed, uniformity } = findTransposedLoopsIn(form, analysis, addressBits);
      const sums = findRowReductions(transposed, lanes, uniformity, analysis.definitions, target.vectors);
      const loops = new Map([...transposed.loops].filter(([loop]) => !sums.has(loop)));
      if (loops.size === 0) return form;
      hasTransposed = true;
      return withSeveralIterations(form, { ...transposed, loops }, addressBits, copies);
    });
  }
  if (hasTransposed) analysis = analyseKernel(fn, fn.body, target);
  chosen.forEach(({ itemLoop, lanes }, at) => {
    const reports = itemLoop.regions.map(() => new VectorReport(copies));
    const vectorised = itemLoop.regions.map((form, index) =>
      vectorisedForm(
        fn,
        form,
        lanes,
        addressBits,
        analysis,
        reports[index]!,
        known?.guards,
        options.fewLanes,
        functions,
      ),
    );
    itemLoop.lanes = lanes;
    itemLoop.regions = [singles[at]!, ...vectorised];
    const [report, ofRows] = reports as [VectorReport, VectorReport?];
    const rows = itemLoop.rows && ofRows ? { count: itemLoop.rows, report: ofRows } : undefined;
    options.onDecision?.({
      kernel: fn,
      itemLoop,
      candidates: plans.get(itemLoop)!,
      outcome: { lanes, report, rows },
    });
  });
}

/** What the planner and thread coarsening looked at; with several rows, one row is not what was taken. */
function candidatesOf(
  { candidates, lanes }: LoopPlan,
  rows: number | undefined,
  tried: readonly Candidate[] = [],
): Candidate[] {
  if (candidates.length === 0) return [];
  const ofOneRow = candidates.map((one) =>
    rows !== undefined && one.lanes === lanes ? { ...one, rejected: `${rows} rows share more` } : one,
  );
  return [...ofOneRow, ...tried];
}

function vectorisedForm(
  fn: ir.Function,
  region: ir.Region,
  lanes: LaneCount,
  addressBits: 32 | 64,
  analysis: KernelAnalysis,
  report: VectorReport,
  guards: ReadonlySet<ir.Instruction> | undefined,
  fewLanes: number | undefined,
  functions: VectorFunctions,
): ir.Region {
  const { definitions, memory, target } = analysis;
  const writer = new VectorWriter(lanes, addressBits, definitions);
  const laneArrays = findLaneArrays(region, definitions, addressBits / 8);
  const found = findTransposedLoopsIn(region, analysis, addressBits);
  const rowReductions = findRowReductions(
    found.transposed,
    lanes,
    found.uniformity,
    definitions,
    target.vectors,
  );
  const scalarTails = findScalarTails(region, found, definitions, lanes, target, fewLanes);
  const contextOf = (
    uniformity: Uniformity,
    done: ReadonlySet<ir.Instruction>,
    isQuiet: boolean,
    butterflies?: KnownDistance,
  ): VectorContext => {
    const vectorised = new Map<ir.Value, VectorValue>();
    const context: VectorContext = {
      target,
      writer,
      functions,
      uniformity,
      report: isQuiet ? new VectorReport() : report,
      blocks: findBlocks(region, lanes, uniformity, definitions, memory, addressBits, target.vectors),
      loaded: new Set(),
      rowReductions: isQuiet ? new Map() : rowReductions,
      scalarTails,
      laneArrays,
      butterflies,
      isLikelyConsecutive: (pointer) => !isQuiet && isLikelyConsecutive(pointer, definitions, uniformity),
      isRange: (condition, wanted) => isRange(condition, wanted, definitions, uniformity),
      vectorised: (value) => vectorised.get(value) ?? { kind: 'uniform', value },
      parts: (value) => writer.parts(context.vectorised(value), value.type),
      define: (value, form) => {
        vectorised.set(value, form);
      },
      takesSecond: (branch) => isQuiet && (guards?.has(branch) ?? false),
      isDone: (instruction) => done.has(instruction),
      isAssumed: (value) =>
        uniformity !== analysis.plain &&
        analysis.plain.of(value).kind === 'varying' &&
        uniformity.of(value).kind !== 'varying',
      definition: (value) => definitions.get(value),
      shapeOf: (value) => shapeOf(uniformity, value),
    };
    return context;
  };
  const assumptions = assumptionsOf(analysis, region);
  if (assumptions) {
    const usual = contextOf(analysis.assuming, assumptions.needed, false);
    const butterflies = findButterflies(region, assumptions, definitions, addressBits);
    const writeOthers = (distance?: KnownDistance): void =>
      vectoriseRegion(contextOf(analysis.plain, new Set(), true, distance), region);
    versionSpeculatively(usual, region, assumptions, () => {
      if (butterflies) writeForDistances(usual, butterflies, writeOthers);
      else writeOthers();
    });
  } else vectoriseRegion(contextOf(analysis.plain, new Set(), false), region);
  const root = writer.finish();
  mem2reg({ ...fn, body: root }, addressBits);
  if (analysis.ofRows.has(region)) hoistRowInvariants(root);
  return root;
}

/**
 * Whether mostly all lanes or none get the answer `wanted`: comparisons of what steps evenly with what is the same for
 * all, and combinations of them. `x == 0` holds for one lane at most, so that it is mostly false for all.
 */
function isRange(
  condition: ir.Value,
  wanted: boolean,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  uniformity: Uniformity,
): boolean {
  if (shapeOf(uniformity, condition).kind === 'uniform') return true;
  const definition = definitions.get(condition);
  if (definition?.op === 'compare') {
    if (isTakingPart(definition, definitions)) return wanted;
    const isUnlikely = definition.fn === (wanted ? 'eq' : 'ne');
    return !isUnlikely && definition.operands.every((value) => shapeOf(uniformity, value).kind !== 'varying');
  }
  if (definition?.op === 'unary') {
    return definition.fn === 'not' && isRange(definition.operands[0]!, !wanted, definitions, uniformity);
  }
  const isCombined = definition?.op === 'binary' && (definition.fn === 'and' || definition.fn === 'or');
  return isCombined && definition.operands.every((value) => isRange(value, wanted, definitions, uniformity));
}

/** Whether it asks if a work-item takes part, or waits elsewhere for a barrier (workgroup/piece-writer.ts): mostly all do. */
function isTakingPart(
  { fn, operands }: ir.Compare,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  const [waiting, place] = operands.map((operand) => definitions.get(operand));
  const isZero = place?.op === 'constant' && place.value === 0;
  return fn === 'eq' && isZero && waiting?.op === 'context_read' && waiting.contextArray.type.kind === 'int';
}

/** Steps mean something for integers and pointers only. */
function shapeOf(uniformity: Uniformity, value: ir.Value): Shape {
  const shape = uniformity.of(value);
  if (shape.kind !== 'affine') return shape;
  if (shape.step === 0) return { kind: 'uniform' };
  const { kind } = value.type;
  return kind === 'int' || kind === 'pointer' ? shape : { kind: 'varying' };
}

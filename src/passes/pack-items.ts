/**
 * Packs work-items: gives `items` instructions a second region that does for W neighbours along dimension 0 what the
 * first does for one, with vectors of W lanes (ir.ts, "Packs"; pack/pack-region.ts says how).
 *
 *     items {                                      } packed 8 {
 *       %x = query global_id 0                       %x = query global_id 0
 *       %4 = shl %x, %two                            %4 = shl %x, %two
 *       %p = offset %in, %4                          %p = offset %in, %4
 *       %v = load %p align=4 : f32                   %v = load %p align=4 : f32x8
 *       %w = fmul %v, %k : f32                       %w = fmul %v, %ks : f32x8          %ks: splat of %k
 *       ...                                          ...
 *
 * Runs last, on kernels in work-group form. The first region stays, for work-items that do not fill a pack.
 */
import type * as ir from '../ir/ir.ts';
import type { LaneCount } from '../ir/types.ts';
import { walkRegion } from '../ir/walk.ts';
import { Memory } from './memory.ts';
import { type Assumptions, assumedStep, chooseAssumptions, findAssumable } from './pack/assumptions.ts';
import { findBlocks } from './pack/block-loads.ts';
import { chooseLanes, type Refusal } from './pack/choose-lanes.ts';
import { layOutItemArrays } from './pack/item-arrays.ts';
import { isLikelyConsecutive } from './pack/likely-consecutive.ts';
import type { PackContext } from './pack/pack-context.ts';
import { packRegion, packTwice } from './pack/pack-region.ts';
import { PackReport } from './pack/pack-report.ts';
import { PackWriter } from './pack/pack-writer.ts';
import type { Packed } from './pack/packed-value.ts';
import { findLaneArrays } from './pack/private-arrays.ts';
import { findRowWalks, type RowWalks, withSeveralTurns } from './pack/row-walks.ts';
import { splitVectorSlots } from './pack/split-slots.ts';
import { analyseUniformity, type Shape, type Uniformity } from './uniformity.ts';
import { variablesToValues } from './variables-to-values.ts';

export interface PackOptions {
  /** Packs everything that can be, with so many lanes, whatever the cost model says. For tests. */
  readonly lanes?: LaneCount | undefined;
  /** Told of each region what became of it. */
  readonly onDecision?: ((decision: PackDecision) => void) | undefined;
}

/** What became of one `items` region. */
export interface PackDecision {
  readonly kernel: ir.Function;
  readonly items: ir.Items;
  /** How it was packed, or why not. */
  readonly outcome: { readonly lanes: LaneCount; readonly report: PackReport } | Refusal;
}

/** Packs what is worth it in a kernel. */
export function packItems(fn: ir.Function, addressBits: 32 | 64, options: PackOptions = {}): void {
  if (!fn.body || fn.form !== 'work-group') return;
  moveLocalVariables(fn.body);
  const chosen: { items: ir.Items; lanes: LaneCount; walks: RowWalks }[] = [];
  let analysis = analyse(fn, fn.body);
  const isAlongRow = !asksForHigherIds(fn.body);
  walkRegion(fn.body, (instruction) => {
    if (instruction.op !== 'items') return;
    const rowLength = fn.attributes?.requiredWorkGroupSize?.[0];
    const { plain, assuming, definitions, memory } = analysis;
    const isTwice = assumptionsOf(analysis, instruction.regions[0]!) !== undefined;
    const uniformity = isTwice ? assuming : plain;
    const walks = findRowWalks(instruction.regions[0]!, uniformity, definitions, memory, addressBits);
    const lanes = chooseLanes(
      instruction,
      uniformity,
      definitions,
      walks,
      options.lanes,
      rowLength,
      isAlongRow,
    );
    if (typeof lanes === 'number') chosen.push({ items: instruction, lanes, walks });
    else options.onDecision?.({ kernel: fn, items: instruction, outcome: lanes });
  });
  if (chosen.length === 0) return;
  const regions = chosen.map(({ items }) => items.regions[0]!);
  const hasLaidOut = layOutItemArrays(fn.body, regions, analysis.definitions, addressBits);
  const hasSplit = splitVectorSlots(fn);
  // What packs are to do several turns of at once; one work-item does as before.
  const copies = new Set<ir.Instruction>();
  const walking = chosen.filter(({ walks }) => walks.loops.size > 0);
  for (const { items, walks } of walking) {
    items.regions[0] = withSeveralTurns(items.regions[0]!, walks, addressBits, copies);
  }
  if (hasLaidOut || hasSplit || walking.length > 0) analysis = analyse(fn, fn.body);
  chosen.forEach(({ items, lanes }, at) => {
    const report = new PackReport(copies);
    const packed = packedForm(fn, items.regions[0]!, lanes, addressBits, analysis, report);
    items.lanes = lanes;
    items.regions = [regions[at]!, packed];
    options.onDecision?.({ kernel: fn, items, outcome: { lanes, report } });
  });
}

/** What is known of a kernel. */
interface KernelAnalysis {
  readonly plain: Uniformity;
  /** Where all holds that can be assumed. */
  readonly assuming: Uniformity;
  readonly assumable: ReadonlySet<ir.Instruction>;
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly memory: Memory;
}

function analyse(fn: ir.Function, body: ir.Region): KernelAnalysis {
  const plain = analyseUniformity(fn, 'row');
  const definitions = findDefinitions(body);
  const memory = new Memory(fn, definitions);
  const regions: ir.Region[] = [];
  walkRegion(body, (instruction) => {
    if (instruction.op === 'items') regions.push(instruction.regions[0]!);
  });
  const assumable = findAssumable(regions, plain, definitions);
  if (assumable.size === 0) return { plain, assuming: plain, assumable, definitions, memory };
  const assuming = analyseUniformity(fn, 'row', (instruction, of) =>
    assumable.has(instruction) ? assumedStep(instruction, of, definitions) : undefined,
  );
  return { plain, assuming, assumable, definitions, memory };
}

function assumptionsOf(
  { plain, assuming, assumable, definitions }: KernelAnalysis,
  region: ir.Region,
): Assumptions | undefined {
  if (assuming === plain) return undefined;
  return chooseAssumptions(region, plain, assuming, assumable, definitions);
}

/** Whether a kernel asks for ids of other dimensions than the first. */
function asksForHigherIds(body: ir.Region): boolean {
  let asks = false;
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'query') return;
    const { fn, dimension } = instruction;
    asks ||=
      fn === 'linear_local_id' || (dimension > 0 && ['global_id', 'local_id', 'group_id'].includes(fn));
  });
  return asks;
}

/** What computes each value. */
function findDefinitions(body: ir.Region): Map<ir.Value, ir.Instruction> {
  const definitions = new Map<ir.Value, ir.Instruction>();
  walkRegion(body, (instruction) => {
    for (const result of instruction.results) definitions.set(result, instruction);
  });
  return definitions;
}

function packedForm(
  fn: ir.Function,
  region: ir.Region,
  lanes: LaneCount,
  addressBits: 32 | 64,
  analysis: KernelAnalysis,
  report: PackReport,
): ir.Region {
  const { definitions, memory } = analysis;
  const writer = new PackWriter(lanes, addressBits, definitions);
  const laneArrays = findLaneArrays(region, definitions, addressBits / 8);
  const contextOf = (
    uniformity: Uniformity,
    done: ReadonlySet<ir.Instruction>,
    isQuiet: boolean,
  ): PackContext => {
    const packed = new Map<ir.Value, Packed>();
    const context: PackContext = {
      writer,
      uniformity,
      report: isQuiet ? new PackReport() : report,
      blocks: findBlocks(region, lanes, uniformity, definitions, memory, addressBits),
      loaded: new Set(),
      laneArrays,
      isLikelyConsecutive: (pointer) => !isQuiet && isLikelyConsecutive(pointer, definitions, uniformity),
      isRange: (condition, wanted) => isRange(condition, wanted, definitions, uniformity),
      packed: (value) => packed.get(value) ?? { kind: 'uniform', value },
      parts: (value) => writer.parts(context.packed(value), value.type),
      define: (value, form) => {
        packed.set(value, form);
      },
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
    packTwice(usual, contextOf(analysis.plain, new Set(), true), region, assumptions);
  } else packRegion(contextOf(analysis.plain, new Set(), false), region);
  const root = writer.finish();
  variablesToValues({ ...fn, body: root }, addressBits);
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
    const isUnlikely = definition.fn === (wanted ? 'eq' : 'ne');
    return !isUnlikely && definition.operands.every((value) => shapeOf(uniformity, value).kind !== 'varying');
  }
  if (definition?.op === 'unary') {
    return definition.fn === 'not' && isRange(definition.operands[0]!, !wanted, definitions, uniformity);
  }
  const isCombined = definition?.op === 'binary' && (definition.fn === 'and' || definition.fn === 'or');
  return isCombined && definition.operands.every((value) => isRange(value, wanted, definitions, uniformity));
}

/** Steps mean something for integers and pointers only. */
function shapeOf(uniformity: Uniformity, value: ir.Value): Shape {
  const shape = uniformity.of(value);
  if (shape.kind !== 'affine') return shape;
  if (shape.step === 0) return { kind: 'uniform' };
  const { kind } = value.type;
  return kind === 'int' || kind === 'pointer' ? shape : { kind: 'varying' };
}

/** A local variable is the same for both regions, so its instruction stands outside of them. */
function moveLocalVariables(body: ir.Region): void {
  const moved: ir.Instruction[] = [];
  walkRegion(body, ({ op, regions }) => {
    if (op !== 'items') return;
    walkRegion(regions[0]!, (_, inner) => {
      inner.instructions = inner.instructions.filter((one) => {
        const isLocal = one.op === 'variable' && one.space === 'local';
        if (isLocal) moved.push(one);
        return !isLocal;
      });
    });
  });
  if (moved.length === 0) return;
  let slots = 0;
  while (body.instructions[slots]?.op === 'slot') slots += 1;
  body.instructions = [...body.instructions.slice(0, slots), ...moved, ...body.instructions.slice(slots)];
}

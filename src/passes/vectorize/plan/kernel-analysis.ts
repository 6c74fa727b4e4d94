/** What vectorisation must know of a kernel as a whole, found again whenever the kernel has changed. */
import { findDefinitions } from '../../../ir/definitions.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { coarseRegion } from '../../../ir/work-item-loops.ts';
import type { VectorTarget } from '../../../target/target.ts';
import { Memory } from '../../analysis/alias.ts';
import { mayJoinGroups } from '../../analysis/cost/streaming.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import { analyseUniformity, type Uniformity } from '../../analysis/uniformity.ts';
import { findTransposedLoops, type TransposedLoops } from '../memory/transposed-loops.ts';
import { type Assumptions, assumedStep, chooseAssumptions, findAssumable } from './speculation.ts';

export interface KernelAnalysis {
  /** The machine that it is asked for. */
  readonly target: VectorTarget;
  readonly plain: Uniformity;
  /** Where all holds that can be assumed. */
  readonly assuming: Uniformity;
  readonly assumable: ReadonlySet<ir.Instruction>;
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly memory: Memory;
  /** The regions for several rows. */
  readonly ofRows: ReadonlySet<ir.Region>;
  /** Whether the kernel asks for no ids but those of the first dimension. */
  readonly isAlongRow: boolean;
  /** Whether rows of work-items are long as a rule. */
  readonly hasLongRows: boolean;
}

export function analyseKernel(fn: ir.Function, body: ir.Region, target: VectorTarget): KernelAnalysis {
  const plain = analyseUniformity(fn, 'row');
  const definitions = findDefinitions(body);
  const memory = new Memory(fn, definitions);
  const regions: ir.Region[] = [];
  const ofRows = new Set<ir.Region>();
  walkRegion(body, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    regions.push(...instruction.regions);
    const coarse = coarseRegion(instruction);
    if (coarse) ofRows.add(coarse);
  });
  // Of larger ones nothing is assumed (`chooseAssumptions`), so that large kernels are analysed once.
  const small = regions.filter((region) => countInstructions(region) <= mostTwice(ofRows, region));
  const assumable = findAssumable(small, plain, definitions);
  const isAlongRow = !asksForHigherIds(body);
  const hasLongRows = isAlongRow || mayJoinGroups(body);
  const known = { target, plain, assumable, definitions, memory, ofRows, isAlongRow, hasLongRows };
  if (assumable.size === 0) return { ...known, assuming: plain };
  const assuming = analyseUniformity(fn, 'row', (instruction, of) =>
    assumable.has(instruction) ? assumedStep(instruction, of, definitions) : undefined,
  );
  return { ...known, assuming };
}

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

/** What is assumed of a region, if it is worth writing it for that. */
export function assumptionsOf(
  { plain, assuming, assumable, definitions, ofRows }: KernelAnalysis,
  region: ir.Region,
): Assumptions | undefined {
  if (assuming === plain) return undefined;
  return chooseAssumptions(region, {
    plain,
    assuming,
    assumable,
    definitions,
    most: mostTwice(ofRows, region),
  });
}

/** Up to how many instructions a region is written once more for what is assumed of it. */
function mostTwice(ofRows: ReadonlySet<ir.Region>, region: ir.Region): number {
  return ofRows.has(region) ? thresholds.mostRowsTwice : thresholds.mostTwice;
}

/** How values differ in a region as it will be written: by what is assumed of it, if that is worth it. */
export function uniformityFor(region: ir.Region, analysis: KernelAnalysis): Uniformity {
  return assumptionsOf(analysis, region) ? analysis.assuming : analysis.plain;
}

/** The loops of a region that vectors do several iterations of at once, and the answer by which they were found. */
export function findTransposedLoopsIn(
  region: ir.Region,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
): { readonly uniformity: Uniformity; readonly transposed: TransposedLoops } {
  const { definitions, memory, target } = analysis;
  const uniformity = uniformityFor(region, analysis);
  const transposed = findTransposedLoops(
    region,
    uniformity,
    definitions,
    memory,
    addressBits,
    target.vectors,
  );
  return { uniformity, transposed };
}

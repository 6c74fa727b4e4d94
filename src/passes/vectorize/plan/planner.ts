/**
 * The planner: with how many lanes the work-items of a loop run together, or one by one. Both are always right.
 *
 * The rule for the number of lanes is two registers a value: one operation of each begins while the other is under way, and what is the same
 * for all lanes (addresses, counters, scalar loads) is shared by as many. From there:
 *
 * - fewer, where what loops keep in vectors would want several times the registers that there are;
 * - more, where a loop waits for its own last iteration, where code only passes memory on and counting is what it costs, or where more rows of
 *   memory are touched than the nearest cache keeps;
 * - no more than a row of the group has work-items, or than the target wants for reasons of its own.
 *
 * The cost model (cost-model.ts) then says whether that is faster than one by one; if not, half as many are asked about, down to a register
 * a value. Thread coarsening asks next whether several rows run together (ndrange/thread-coarsening.ts). With `explain`, all factors of the
 * target are scored, for `--emit plan`.
 */
import type * as ir from '../../../ir/ir.ts';
import { type LaneCount, lanesOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { scalarRegion } from '../../../ir/work-item-loops.ts';
import type { LaneLimit, Vectors } from '../../../target/target.ts';
import { isWaiting } from '../../analysis/cost/latency.ts';
import { carriedRegisters, registerPressure } from '../../analysis/cost/register-pressure.ts';
import { rowsTouched } from '../../analysis/cost/rows.ts';
import { isStreaming } from '../../analysis/cost/streaming.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import { findNarrowIntegers, type NarrowIntegers } from '../../analysis/narrow-integers.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import { findVectorLoops, type VectorLoop } from '../loops/vector-loops.ts';
import type { TransposedLoops } from '../memory/transposed-loops.ts';
import { CostModel } from './cost-model.ts';
import { findTransposedLoopsIn, type KernelAnalysis } from './kernel-analysis.ts';
import { findObstacle, findOutlined, refuseOutlined } from './obstacles.ts';
import type { Candidate, LoopPlan } from './plan.ts';

export interface PlanOptions {
  /** The number of lanes to take if work-items can run together at all. For tests. */
  readonly lanes?: LaneCount | undefined;
  /** Whether work-items run together wherever that is possible. To measure with. */
  readonly always?: boolean | undefined;
  /** Also say what the other candidates would take. */
  readonly explain?: boolean | undefined;
}

/**
 * @param itemLoop of `fn`, whose scalar region is asked about
 * @param analysis of the kernel as it is now
 */
export function planLoop(
  fn: ir.Function,
  itemLoop: ir.WorkItemLoop,
  analysis: KernelAnalysis,
  addressBits: 32 | 64,
  { lanes: forced, always = false, explain = false }: PlanOptions,
): LoopPlan {
  const planning = new Planning(fn, scalarRegion(itemLoop), analysis, addressBits);
  const obstacle = findObstacle(itemLoop, planning.uniformity, analysis.target);
  if (obstacle) return { lanes: undefined, refusal: obstacle, candidates: [] };
  if (forced) return { lanes: forced, refusal: undefined, candidates: [] };
  const outlined = findOutlined(scalarRegion(itemLoop));
  if (outlined) return { lanes: undefined, refusal: refuseOutlined(outlined), candidates: [] };
  return planning.run(explain, always);
}

class Planning {
  readonly uniformity: Uniformity;
  readonly #transposed: TransposedLoops;
  /** Those whose iterations run together if work-items run one by one. */
  readonly #vectorLoops: ReadonlyMap<ir.Instruction, VectorLoop>;
  readonly #narrow: NarrowIntegers;
  readonly #region: ir.Region;
  readonly #analysis: KernelAnalysis;
  readonly #vectors: Vectors;
  readonly #streams: boolean;
  /** Work-items of a row of the group, if that is known or likely. */
  readonly #rowLength: number;

  constructor(fn: ir.Function, region: ir.Region, analysis: KernelAnalysis, addressBits: 32 | 64) {
    const { uniformity, transposed } = findTransposedLoopsIn(region, analysis, addressBits);
    this.uniformity = uniformity;
    this.#transposed = transposed;
    const isVarying = (value: ir.Value): boolean => uniformity.of(value).kind === 'varying';
    this.#narrow = findNarrowIntegers(region, analysis.definitions, isVarying);
    this.#region = region;
    this.#analysis = analysis;
    this.#vectors = analysis.target.vectors;
    this.#vectorLoops = findVectorLoops(region, analysis.definitions, analysis.memory, this.#vectors);
    this.#streams = analysis.hasLongRows && isStreaming(region, analysis.plain, uniformity, this.#vectors);
    const { requiredWorkGroupSize, rowLength } = fn.attributes ?? {};
    this.#rowLength =
      requiredWorkGroupSize?.[0] ??
      rowLength ??
      (fn.body && analysis.target.likelyRowLength?.(fn.body)) ??
      Number.POSITIVE_INFINITY;
  }

  run(explain: boolean, always: boolean): LoopPlan {
    const { factors } = this.#vectors;
    const limits = this.#limits();
    const lanes = factors.findLast((factor) => limits.every((limit) => factor <= limit.lanes));
    if (lanes === undefined) {
      const refusal = { reason: limits.find((limit) => limit.lanes < factors[0]!)!.reason, at: undefined };
      return { lanes, refusal, candidates: [] };
    }
    // With fewer lanes, those that are not taken wait for less.
    const tried = factors.filter((factor) => factor <= lanes && (factor >= this.#least || factor === lanes));
    const isWorth = (factor: LaneCount): boolean =>
      this.#ratioOf(factor, this.#modelOf(factor)) < thresholds.worthVectors;
    const chosen = always ? lanes : tried.findLast(isWorth);
    if (chosen !== undefined) {
      const candidates = explain ? this.#candidates(chosen, limits, undefined) : [];
      return { lanes: chosen, refusal: undefined, candidates };
    }
    const model = this.#modelOf(lanes);
    const reason = `${lanes} work-items at once would take ${this.#ratioOf(lanes, model).toFixed(2)} of the time of one by one`;
    const candidates = explain ? this.#candidates(lanes, limits, reason) : [];
    return { lanes: undefined, refusal: { reason, at: model.costliest }, candidates };
  }

  /** What a work-item takes with so many lanes, against one by one. */
  #ratioOf(lanes: LaneCount, { vector, scalar }: CostModel): number {
    const { workItem } = this.#analysis.target.costs;
    return (vector + workItem) / ((scalar + workItem) * lanes);
  }

  #modelOf(lanes: LaneCount): CostModel {
    const { definitions, target } = this.#analysis;
    const model = new CostModel({
      uniformity: this.uniformity,
      definitions,
      transposed: this.#transposed,
      lanes,
      target,
      narrow: this.#narrow,
      vectorLoops: this.#vectorLoops,
    });
    model.region(this.#region, 1, false);
    return model;
  }

  #registersAt(lanes: number): number {
    return registerPressure(this.#region, this.uniformity, this.#streams ? 1 : lanes, this.#vectors);
  }

  /** All that says how many lanes there are at most. */
  #limits(): readonly LaneLimit[] {
    const lanes = this.#rowLength;
    const items = lanes === 1 ? 'one work-item' : `${lanes} work-items`;
    const ofRow = { lanes, reason: `a row has only ${items}` };
    const ofMachine = this.#analysis.target.mostLanes?.(this.#region);
    return [ofRow, ...(ofMachine ? [ofMachine] : []), this.#codeLimit()];
  }

  /** The most lanes that are good for the code, however long rows are. */
  #codeLimit(): LaneLimit {
    const fitting = this.#forRegisters(this.#forTransposedLoops(this.#fitting()));
    const wider = fitting.lanes * 2;
    if (!this.#vectors.factors.some((factor) => factor === wider)) return fitting;
    if (this.#streams) return { lanes: wider, reason: 'counting is shared by enough lanes' };
    if (this.#isCrowded(wider)) return { lanes: wider, reason: 'they are a line of the cache' };
    const waits =
      this.#analysis.isAlongRow && isWaiting(this.#region, this.uniformity, fitting.lanes, this.#vectors);
    return waits ? { lanes: wider, reason: 'its loops no longer wait for their sums' } : fitting;
  }

  /**
   * Whether the rows that are touched do not find room in the cache together, so that each vector fetches its lines again; with twice the
   * lanes it takes more of them.
   */
  #isCrowded(wider: number): boolean {
    const { cache } = this.#analysis.target;
    if ((thresholds.registersOfValue * this.#vectors.bits) / 8 >= cache.line) return false;
    const rows = rowsTouched(this.#region, this.uniformity, this.#analysis);
    return rows > cache.ways && this.#registersAt(wider) <= this.#vectors.mostTimes * this.#vectors.registers;
  }

  /** Two registers for most of the values. */
  #fitting(): LaneLimit {
    let wide = 0;
    let small = 0;
    let all = 0;
    walkRegion(this.#region, ({ results }) => {
      for (const result of results.filter((each) => this.uniformity.of(each).kind === 'varying')) {
        const bits = this.#narrow.bitsOf(result);
        const count = lanesOf(result.type);
        all += count;
        if (bits === 64) wide += count;
        else if (bits <= 16) small += count;
      }
    });
    const bits = wide * 2 > all ? 64 : small * 4 > all * 3 ? 16 : 32;
    const lanes = (thresholds.registersOfValue * this.#vectors.bits) / bits;
    return { lanes, reason: `values of ${bits} bits would fill more than two registers` };
  }

  /**
   * Half as many where the rows that a loop walks along, of which several iterations are loaded at once, would take more than half of the
   * registers. Fewer rows at a time also find room in the cache when they lie a power of two apart.
   */
  #forTransposedLoops(limit: LaneLimit): LaneLimit {
    const { shuffleBits, registers } = this.#vectors;
    const isTooMuch = [...this.#transposed.loops.values()].some(
      ({ bytes }) => (limit.lanes * bytes * 8) / shuffleBits > registers / 2,
    );
    if (!isTooMuch || limit.lanes <= this.#least) return limit;
    return { lanes: limit.lanes / 2, reason: 'more rows of memory at a time would fill the registers' };
  }

  /** A register a value where more would want several times the registers there are, as sums of many vectors do. */
  #forRegisters(limit: LaneLimit): LaneLimit {
    if (limit.lanes <= this.#least) return limit;
    const { registers, mostTimes, mostCarried } = this.#vectors;
    const wanted = registerPressure(this.#region, this.uniformity, limit.lanes, this.#vectors);
    const carried = carriedRegisters(this.#region, this.uniformity, limit.lanes, this.#vectors);
    if (wanted <= mostTimes * registers && carried <= mostCarried) return limit;
    const reason = wanted <= mostTimes * registers ? `carry ${carried}` : `want ${wanted}`;
    return { lanes: this.#least, reason: `${limit.lanes} lanes would ${reason} registers` };
  }

  /** Lanes of 32 bits in a register. */
  get #least(): number {
    return this.#vectors.bits / 32;
  }

  /** Every factor with its score. */
  #candidates(chosen: LaneCount, limits: readonly LaneLimit[], tooSlow: string | undefined): Candidate[] {
    const { workItem } = this.#analysis.target.costs;
    const scalar = this.#modelOf(chosen).scalar + workItem;
    const wide = this.#vectors.factors.map((lanes): Candidate => {
      const model = this.#modelOf(lanes);
      const cost = (model.vector + workItem) / lanes;
      return {
        lanes,
        rows: 1,
        cost,
        registers: this.#registersAt(lanes),
        rejected: lanes === chosen ? tooSlow : this.#rejectionOf(lanes, chosen, limits, cost >= scalar),
        costliest: model.costliest,
      };
    });
    const isFaster = wide.some(({ lanes, cost }) => lanes === chosen && cost < scalar);
    const rejected = tooSlow ? undefined : isFaster ? 'vectors are faster' : 'vectors are asked for';
    const vectorLoops = this.#vectorLoops.size;
    return [
      { lanes: 1, rows: 1, cost: scalar, registers: 0, vectorLoops, rejected, costliest: undefined },
      ...wide,
    ];
  }

  #rejectionOf(lanes: LaneCount, chosen: LaneCount, limits: readonly LaneLimit[], isSlow: boolean): string {
    if (isSlow) return 'slower than one by one';
    const limit = limits.find((each) => lanes > each.lanes);
    if (limit) return limit.reason;
    return lanes > chosen ? 'waits for more lanes' : 'shares less';
  }
}

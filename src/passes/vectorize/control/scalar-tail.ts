/**
 * Scalar tails: the last lanes of loops with divergent exits.
 *
 *     while (n % d) d += 2;                      loop {
 *                                                  ... for all lanes of %live ...
 *     One work-item may go on for long             every 12 iterations: if (count %live <= 2) break
 *     when the others have left; vectors         }
 *     are expensive for one.                     for each lane of %live that is left: the loop as it was, on scalars
 *
 * So a vector never takes much longer than its work-items would take one by one. What the loop uses of values that differ
 * from lane to lane lies in memory for that, a vector each, from which every lane takes its own; what it comes to is
 * collected likewise.
 *
 * No general transformation can do it when compiling: which lanes go on, and how long, is known only while the loop runs.
 *
 * Only loops of computations, loads and stores are continued so. In others work-items may wait for each other, which a
 * vector lets them do while all of them advance.
 */

import { cloneInstruction } from '../../../ir/clone.ts';
import { isComputation } from '../../../ir/computation.ts';
import { isPure } from '../../../ir/effects.ts';
import type * as ir from '../../../ir/ir.ts';
import { countInstructions } from '../../../ir/regions.ts';
import { i32, type VectorType, vectorType } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import { thresholds } from '../../analysis/cost/thresholds.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Variable, VectorWriter } from '../emit/vector-writer.ts';
import { type Cells, cellsOf, emptyCells, loadCell, loadCells, storeCell } from '../memory/lane-cells.ts';
import { type Carried, type Exit, noLanes, receive } from './carried-values.ts';

/** When a loop is left to single lanes. */
export interface ScalarTails {
  /** So many lanes are few. */
  readonly few: number;
  /** How many iterations it takes until it is asked how many are left, and again. Asking costs, and the last lanes of many loops do not stay for long. */
  readonly iterations: number;
}

/** What a loop keeps for that. */
export interface Leaving extends ScalarTails {
  /** The mask of the lanes that go on alone. */
  readonly left: Variable;
  /** How many iterations there are until it is asked. */
  readonly until: Variable;
}

export function leavingOf(writer: VectorWriter, last: ScalarTails): Leaving {
  const until = writer.variableOf(i32, 'until', writer.int(i32, last.iterations));
  return { ...last, left: noLanes(writer), until };
}

/** Whether what remains of a loop may be done by one work-item after another. */
export function canGoOnAlone(context: VectorContext, loop: ir.Loop): boolean {
  if (countInstructions(loop.regions[0]!) > thresholds.mostTwice) return false;
  const inside = new Set<ir.Instruction>([loop]);
  let can = true;
  walkRegion(loop.regions[0]!, (instruction) => {
    inside.add(instruction);
    can &&= isOwn(context, instruction, inside);
  });
  const ends = [loop, ...endsOutside(loop)];
  return (
    can &&
    ends.every(({ results }) => results.every((result) => context.shapeOf(result).kind !== 'affine')) &&
    outsideOf(loop).every((value) => context.vectorised(value).kind !== 'array')
  );
}

/** Whether an instruction does on the scalars of one lane what it does for the work-item that it was written for. */
function isOwn(
  context: VectorContext,
  instruction: ir.Instruction,
  inside: ReadonlySet<ir.Instruction>,
): boolean {
  switch (instruction.op) {
    case 'if':
    case 'switch':
    case 'block':
    case 'loop':
    case 'yield':
    case 'unreachable':
      return true;
    case 'break':
      return inside.has(instruction.target) || context.uniformity.isDivergent(instruction.target);
    case 'continue':
      return inside.has(instruction.target);
    case 'load':
    case 'store':
      return !instruction.volatile;
    case 'query':
      // Ids are those of the first lane in a vector.
      return context.shapeOf(instruction.results[0]!).kind === 'uniform';
    case 'item_address':
      return false;
    case 'call':
      return isComputation(instruction.callee);
    default:
      return isPure(instruction);
  }
}

/** The structures around the loop that it is left for. */
function endsOutside(loop: ir.Loop): (ir.Block | ir.Loop)[] {
  const inside = new Set<ir.Instruction>([loop]);
  const found = new Set<ir.Block | ir.Loop>();
  walkRegion(loop.regions[0]!, (instruction) => {
    inside.add(instruction);
    if (instruction.op === 'break' && !inside.has(instruction.target)) found.add(instruction.target);
  });
  return [...found];
}

/** The values that the loop uses and does not define. */
function outsideOf(loop: ir.Loop): ir.Value[] {
  const own = new Set<ir.Value>();
  const used = new Set<ir.Value>();
  for (const parameter of loop.regions[0]!.parameters) own.add(parameter);
  walkRegion(loop.regions[0]!, ({ operands, results, regions }) => {
    for (const value of [...results, ...regions.flatMap(({ parameters }) => parameters)]) own.add(value);
    for (const value of operands) used.add(value);
  });
  return [...used].filter((value) => !own.has(value));
}

/**
 * Writes, at the end of an iteration, that the loop ends when few lanes are left; asked every so many iterations.
 * @param live the lanes of the next iteration
 */
export function leaveFew(
  writer: VectorWriter,
  loop: ir.Loop,
  live: ir.Value,
  { few, iterations, left, until }: Leaving,
): void {
  const next = writer.binary('isub', writer.read(until), writer.int(i32, 1));
  writer.write(until, next);
  const isTime = writer.if(writer.compare('eq', next, writer.int(i32, 0)));
  writer.within(isTime.regions[0]!, () => {
    writer.write(until, writer.int(i32, iterations));
    const areFew = writer.if(writer.compare('sle', writer.count(live), writer.int(i32, few)));
    writer.within(areFew.regions[0]!, () => {
      writer.write(left, live);
      writer.break(loop);
    });
    writer.within(areFew.regions[1]!, () => writer.yield());
    writer.yield();
  });
  writer.within(isTime.regions[1]!, () => writer.yield());
}

/**
 * Writes, behind the loop, what its last lanes do.
 * @param parameters those of the loop, as they were when it ended
 * @param exitOf what the loop comes to, and structures around it that it is left for
 */
export function goOnAlone(
  context: VectorContext,
  loop: ir.Loop,
  parameters: readonly Carried[],
  exitOf: (structure: ir.Block | ir.Loop) => Exit,
  { left }: Leaving,
): void {
  const { writer } = context;
  const mask = writer.read(left);
  const branch = writer.if(writer.any(mask));
  writer.within(branch.regions[0]!, () => {
    for (const parameter of parameters) receive(context, parameter);
    const ends = [loop, ...endsOutside(loop)].map(
      (structure) => new End(context, structure, exitOf(structure)),
    );
    const starts = parameters.map(({ source }) => ownValue(context, source));
    const outside = outsideOf(loop).map((value) => [value, ownValue(context, value)] as const);
    // Where each lane is: 0 for those that had left before, then the number of the end that it has come to.
    const state = cellsOf(writer, writer.convert('sext', mask, vectorType(i32, writer.lanes)));
    forEachLane(writer, (lane) => {
      const goesOn = writer.if(writer.compare('ne', loadCell(writer, state, lane), writer.int(i32, 0)));
      writer.within(goesOn.regions[0]!, () => {
        const values = new Map(outside.map(([value, ownOf]) => [value, ownOf(lane)]));
        const operands = starts.map((ownOf) => ownOf(lane));
        const done = writer.block();
        writer.within(done.regions[0]!, () => {
          writeEnds(writer, ends, values, operands, (end, results) => {
            end.keep(lane, results);
            storeCell(writer, state, lane, writer.int(i32, ends.indexOf(end) + 1));
            writer.break(done);
          });
        });
        writer.yield();
      });
      writer.within(goesOn.regions[1]!, () => writer.yield());
    });
    const states = loadCells(writer, state);
    ends.forEach((end, at) => {
      const isAll = ends.length === 1;
      end.arrive(isAll ? mask : writer.compare('eq', states, writer.once(states.type, at + 1)));
    });
    writer.yield();
  });
  writer.within(branch.regions[1]!, () => writer.yield());
}

/**
 * Writes the loop for one work-item, with a block around it for each structure that it is left for, and behind each what
 * is to be done when it has been.
 */
function writeEnds(
  writer: VectorWriter,
  [itself, ...others]: readonly End[],
  values: Map<ir.Value, ir.Value>,
  operands: ir.Value[],
  arrive: (end: End, results: readonly ir.Value[]) => void,
): void {
  const targets = new Map<ir.Instruction, ir.Instruction>();
  const write = (at: number): void => {
    const end = others[at];
    if (!end) {
      const copy = cloneInstruction(itself!.structure, values, targets);
      copy.operands = operands;
      writer.append(copy);
      arrive(itself!, copy.results);
      return;
    }
    const block = writer.block(end.structure.results.map(({ type }) => type));
    targets.set(end.structure, block);
    writer.within(block.regions[0]!, () => write(at + 1));
    arrive(end, block.results);
  };
  write(0);
}

/** Where lanes come to when they leave the loop: its own end, or that of a structure around it. */
class End {
  readonly structure: ir.Block | ir.Loop;
  readonly #context: VectorContext;
  readonly #exit: Exit;
  /** For each result its components; none for one that is the same for all lanes. */
  readonly #results: readonly (readonly Cells[] | undefined)[];

  constructor(context: VectorContext, structure: ir.Block | ir.Loop, exit: Exit) {
    const { writer } = context;
    this.structure = structure;
    this.#context = context;
    this.#exit = exit;
    this.#results = exit.results.map(({ source, variables }) =>
      context.shapeOf(source).kind === 'varying'
        ? variables.map(({ type }) => emptyCells(writer, type as VectorType))
        : undefined,
    );
  }

  /** Writes that a lane has come here with these values. */
  keep(lane: ir.Value, values: readonly ir.Value[]): void {
    const { writer } = this.#context;
    values.forEach((value, at) => {
      const cells = this.#results[at];
      if (!cells) {
        writer.write(this.#exit.results[at]!.variables[0]!, value);
        return;
      }
      const scalar =
        value.type.kind === 'pointer' ? writer.convert('ptoi', value, writer.addressType) : value;
      cells.forEach((one, component) => {
        const own = value.type.kind === 'vector' ? writer.extract(scalar, component) : scalar;
        storeCell(writer, one, lane, own);
      });
    });
  }

  /** Writes that the lanes of the mask go on from here with what was kept. */
  arrive(mask: ir.Value): void {
    const { writer } = this.#context;
    const { results, arrived } = this.#exit;
    this.#results.forEach((cells, at) => {
      cells?.forEach((one, component) => {
        writer.blend(results[at]!.variables[component]!, loadCells(writer, one), mask);
      });
    });
    if (arrived) writer.include(arrived, mask);
  }
}

function forEachLane(writer: VectorWriter, body: (lane: ir.Value) => void): void {
  const { addressType, lanes } = writer;
  const loop = writer.loop([writer.int(addressType, 0)]);
  const [region] = loop.regions as [ir.Region];
  const lane = region.parameters[0]!;
  writer.loops += 1;
  writer.within(region, () => {
    body(lane);
    const next = writer.binary('iadd', lane, writer.int(addressType, 1));
    const more = writer.if(writer.compare('ult', next, writer.int(addressType, lanes)));
    writer.within(more.regions[0]!, () => writer.yield());
    writer.within(more.regions[1]!, () => writer.break(loop));
    writer.continue(loop, [next]);
  });
  writer.loops -= 1;
}

/** Prepares a value for being split; what comes back writes the value of one lane. */
function ownValue(context: VectorContext, value: ir.Value): (lane: ir.Value) => ir.Value {
  const { writer } = context;
  const { type } = value;
  const vectorised = context.vectorised(value);
  if (vectorised.kind === 'uniform') return () => vectorised.value;
  const cells = context.parts(value).map((part) => cellsOf(writer, part));
  return (lane) => {
    const scalars = cells.map((one) => loadCell(writer, one, lane));
    if (type.kind === 'vector') return writer.build(type, scalars);
    return type.kind === 'pointer' ? writer.convert('itop', scalars[0]!, type) : scalars[0]!;
  };
}

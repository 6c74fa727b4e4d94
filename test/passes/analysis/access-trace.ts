/**
 * What the access map and the loop nests claim of a kernel, against what the interpreter does: before each access is a marker that
 * tells its address, before each loop and at the head of its body one that counts. Addresses are then compared between iterations that
 * differ in one loop only, those over work-items and groups among them.
 */
import { Builder, newRegion, newValue } from '../../../src/ir/builder.ts';
import type { Group, WorkItem } from '../../../src/ir/interpreter/state.ts';
import { Interpreter, InterpreterError, type LaunchArgument } from '../../../src/ir/interpreter.ts';
import type * as ir from '../../../src/ir/ir.ts';
import { i32, i64, pointerType } from '../../../src/ir/types.ts';
import { assertValid } from '../../../src/ir/verify.ts';
import { type Access, accessMap } from '../../../src/passes/analysis/access-map.ts';
import { Analyses } from '../../../src/passes/analysis/analyses.ts';
import { type Carried, dependences } from '../../../src/passes/analysis/dependences.ts';
import { acrossOf, enclosing, isWithin, type NestLoop } from '../../../src/passes/analysis/loop-nests.ts';

export interface TraceRange {
  readonly global: readonly number[];
  readonly local: readonly number[];
}

export interface TraceResult {
  /** What is claimed and not so. */
  readonly wrong: string[];
  /** How many pairs of addresses a number was claimed of, and how many an unknown distance. */
  readonly numbers: number;
  readonly unknowns: number;
  /** How many loops were begun whose trip count is claimed. */
  readonly trips: number;
  /** How many pairs of accesses that touch one place were compared with what is said of their dependence. */
  readonly meetings: number;
  /** How many accesses of rows of work-items were claimed to be done by all of them. */
  readonly whole: number;
}

type Site =
  | { readonly kind: 'access'; readonly access: Access }
  | { readonly kind: 'enter' | 'iterate' | 'leave'; readonly loop: ir.Loop };

/** Where in the nest an event happened: the iteration of each loop around it, from the innermost outwards. */
interface Event {
  readonly at: readonly number[];
  readonly address: number;
}

/** Steps that a launch may take; what has been traced until then is compared. */
const mostSteps = 500_000;
const mostEvents = 3000;
/** Later iterations of a loop are not compared. */
const mostIterations = 6;

/** @param makeArguments is given the interpreter to allocate buffers in */
export function checkClaims(
  module: ir.Module,
  kernel: ir.Function,
  range: TraceRange,
  makeArguments: (machine: Interpreter) => LaunchArgument[],
): TraceResult {
  const analyses = new Analyses(kernel);
  const map = analyses.get(accessMap[module.addressBits]);
  // All is asked before the markers change the function.
  const claims = new Map(
    map.accesses.map((access) => {
      const loops = enclosing(access.loop);
      const strides = loops.map((loop) => map.along(access, loop));
      const isMasked = acrossOf.map((across) => map.isMasked(access, across));
      return [access, { loops, strides, isMasked }] as const;
    }),
  );
  const pairs = pairClaims(analyses, module.addressBits);
  const trips = new Map(
    map.nests.loops.map((loop) => [loop.instruction, { loop, count: map.nests.tripCount(loop) }]),
  );
  const trace = newValue(pointerType('global'), 'trace');
  const sites = addMarkers(module, kernel, trace, (instruction) => map.of(instruction));
  assertValid(module, 'markers');

  const events = new Map<Access, Event[]>();
  /** By loop, and by where it was begun, how often its body was. */
  const begun = new Map<ir.Loop, Map<string, number[]>>();
  const iterations = new WeakMap<WorkItem, Map<ir.Loop, number>>();
  let current: Site | undefined;
  const placeOf = (loops: readonly NestLoop[], item: WorkItem): number[] => {
    const own = iterations.get(item);
    return loops.map((loop) => {
      if (loop.kind === 'group') return item.group.id[loop.dimension];
      if (loop.kind === 'item') return item.localId[loop.dimension];
      return own?.get(loop.instruction) ?? -1;
    });
  };
  const note = (site: Site, bytes: Uint8Array, item: WorkItem): void => {
    if (!isFull(item.group)) return;
    if (site.kind === 'access') {
      const list = events.get(site.access) ?? [];
      events.set(site.access, list);
      if (list.length >= mostEvents) return;
      const { loops } = claims.get(site.access)!;
      const at = placeOf(loops, item);
      if (loops.some(({ kind }, index) => kind === 'loop' && at[index]! >= mostIterations)) return;
      list.push({ at, address: new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true) });
      return;
    }
    let own = iterations.get(item);
    if (!own) {
      own = new Map();
      iterations.set(item, own);
    }
    if (site.kind === 'enter') own.set(site.loop, -1);
    else if (site.kind === 'iterate') own.set(site.loop, own.get(site.loop)! + 1);
    else {
      const { loop } = trips.get(site.loop)!;
      // All work-items of a group are compared.
      const around = enclosing(loop.parent).filter(({ kind }) => kind !== 'item');
      const list = begun.get(site.loop) ?? new Map<string, number[]>();
      begun.set(site.loop, list);
      const key = placeOf(around, item).join();
      list.set(key, [...(list.get(key) ?? []), own.get(site.loop)! + 1].slice(-64));
    }
  };
  const machine = new Interpreter(module, {
    maximumSteps: mostSteps,
    counter: (instruction) => {
      const site = sites.get(instruction);
      return () => {
        current = site;
      };
    },
    observer: () => ({
      read: () => {},
      write: (_allocation, _offset, bytes, item) => {
        if (current) note(current, bytes, item);
        current = undefined;
      },
      atomic: () => {},
    }),
  });
  const args = makeArguments(machine);
  const scratch = machine.allocate('global', new Uint8Array(16));
  let isComplete = true;
  try {
    machine.launch(kernel.name, { globalSize: [...range.global], localSize: [...range.local] }, [
      ...args,
      { kind: 'address', address: scratch },
    ]);
  } catch (error) {
    if (!(error instanceof InterpreterError) || !/too many steps/.test(error.message)) throw error;
    isComplete = false;
  }

  const result = { wrong: [] as string[], numbers: 0, unknowns: 0, trips: 0, whole: 0, meetings: 0 };
  for (const [access, list] of events) {
    const { loops, strides, isMasked } = claims.get(access)!;
    const name = `${access.instruction.op} of %${access.pointer.name ?? '?'}`;
    loops.forEach((loop, index) => {
      const stride = strides[index]!;
      const where = `${name} along ${titleOf(loop)}`;
      const step = loop.kind === 'item' ? loop.step : 1;
      for (const row of groupedBut(list, index).values()) {
        if (stride !== 'varying') compareRow(row, index, step, stride, where, result);
        if (isComplete && loop.kind === 'item' && !isMasked[loop.dimension]) {
          result.whole += 1;
          const size = range.local[loop.dimension] ?? 1;
          const most = Math.floor(size / step);
          // Where vectors do the others, what is left of a group is less than a vector.
          const lanes = (loop.dimension === 0 && loop.instruction?.lanes) || size;
          const isLeft = row.length % lanes === most % lanes;
          if (list.length < mostEvents && step === 1 && row.length % most !== 0 && !isLeft) {
            result.wrong.push(`${where}: ${row.length} of ${most} do it, and it is not masked`);
          }
        }
      }
    });
  }
  for (const pair of pairs) compareMeetings(pair, events.get(pair.first), events.get(pair.second), result);
  for (const [instruction, list] of begun) {
    const { loop, count } = trips.get(instruction)!;
    for (const counts of list.values()) {
      for (const bodies of counts) {
        result.trips += 1;
        const { counted } = loop;
        if (count.kind === 'constant') {
          const expected = count.count + (counted!.isAtEnd ? 0 : 1);
          if (count.isExact ? bodies !== expected : bodies > expected)
            result.wrong.push(`${titleOf(loop)}: ${bodies} bodies, ${expected} expected`);
        }
        if (count.kind === 'uniform' && count.isExact && !isWideIn(loop) && bodies !== counts[0])
          result.wrong.push(`${titleOf(loop)}: uniform, but ${bodies} and ${counts[0]}`);
      }
    }
  }
  return result;
}

/** What is said of two accesses that may meet. */
interface PairClaim {
  readonly first: Access;
  readonly second: Access;
  readonly isMetWithin: boolean;
  /** Along the loops that are around both, outermost first. */
  readonly carried: readonly (readonly [NestLoop, Carried])[];
}

const mostPairs = 400;
const mostMeetings = 500;

/** Of all pairs, also those that may not meet. */
function pairClaims(analyses: Analyses, addressBits: 32 | 64): PairClaim[] {
  const { accesses } = analyses.get(accessMap[addressBits]);
  const known = analyses.get(dependences[addressBits]);
  const claims: PairClaim[] = [];
  for (const [index, second] of accesses.entries()) {
    for (const first of accesses.slice(0, index + 1)) {
      if (claims.length >= mostPairs || (first.kind === 'read' && second.kind === 'read')) continue;
      const common = enclosing(first.loop).filter((loop) => isWithin(second.loop, loop));
      const carried = common.reverse().map((loop) => [loop, known.carried(first, second, loop)] as const);
      claims.push({ first, second, isMetWithin: known.mayMeetWithin(first, second), carried });
    }
  }
  return claims;
}

/** Finds the places that both accesses touch, and what is wrong of what is said of that. */
function compareMeetings(
  { first, second, isMetWithin, carried }: PairClaim,
  ofFirst: readonly Event[] = [],
  ofSecond: readonly Event[] = [],
  result: { wrong: string[]; meetings: number },
): void {
  const touched = new Map<number, Event[]>();
  for (const event of ofFirst.slice(0, mostMeetings)) {
    for (let byte = 0; byte < (first.bytes ?? 1); byte += 1) {
      const list = touched.get(event.address + byte);
      if (list) list.push(event);
      else touched.set(event.address + byte, [event]);
    }
  }
  const iteration = ({ at }: Event, loop: NestLoop): number => at[at.length - 1 - loop.depth]!;
  const what = `${first.kind} of %${first.pointer.name ?? '?'}, ${second.kind} of %${second.pointer.name ?? '?'}`;
  for (const later of ofSecond.slice(0, mostMeetings)) {
    for (let byte = 0; byte < (second.bytes ?? 1); byte += 1) {
      for (const event of (touched.get(later.address + byte) ?? []).slice(0, 40)) {
        const found = carried.find(([loop]) => iteration(event, loop) !== iteration(later, loop));
        result.meetings += 1;
        if (!found) {
          if (!isMetWithin) result.wrong.push(`${what}: meet within an iteration`);
          continue;
        }
        const [loop, { kind, ...rest }] = found;
        // The interpreter gives memory of one work-item or group to the next.
        const { space } = first.root;
        if (space === 'private' ? loop.kind !== 'loop' : space === 'local' && loop.kind === 'group') continue;
        const step = loop.kind === 'item' ? loop.step : 1;
        const distance = (iteration(later, loop) - iteration(event, loop)) / step;
        const isWrong = kind === 'none' || ('iterations' in rest && rest.iterations !== distance);
        if (isWrong) result.wrong.push(`${what}: ${kind}, but ${distance} along ${titleOf(loop)}`);
        if (result.wrong.length > 20) return;
      }
    }
  }
}

/** Whether work-items run as vectors in it: one that runs alone afterwards is not to be compared with them. */
function isWideIn(loop: NestLoop): boolean {
  return enclosing(loop).some((one) => one.kind === 'item' && one.step > 1);
}

function isFull({ size, launch }: Group): boolean {
  return size.every((one, dimension) => one === launch.localSize[dimension]);
}

export function titleOf(loop: NestLoop): string {
  if (loop.kind === 'loop')
    return `loop with ${loop.instruction.regions[0]!.parameters.map(({ name }) => name).join()}`;
  return `${loop.kind} ${loop.dimension}`;
}

/** Events that differ in one loop only. */
function groupedBut(list: readonly Event[], index: number): Map<string, Event[]> {
  const groups = new Map<string, Event[]>();
  for (const event of list) {
    const key = event.at.filter((_, at) => at !== index).join();
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return groups;
}

function compareRow(
  row: readonly Event[],
  index: number,
  step: number,
  stride: number | 'unknown',
  where: string,
  result: { wrong: string[]; numbers: number; unknowns: number },
): void {
  const [first] = row as [Event];
  let each: number | undefined = stride === 'unknown' ? undefined : stride;
  for (const { at, address } of row) {
    const distance = at[index]! - first.at[index]!;
    if (distance % step !== 0) continue;
    const iterations = distance / step;
    if (stride === 'unknown') {
      if (each === undefined && iterations === 1) each = (address - first.address) | 0;
      if (each === undefined) continue;
      result.unknowns += 1;
    } else if (iterations !== 0) result.numbers += 1;
    const expected = (first.address + Math.imul(each!, iterations)) | 0;
    if (expected === (address | 0)) continue;
    result.wrong.push(
      `${where}: stride ${stride} (${each}), but ${address - first.address} after ${iterations}`,
    );
    if (result.wrong.length > 20) return;
  }
}

/** Adds what stores to `trace`, a further parameter; gives what each of these instructions marks. */
function addMarkers(
  module: ir.Module,
  kernel: ir.Function,
  trace: ir.Value,
  accessesOf: (instruction: ir.Instruction) => readonly Access[],
): Map<ir.Instruction, Site> {
  const sites = new Map<ir.Instruction, Site>();
  const addressType = module.addressBits === 32 ? i32 : i64;
  kernel.parameters.push({ value: trace });
  const visit = (region: ir.Region, loop: ir.Loop | undefined): void => {
    const output = newRegion();
    const builder = new Builder(output, module.addressBits);
    const mark = (site: Site, value?: ir.Value): void => {
      builder.store(trace, value ?? builder.integer(addressType, 0), 4);
      sites.set(output.instructions.at(-1)!, site);
    };
    if (loop) mark({ kind: 'iterate', loop });
    for (const instruction of region.instructions) {
      for (const access of accessesOf(instruction)) {
        if (access.pointer.type.kind !== 'pointer') continue;
        mark({ kind: 'access', access }, builder.convert('ptoi', access.pointer, addressType));
      }
      if (instruction.op === 'loop') mark({ kind: 'enter', loop: instruction });
      for (const nested of instruction.regions) {
        visit(nested, instruction.op === 'loop' ? instruction : undefined);
      }
      builder.append(instruction);
      if (instruction.op === 'loop' && !endsAlways(region, instruction))
        mark({ kind: 'leave', loop: instruction });
    }
    region.instructions = output.instructions;
  };
  visit(kernel.body!, undefined);
  return sites;
}

/** Whether an instruction is the last but an unreachable end. */
function endsAlways(region: ir.Region, instruction: ir.Instruction): boolean {
  return region.instructions.at(-1) === instruction;
}

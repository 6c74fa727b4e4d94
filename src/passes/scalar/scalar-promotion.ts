/**
 * Memory at one place that a loop reads, or reads and writes, in every iteration becomes a value:
 *
 *                                               if (slt %first, %n) {
 *     loop @l (%k = %first) {                     %s0 = load %p
 *       if (slt %k, %n) { yield }                 %k', %sum = loop @l (%k = %first, %s = %s0) {
 *       else { break @l }                           if (slt %k, %n) { yield } else { break @l %s }
 *       %a = load (offset %q, %k)          =>       %a = load (offset %q, %k)
 *       store %p, (fadd (load %p), %a)              continue @l (iadd %k, 1), (fadd %s, %a)
 *       continue @l (iadd %k, 1)                  }
 *     }                                           store %p, %sum
 *                                               } else { yield }
 *
 * The condition keeps a loop without iterations from touching the memory. licm moves loads to where they were certain to run anyway; in
 * a loop that tests first none is, and it moves no stores.
 *
 * It asks that nothing else in the loop may touch the place (alias.ts), that the loop is left by its test alone, which comes first, and
 * that the place is touched wherever an iteration comes through. What other work-items see meanwhile is theirs to
 * order: loops with barriers, fences and atomic operations stay as they are.
 */
import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { effectsOf, isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { sizeOf } from '../../ir/types.ts';
import { replaceOperands, walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { append } from '../../source/lists.ts';
import { Memory, mayAlias } from '../analysis/alias.ts';
import { type BoundedLoop, findAnyBound } from '../analysis/counted-loops.ts';
import { evaluate } from './constant-folding/evaluate.ts';

/** So many places of a loop become values; more would not find registers. */
const mostPlaces = 16;

/** A loop with more accesses stays as it is: each place is compared with all others. */
const mostAccesses = 256;

export function promoteScalars(fn: ir.Function, addressBits: 32 | 64): void {
  if (!fn.body) return;
  const definitions = findDefinitions(fn.body);
  const memory = new Memory(fn, definitions);
  walkRegionsInsideOut(fn.body, (region) => {
    if (!region.instructions.some(({ op }) => op === 'loop')) return;
    const output: ir.Instruction[] = [];
    for (const instruction of region.instructions) {
      const promoted = instruction.op === 'loop' && promoteIn(instruction, definitions, memory, addressBits);
      if (!promoted) output.push(instruction);
      else {
        walkRegion({ parameters: [], instructions: promoted }, (made) => {
          for (const result of made.results) definitions.set(result, made);
        });
        append(output, promoted);
      }
    }
    region.instructions = output;
  });
}

/** Changes a loop. @returns what takes its place; undefined if it stays as it is */
function promoteIn(
  loop: ir.Loop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  memory: Memory,
  addressBits: 32 | 64,
): ir.Instruction[] | undefined {
  const bounded = findAnyBound(loop, definitions);
  const places = bounded && findPlaces(bounded, memory, addressBits / 8);
  if (!places || places.length === 0) return undefined;
  const isAny = firstTest(bounded, definitions, addressBits);
  return isAny === false ? undefined : promote(bounded, places, isAny, addressBits);
}

// ------------------------------------------------------------------------------------------------ what may become a value

/** What an instruction of the loop does with memory. */
interface Access {
  readonly instruction: ir.Instruction;
  readonly pointer: ir.Value;
  /** Undefined where it is not known how much. */
  readonly bytes: number | undefined;
  readonly isWrite: boolean;
  /** It is done in each iteration, behind the test. */
  readonly isCertain: boolean;
}

/** One place, and the loads and stores of it, in their order. */
interface Place {
  readonly pointer: ir.Value;
  readonly type: ir.Value['type'];
  readonly align: number;
  readonly accesses: readonly (ir.Load | ir.Store)[];
  readonly isWritten: boolean;
}

function findPlaces({ loop, testAt }: BoundedLoop, memory: Memory, addressBytes: number): Place[] {
  const body = loop.regions[0]!;
  if (!body.instructions.slice(0, testAt).every(isPure)) return [];
  const accesses = findAccesses(body, testAt, addressBytes);
  if (!accesses || accesses.length > mostAccesses) return [];
  const inside = new Set<ir.Value>(body.parameters);
  walkRegion(body, ({ results, regions }) => {
    for (const result of results) inside.add(result);
    for (const { parameters } of regions) for (const parameter of parameters) inside.add(parameter);
  });
  const groups = new Map<ir.Value, Access[]>();
  for (const access of accesses) {
    if (inside.has(access.pointer)) continue;
    const group = groups.get(access.pointer);
    if (group) group.push(access);
    else groups.set(access.pointer, [access]);
  }
  const places: Place[] = [];
  for (const [pointer, group] of groups) {
    const place = placeOf(pointer, group);
    if (!place || places.length === mostPlaces) continue;
    const others = accesses.filter((access) => !group.includes(access));
    const isAlone = others.every(
      (other) => !(place.isWritten || other.isWrite) || !mayMeet(memory, group[0]!, other),
    );
    if (isAlone) places.push(place);
  }
  return places;
}

/** All accesses of a body in their order (functions that only compute read no memory that is written); undefined where something is ordered with what others do, or does what nobody knows. */
function findAccesses(body: ir.Region, testAt: number, addressBytes: number): Access[] | undefined {
  const accesses: Access[] = [];
  const always = new Set(body.instructions.slice(testAt + 1));
  let isKnown = true;
  walkRegion(body, (instruction) => {
    const { op, operands, results } = instruction;
    const { reads, writes, isFresh, acquires } = effectsOf(instruction);
    if (isFresh || acquires || writes === 'anywhere' || op === 'return' || op === 'unreachable')
      isKnown = false;
    const isCertain = always.has(instruction);
    const isOne = op === 'load' || (op === 'store' && !instruction.volatile);
    const type = op === 'store' ? operands[1]!.type : results[0]?.type;
    const bytes = isOne && type ? sizeOf(type, addressBytes) : undefined;
    if (op === 'copy') {
      accesses.push({ instruction, pointer: operands[1]!, bytes, isWrite: false, isCertain });
    } else if (reads === 'memory' && op !== 'call') {
      accesses.push({ instruction, pointer: operands[0]!, bytes, isWrite: false, isCertain });
    }
    if (writes === 'through first operand') {
      accesses.push({ instruction, pointer: operands[0]!, bytes, isWrite: true, isCertain });
    }
  });
  return isKnown ? accesses : undefined;
}

/** The accesses as those of one value, if they are: all stores of it come in each iteration, and something does. */
function placeOf(pointer: ir.Value, group: readonly Access[]): Place | undefined {
  if (!group.some(({ isCertain }) => isCertain)) return undefined;
  const accesses: (ir.Load | ir.Store)[] = [];
  let type: ir.Value['type'] | undefined;
  for (const { instruction, isCertain, bytes } of group) {
    if ((instruction.op !== 'load' && instruction.op !== 'store') || bytes === undefined) return undefined;
    const own = instruction.op === 'store' ? instruction.operands[1]!.type : instruction.results[0]!.type;
    type ??= own;
    if (own !== type || (instruction.op === 'store' && !isCertain)) return undefined;
    accesses.push(instruction);
  }
  const align = Math.max(...accesses.map((access) => access.align));
  return { pointer, type: type!, align, accesses, isWritten: accesses.some(({ op }) => op === 'store') };
}

/** Whether two accesses may have a byte in common, in whatever iterations. */
function mayMeet(memory: Memory, a: Access, b: Access): boolean {
  const [one, other] = [memory.placeOf(a.pointer), memory.placeOf(b.pointer)];
  if (one.base === other.base && a.bytes !== undefined && b.bytes !== undefined) {
    return one.offset < other.offset + b.bytes && other.offset < one.offset + a.bytes;
  }
  return mayAlias(memory.accessedBy(a.instruction, a.pointer), memory.accessedBy(b.instruction, b.pointer));
}

// ------------------------------------------------------------------------------------------------ the loop with values

/** The beginning of a first iteration, in front of the loop: what it computes up to the test. */
interface FirstTest {
  readonly instructions: ir.Instruction[];
  readonly condition: ir.Value;
  /** What values of the loop are there. */
  readonly values: ReadonlyMap<ir.Value, ir.Value>;
}

/** Whether there is a first iteration, if that is known; else what computes it. */
function firstTest(
  { loop, testAt }: BoundedLoop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  addressBits: 32 | 64,
): boolean | FirstTest {
  const { parameters, instructions } = loop.regions[0]!;
  const values = new Map(parameters.map((parameter, at) => [parameter, loop.operands[at]!]));
  const known = new Map<ir.Value, NonNullable<ReturnType<typeof evaluate>>>();
  const constantOf = (value: ir.Value): ReturnType<typeof evaluate> => {
    const definition = definitions.get(value);
    return known.get(value) ?? (definition?.op === 'constant' ? definition.value : undefined);
  };
  const copies = instructions.slice(0, testAt).map((instruction) => {
    const copy = cloneInstruction(instruction, values);
    const constant = copy.op === 'constant' ? copy.value : evaluate(copy, constantOf, addressBits);
    if (constant !== undefined) known.set(copy.results[0]!, constant);
    return copy;
  });
  const test = instructions[testAt]!.operands[0]!;
  const condition = values.get(test) ?? test;
  const constant = constantOf(condition);
  return constant === undefined ? { instructions: copies, condition, values } : Boolean(constant);
}

/** Changes the loop. @returns what takes its place */
function promote(
  { loop, testAt }: BoundedLoop,
  places: readonly Place[],
  isAny: true | FirstTest,
  addressBits: 32 | 64,
): ir.Instruction[] {
  const body = loop.regions[0]!;
  const [leave] = body.instructions[testAt]!.regions[1]!.instructions as [ir.Instruction];
  // Of a copy, as operands are added below.
  const left = [...leave.operands];
  const builder = new Builder(newRegion(), addressBits);
  const around = (): void => {
    const values = new Map<ir.Value, ir.Value>();
    const written: { place: Place; result: ir.Value }[] = [];
    for (const place of places) {
      // There is a first iteration. What it writes before it reads needs no value before: the memory may be nobody's yet.
      const isOverwritten = place.accesses[0]!.op === 'store';
      let current = isOverwritten
        ? builder.undefined(place.type)
        : builder.load(place.type, place.pointer, place.align);
      if (place.isWritten) {
        const parameter = newValue(place.type);
        const result = newValue(place.type);
        loop.operands.push(current);
        body.parameters.push(parameter);
        leave.operands.push(parameter);
        loop.results.push(result);
        written.push({ place, result });
        current = parameter;
      }
      for (const access of place.accesses) {
        if (access.op === 'load') values.set(access.results[0]!, current);
        else current = access.operands[1]!;
      }
      if (place.isWritten) body.instructions.at(-1)!.operands.push(current);
    }
    removeAccesses(body, new Set(places.flatMap(({ accesses }) => accesses)));
    replaceOperands(body, values);
    builder.append(loop);
    for (const { place, result } of written) builder.store(place.pointer, result, place.align);
  };
  if (isAny === true) {
    around();
    return builder.region.instructions;
  }
  append(builder.region.instructions, isAny.instructions);
  const outside = loop.results;
  const choice = builder.if(isAny.condition);
  choice.span = loop.span;
  choice.results = outside;
  loop.results = outside.map(({ type, name }) => newValue(type, name));
  const results = [...loop.results];
  builder.within(choice.regions[0]!, () => {
    around();
    builder.yield(results);
  });
  const given = left.map((value) => isAny.values.get(value) ?? value);
  builder.within(choice.regions[1]!, () => builder.yield(given));
  return builder.region.instructions;
}

function removeAccesses(region: ir.Region, accesses: ReadonlySet<ir.Instruction>): void {
  walkRegionsInsideOut(region, (nested) => {
    nested.instructions = nested.instructions.filter((instruction) => !accesses.has(instruction));
  });
}

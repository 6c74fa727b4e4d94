/**
 * Lets pointers go on by themselves in the vectorised loops that count for nothing but addresses, as along a tile:
 *
 *     loop @l (%s = %zero, %k = 0) {                loop @l (%s = %zero, %k = 0, %p = %row, %q = %column) {
 *       %more = ult %k, 16                            %more = ult %k, 16
 *       if %more { yield } else { break @l %s }       if %more { yield } else { break @l %s }
 *       %a = load (offset %row, %k * 4)         =>    %a = load %p
 *       %b = load (offset %column, %k * 64)           %b = load %q
 *       ...                                           ...
 *       continue @l %t, (iadd %k, 1)                  continue @l %t, (iadd %k, 1), (offset %p, 4), (offset %q, 64)
 *     }                                             }
 *
 * Engines multiply and add anew in every iteration, and in each of the iterations that they write after one another. A product of matrices
 * then has as many instructions for addresses as for loads, and no processor decodes them all in the time that its sums take.
 * Loops that need the counter for anything else, or an address that does not go evenly with it, stay as they are: the pointers
 * would come on top of it.
 */

import { Builder, newRegion, newValue } from '../../ir/builder.ts';
import { cloneInstruction } from '../../ir/clone.ts';
import { findDefinitions } from '../../ir/definitions.ts';
import { isPure } from '../../ir/effects.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, i64 } from '../../ir/types.ts';
import { walkRegion, walkRegionsInsideOut } from '../../ir/walk.ts';
import { wideRegions } from '../../ir/work-item-loops.ts';
import { append } from '../../source/lists.ts';
import type { PassWishes } from '../../target/target.ts';
import { type AffineForm, AffineForms } from '../analysis/affine-forms.ts';
import { type CountedLoop, findCount } from '../analysis/counted-loops.ts';

export function reduceStrength(fn: ir.Function, addressBits: 32 | 64, { carriedPointers }: PassWishes): void {
  if (!fn.body || carriedPointers === 0) return;
  const definitions = findDefinitions(fn.body);
  walkRegion(fn.body, (itemLoop) => {
    if (itemLoop.op !== 'work_item_loop') return;
    for (const vectorised of wideRegions(itemLoop)) {
      walkRegionsInsideOut(vectorised, (region) => {
        region.instructions = region.instructions.flatMap((loop) => {
          if (loop.op !== 'loop') return [loop];
          const counted = findCount(loop, definitions);
          const pointers = counted && findPointers(counted, definitions, carriedPointers);
          return pointers ? [...goOn(counted, pointers, addressBits), loop] : [loop];
        });
      });
    }
  });
}

/** Addresses that go on evenly from iteration to iteration, so many bytes apart. */
interface Pointer {
  /** The first of them. */
  readonly offset: ir.Instruction;
  /** Bytes an iteration. */
  readonly stride: number;
  /** The others, and the bytes between. */
  readonly others: readonly { readonly offset: ir.Instruction; readonly distance: number }[];
}

/** The addresses that a loop counts for; undefined if it counts for anything else, or for more than there are registers. */
function findPointers(
  counted: CountedLoop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  most: number,
): Pointer[] | undefined {
  const { loop, counter, step, testAt } = counted;
  const { parameters, instructions } = loop.regions[0]!;
  const last = instructions.at(-1)!;
  const test = instructions[testAt]!;
  if (instructions.some((one) => one !== test && one.regions.length > 0)) return undefined;
  const next = last.operands[parameters.indexOf(counter)]!;
  const changing = new Set([...parameters, ...instructions.flatMap(({ results }) => results)]);
  const forms = new AffineForms(definitions);
  const evenly = new Map<ir.Instruction, number>();
  for (const one of instructions) {
    if (one.op !== 'offset') continue;
    const { terms } = forms.of(one.results[0]!);
    const stride = terms.get(counter);
    const isEven = [...terms.keys()].every((term) => term === counter || !changing.has(term));
    if (stride !== undefined && isEven && isKnownBefore(one, counted, definitions))
      evenly.set(one, stride * step);
  }
  if (![...evenly.keys()].every(({ results: [result] }) => isLocal(result!))) return undefined;
  const isAtConstant = ({ operands: [, distance] }: ir.Instruction): boolean =>
    definitions.get(distance!)?.op === 'constant';

  // Whatever comes from the counter must lead to an address, or to the next iteration.
  const counting = new Set([counter]);
  const addresses: ir.Instruction[] = [];
  for (const one of instructions) {
    if (one === last) continue;
    const isCounting = one.operands.some((operand) => counting.has(operand));
    if (one === test) {
      if (one.regions[1]!.instructions.at(-1)!.operands.some((value) => counting.has(value)))
        return undefined;
      continue;
    }
    if (!isCounting) continue;
    const [result] = one.results;
    const isTest = result !== undefined && result === test.operands[0];
    if (isTest || result === next) continue;
    if (evenly.has(one) && !isBetween(one, instructions, evenly, isAtConstant)) addresses.push(one);
    else if (!result || !isPure(one) || result.type.kind === 'vector') return undefined;
    else counting.add(result);
  }
  const isHandedOn = last.operands.some((operand) => operand !== next && counting.has(operand));
  const isNextUsed = instructions.some(
    (one) =>
      one !== last && (one.operands.includes(next) || one.regions.some((region) => mentions(region, next))),
  );
  if (isHandedOn || isNextUsed || last.operands.filter((operand) => operand === next).length > 1)
    return undefined;
  const pointers = together(addresses, evenly, forms);
  return pointers.length > 0 && pointers.length <= most ? pointers : undefined;
}

/** Puts those together that stay a constant apart. */
function together(
  addresses: readonly ir.Instruction[],
  evenly: ReadonlyMap<ir.Instruction, number>,
  forms: AffineForms,
): Pointer[] {
  const formOf = ({ results: [result] }: ir.Instruction): AffineForm => forms.of(result!);
  const groups: ir.Instruction[][] = [];
  for (const one of addresses) {
    const group = groups.find(([first]) => isSame(formOf(first!).terms, formOf(one).terms));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => {
    const [offset, ...others] = group.sort((a, b) => formOf(a).constant - formOf(b).constant);
    return {
      offset: offset!,
      stride: evenly.get(offset!)!,
      others: others.map((one) => ({
        offset: one,
        distance: formOf(one).constant - formOf(offset!).constant,
      })),
    };
  });
}

function isSame(a: AffineForm['terms'], b: AffineForm['terms']): boolean {
  return a.size === b.size && [...a].every(([value, factor]) => b.get(value) === factor);
}

function isLocal({ type }: ir.Value): boolean {
  return type.kind === 'pointer' && type.space === 'local';
}

/** Whether an address is only there for others to be computed from it, and those go on evenly themselves. */
function isBetween(
  offset: ir.Instruction,
  instructions: readonly ir.Instruction[],
  evenly: ReadonlyMap<ir.Instruction, number>,
  isAtConstant: (offset: ir.Instruction) => boolean,
): boolean {
  const [result] = offset.results;
  return instructions
    .filter(({ operands }) => operands.includes(result!))
    .every((user) => evenly.has(user) && !isAtConstant(user));
}

function mentions(region: ir.Region, value: ir.Value): boolean {
  let isSo = false;
  walkRegion(region, ({ operands }) => {
    isSo ||= operands.includes(value);
  });
  return isSo;
}

/** Whether an address is computed from the counter and from what is known before the loop, without effects. */
function isKnownBefore(
  offset: ir.Instruction,
  { loop, counter }: CountedLoop,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
): boolean {
  const { parameters, instructions } = loop.regions[0]!;
  const isKnown = (value: ir.Value): boolean => {
    if (value === counter) return true;
    if (parameters.includes(value)) return false;
    const definition = definitions.get(value);
    if (!definition || !instructions.includes(definition)) return true;
    return isPure(definition) && definition.operands.every(isKnown);
  };
  return offset.operands.every(isKnown);
}

/** Gives the loop a parameter for each pointer. @returns what computes the first ones */
function goOn(
  { loop, counter }: CountedLoop,
  pointers: readonly Pointer[],
  addressBits: 32 | 64,
): ir.Instruction[] {
  const { parameters, instructions } = loop.regions[0]!;
  const before = new Builder(newRegion(), addressBits);
  const steps = new Builder(newRegion(), addressBits);
  const bytes = (count: number): ir.Value => before.integer(addressBits === 32 ? i32 : i64, count);
  const values = new Map([[counter, loop.operands[parameters.indexOf(counter)]!]]);
  const inside = findDefinitions(loop.regions[0]!);
  const atFirst = (value: ir.Value): ir.Value => {
    const definition = inside.get(value);
    if (!definition || values.has(value)) return values.get(value) ?? value;
    for (const operand of definition.operands) atFirst(operand);
    before.region.instructions.push(cloneInstruction(definition, values));
    return values.get(value)!;
  };
  const last = instructions.pop()!;
  for (const { offset, stride, others } of pointers) {
    const [result] = offset.results as [ir.Value];
    const first = atFirst(result);
    const pointer = newValue(result.type, result.name);
    loop.operands = [...loop.operands, first];
    parameters.push(pointer);
    offset.operands = [pointer, bytes(0)];
    for (const other of others) other.offset.operands = [pointer, bytes(other.distance)];
    last.operands = [...last.operands, steps.offset(pointer, bytes(stride))];
  }
  append(instructions, steps.region.instructions);
  instructions.push(last);
  return before.region.instructions;
}

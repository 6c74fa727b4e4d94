/**
 * Puts values into the frame. Where an instruction can take what it reads from memory it does; elsewhere the value gets a register for
 * this one operation. A value that is one constant wherever it is read is made anew instead.
 */

import { isEncodable } from '../assembler/encodable.ts';
import type {
  EncodingOptions,
  Instruction,
  MemoryOperand,
  Operand,
  Register,
} from '../assembler/instruction.ts';
import { formsOfMnemonic } from '../assembler/tables/index.ts';
import type { MachineFunction } from '../machine/function.ts';
import { loadFrom, storeTo } from '../machine/load-store.ts';
import { memoryForm } from '../machine/memory-form.ts';
import {
  accessesOf,
  firstVirtual,
  isCopy,
  isOfVector,
  type MachineItem,
  MachineOperation,
  numberShift,
  ofMnemonic,
  reads,
  roleOf,
  slot,
  slotBase,
  writes,
} from '../machine/operation.ts';
import { renamed } from '../machine/rename.ts';
import type { Ranges } from './liveness.ts';
import { RangeList } from './range-list.ts';
import { splitInSegments } from './segments.ts';

/** What has been put into the frame so far. */
export interface Frame {
  bytes: number;
  /** The places of registers that are parts of values that have been put there. */
  readonly locals: Homes;
}

interface Slot {
  readonly offset: number;
  readonly bits: number;
  readonly taken: RangeList;
}

/** By index of the virtual register. */
export type Homes = Map<number, Home>;

export interface Home {
  readonly bits: number;
  /** Where it is; undefined if it is made anew. */
  readonly offset: number | undefined;
  readonly again: Instruction | undefined;
}

/**
 * @param spilled representatives of those to be spilled
 * @param ranges of representatives
 * @param isSplit whether values have registers where several operations of a block use them
 */
export function spill(
  fn: MachineFunction,
  spilled: readonly number[],
  representative: (index: number) => number,
  ranges: readonly Ranges[],
  frame: Frame,
  isSplit: boolean,
): void {
  const homes: (Home | undefined)[] = [];
  const constants = findConstants(fn, new Set(spilled), representative);
  // Positions have changed since slots were taken in earlier rounds: those are whole.
  const slots: Slot[] = [];
  const isNew = (index: number): boolean => !frame.locals.has(index);
  for (const index of spilled) {
    if (!isNew(index)) {
      homes[index] = frame.locals.get(index);
      continue;
    }
    const { bits } = fn.registers[index]!;
    const again = constants.get(index);
    homes[index] = {
      bits,
      again,
      offset: again ? undefined : slotFor(bits, ranges[index]!, slots, frame),
    };
  }
  if (isSplit) {
    const whole = (number: number): Home | undefined => {
      const index = representative(number - firstVirtual);
      return isNew(index) ? homes[index] : undefined;
    };
    splitInSegments(fn, whole, representative, ranges, frame.locals);
  }
  const items: MachineItem[] = [];
  const homeOf = (number: number): Home | undefined => homes[representative(number - firstVirtual)];
  const isSpilled = ({ operands }: Instruction): boolean =>
    homeOf((operands[0] as Register).number) !== undefined;
  for (const item of fn.items) {
    if (item.kind === 'label') items.push(item);
    else if (movesHome(item.instruction, homeOf)) continue;
    else if (isCopyWithin(item.instruction, representative) && isSpilled(item.instruction)) continue;
    else rewriteOperation(fn, item, homeOf, items);
  }
  fn.items = items;
}

function slotFor(bits: number, ranges: Ranges, slots: Slot[], frame: Frame): number {
  const size = Math.max(bits, 64);
  let found = slots.find((one) => one.bits === size && !one.taken.meets(ranges));
  if (!found) {
    const bytes = size / 8;
    const offset = Math.ceil(frame.bytes / bytes) * bytes;
    frame.bytes = offset + bytes;
    found = { offset, bits: size, taken: new RangeList() };
    slots.push(found);
  }
  found.taken.add(ranges);
  return found.offset;
}

/** Those that are written once, by a constant. */
function findConstants(
  fn: MachineFunction,
  spilled: ReadonlySet<number>,
  representative: (index: number) => number,
): Map<number, Instruction> {
  const written = new Map<number, Instruction | undefined>();
  for (const item of fn.items) {
    if (item.kind === 'label') continue;
    const { instruction } = item;
    if (isCopyWithin(instruction, representative)) continue;
    for (const access of item.accesses) {
      const number = access >> numberShift;
      if (number < firstVirtual || (access & writes) === 0) continue;
      const index = representative(number - firstVirtual);
      if (!spilled.has(index)) continue;
      const isFirst = !written.has(index);
      written.set(index, isFirst && isConstant(instruction) ? instruction : undefined);
    }
  }
  return new Map([...written].flatMap(([index, one]) => (one ? [[index, one] as const] : [])));
}

/** A copy between two that have become one. */
export function isCopyWithin(one: Instruction, representative: (index: number) => number): boolean {
  if (!isCopy(one)) return false;
  const [to, from] = one.operands as unknown as [{ number: number }, { number: number }];
  if (to.number < firstVirtual || from.number < firstVirtual) return false;
  return representative(to.number - firstVirtual) === representative(from.number - firstVirtual);
}

const isLoad = ofMnemonic((mnemonic) => /^(vmovups|vmovss|vmovsd)$/.test(mnemonic));

/** A number, or bytes of the constant pool, into a register. */
function isConstant({ mnemonic, operands }: Instruction): boolean {
  const [, from] = operands;
  if (operands.length !== 2) return false;
  if (mnemonic === 'mov') return from!.kind === 'immediate';
  return isLoad(mnemonic) && from!.kind === 'memory' && from!.constant !== undefined;
}

function rewriteOperation(
  fn: MachineFunction,
  operation: MachineOperation,
  homeOf: (number: number) => Home | undefined,
  items: MachineItem[],
): void {
  const isTouched = operation.accesses.some((access) => {
    const number = access >> numberShift;
    return number >= firstVirtual && homeOf(number) !== undefined;
  });
  if (!isTouched) {
    items.push(operation);
    return;
  }
  let touched = findTouched(operation.accesses, homeOf);
  const isDefinition = [...touched].some(([number, { isWritten }]) => isWritten && homeOf(number)!.again);
  // What is made anew is not kept.
  if (isDefinition) return;
  const one = withMemory(operation.instruction, homeOf);
  const [to, from] = one.operands;
  // From a slot to itself.
  if (isMove(one.mnemonic) && to!.kind === 'memory' && from!.kind === 'memory') return;
  if (one !== operation.instruction) touched = findTouched(accessesOf(one), homeOf);
  const names = new Map<number, number>();
  const before: Instruction[] = [];
  const after: Instruction[] = [];
  for (const [number, { kind, isRead, isWritten }] of touched) {
    const home = homeOf(number)!;
    const temporary =
      kind === 'general' ? fn.newGeneral(home.bits as 32 | 64) : fn.newVector(home.bits as 128);
    names.set(number, temporary);
    if (isRead) before.push(load(home, kind, temporary));
    if (isWritten) after.push(store(home, kind, temporary));
  }
  for (const made of before) items.push(siblingOf(operation, made));
  items.push(operation.with(renamed(one, (number) => names.get(number) ?? number)));
  for (const made of after) items.push(siblingOf(operation, made));
}

/** An operation of the same place and line. */
export function siblingOf(
  { depth, instruction: { line } }: MachineOperation,
  made: Instruction,
): MachineOperation {
  const facts = { depth, implicitUses: [], implicitDefinitions: [], isCall: false, leaves: false };
  return new MachineOperation(line === undefined ? made : { ...made, line }, facts);
}

/** Whether it moves a value between its place in the frame and a register that is given up for that place. */
function movesHome(
  { mnemonic, operands }: Instruction,
  homeOf: (number: number) => Home | undefined,
): boolean {
  if (operands.length !== 2 || !isMove(mnemonic)) return false;
  const [to, from] = operands as [Operand, Operand];
  const [register, place] = to.kind === 'memory' ? [from, to] : [to, from];
  if (place.kind !== 'memory' || place.base !== slotBase || place.index) return false;
  if ((register.kind !== 'general' && register.kind !== 'vector') || register.number < firstVirtual)
    return false;
  const home = homeOf(register.number);
  return home !== undefined && home.offset === (place.offset ?? 0) && home.bits === place.bits;
}

interface Touched {
  readonly kind: 'general' | 'vector';
  isRead: boolean;
  isWritten: boolean;
}

/** The registers among these that have a home. */
function findTouched(
  accesses: readonly number[],
  homeOf: (number: number) => Home | undefined,
): Map<number, Touched> {
  const touched = new Map<number, Touched>();
  for (const access of accesses) {
    const number = access >> numberShift;
    if (number < firstVirtual || !homeOf(number)) continue;
    let known = touched.get(number);
    if (!known) {
      known = {
        kind: (access & isOfVector) !== 0 ? 'vector' : 'general',
        isRead: false,
        isWritten: false,
      };
      touched.set(number, known);
    }
    known.isRead ||= (access & reads) !== 0;
    known.isWritten ||= (access & writes) !== 0;
  }
  return touched;
}

export function store({ bits, offset }: Home, kind: 'general' | 'vector', number: number): Instruction {
  return storeTo(slot(bits, offset!), kind, bits, number);
}

export function load({ bits, offset, again }: Home, kind: 'general' | 'vector', number: number): Instruction {
  if (!again) return loadFrom(slot(bits, offset!), kind, bits, number);
  const [to, from] = again.operands as [Register, Operand];
  return { ...again, operands: [{ ...to, number }, from] };
}

const isMove = ofMnemonic((mnemonic) => /^(mov|vmovaps|vmovups|vmovss|vmovsd)$/.test(mnemonic));

/** With one operand in its place in memory, if the instruction can have that. */
function withMemory(one: Instruction, homeOf: (number: number) => Home | undefined): Instruction {
  for (let index = one.operands.length - 1; index >= 0; index -= 1) {
    const operand = one.operands[index]!;
    if (operand.kind !== 'general' && operand.kind !== 'vector') continue;
    const home = operand.number >= firstVirtual ? homeOf(operand.number) : undefined;
    if (!home) continue;
    const uses = one.operands.filter((other) => mentions(other, operand.number)).length;
    if (uses > 1) continue;
    const made = inMemory(one, index, home);
    if (made) return made;
  }
  return one;
}

function mentions(operand: Operand, number: number): boolean {
  switch (operand.kind) {
    case 'general':
    case 'vector':
      return operand.number === number;
    case 'memory':
      return operand.base?.number === number || operand.index?.number === number;
    default:
      return false;
  }
}

function inMemory(one: Instruction, index: number, home: Home): Instruction | undefined {
  const operand = one.operands[index] as Operand & { bits: number };
  const role = roleOf(one, index);
  if (one.operands.some(({ kind }) => kind === 'memory')) return undefined;
  let name = one.mnemonic;
  let bits: number;
  let place: MemoryOperand | undefined;
  if (operand.kind === 'general') {
    if (home.again) return inImmediate(one, index, home.again);
    // Upper halves of slots of 32 bits are not there, and must be zero behind a write.
    if (operand.bits > home.bits) return undefined;
    if (role !== 'use' && operand.bits !== home.bits) return undefined;
    bits = operand.bits;
    place = slot(bits, home.offset!);
  } else {
    const lane = home.again ? undefined : laneInMemory(one, index, home.offset!);
    if (lane) return lane;
    if (isCopy(one)) {
      if (role === 'use' && home.again) {
        const [to] = one.operands as [Operand];
        return { ...home.again, operands: [to, ...home.again.operands.slice(1)] };
      }
      name = home.bits === 32 ? 'vmovss' : home.bits === 64 ? 'vmovsd' : 'vmovups';
      bits = home.bits;
    } else {
      if (role !== 'use') return undefined;
      bits = memoryBits(one, index, home.bits);
      if (bits === 0) return undefined;
    }
    if (home.again) {
      const from = home.again.operands[1] as MemoryOperand;
      if (bits > from.bits) return undefined;
      place = { ...from, bits };
    } else place = slot(bits, home.offset!);
  }
  return withPlace({ ...one, mnemonic: name }, index, place);
}

/** What moves a lane to a general register, by the bits of the lane. */
const laneMoves: ReadonlyMap<string, 8 | 16 | 32 | 64> = new Map([
  ['vpextrb', 8],
  ['vpextrw', 16],
  ['vpextrd', 32],
  ['vpextrq', 64],
  ['vmovd', 32],
  ['vmovq', 64],
]);

/** Whether it moves a lane to a general register. */
export function takesLane({ mnemonic, operands }: Instruction): boolean {
  return laneMoves.has(mnemonic) && operands[0]!.kind === 'general' && operands[1]!.kind === 'vector';
}

/** A lane that goes to a general register, read from the slot: the rest of the vector is not wanted. */
function laneInMemory(one: Instruction, index: number, offset: number): Instruction | undefined {
  const bits = laneMoves.get(one.mnemonic);
  const [to, , lane] = one.operands;
  if (bits === undefined || index !== 1 || to!.kind !== 'general') return undefined;
  const at = lane?.kind === 'immediate' ? Number(lane.value) : 0;
  const made = {
    ...one,
    mnemonic: bits < 32 ? 'movzx' : 'mov',
    operands: [to!, slot(bits, offset + (at * bits) / 8)],
  };
  return fits(made) ? made : undefined;
}

/** A number in the place of a register that has it. */
function inImmediate(one: Instruction, index: number, again: Instruction): Instruction | undefined {
  if (index === 0 || one.mnemonic === 'xchg' || one.mnemonic === 'xadd') return undefined;
  const made = { ...one, operands: one.operands.with(index, again.operands[1]!) };
  return fits(made) ? made : undefined;
}

/** How many bits the instruction would read of memory there: the most that the value has. 0 if it cannot. */
function memoryBits(one: Instruction, index: number, most: number): number {
  for (const bits of [512, 256, 128, 64, 32]) {
    if (bits > most) continue;
    if (withPlace(one, index, slot(bits, 0))) return bits;
  }
  return 0;
}

/** Whether only AVX-512 has it, so that it is only there where that may be used. */
const isOfAvx512 = ofMnemonic((mnemonic) => formsOfMnemonic(mnemonic).every(({ kind }) => kind === 'evex'));
const isOf512 = (operand: Operand): boolean => 'bits' in operand && operand.bits === 512;

function encodingOf({ mnemonic, operands }: Pick<Instruction, 'mnemonic' | 'operands'>): EncodingOptions {
  return { avx512: isOfAvx512(mnemonic) || operands.some(isOf512) };
}

/** With a place in memory instead of an operand, if there is that. */
function withPlace(one: Instruction, index: number, place: MemoryOperand): Instruction | undefined {
  const { mnemonic, operands } = one;
  return memoryForm(one, index, place, encodingOf({ mnemonic, operands: operands.with(index, place) }));
}

function fits(one: Instruction): boolean {
  return isEncodable(one, encodingOf(one));
}

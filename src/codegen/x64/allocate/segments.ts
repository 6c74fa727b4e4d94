/**
 * Splits values that are put into the frame: where several operations of a block use one, it is in a register between the first and the last of them. A call
 * ends that, too. What is written there goes to the frame behind the last write, if it is read elsewhere.
 *
 *     mov [slot], ...                      mov v9, ...
 *     add [slot], v1                       add v9, v1
 *     mov v2, [slot]                       mov [slot], v9
 *                                          mov v2, v9
 *
 * These registers are short, but they may find none, either: then the place in the frame is theirs (`spill.ts`).
 */
import type { MachineFunction } from '../machine/function.ts';
import {
  endsBlock,
  firstVirtual,
  type MachineItem,
  type MachineOperation,
  numberShift,
  reads,
  writes,
} from '../machine/operation.ts';
import { renamed } from '../machine/rename.ts';
import type { Ranges } from './liveness.ts';
import { type Home, type Homes, isCopyWithin, load, siblingOf, store, takesLane } from './spill.ts';

/** Operations of a segment that use a value. */
interface Use {
  readonly home: Home;
  /** How many operations use it, but for those that take a lane, which can take it from the frame. */
  count: number;
  /** Whether the first one reads it. */
  isRead: boolean;
  first: MachineOperation;
  /** The last that has been counted. */
  counted: MachineOperation | undefined;
  lastWrite: MachineOperation | undefined;
}

/**
 * @param homeOf the place of a register that is put into the frame now
 * @param ranges of representatives
 * @param locals takes the places of the new registers
 */
export function splitInSegments(
  fn: MachineFunction,
  homeOf: (number: number) => Home | undefined,
  representative: (index: number) => number,
  ranges: readonly Ranges[],
  locals: Homes,
): void {
  const items: MachineItem[] = [];
  let segment: MachineOperation[] = [];
  let position = 0;
  const close = (): void => {
    splitSegment(segment, position);
    position += segment.length;
    segment = [];
  };
  const splitSegment = (operations: readonly MachineOperation[], first: number): void => {
    const uses = new Map<number, Use>();
    for (const operation of operations) {
      if (isCopyWithin(operation.instruction, representative)) continue;
      for (const access of operation.accesses) {
        const number = access >> numberShift;
        const home = number < firstVirtual ? undefined : homeOf(number);
        if (!home || home.again) continue;
        const index = representative(number - firstVirtual);
        const isRead = (access & reads) !== 0;
        let use = uses.get(index);
        if (!use) {
          use = {
            home,
            count: 0,
            isRead,
            first: operation,
            counted: undefined,
            lastWrite: undefined,
          };
          uses.set(index, use);
        } else if (use.first === operation) use.isRead ||= isRead;
        if (use.counted !== operation && !takesLane(operation.instruction)) {
          use.counted = operation;
          use.count += 1;
        }
        if ((access & writes) !== 0) use.lastWrite = operation;
      }
    }
    const end = 2 * (first + operations.length);
    const names = new Map<number, number>();
    for (const [index, { home, count }] of uses) {
      if (count < 2) continue;
      const name = fn.another(index);
      names.set(index, name);
      locals.set(name - firstVirtual, home);
    }
    if (names.size === 0) {
      items.push(...operations);
      return;
    }
    const nameOf = (number: number): number =>
      number < firstVirtual ? number : (names.get(representative(number - firstVirtual)) ?? number);
    for (const operation of operations) {
      const { instruction } = operation;
      if (isCopyWithin(instruction, representative)) {
        items.push(operation);
        continue;
      }
      const stores: MachineOperation[] = [];
      for (const access of operation.accesses) {
        const number = access >> numberShift;
        const name = nameOf(number);
        if (name === number) continue;
        const index = representative(number - firstVirtual);
        const use = uses.get(index)!;
        const { kind } = fn.registers[index]!;
        if (use.first === operation && use.isRead) {
          use.isRead = false;
          items.push(siblingOf(operation, load(use.home, kind, name)));
        }
        if (use.lastWrite === operation && reaches(ranges[index]!, end)) {
          use.lastWrite = undefined;
          stores.push(siblingOf(operation, store(use.home, kind, name)));
        }
      }
      const after = renamed(instruction, nameOf);
      items.push(after === instruction ? operation : operation.with(after), ...stores);
    }
  };
  for (const item of fn.items) {
    if (item.kind === 'label') {
      close();
      items.push(item);
      continue;
    }
    segment.push(item);
    if (item.isCall || endsBlock(item.instruction.mnemonic)) close();
  }
  close();
  fn.items = items;
}

/** Whether a value is live at a position, the end of a segment. */
function reaches(ranges: Ranges, position: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (ranges[at]! < position && ranges[at + 1]! >= position) return true;
  }
  return false;
}

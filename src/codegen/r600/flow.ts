/**
 * Which registers are needed where. Items are a line of blocks with marks between; this finds where control goes from each item
 * and, from that, what is live behind it. A thread that is switched off keeps its registers, so that each thread's own way
 * is all that counts.
 */
import { type Item, type Operation, type Register, registersRead, registersWritten } from './operations.ts';

/** For each item, the items that may follow it. */
function successors(items: readonly Item[]): readonly (readonly number[])[] {
  const next: number[][] = items.map((_, index) => (index + 1 < items.length ? [index + 1] : []));
  const open: { at: number; elseAt?: number; leaving: number[] }[] = [];
  for (const [index, { kind }] of items.entries()) {
    const loop = open.findLast((one) => items[one.at]!.kind === 'loop');
    switch (kind) {
      case 'if':
      case 'loop':
        open.push({ at: index, leaving: [] });
        break;
      case 'else': {
        const opened = open.at(-1)!;
        opened.elseAt = index;
        next[opened.at]!.push(index + 1);
        break;
      }
      case 'end-if': {
        const { at, elseAt } = open.pop()!;
        if (elseAt === undefined) next[at]!.push(index);
        else next[elseAt] = [index];
        break;
      }
      case 'break-if':
        loop!.leaving.push(index);
        break;
      case 'break':
        next[index] = [];
        loop!.leaving.push(index);
        break;
      case 'continue':
        next[index] = [loop!.at];
        break;
      case 'end-loop': {
        const { at, leaving } = open.pop()!;
        next[index] = [at];
        for (const one of leaving) if (index + 1 < items.length) next[one]!.push(index + 1);
        break;
      }
    }
  }
  return next;
}

/** The operations of an item in their order. */
export function operationsOf(item: Item): readonly Operation[] {
  if (item.kind !== 'block') return [];
  return item.predicate ? [...item.operations, item.predicate] : item.operations;
}

/** The registers that are live behind each item. */
export function liveBehind(items: readonly Item[]): readonly ReadonlySet<Register>[] {
  const next = successors(items);
  const before: Set<Register>[] = items.map(() => new Set());
  const behind: Set<Register>[] = items.map(() => new Set());
  for (let changed = true; changed; ) {
    changed = false;
    for (let index = items.length - 1; index >= 0; index -= 1) {
      const after = behind[index]!;
      for (const follower of next[index]!) for (const register of before[follower]!) after.add(register);
      const live = new Set(after);
      for (const operation of [...operationsOf(items[index]!)].reverse()) stepBack(operation, live);
      if (live.size !== before[index]!.size) {
        before[index] = live;
        changed = true;
      }
    }
  }
  return behind;
}

/** Makes the registers that are live behind an operation those that are live before it. */
export function stepBack(operation: Operation, live: Set<Register>): void {
  for (const register of registersWritten(operation)) live.delete(register);
  for (const register of registersRead(operation)) live.add(register);
}

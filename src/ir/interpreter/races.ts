/**
 * Finds what depends on the order in which work-items run, although the interpreter always runs them in the same one:
 * for each byte of global and local memory it is remembered who touched it last. Two accesses are ordered if one
 * work-item makes both, or a barrier of their work-group is between them; otherwise
 *
 * - a write, and a read or a different write of the same byte, race;
 * - atomic operations do not race with each other, but if one of them hands its old value to the program (or sets a
 *   new one whatever was there), the outcome depends on their order.
 *
 * Writing what is there already changes nothing, so it races with no read and no equal write.
 */
import { type Allocation, Fault } from './memory.ts';
import type { MemoryObserver } from './observer.ts';
import type { WorkItem } from './state.ts';

/** Who touched the bytes of one allocation; a work-item is its group's number and its own, 0 for nobody. */
interface Shadow {
  readonly writer: Float64Array;
  readonly writerPhase: Uint32Array;
  readonly writerFlags: Uint8Array;
  readonly reader: Float64Array;
  readonly readerPhase: Uint32Array;
  readonly readerFlags: Uint8Array;
}

const writerFlag = {
  /** The byte got another value. */
  changed: 1,
  atomic: 2,
  /** An atomic operation whose order shows. */
  observed: 4,
  /** Atomic operations of several groups. */
  severalGroups: 8,
} as const;

const readerFlag = {
  /** Several work-items of the last reader's group, since its last barrier. */
  several: 1,
  severalGroups: 2,
} as const;

/** More than a work-group has work-items. */
const itemsBound = 2 ** 20;

export class RaceDetector implements MemoryObserver {
  readonly #shadows = new WeakMap<Allocation, Shadow>();

  /** @throws Fault if the read depends on the order of work-items */
  read(allocation: Allocation, offset: number, size: number, item: WorkItem): void {
    if (!isShared(allocation)) return;
    const shadow = this.#shadowOf(allocation);
    const { reader, readerPhase, readerFlags, writer, writerFlags } = shadow;
    const me = numberOf(item);
    const { phase } = item.group;
    for (let at = offset; at < offset + size; at += 1) {
      const flags = writerFlags[at]!;
      const isForeign = (flags & writerFlag.severalGroups) !== 0 || isUnordered(shadow, at, me, phase);
      if (writer[at] !== 0 && (flags & writerFlag.changed) !== 0 && isForeign) {
        throw race(allocation, at, 'reads', 'writes');
      }
      const last = reader[at]!;
      if (last !== 0 && last !== me) {
        if (groupOf(last) !== groupOf(me)) readerFlags[at] = readerFlag.severalGroups;
        else if (readerPhase[at] === phase) readerFlags[at]! |= readerFlag.several;
      }
      if (readerPhase[at] !== phase) readerFlags[at]! &= ~readerFlag.several;
      reader[at] = me;
      readerPhase[at] = phase;
    }
  }

  /**
   * To be called before the bytes are stored; `bytes` are the new ones.
   * @throws Fault if the write depends on the order of work-items
   */
  write(allocation: Allocation, offset: number, bytes: Uint8Array, item: WorkItem): void {
    if (!isShared(allocation)) return;
    const shadow = this.#shadowOf(allocation);
    const { writer, writerPhase, writerFlags } = shadow;
    const me = numberOf(item);
    const { phase } = item.group;
    for (let index = 0; index < bytes.length; index += 1) {
      const at = offset + index;
      const changes = allocation.bytes[at] !== bytes[index];
      if (changes) {
        if (writer[at] !== 0 && isUnordered(shadow, at, me, phase)) {
          throw race(allocation, at, 'writes', 'writes another value to');
        }
        if (wasReadByOthers(shadow, at, me, phase)) throw race(allocation, at, 'writes', 'reads');
      } else if (writer[at] !== 0 && writer[at] !== me) {
        continue;
      }
      writer[at] = me;
      writerPhase[at] = phase;
      writerFlags[at] = changes ? writerFlag.changed : writerFlags[at]! & writerFlag.changed;
    }
  }

  /**
   * @param isObserved whether the program sees the order, by the old value or because the operation does not commute
   * @throws Fault if what the operation does depends on the order of work-items
   */
  atomic(allocation: Allocation, offset: number, size: number, item: WorkItem, isObserved: boolean): void {
    if (!isShared(allocation)) return;
    const shadow = this.#shadowOf(allocation);
    const { writer, writerPhase, writerFlags } = shadow;
    const me = numberOf(item);
    const { phase } = item.group;
    for (let at = offset; at < offset + size; at += 1) {
      const flags = writerFlags[at]!;
      let severalGroups = flags & writerFlag.severalGroups;
      if (writer[at] !== 0 && (severalGroups !== 0 || isUnordered(shadow, at, me, phase))) {
        if ((flags & writerFlag.atomic) === 0) throw race(allocation, at, 'changes', 'writes');
        if (isObserved || (flags & writerFlag.observed) !== 0) {
          throw new Fault(
            `the order of atomic operations decides: several work-items use byte ${at} of '${allocation.name}', and one of them looks at its old value`,
          );
        }
        if (groupOf(writer[at]!) !== groupOf(me)) severalGroups = writerFlag.severalGroups;
      }
      if (wasReadByOthers(shadow, at, me, phase)) throw race(allocation, at, 'changes', 'reads');
      writer[at] = me;
      writerPhase[at] = phase;
      writerFlags[at] =
        writerFlag.changed | writerFlag.atomic | severalGroups | (isObserved ? writerFlag.observed : 0);
    }
  }

  #shadowOf(allocation: Allocation): Shadow {
    let shadow = this.#shadows.get(allocation);
    if (!shadow) {
      const { size } = allocation;
      shadow = {
        writer: new Float64Array(size),
        writerPhase: new Uint32Array(size),
        writerFlags: new Uint8Array(size),
        reader: new Float64Array(size),
        readerPhase: new Uint32Array(size),
        readerFlags: new Uint8Array(size),
      };
      this.#shadows.set(allocation, shadow);
    }
    return shadow;
  }
}

function isShared({ space }: Allocation): boolean {
  return space === 'global' || space === 'local';
}

function numberOf({ group, index }: WorkItem): number {
  return group.serial * itemsBound + index + 1;
}

function groupOf(number: number): number {
  return Math.floor((number - 1) / itemsBound);
}

/** Whether nothing orders the last write before an access of `me`. */
function isUnordered({ writer, writerPhase }: Shadow, at: number, me: number, phase: number): boolean {
  const other = writer[at]!;
  return other !== me && (groupOf(other) !== groupOf(me) || writerPhase[at] === phase);
}

function wasReadByOthers(shadow: Shadow, at: number, me: number, phase: number): boolean {
  const { reader, readerPhase, readerFlags } = shadow;
  const other = reader[at]!;
  if (other === 0) return false;
  const flags = readerFlags[at]!;
  if ((flags & readerFlag.severalGroups) !== 0 || groupOf(other) !== groupOf(me)) return true;
  return readerPhase[at] === phase && (other !== me || (flags & readerFlag.several) !== 0);
}

function race({ name }: Allocation, byte: number, here: string, there: string): Fault {
  return new Fault(
    `race: it ${here} byte ${byte} of '${name}', which another work-item ${there} with no barrier between them`,
  );
}

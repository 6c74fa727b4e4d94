/**
 * Copies of everything that a launch can change, to go back to: the bytes of its memory in pages, of which those that have not
 * changed are shared with the copy before, and the work-items of the group with their frames.
 */
import type { Allocation, Memory, MemoryState } from '../../ir/interpreter/memory.ts';
import type { Code, Frame, Group, Offers, WorkItem } from '../../ir/interpreter/state.ts';
import type { RuntimeValue } from '../../ir/interpreter/values.ts';

/** What a work-item is doing; see Machine. */
export type ItemState = 'ready' | 'waits-group' | 'waits-sub-group' | 'ended';

/** The group that runs, with the state of its work-items. */
export interface RunningGroup {
  readonly group: Group;
  readonly items: WorkItem[];
  readonly states: ItemState[];
}

interface SavedFrame {
  readonly code: Code;
  readonly values: readonly RuntimeValue[];
  readonly resultNumber: number;
  readonly next: number;
}

interface SavedItem {
  readonly item: WorkItem;
  /** The outermost first. */
  readonly frames: readonly SavedFrame[];
  readonly privates: WorkItem['privates'];
  readonly state: ItemState;
}

interface SavedGroup {
  readonly group: Group;
  readonly items: readonly SavedItem[];
}

/** The bytes of an allocation, and which were written where that is tracked. */
interface SavedBytes {
  readonly pages: readonly Uint8Array[];
  readonly written: readonly Uint8Array[] | undefined;
}

export interface Snapshot {
  /** How many steps had been taken. */
  readonly time: number;
  /** The number of the group that runs or is next. */
  readonly serial: number;
  readonly preferred: number;
  /** How many events of the history had happened. */
  readonly events: number;
  readonly memory: MemoryState;
  readonly bytes: ReadonlyMap<Allocation, SavedBytes>;
  readonly running: SavedGroup | undefined;
}

const pageBytes = 4096;

/** Copies the memory and the group. `before` is a copy that it may share pages with. */
export function takeSnapshot(
  memory: Memory,
  running: RunningGroup | undefined,
  facts: Pick<Snapshot, 'time' | 'serial' | 'preferred' | 'events'>,
  before: Snapshot | undefined,
): Snapshot {
  const state = memory.save();
  const bytes = new Map<Allocation, SavedBytes>();
  for (const { allocation } of [...state.allocations, ...state.placed]) {
    if (allocation.space === 'constant') continue;
    const old = before?.bytes.get(allocation);
    bytes.set(allocation, {
      pages: pagesOf(allocation.bytes, old?.pages),
      written: allocation.written && pagesOf(allocation.written, old?.written),
    });
  }
  return { ...facts, memory: state, bytes, running: running && saveGroup(running) };
}

/** Makes the memory what it was, and gives the group as it was. */
export function restoreSnapshot(memory: Memory, snapshot: Snapshot): RunningGroup | undefined {
  memory.restore(snapshot.memory);
  for (const [allocation, { pages, written }] of snapshot.bytes) {
    pages.forEach((page, index) => {
      allocation.bytes.set(page, index * pageBytes);
    });
    written?.forEach((page, index) => {
      allocation.written!.set(page, index * pageBytes);
    });
  }
  return snapshot.running && restoreGroup(snapshot.running);
}

function pagesOf(bytes: Uint8Array, before: readonly Uint8Array[] | undefined): Uint8Array[] {
  const pages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pageBytes) {
    const now = bytes.subarray(at, at + pageBytes);
    const old = before?.[pages.length];
    pages.push(old && areEqual(old, now) ? old : now.slice());
  }
  return pages;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

function saveGroup({ group, items, states }: RunningGroup): SavedGroup {
  return {
    group: copyGroup(group),
    items: items.map((item, index) => {
      const frames: SavedFrame[] = [];
      for (let frame = item.frame; frame; frame = frame.caller) {
        const { code, values, resultNumber, next } = frame;
        frames.unshift({ code, values: [...values], resultNumber, next });
      }
      return { item, frames, privates: new Map(item.privates), state: states[index]! };
    }),
  };
}

function restoreGroup({ group: saved, items }: SavedGroup): RunningGroup {
  const group = copyGroup(saved);
  const restored = items.map(({ item: old, frames, privates }): WorkItem => {
    const item: WorkItem = { ...old, group, frame: undefined, privates: new Map(privates) };
    for (const { code, values, resultNumber, next } of frames) {
      const caller: Frame | undefined = item.frame;
      item.frame = { code, item, values: [...values], caller, resultNumber, next };
    }
    return item;
  });
  return { group, items: restored, states: items.map(({ state }) => state) };
}

function copyGroup(group: Group): Group {
  const copy = ([even, odd]: Offers): Offers => [[...even], [...odd]];
  const { offers } = group;
  return {
    ...group,
    subPhases: [...group.subPhases],
    offers: { 'work-group': copy(offers['work-group']), 'sub-group': copy(offers['sub-group']) },
    locals: new Map(group.locals),
  };
}

/**
 * What selection leaves behind goes: operations whose results nobody reads, and moves. A move's two registers become one where their
 * values are never needed at the same time, so that what a loop carries stays where it is and what a fetch or an
 * export needs side by side is computed there.
 */
import { liveBehind, operationsOf, stepBack } from './flow.ts';
import { mergeFetches } from './merge-fetches.ts';
import {
  type Alu,
  type Group,
  type Item,
  type Operation,
  type Register,
  registersRead,
  registersWritten,
  type Source,
} from './operations.ts';

export function tidy(items: readonly Item[]): void {
  forwardMoves(items);
  removeUnread(items);
  mergeFetches(items);
  joinMoves(items);
  removeUnread(items);
}

function isMove(operation: Operation): operation is Alu {
  return operation.kind === 'alu' && operation.opcode.name === 'MOV';
}

/** The register that a move only hands on. */
function moved(operation: Operation): Register | undefined {
  if (!isMove(operation)) return undefined;
  const [source] = operation.sources;
  return source?.kind === 'register' && !source.negate && !source.absolute ? source.register : undefined;
}

/** Arithmetic reads what a move read, where neither changes. */
function forwardMoves(items: readonly Item[]): void {
  const writes = new Map<Register, number>();
  for (const operation of items.flatMap(operationsOf)) {
    for (const register of registersWritten(operation)) writes.set(register, (writes.get(register) ?? 0) + 1);
  }
  const replaced = new Map<Register, Source>();
  for (const operation of items.flatMap(operationsOf)) {
    if (!isMove(operation)) continue;
    const [target] = operation.targets as [Register];
    const source = operation.sources[0]!;
    if (writes.get(target) !== 1) continue;
    if (source.kind === 'register') {
      // A register that is written nowhere is an input; it never changes.
      if (moved(operation) === undefined || (writes.get(source.register) ?? 0) > 1) continue;
    } else if (source.kind === 'constant' && (source.negate || source.absolute)) continue;
    replaced.set(target, source);
  }
  const last = (source: Source): Source => {
    const next = source.kind === 'register' ? replaced.get(source.register) : undefined;
    if (!next || source.kind !== 'register') return source;
    if (!source.negate && !source.absolute) return last(next);
    return next.kind === 'literal'
      ? source
      : last({ ...next, negate: source.negate, absolute: source.absolute });
  };
  for (const operation of items.flatMap(operationsOf)) {
    if (operation.kind === 'alu') operation.sources = operation.sources.map(last);
  }
}

function hasEffect(operation: Operation): boolean {
  if (operation.kind === 'write') return true;
  return operation.kind === 'alu' && operation.targets.length === 0;
}

function removeUnread(items: readonly Item[]): void {
  for (let changed = true; changed; ) {
    changed = false;
    const read = new Set<Register>();
    for (const operation of items.flatMap(operationsOf)) {
      const own = new Set(registersWritten(operation));
      // Who reads only what it writes itself needs nobody.
      for (const register of registersRead(operation)) if (!own.has(register)) read.add(register);
    }
    for (const item of items) {
      if (item.kind !== 'block') continue;
      const kept = item.operations.filter(
        (operation) => hasEffect(operation) || registersWritten(operation).some((one) => read.has(one)),
      );
      if (kept.length !== item.operations.length) changed = true;
      item.operations = kept.map((operation) =>
        operation.kind === 'fetch' && operation.targets.some((one) => one && !read.has(one))
          ? {
              ...operation,
              targets: operation.targets.map((one) => (one && read.has(one) ? one : undefined)),
            }
          : operation,
      );
    }
  }
}

/** Which registers hold values at the same time. */
class Conflicts {
  readonly #of = new Map<Register, Set<Register>>();

  constructor(items: readonly Item[]) {
    const behind = liveBehind(items);
    for (const [index, item] of items.entries()) {
      const live = new Set(behind[index]);
      for (const operation of [...operationsOf(item)].reverse()) {
        const written = registersWritten(operation);
        const source = moved(operation);
        for (const register of written) {
          for (const other of live) if (other !== source) this.#add(register, other);
          for (const other of written) this.#add(register, other);
        }
        stepBack(operation, live);
      }
      // What the program begins with is there at once.
      if (index === 0) for (const a of live) for (const b of live) this.#add(a, b);
    }
  }

  #add(a: Register, b: Register): void {
    if (a === b) return;
    this.of(a).add(b);
    this.of(b).add(a);
  }

  of(register: Register): Set<Register> {
    let found = this.#of.get(register);
    if (!found) {
      found = new Set();
      this.#of.set(register, found);
    }
    return found;
  }

  /** Makes the conflicts of one register those of another. */
  merge(from: Register, into: Register): void {
    for (const other of this.of(from)) {
      this.of(other).delete(from);
      this.#add(into, other);
    }
    this.#of.delete(from);
  }
}

function joinMoves(items: readonly Item[]): void {
  const conflicts = new Conflicts(items);
  const joined = new Map<Register, Register>();
  const find = (register: Register): Register => {
    const next = joined.get(register);
    return next ? find(next) : register;
  };
  for (const operation of items.flatMap(operationsOf)) {
    const source = moved(operation);
    if (!source || operation.kind !== 'alu') continue;
    const [a, b] = [find(operation.targets[0]!), find(source)];
    if (a === b || conflicts.of(a).has(b)) continue;
    const group = jointGroup(a, b);
    if (!group) continue;
    conflicts.merge(a, b);
    joined.set(a, b);
    b.channel ??= a.channel;
    for (const member of group.members) member.group = group;
  }
  if (joined.size === 0) return;
  for (const item of items) {
    if (item.kind !== 'block') continue;
    item.operations = item.operations.map((operation) => renamed(operation, find));
    if (item.predicate) item.predicate = renamed(item.predicate, find) as Alu;
    item.operations = item.operations.filter((operation) => {
      const source = moved(operation);
      return !source || (operation as Alu).targets[0] !== source;
    });
  }
}

/** The group of two registers that become one, the second; undefined if there can be none. */
function jointGroup(a: Register, b: Register): Group | undefined {
  if (a.group === b.group) return undefined;
  if (a.channel !== undefined && b.channel !== undefined && a.channel !== b.channel) return undefined;
  if (a.group.fixed !== undefined && b.group.fixed !== undefined) return undefined;
  const members = new Set([...a.group.members, ...b.group.members]);
  members.delete(a);
  if (members.size > 4) return undefined;
  const taken = [...members].map((member) => (member === b ? (b.channel ?? a.channel) : member.channel));
  const known = taken.filter((channel) => channel !== undefined);
  if (new Set(known).size !== known.length) return undefined;
  return { members, fixed: a.group.fixed ?? b.group.fixed };
}

function renamed(operation: Operation, find: (register: Register) => Register): Operation {
  const each = (register: Register | undefined): Register | undefined => register && find(register);
  switch (operation.kind) {
    case 'alu':
      return {
        ...operation,
        targets: operation.targets.map(find),
        sources: operation.sources.map((source) =>
          source.kind === 'register' ? { ...source, register: find(source.register) } : source,
        ),
      };
    case 'fetch':
      return { ...operation, targets: operation.targets.map(each), address: operation.address.map(find) };
    case 'write':
      return { ...operation, data: operation.data.map(each), index: each(operation.index) };
  }
}

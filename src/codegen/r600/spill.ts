/**
 * Registers that there is no room for, kept in scratch memory: what writes one stores it, what reads one fetches it just before. Which ones,
 * is decided where most are live at a time: those that are read seldom for how long they live, reads in loops counting more.
 * Four words share an element of scratch memory.
 */
import { liveBehind, operationsOf, stepBack } from './flow.ts';
import { opcode } from './opcodes.ts';
import {
  type Alu,
  type Channel,
  type Fetch,
  type Item,
  newRegister,
  type Operation,
  type Register,
  registersRead,
  registersWritten,
  type Write,
} from './operations.ts';

/** A read in a loop counts as so many outside. */
const turns = 8;

/**
 * Rewrites a program until at most so many words are live at a time.
 * @param firstElement of scratch memory that is free
 * @returns how many words are kept there
 */
export function spill(items: Item[], most: number, firstElement: number): number {
  const slots = new Map<Register, number>();
  for (const register of chooseSpilled(items, most)) slots.set(register, slots.size);
  for (const item of items) {
    if (item.kind !== 'block') continue;
    const rewriter = new Rewriter(slots, firstElement);
    for (const operation of item.operations) rewriter.operation(operation);
    if (item.predicate) item.predicate = rewriter.reading(item.predicate) as Alu;
    item.operations = rewriter.out;
  }
  return slots.size;
}

/** How long a register lives, and what it would cost to keep it in memory. */
interface Life {
  readonly points: number[];
  accesses: number;
}

function chooseSpilled(items: readonly Item[], most: number): ReadonlySet<Register> {
  const { pressure, liveAt, lives } = measure(items);
  const spilled = new Set<Register>();
  const order = pressure.map((_, point) => point).sort((a, b) => pressure[b]! - pressure[a]!);
  for (const point of order) {
    if (pressure[point]! <= most) continue;
    const candidates = [...liveAt[point]!]
      .filter((register) => !spilled.has(register) && register.group.fixed === undefined)
      .sort((a, b) => price(lives.get(a)!) - price(lives.get(b)!));
    for (const register of candidates) {
      if (pressure[point]! <= most) break;
      spilled.add(register);
      for (const one of lives.get(register)!.points) pressure[one]! -= 1;
    }
  }
  return spilled;
}

const price = ({ points, accesses }: Life): number => accesses / points.length;

/** What is live behind each operation. */
function measure(items: readonly Item[]): {
  readonly pressure: number[];
  readonly liveAt: readonly ReadonlySet<Register>[];
  readonly lives: ReadonlyMap<Register, Life>;
} {
  const behind = liveBehind(items);
  const liveAt: ReadonlySet<Register>[] = [];
  const lives = new Map<Register, Life>();
  const lifeOf = (register: Register): Life => {
    const known = lives.get(register) ?? { points: [], accesses: 0 };
    lives.set(register, known);
    return known;
  };
  let depth = 0;
  for (const [index, item] of items.entries()) {
    if (item.kind === 'loop') depth += 1;
    if (item.kind === 'end-loop') depth -= 1;
    const weight = turns ** Math.min(depth, 4);
    const live = new Set(behind[index]);
    for (const operation of [...operationsOf(item)].reverse()) {
      for (const register of live) lifeOf(register).points.push(liveAt.length);
      liveAt.push(new Set(live));
      for (const register of [...registersRead(operation), ...registersWritten(operation)])
        lifeOf(register).accesses += weight;
      stepBack(operation, live);
    }
  }
  return { pressure: liveAt.map(({ size }) => size), liveAt, lives };
}

/** The operations of a block, with the accesses of scratch memory between them. */
class Rewriter {
  readonly out: Operation[] = [];
  readonly #slots: ReadonlyMap<Register, number>;
  readonly #firstElement: number;

  constructor(slots: ReadonlyMap<Register, number>, firstElement: number) {
    this.#slots = slots;
    this.#firstElement = firstElement;
  }

  operation(operation: Operation): void {
    this.out.push(this.reading(operation));
    for (const register of registersWritten(operation)) {
      const slot = this.#slots.get(register);
      if (slot !== undefined) this.#store(register, slot, operation.span);
    }
  }

  /** The operation as it is after its registers were fetched. */
  reading(operation: Operation): Operation {
    const fetched = new Map<Register, Register>();
    for (const register of registersRead(operation)) {
      const slot = this.#slots.get(register);
      if (slot === undefined || fetched.has(register)) continue;
      const held = newRegister();
      fetched.set(register, held);
      this.#load(held, slot, operation.span);
      // Addresses, and what is stored, lie side by side in their own registers.
      if (operation.kind !== 'alu') this.#move(register, held, operation.span);
    }
    if (operation.kind !== 'alu' || fetched.size === 0) return operation;
    const sources = operation.sources.map((source) =>
      source.kind === 'register'
        ? { ...source, register: fetched.get(source.register) ?? source.register }
        : source,
    );
    return { ...operation, sources };
  }

  #place(slot: number): { element: number; channel: Channel } {
    return { element: this.#firstElement + (slot >> 2), channel: (slot & 3) as Channel };
  }

  #load(into: Register, slot: number, span: Operation['span']): void {
    const { element, channel } = this.#place(slot);
    const targets = [0, 1, 2, 3].map((component) => (component === channel ? into : undefined));
    const fetch: Fetch = {
      kind: 'fetch',
      name: 'READ_SCRATCH',
      targets,
      address: [],
      resource: 0,
      sampler: undefined,
      offset: element,
      format: undefined,
      bytes: 4,
      isConstant: false,
      span,
    };
    this.out.push(fetch);
  }

  #store(register: Register, slot: number, span: Operation['span']): void {
    const { element, channel } = this.#place(slot);
    const held = newRegister(channel);
    this.#move(held, register, span);
    const data = [0, 1, 2, 3].map((component) => (component === channel ? held : undefined));
    const write: Write = {
      kind: 'write',
      name: 'MEM_SCRATCH_WRITE_IND',
      data,
      index: undefined,
      base: element,
      span,
    };
    this.out.push(write);
  }

  #move(target: Register, from: Register, span: Operation['span']): void {
    const sources: Alu['sources'] = [{ kind: 'register', register: from }];
    this.out.push({ kind: 'alu', opcode: opcode('MOV'), targets: [target], sources, span });
  }
}

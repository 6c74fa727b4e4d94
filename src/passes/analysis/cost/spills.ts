/**
 * How much of a straight run of code goes through memory because there are too few vector registers: the run is gone through with as many
 * registers as there are, and what is needed latest gives way, as in Belady's algorithm. Register allocators do little better and often
 * not much worse, so orders of one run can be compared by it.
 */
import type * as ir from '../../../ir/ir.ts';
import type { Vectors } from '../../../target/target.ts';
import { registersOfVector } from './registers.ts';

/** A value of the run and where it is used. */
interface Held {
  readonly registers: number;
  /** Indices of its users in the run, the next one last. */
  readonly uses: number[];
  inMemory: boolean;
}

/**
 * @param run without nested regions, in the order asked about
 * @param usedBehind values of it that are wanted behind it
 * @returns registers stored and loaded
 */
export function spillsOf(
  run: readonly ir.Instruction[],
  usedBehind: ReadonlySet<ir.Value>,
  vectors: Vectors,
): number {
  const held = new Map<ir.Value, Held>();
  run.forEach(({ operands, results }, index) => {
    for (const operand of operands) held.get(operand)?.uses.push(index);
    for (const result of results) {
      const registers = vectorRegisters(result, run[index]!, vectors);
      if (registers > 0) held.set(result, { registers, uses: [], inMemory: false });
    }
  });
  for (const value of usedBehind) held.get(value)?.uses.push(run.length);
  for (const { uses } of held.values()) uses.reverse();
  const live = new Set<Held>();
  let free = vectors.allocatable;
  let moved = 0;
  const begin = (value: Held, wanted: ReadonlySet<Held>): void => {
    live.add(value);
    free -= value.registers;
    while (free < 0) {
      const last = furthest(live, wanted);
      if (!last) return;
      live.delete(last);
      free += last.registers;
      if (!last.inMemory) moved += last.registers;
      last.inMemory = true;
    }
  };
  run.forEach(({ operands, results }, index) => {
    const wanted = new Set(operands.flatMap((operand) => held.get(operand) ?? []));
    for (const value of wanted) {
      if (live.has(value)) continue;
      moved += value.registers;
      begin(value, wanted);
    }
    for (const value of wanted) {
      while (value.uses.at(-1) === index) value.uses.pop();
      if (value.uses.length > 0) continue;
      live.delete(value);
      free += value.registers;
    }
    for (const result of results) {
      const value = held.get(result);
      if (value && value.uses.length > 0) begin(value, new Set([value]));
    }
  });
  return moved;
}

/** The value that is needed latest, but for those that are needed now. */
function furthest(live: ReadonlySet<Held>, wanted: ReadonlySet<Held>): Held | undefined {
  let found: Held | undefined;
  for (const value of live) {
    if (wanted.has(value)) continue;
    if (!found || value.uses.at(-1)! > found.uses.at(-1)!) found = value;
  }
  return found;
}

/** What is the same for all lanes takes one register, however many lanes there are; constants are made where they are used. */
function vectorRegisters({ type }: ir.Value, { op }: ir.Instruction, vectors: Vectors): number {
  if (type.kind !== 'vector' || op === 'constant' || op === 'undefined') return 0;
  return op === 'splat' ? 1 : registersOfVector(type, vectors);
}

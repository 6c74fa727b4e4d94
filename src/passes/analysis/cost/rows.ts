/**
 * How many rows of arrays a region goes along: `in[(y - 1) * n + x]` and `in[y * n + x + 1]` are in two of them. Rows of arrays whose
 * width is a power of two begin at the same place of the nearest cache, which has room for so many of them and no more.
 *
 * Programs that keep each component of their points in an array of its own (`f[c * n + i]`: lattice Boltzmann methods, chemistry) touch dozens.
 * The line that a vector has touched is then no longer there when the next vector wants the rest of it.
 */
import type * as ir from '../../../ir/ir.ts';
import { lanesOf } from '../../../ir/types.ts';
import { walkRegion } from '../../../ir/walk.ts';
import type { Target } from '../../../target/target.ts';
import { AffineForms } from '../affine-forms.ts';
import type { Memory } from '../alias.ts';
import type { Uniformity } from '../uniformity.ts';
import { deepestLoops } from './latency.ts';
import { bitsOf } from './registers.ts';

/** What is asked of the kernel that a region is in. */
export interface KernelFacts {
  readonly definitions: ReadonlyMap<ir.Value, ir.Instruction>;
  readonly memory: Memory;
  readonly target: Pick<Target, 'cache'>;
}

/**
 * @param uniformity says what steps along rows
 * @returns the number of rows of the array that most are read of
 */
export function rowsRead(region: ir.Region, uniformity: Uniformity, kernel: KernelFacts): number {
  const rows = new Rows(uniformity, kernel);
  walkRegion(region, (instruction) => {
    if (instruction.op === 'load') rows.add(instruction);
  });
  return Math.max(0, ...[...rows.ofArrays.values()].map(({ size }) => size));
}

/**
 * @param uniformity says what steps along rows
 * @returns the number of rows of all arrays that the innermost loops go along in an iteration, or the region if it has no loops
 */
export function rowsTouched(region: ir.Region, uniformity: Uniformity, kernel: KernelFacts): number {
  const loops = deepestLoops(region);
  const rows = new Rows(uniformity, kernel);
  for (const one of loops.length > 0 ? loops.map(({ regions }) => regions[0]!) : [region]) {
    walkRegion(one, (instruction) => {
      if (instruction.op === 'load' || instruction.op === 'store') rows.addIfSideBySide(instruction);
    });
  }
  return [...rows.ofArrays.values()].reduce((sum, { size }) => sum + size, 0);
}

/** The rows that were found, by where the pointers of their arrays come from. */
class Rows {
  readonly ofArrays = new Map<ir.Value, Set<string>>();
  readonly #uniformity: Uniformity;
  readonly #forms: AffineForms;
  readonly #memory: Memory;
  readonly #line: number;
  readonly #names = new Map<ir.Value, number>();

  constructor(uniformity: Uniformity, { definitions, memory, target }: KernelFacts) {
    this.#uniformity = uniformity;
    this.#forms = new AffineForms(definitions, { looksCloser: true });
    this.#memory = memory;
    this.#line = target.cache.line;
  }

  add({ operands }: ir.Load | ir.Store): void {
    const pointer = operands[0]!;
    if (this.#uniformity.of(pointer).kind === 'uniform') return;
    const { terms, constant } = this.#forms.of(pointer);
    const same = [...terms].filter(([value]) => this.#uniformity.of(value).kind === 'uniform');
    const places = same.map(([value, factor]) => `${factor}*${this.#nameOf(value)}`).sort();
    const key = `${places.join(' ')} ${Math.round(constant / this.#line)}`;
    const root = this.#memory.rootOf(pointer).value;
    this.ofArrays.set(root, (this.ofArrays.get(root) ?? new Set()).add(key));
  }

  /** Only if its neighbours' places are next to its own, in global memory: what each lane reads for itself is in no row. */
  addIfSideBySide(access: ir.Load | ir.Store): void {
    const pointer = access.operands[0]!;
    const shape = this.#uniformity.of(pointer);
    const { type } = access.op === 'load' ? access.results[0]! : access.operands[1]!;
    const isGlobal = pointer.type.kind === 'pointer' && ['global', 'constant'].includes(pointer.type.space);
    if (isGlobal && shape.kind === 'affine' && Math.abs(shape.step) * 8 === bitsOf(type) * lanesOf(type)) {
      this.add(access);
    }
  }

  #nameOf(value: ir.Value): number {
    const name = this.#names.get(value) ?? this.#names.size;
    this.#names.set(value, name);
    return name;
  }
}

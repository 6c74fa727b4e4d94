/**
 * Loads in which every lane reads neighbouring elements somewhere of its own, such as a[row * n + k] for four
 * consecutive k. Each lane's elements are loaded together, and blocks of as many lanes as elements are transposed:
 *
 *     lane 0:  a0 a1 a2 a3           k:      a0 b0 c0 d0
 *     lane 1:  b0 b1 b2 b3    =>     k + 1:  a1 b1 c1 d1
 *     lane 2:  c0 c1 c2 c3           k + 2:  a2 b2 c2 d2
 *     lane 3:  d0 d1 d2 d3           k + 3:  a3 b3 c3 d3
 *
 * The loads are in one list with no way out and no write to that memory between them, so that exactly those bytes are
 * read that each work-item would have read.
 *
 * It serves every such load, wherever the elements come from; unrolled loops and components of structs as well as transposed-loops.ts.
 */
import type * as ir from '../../../ir/ir.ts';
import { vectorType } from '../../../ir/types.ts';
import type { Vectors } from '../../../target/target.ts';
import { AffineForms } from '../../analysis/affine-forms.ts';
import { type Memory, mayAlias, type Root, writeOf } from '../../analysis/alias.ts';
import type { Uniformity } from '../../analysis/uniformity.ts';
import type { VectorContext } from '../emit/vector-context.ts';
import type { Mask } from '../emit/vector-value.ts';
import type { VectorWriter } from '../emit/vector-writer.ts';
import { elementSize, mayBeInBlock } from './transposed-loops.ts';

/** Loads of neighbouring elements, in the order of their addresses. */
export interface Block {
  readonly loads: readonly ir.Load[];
  readonly size: number;
}

/** The blocks of a region, by each of their loads. */
export function findBlocks(
  region: ir.Region,
  lanes: number,
  uniformity: Uniformity,
  definitions: ReadonlyMap<ir.Value, ir.Instruction>,
  memory: Memory,
  addressBits: 32 | 64,
  vectors: Vectors,
): Map<ir.Load, Block> {
  const blocks = new Map<ir.Load, Block>();
  const search = new BlockSearch(definitions, memory, addressBits, lanes, vectors, blocks);
  const visit = ({ instructions }: ir.Region): void => {
    for (const instruction of instructions) {
      if (instruction.op === 'load') {
        if (mayBeInBlock(instruction, uniformity, definitions, addressBits)) search.add(instruction);
      } else search.pass(instruction);
    }
    search.end();
    for (const { regions } of instructions) for (const nested of regions) visit(nested);
  };
  visit(region);
  return blocks;
}

/** Loads whose addresses differ by constants. */
interface Family {
  readonly size: number;
  readonly root: Root;
  readonly members: { readonly load: ir.Load; readonly at: number }[];
  /** Where its members are. */
  readonly places: Set<number>;
}

/** Goes through a list of instructions. */
class BlockSearch {
  readonly #forms: AffineForms;
  readonly #memory: Memory;
  readonly #addressBits: 32 | 64;
  readonly #lanes: number;
  readonly #vectors: Vectors;
  readonly #blocks: Map<ir.Load, Block>;
  readonly #families = new Map<string, Family>();
  readonly #names = new Map<ir.Value, number>();

  constructor(
    definitions: ReadonlyMap<ir.Value, ir.Instruction>,
    memory: Memory,
    addressBits: 32 | 64,
    lanes: number,
    vectors: Vectors,
    blocks: Map<ir.Load, Block>,
  ) {
    this.#forms = new AffineForms(definitions);
    this.#memory = memory;
    this.#addressBits = addressBits;
    this.#lanes = lanes;
    this.#vectors = vectors;
    this.#blocks = blocks;
  }

  add(load: ir.Load): void {
    const size = elementSize(load, this.#addressBits);
    if (this.#lanes % elementsOf(size, this.#vectors) !== 0) return;
    const { terms, constant } = this.#forms.of(load.operands[0]!);
    const names = [...terms].map(([value, factor]) => `${factor}*${this.#name(value)}`).sort();
    const key = `${size} ${load.results[0]!.type.kind} ${names.join(' ')}`;
    let family = this.#families.get(key);
    if (!family) {
      family = { size, root: this.#memory.accessedBy(load), members: [], places: new Set() };
      this.#families.set(key, family);
    }
    // What is read twice is one value by now; if not, the second stays by itself.
    if (family.places.has(constant)) return;
    family.places.add(constant);
    family.members.push({ load, at: constant });
  }

  #name(value: ir.Value): number {
    const name = this.#names.get(value) ?? this.#names.size;
    this.#names.set(value, name);
    return name;
  }

  /** Ends what an instruction keeps loads from moving past. */
  pass(instruction: ir.Instruction): void {
    const write = writeOf(instruction);
    if (write === 'anything' || instruction.op === 'loop') this.end();
    else if (write) this.#endWritten(this.#memory.accessedBy(instruction));
    for (const region of instruction.regions) this.#passAll(region);
  }

  #passAll({ instructions }: ir.Region): void {
    for (const inner of instructions) {
      // Nothing is kept from moving any more; there may be much more of the program.
      if (this.#families.size === 0) return;
      if (inner.op === 'break' || inner.op === 'continue') this.end();
      else if (inner.regions.length === 0) this.pass(inner);
      else for (const nested of inner.regions) this.#passAll(nested);
    }
  }

  #endWritten(written: Root): void {
    for (const [key, family] of this.#families) {
      if (!mayAlias(written, family.root)) continue;
      this.#close(family);
      this.#families.delete(key);
    }
  }

  end(): void {
    for (const family of this.#families.values()) this.#close(family);
    this.#families.clear();
  }

  #close({ members, size }: Family): void {
    members.sort((a, b) => a.at - b.at);
    const count = elementsOf(size, this.#vectors);
    for (let first = 0; first + count <= members.length; ) {
      const run = members.slice(first, first + count);
      if (run.at(-1)!.at - run[0]!.at !== (count - 1) * size) {
        first += 1;
        continue;
      }
      const block: Block = { loads: run.map(({ load }) => load), size };
      for (const load of block.loads) this.#blocks.set(load, block);
      first += count;
    }
  }
}

/** How many elements change places at once. */
export function elementsOf(size: number, { shuffleBits }: Vectors): number {
  return shuffleBits / 8 / size;
}

/**
 * Vectorises a block at its first load.
 * @returns whether the load has been dealt with; if not, it is one like any other
 */
export function vectoriseTransposed(context: VectorContext, load: ir.Load, mask: Mask): boolean {
  const { writer, blocks, loaded } = context;
  if (loaded.delete(load)) return true;
  const block = blocks.get(load);
  // Of a lane that takes no part there may be no memory to read.
  if (!block || mask) return false;
  const { loads, size } = block;
  for (const one of loads) if (one !== load) loaded.add(one);
  const back = -loads.indexOf(load) * size;
  const pointer = context.vectorised(load.operands[0]!);
  const element = writer.laneType(load.results[0]!.type);
  const align = Math.min(...loads.map((one) => one.align), size);
  const row = vectorType(element, loads.length as 2 | 4);
  const columns: ir.Value[][] = loads.map(() => []);
  for (let first = 0; first < writer.lanes; first += loads.length) {
    const rows = loads.map((_, at) => {
      const place = writer.laneOf(pointer, load.operands[0]!.type, first + at);
      return writer.load(row, writer.moved(place, back), align);
    });
    transposed(writer, rows).forEach((column, at) => {
      columns[at]!.push(column);
    });
  }
  loads.forEach((one, at) => {
    context.report.access(one, 'transposed', false);
    context.define(one.results[0]!, { kind: 'lanes', parts: [joined(writer, columns[at]!)] });
  });
  return true;
}

/** Rows become columns: zipping the first half with the second, as often as halves can be made. */
export function transposed(writer: VectorWriter, rows: readonly ir.Value[]): ir.Value[] {
  const count = rows.length;
  const half = count / 2;
  const zip = (from: number): number[] =>
    Array.from({ length: count }, (_, at) => from + (at >> 1) + (at % 2) * count);
  let current = [...rows];
  for (let stage = 1; stage < count; stage *= 2) {
    current = current.slice(0, half).flatMap((one, at) => {
      const other = current[at + half]!;
      return [writer.shuffle(one, other, zip(0)), writer.shuffle(one, other, zip(half))];
    });
  }
  return current;
}

/** One vector of several, lane after lane. */
export function joined(writer: VectorWriter, parts: readonly ir.Value[]): ir.Value {
  let current = [...parts];
  while (current.length > 1) {
    const pairs: ir.Value[] = [];
    for (let at = 0; at < current.length; at += 2) {
      const [a, b] = [current[at]!, current[at + 1]!];
      const { type } = a;
      const lanes = type.kind === 'vector' ? type.lanes : 1;
      pairs.push(
        writer.shuffle(
          a,
          b,
          Array.from({ length: 2 * lanes }, (_, lane) => lane),
        ),
      );
    }
    current = pairs;
  }
  return current[0]!;
}

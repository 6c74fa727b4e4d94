/**
 * Addresses as indices of elements. Pointers are byte offsets, and what accesses whole elements needs their index: rather than a sum of bytes that
 * is shifted, it is written as a sum of elements, which compilers of shaders can take apart.
 *
 *     %o = shl %i, 2; %p = offset %a, %o; load %p    =>    let p = (a >> 2u) + i;
 *
 * A multiple of an element's size that is added does not change what is below it, so that both are the same. But sums of bytes wrap around where
 * addresses end, and those of elements go on: a buffer that is bound begins near 0, and what points before it has an index of few bits. So what is
 * added to an index that was made of bytes loses the bits above those.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf, i32, lanesOf, sizeOf } from '../../ir/types.ts';
import { walkRegion } from '../../ir/walk.ts';
import { unsignedLiteral } from './literals.ts';
import type { Place } from './spaces.ts';

/** What is asked of a function's surroundings. */
interface Memory {
  placeOf(pointer: ir.Value): Place;
  elementWords(place: Place): number;
}

export class ElementIndices {
  readonly #memory: Memory;
  readonly #parameters: ReadonlySet<ir.Value>;
  readonly #definitions = new Map<ir.Value, ir.Instruction>();
  /** Pointers whose index is a sum of elements. */
  readonly #summed = new Set<ir.Value>();
  /** Those of them of which nothing else is needed. */
  readonly #onlyIndices = new Set<ir.Value>();
  readonly #names = new Map<ir.Value, string>();
  /** Pointers whose index was made of a sum of bytes. */
  readonly #ofBytes = new Set<ir.Value>();

  constructor(fn: ir.Function, body: ir.Region, memory: Memory) {
    this.#memory = memory;
    this.#parameters = new Set(fn.parameters.map(({ value }) => value));
    const offsets: ir.Instruction[] = [];
    const indexed = new Set<ir.Value>();
    const addressed = new Set<ir.Value>();
    walkRegion(body, (instruction) => {
      const pointer = this.#accessed(instruction);
      for (const [index, operand] of instruction.operands.entries()) {
        if (index === 0 && pointer) indexed.add(pointer);
        else if (index > 0 || instruction.op !== 'offset') addressed.add(operand);
      }
      for (const result of instruction.results) this.#definitions.set(result, instruction);
      if (instruction.op === 'offset') offsets.push(instruction);
    });
    // Uses come behind definitions.
    for (const { operands, results } of offsets.toReversed()) {
      const [base, distance] = operands as [ir.Value, ir.Value];
      const [pointer] = results as [ir.Value];
      const isSummed = indexed.has(pointer) && this.#isWhole(distance, this.shiftOf(pointer));
      if (isSummed) {
        this.#summed.add(pointer);
        indexed.add(base);
      }
      if (isSummed && !addressed.has(pointer)) this.#onlyIndices.add(pointer);
      else addressed.add(base);
    }
  }

  /** The pointer of an access, if it accesses whole elements. */
  #accessed(instruction: ir.Instruction): ir.Value | undefined {
    const { op, operands, results } = instruction;
    const [pointer] = operands;
    if (op === 'atomic') return pointer;
    if ((op !== 'load' && op !== 'store') || instruction.align < 4) return undefined;
    // What loads a part of an element needs bytes, to find it.
    const type = (results[0] ?? operands[1]!).type;
    const words = this.#memory.elementWords(this.#memory.placeOf(pointer!));
    return words > 1 && sizeOf(elementOf(type)) * lanesOf(type) < words * 4 ? undefined : pointer;
  }

  /** Calls `drop` for each use of a value that is left out, as only indices are needed. */
  leaveOut(drop: (value: ir.Value) => boolean): void {
    const leave = (bytes: ir.Value): void => {
      const definition = this.#definitions.get(bytes);
      if (
        drop(bytes) &&
        definition?.op === 'binary' &&
        (definition.fn === 'iadd' || definition.fn === 'isub')
      ) {
        for (const operand of definition.operands) leave(operand);
      }
    };
    for (const pointer of this.#onlyIndices) leave(this.#definitions.get(pointer)!.operands[1]!);
  }

  /** By how many bits an address is shifted to become an index. */
  shiftOf(pointer: ir.Value): number {
    return 2 + Math.log2(this.#memory.elementWords(this.#memory.placeOf(pointer)));
  }

  /** Whether an offset need not be computed in bytes. */
  isOnlyIndex(pointer: ir.Value): boolean {
    return this.#onlyIndices.has(pointer);
  }

  /** The index that an offset is, if it is one that is computed as such; `name` is what it will be called. */
  define(pointer: ir.Value, name: () => string, textOf: (value: ir.Value) => string): string | undefined {
    if (!this.#summed.has(pointer)) return undefined;
    const [base, distance] = this.#definitions.get(pointer)!.operands as [ir.Value, ir.Value];
    const shift = this.shiftOf(pointer);
    const first = this.of(base, textOf);
    const text = `${first.includes(' ') ? `(${first})` : first} + ${this.#elements(distance, shift, textOf)}`;
    const given = name();
    this.#names.set(pointer, given);
    if (!this.#isOfBytes(base)) return `let ${given} = ${text};`;
    this.#ofBytes.add(pointer);
    return `let ${given} = (${text}) & ${unsignedLiteral(0xffff_ffff >>> shift)};`;
  }

  /** The index of the element at an address. */
  of(pointer: ir.Value, textOf: (value: ir.Value) => string): string {
    return this.#names.get(pointer) ?? `${textOf(pointer)} >> ${this.shiftOf(pointer)}u`;
  }

  /** Whether the index of a pointer comes from a sum of bytes, which may have wrapped around: not where a buffer begins. */
  #isOfBytes(pointer: ir.Value): boolean {
    if (this.#names.has(pointer)) return this.#ofBytes.has(pointer);
    if (this.#parameters.has(pointer) || !this.#memory.placeOf(pointer).startsWith('buffer_')) return false;
    const definition = this.#definitions.get(pointer);
    return definition?.op !== 'global_address' && !(definition?.op === 'convert' && definition.fn === 'itop');
  }

  /** Whether a number of bytes is one of whole elements, and is known to be. */
  #isWhole(bytes: ir.Value, shift: number): boolean {
    return this.#elements(bytes, shift, () => '') !== undefined;
  }

  #elements(bytes: ir.Value, shift: number, textOf: (value: ir.Value) => string): string | undefined {
    if (bytes.type !== i32) return undefined;
    const known = this.#constant(bytes);
    if (known !== undefined)
      return known % 2 ** shift === 0 ? unsignedLiteral((known >> shift) >>> 0) : undefined;
    const definition = this.#definitions.get(bytes);
    if (definition?.op !== 'binary') return undefined;
    const [a, b] = definition.operands as [ir.Value, ir.Value];
    switch (definition.fn) {
      case 'shl': {
        const count = this.#constant(b);
        if (count === undefined || count < shift || count > 31 || this.#constant(a) !== undefined)
          return undefined;
        return count === shift ? textOf(a) : `(${textOf(a)} << ${count - shift}u)`;
      }
      case 'imul': {
        const factor = this.#constant(b);
        if (factor === undefined || factor % 2 ** shift !== 0) return undefined;
        return `(${textOf(a)} * ${unsignedLiteral((factor >> shift) >>> 0)})`;
      }
      case 'iadd':
      case 'isub': {
        const [x, y] = [this.#elements(a, shift, textOf), this.#elements(b, shift, textOf)];
        return x === undefined || y === undefined
          ? undefined
          : `(${x} ${definition.fn === 'iadd' ? '+' : '-'} ${y})`;
      }
      default:
        return undefined;
    }
  }

  /** A number that is known, with its sign. */
  #constant(value: ir.Value): number | undefined {
    const definition = this.#definitions.get(value);
    if (definition?.op !== 'constant' || value.type !== i32) return undefined;
    return Number(definition.value) | 0;
  }
}

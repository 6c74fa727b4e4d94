/**
 * Memory as arrays of words. `memory` is all that is global or constant: one buffer, in which pointers are byte offsets. `local_memory`
 * is the work-group's, `private_memory` the work-item's. A generic pointer says by its first two bits where it leads: 0x for
 * `memory`, 10 for local, 11 for private memory; 0 is null everywhere, so that the first 16 bytes of the others are nobody's.
 *
 * In the variant with bindings there is no `memory`: each buffer is an array of its own, `buffer_0` and so on, in which pointers count from its
 * binding, and `block` has the structs that are arguments, and the descriptors of images, in the uniform of a launch. Elements of a buffer may be vectors of words.
 *
 * An array with atomic operations is an array of atomics as a whole. So is one in which parts of words are stored: the rest of
 * the word may be another work-item's.
 */
import type * as ir from '../../ir/ir.ts';
import { type AddressSpace, elementOf, lanesOf, sizeOf } from '../../ir/types.ts';
import { walkFunction } from '../../ir/walk.ts';
import { argumentWord } from './queries.ts';

export type Place = 'memory' | 'local_memory' | 'private_memory' | 'generic' | 'block' | `buffer_${number}`;

/** Tells where a pointer leads. */
export type PlaceOf = (pointer: ir.Value) => Place;

export const firstFree = 16;
export const genericTags = { local: 0x8000_0000, private: 0xc000_0000, mask: 0x3fff_ffff } as const;

export function placeOf(space: AddressSpace): Place {
  switch (space) {
    case 'global':
    case 'constant':
      return 'memory';
    case 'local':
      return 'local_memory';
    case 'private':
      return 'private_memory';
    default:
      return 'generic';
  }
}

export function placeBehind(pointer: ir.Value): Place {
  return placeOf(pointer.type.kind === 'pointer' ? pointer.type.space : 'private');
}

/** What the functions of a program do with memory. */
export class MemoryUse {
  readonly used = new Set<Place>();
  readonly atomic = new Set<Place>();
  readonly #numbers = new Map<ir.Value, number>();
  readonly #byWords = new Set<ir.Instruction>();
  readonly #placeOf: PlaceOf;

  constructor(functions: readonly ir.Function[], placeOf: PlaceOf = placeBehind) {
    this.#placeOf = placeOf;
    for (const fn of functions) walkFunction(fn, (instruction) => this.#look(instruction));
    if (this.used.has('generic')) {
      for (const place of ['memory', 'local_memory', 'private_memory'] as const) this.used.add(place);
    }
    if (this.atomic.has('generic')) {
      this.atomic.add('memory');
      this.atomic.add('local_memory');
    }
    this.atomic.delete('private_memory');
  }

  #look(instruction: ir.Instruction): void {
    const { op, operands } = instruction;
    const [first, second] = operands;
    switch (op) {
      case 'constant':
        if (typeof instruction.value === 'number')
          this.#numbers.set(instruction.results[0]!, instruction.value);
        return;
      case 'load':
        this.used.add(this.#placeOf(first!));
        return;
      case 'store': {
        this.used.add(this.#placeOf(first!));
        const bytes = sizeOf(elementOf(second!.type)) * lanesOf(second!.type);
        if (bytes % 4 !== 0 || instruction.align < 4) this.atomic.add(this.#placeOf(first!));
        return;
      }
      case 'atomic':
        this.used.add(this.#placeOf(first!));
        this.atomic.add(this.#placeOf(first!));
        return;
      case 'copy':
        this.used.add(this.#placeOf(first!)).add(this.#placeOf(second!));
        this.#lookAtBytes(instruction, operands[2]!);
        return;
      case 'fill':
        this.used.add(this.#placeOf(first!));
        this.#lookAtBytes(instruction, second!);
        return;
    }
  }

  #lookAtBytes(instruction: ir.Copy | ir.Fill, size: ir.Value): void {
    const bytes = this.#numbers.get(size);
    if (instruction.align >= 4 && bytes !== undefined && bytes % 4 === 0) this.#byWords.add(instruction);
    else this.atomic.add(this.#placeOf(instruction.operands[0]!));
  }

  /** Whether it is whole words that a copy copies, or a fill fills. */
  isByWords(instruction: ir.Copy | ir.Fill): boolean {
    return this.#byWords.has(instruction);
  }

  isAtomic(place: Place): boolean {
    return this.atomic.has(place);
  }

  /** What is in the word of that index. */
  word(place: Place, index: string): string {
    if (place === 'generic') return `generic_load(${index})`;
    if (place === 'block') {
      const known = /^(\d+)u >> 2u$/.exec(index);
      return known ? argumentWord(Number(known[1]) >> 2) : `arguments[(${index}) >> 2u][(${index}) & 3u]`;
    }
    return this.isAtomic(place) ? `atomicLoad(&${place}[${index}])` : `${place}[${index}]`;
  }

  /** The statement that stores a word. */
  setWord(place: Place, index: string, value: string): string {
    if (place === 'generic') return `generic_store(${index}, ${value});`;
    return this.isAtomic(place)
      ? `atomicStore(&${place}[${index}], ${value});`
      : `${place}[${index}] = ${value};`;
  }
}

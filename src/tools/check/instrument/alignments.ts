/** What address every pointer of a function is surely a multiple of. */
import type * as ir from '../../../ir/ir.ts';
import type { PointerRoots } from './pointer-roots.ts';

/** Buffers, and what the device places itself, begin at multiples of this. */
const most = 128;

export class Alignments {
  readonly #roots: PointerRoots;
  readonly #known = new Map<ir.Value, number>();

  constructor(roots: PointerRoots) {
    this.#roots = roots;
  }

  /** A power of two; 1 if nothing is known. */
  of(value: ir.Value): number {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    // Where a search comes back here, the other ways decide.
    this.#known.set(value, most);
    const found = this.#find(value);
    this.#known.set(value, found);
    return found;
  }

  #find(value: ir.Value): number {
    const definition = this.#roots.definition(value);
    const common = (values: readonly ir.Value[]) =>
      values.reduce((least, one) => Math.min(least, this.of(one)), most);
    if (!definition) {
      const sources = this.#roots.sourcesOf(value);
      if (sources) return common(sources);
      return value.type.kind === 'pointer' ? most : 1;
    }
    const { operands } = definition;
    switch (definition.op) {
      case 'constant':
        return typeof definition.value === 'number' ? lowestBit(definition.value) : 1;
      case 'variable':
        return Math.min(most, definition.align);
      case 'global_address':
        return Math.min(most, definition.global.align);
      case 'offset':
        return common(operands);
      case 'select':
        return common(operands.slice(1));
      case 'convert':
        return ['space', 'sext', 'zext', 'trunc', 'ptoi', 'itop'].includes(definition.fn)
          ? this.of(operands[0]!)
          : 1;
      case 'binary':
        if (definition.fn === 'iadd' || definition.fn === 'isub') return common(operands);
        if (definition.fn === 'imul') return Math.min(most, this.of(operands[0]!) * this.of(operands[1]!));
        if (definition.fn === 'shl') {
          const count = this.#roots.definition(operands[1]!);
          const bits = count?.op === 'constant' ? Number(count.value) : 0;
          return Math.min(most, this.of(operands[0]!) * 2 ** Math.min(bits, 7));
        }
        return 1;
      default: {
        const sources = this.#roots.sourcesOf(value);
        return sources ? common(sources) : 1;
      }
    }
  }
}

function lowestBit(value: number): number {
  return value === 0 ? most : Math.min(most, Math.abs(value & -value));
}

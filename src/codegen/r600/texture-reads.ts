/**
 * Loads that a texture unit does. Its coordinates are found in the address (textures.ts) and put side by side, as the
 * instruction takes them.
 */
import type * as ir from '../../ir/ir.ts';
import { type Emitter, registerSource, zero } from './emitter.ts';
import { R600Error } from './error.ts';
import { type Block, newGroup, type Register, type Source } from './operations.ts';
import { memoryBytes, wordsOf } from './parameters.ts';
import type { Pointer } from './pointers.ts';
import type { ParameterRole } from './roles.ts';
import type { Scope } from './scope.ts';
import { type Coordinates, coordinatesOf, floatCoordinate } from './textures.ts';

type TextureRole = Extract<ParameterRole, { kind: 'texture' }>;

interface CoordinateRegisters {
  readonly registers: readonly Register[];
  readonly isNormalised: boolean;
}

export class TextureReads {
  readonly #scope: Scope;
  readonly #emitter: Emitter;
  readonly #coordinates: (Coordinates & CoordinateRegisters & { readonly block: Block })[] = [];

  constructor(scope: Scope, emitter: Emitter) {
    this.#scope = scope;
    this.#emitter = emitter;
  }

  /** An element of a texture, by coordinates that the address was made of. */
  read(pointer: Pointer, { resource, sampler, components }: TextureRole, load: ir.Load): readonly Source[] {
    const scope = this.#scope;
    const emitter = this.#emitter;
    const { type } = load.results[0]!;
    const words = wordsOf(type);
    if (words > components) throw new R600Error('a read of more than an element of a texture', load.span);
    const coordinates = coordinatesOf(pointer.terms, components * 4, {
      definition: (value) => scope.definition(value),
      constant: (value) => scope.constant(value),
      isShape: (value) => scope.isShape(value),
    });
    if (!coordinates) throw new R600Error('an address that is no position in a texture', load.span);
    const targets = newGroup(words);
    const { registers, isNormalised } = this.#coordinateRegisters(coordinates);
    emitter.block.operations.push({
      kind: 'fetch',
      name: coordinates.isLoad ? 'LD' : 'SAMPLE',
      targets,
      address: registers,
      resource,
      sampler: sampler ?? resource,
      offset: 0,
      format: undefined,
      bytes: memoryBytes(type),
      isNormalised,
      isConstant: true,
      span: load.span,
    });
    return targets.map(registerSource);
  }

  /** Coordinates side by side, as floats but for LD; the same ones once in a block. */
  #coordinateRegisters({ x, y, isLoad }: Coordinates): CoordinateRegisters {
    const { block } = this.#emitter;
    const known = this.#coordinates.find(
      (one) => one.block === block && one.x === x && one.y === y && one.isLoad === isLoad,
    );
    if (known) return known;
    const numbers = isLoad
      ? [x, y].map((value) => ({ source: value ? this.#scope.word(value) : zero, isNormalised: false }))
      : [this.#floatCoordinate(x, 0), this.#floatCoordinate(y, 1)];
    const isNormalised = numbers.some((one) => one.isNormalised);
    if (isNormalised && numbers.some((one) => !one.isNormalised && one.source !== zero))
      throw new R600Error('a coordinate from 0 to 1 beside one that is none', this.#emitter.span);
    const sources = numbers.map(({ source }) => source);
    // The position lies side by side already.
    const isPosition = sources.every((source, axis) => this.#scope.isPixel(source, axis));
    const registers = isPosition
      ? sources.map((source) => this.#emitter.register(source))
      : (this.#emitter.together(sources) as readonly Register[]);
    const made = { x, y, isLoad, registers, isNormalised };
    this.#coordinates.push({ block, ...made });
    return made;
  }

  #floatCoordinate(value: ir.Value | undefined, axis: 0 | 1): { source: Source; isNormalised: boolean } {
    const scope = this.#scope;
    if (!value) return { source: zero, isNormalised: false };
    const float = floatCoordinate(value, {
      definition: (one) => scope.definition(one),
      isShape: (one) => scope.isShape(one),
    });
    if (float) return { source: scope.word(float.value), isNormalised: float.isNormalised };
    const word = scope.word(value);
    const source =
      !scope.isCompute && scope.isPosition(word, axis)
        ? scope.pixel(axis)
        : this.#emitter.emit('INT_TO_FLT', word);
    return { source, isNormalised: false };
  }
}

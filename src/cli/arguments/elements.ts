/**
 * What a buffer's elements are on the host. An element (a `float`, an `int3`, a struct) is a few numbers at fixed
 * offsets, and everything that fills, prints or saves buffers goes through them; only pictures and whole files look
 * at the bytes.
 */
import type { HostLayout } from 'millrace';
import { FailureError, UsageError } from '../errors.ts';
import { byteType, type Entries, type NumberType, numberType, readNumber } from './numbers.ts';

/** One number of an element. */
interface Place {
  readonly offset: number;
  readonly type: NumberType;
}

/** How elements of one type lie in memory. */
export interface ElementShape {
  /** For people: `uchar4`, `float`, a struct's name. */
  readonly name: string;
  /** Bytes of an element. A 3-vector takes four of its scalars. */
  readonly size: number;
  /** Its numbers in order: the lanes of a vector, the fields of a struct, nested ones flattened. */
  readonly places: readonly Place[];
  /** The scalar type of a scalar or a vector; undefined for structs and arrays. */
  readonly type: NumberType | undefined;
}

/** The shape of elements of a type; without a layout (a `void *`), bytes. */
export function elementShape(layout: HostLayout | undefined, typeName = ''): ElementShape {
  if (!layout) return { name: 'byte', size: 1, places: [{ offset: 0, type: byteType }], type: byteType };
  const places = placesOf(layout, 0);
  if (layout.kind === 'struct' || layout.kind === 'array') {
    // A struct may have no name but its typedef's, which the parameter's type shows.
    const name = layout.kind === 'struct' ? layout.name : '';
    return { name: name || typeName || 'struct', size: layout.size, places, type: undefined };
  }
  const { type } = places[0]!;
  const name = layout.kind === 'vector' ? `${type.name}${layout.lanes}` : type.name;
  return { name, size: layout.size, places, type };
}

function placesOf(layout: HostLayout, offset: number): Place[] {
  switch (layout.kind) {
    case 'integer':
    case 'float':
      return [{ offset, type: numberType(layout) }];
    case 'vector':
    case 'array': {
      const count = layout.kind === 'vector' ? layout.lanes : layout.length;
      const { element } = layout;
      return Array.from({ length: count }, (_, at) => placesOf(element, offset + at * element.size)).flat();
    }
    case 'struct':
      return layout.fields.flatMap((field) => placesOf(field.layout, offset + field.offset));
  }
}

/** A buffer's content: elements one after another. */
export class Elements {
  readonly shape: ElementShape;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
  readonly #view: DataView;

  constructor(shape: ElementShape, bytes: Uint8Array<ArrayBuffer>) {
    this.shape = shape;
    this.bytes = bytes;
    this.count = Math.floor(bytes.length / shape.size);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** So many elements of zeros. Throws a {@link FailureError} if there is not so much memory. */
  static zeros(shape: ElementShape, count: number): Elements {
    try {
      return new Elements(shape, new Uint8Array(count * shape.size));
    } catch {
      throw new FailureError(`there is no memory for ${count} elements of ${shape.size} bytes`);
    }
  }

  /** How many numbers there are in all elements. */
  get numbers(): number {
    return this.count * this.shape.places.length;
  }

  /** A number by its index among all numbers. */
  get(index: number): number | bigint {
    const { places, size } = this.shape;
    const place = places[index % places.length]!;
    return place.type.read(this.#view, Math.floor(index / places.length) * size + place.offset);
  }

  /** Sets a number by its index among all numbers, converting as C does. */
  set(index: number, value: number | bigint): void {
    const { places, size } = this.shape;
    const place = places[index % places.length]!;
    place.type.write(this.#view, Math.floor(index / places.length) * size + place.offset, value);
  }

  /** Sets numbers from what a person typed, from the first on. Throws a {@link UsageError} if one does not fit. */
  setTexts(texts: readonly string[], parameter: string): void {
    const { places } = this.shape;
    texts.forEach((text, index) => {
      this.set(index, readNumber(text, places[index % places.length]!.type, parameter));
    });
  }

  /** Makes all elements like the first. */
  repeatFirst(): void {
    for (let done = this.shape.size; done < this.bytes.length; done *= 2) {
      this.bytes.copyWithin(done, 0, Math.min(done, this.bytes.length - done));
    }
  }

  /** The bytes as an array of the scalar type, the fourth lane of 3-vectors included; plain bytes of structs. */
  entries(): Entries {
    return (this.shape.type ?? byteType).entries(this.bytes.buffer);
  }
}

/**
 * The bytes of a by-value argument from typed numbers: one number fills every lane of a vector; a list gives
 * the lanes of a vector or the fields of a struct, in order.
 */
export function valueBytes(
  shape: ElementShape,
  texts: readonly string[],
  parameter: string,
): Uint8Array<ArrayBuffer> {
  const wanted = shape.places.length;
  const everywhere = texts.length === 1 && shape.type !== undefined;
  if (!everywhere && texts.length !== wanted) {
    const numbers = wanted === 1 ? 'one number' : `${wanted} numbers in parentheses`;
    throw new UsageError(
      `parameter '${parameter}' (${shape.name}) takes ${numbers}; ${texts.length} ${texts.length === 1 ? 'was' : 'were'} given`,
    );
  }
  const value = Elements.zeros(shape, 1);
  value.setTexts(everywhere ? shape.places.map(() => texts[0]!) : texts, parameter);
  return value.bytes;
}

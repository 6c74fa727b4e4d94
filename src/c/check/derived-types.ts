/**
 * Types that follow from the type of an object: that of its value, of the pointer an array becomes, of a field, of lanes.
 *
 * Checking asks for the same few again and again, once for each use of a variable, so each is made once for each type
 * it follows from. Types are told apart by identity: two of the same content are derived from twice.
 */
import type { Dialect } from '../dialect.ts';
import { elementObject, fieldObject, pointerTo, valueType, withSpace } from '../type-facts.ts';
import {
  type ArrayType,
  type Field,
  type QualifiedType,
  unqualified,
  type VectorType,
  vectorType,
} from '../types.ts';

/** What follows from one type, as far as it was asked for. */
class Derived {
  value: QualifiedType | undefined = undefined;
  decayed: QualifiedType | undefined = undefined;
  fields: Map<Field, QualifiedType> | undefined = undefined;
  /** by the number of lanes */
  lanes: (QualifiedType | undefined)[] | undefined = undefined;
}

export class DerivedTypes {
  readonly #dialect: Dialect;
  readonly #derived = new Map<QualifiedType, Derived>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The type of the value of an object; see {@link valueType}. */
  value(type: QualifiedType): QualifiedType {
    if (!type.isConst && !type.isVolatile && !type.isRestrict && type.space === undefined) return type;
    const derived = this.#of(type);
    derived.value ??= valueType(type);
    return derived.value;
  }

  /** The pointer to its first element that an array becomes. */
  decayed(array: QualifiedType & { type: ArrayType }): QualifiedType {
    const derived = this.#of(array);
    if (derived.decayed === undefined) {
      const element = elementObject(array);
      const space = element.space ?? this.#dialect.defaultSpace('pointee', element.type);
      derived.decayed = unqualified(pointerTo(withSpace(element, space)));
    }
    return derived.decayed;
  }

  /** The type of a field of an object; see {@link fieldObject}. */
  field(object: QualifiedType, field: Field): QualifiedType {
    const derived = this.#of(object);
    derived.fields ??= new Map();
    let type = derived.fields.get(field);
    if (type === undefined) {
      type = fieldObject(object, field);
      derived.fields.set(field, type);
    }
    return type;
  }

  /** The type of `count` lanes of a vector, which are where the vector is. */
  lanes(vector: QualifiedType, { element }: VectorType, count: number): QualifiedType {
    const derived = this.#of(vector);
    derived.lanes ??= [];
    let type = derived.lanes[count];
    if (type === undefined) {
      const result = count === 1 ? element : vectorType(element, count as VectorType['lanes']);
      type = { ...vector, type: result, alias: undefined, align: undefined };
      derived.lanes[count] = type;
    }
    return type;
  }

  #of(type: QualifiedType): Derived {
    let derived = this.#derived.get(type);
    if (derived === undefined) {
      derived = new Derived();
      this.#derived.set(type, derived);
    }
    return derived;
  }
}

/**
 * Initializers: braces, designators, and elided braces, flattened to what is stored where (C99, 6.7.8; vectors in
 * braces after OpenCL 1.2, 6.1.6).
 *
 * The parser hands over the braces as written ({@link Initializer}); here they are laid over the type of the object.
 */
import type { Span } from '../../source/span.ts';
import type { Expression, InitializerEntry, InitializerList } from '../ast.ts';
import { evaluateInteger } from '../constant.ts';
import { arrayOf, findField, sameType, sizeOf, valueType, withSpace } from '../type-facts.ts';
import { arithmeticTypes, type CType, type QualifiedType, unqualified, type VectorType } from '../types.ts';
import { convertForAssignment, isPassable } from './assignments.ts';
import { type Checker, isError } from './checker.ts';
import { toValue } from './conversions.ts';
import { checkVectorLiteral } from './vector-literals.ts';

/** An initializer as written: an expression, or braces. */
export type Initializer = Expression | BracedInitializer;

export interface BracedInitializer {
  readonly kind: 'braces';
  readonly items: readonly InitializerItem[];
  readonly span: Span;
}

export interface InitializerItem {
  readonly designators: readonly Designator[];
  readonly value: Initializer;
}

export type Designator =
  | { readonly kind: 'field'; readonly name: string; readonly span: Span }
  | {
      readonly kind: 'index';
      readonly index: Expression;
      /** Of `[index ... last]` (GNU). */
      readonly last?: Expression | undefined;
      readonly span: Span;
    };

/** What initializes an object, and the object's type, whose array length the initializer may have decided. */
export interface CheckedInitializer {
  readonly initializer: Expression;
  readonly type: QualifiedType;
}

/** Lays an initializer over an object of a type. Undefined if it is wrong, which has been reported. */
export function checkInitializer(
  checker: Checker,
  type: QualifiedType,
  initializer: Initializer,
): CheckedInitializer | undefined {
  if (initializer.kind !== 'braces') {
    if (type.type.kind === 'array') return initializeArray(checker, type, initializer);
    const value = convertForAssignment(checker, initializer, type, 'initializing');
    return isError(value) ? undefined : { initializer: value, type };
  }
  const { type: inner } = type;
  const [only] = initializer.items;
  if (inner.kind === 'array' && initializer.items.length === 1 && only?.value.kind === 'string-literal') {
    const filled = initializeArray(checker, type, only.value, true);
    if (filled !== undefined) return filled;
  }
  const builder = new ListBuilder(checker);
  if (inner.kind === 'array' || inner.kind === 'record') {
    const length = builder.aggregate(type, 0, initializer);
    if (builder.failed) return undefined;
    let complete = type;
    if (inner.kind === 'array' && inner.length === undefined) {
      complete = withSpace({ ...arrayOf(inner.element, length), isConst: type.isConst }, type.space);
    }
    return { initializer: list(builder.entries, complete, initializer.span), type: complete };
  }
  const value = builder.braced(type, initializer);
  return value === undefined || builder.failed ? undefined : { initializer: value, type };
}

function list(entries: readonly InitializerEntry[], type: QualifiedType, span: Span): InitializerList {
  return { kind: 'initializer-list', entries, type: valueType(type), span };
}

/** `char s[] = "text"`; nothing else initializes an array without braces. */
function initializeArray(
  checker: Checker,
  type: QualifiedType,
  value: Expression,
  inBraces = false,
): CheckedInitializer | undefined {
  const array = type.type;
  if (isError(value) || array.kind !== 'array') return undefined;
  const element = array.element.type;
  if (
    value.kind !== 'string-literal' ||
    (element !== arithmeticTypes.char && element !== arithmeticTypes.uchar)
  ) {
    if (inBraces) return undefined;
    if (value.kind === 'compound-literal' && sameType(value.type.type, array)) {
      return {
        initializer: { ...value.initializer, span: value.span },
        type: { ...type, type: value.type.type },
      };
    }
    checker.error(value.span, 'array initializer must be an initializer list');
    return undefined;
  }
  const length = array.length ?? value.bytes.length;
  if (value.bytes.length - 1 > length) {
    checker.warning(value.span, 'excess-initializers', 'initializer-string for char array is too long');
  }
  const complete = withSpace({ ...arrayOf(array.element, length), isConst: type.isConst }, type.space);
  const entry: InitializerEntry = { offset: 0, type: valueType(complete), value };
  return { initializer: list([entry], complete, value.span), type: complete };
}

/** Position in a list of items, shared by all aggregates whose braces were left out. */
interface Cursor {
  readonly items: readonly InitializerItem[];
  index: number;
  /** The designators of the first item go on inside the aggregate, and so do the items after it (C99, 6.7.8 17). */
  readonly isLed?: true;
}

/** Lanes that the braces do not name are zero (GNU). */
function fillWithZeros(values: Expression[], { lanes }: VectorType, span: Span): void {
  let given = 0;
  for (const { type } of values) given += type.type.kind === 'vector' ? type.type.lanes : 1;
  const type = unqualified(arithmeticTypes.int);
  for (; given < lanes; given += 1) values.push({ kind: 'integer-literal', value: 0n, type, span });
}

class ListBuilder {
  readonly entries: InitializerEntry[] = [];
  failed = false;
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** Initializes an array or record from its own braces. The result is the length of an array so made. */
  aggregate(type: QualifiedType, offset: number, braces: BracedInitializer): number {
    const cursor: Cursor = { items: braces.items, index: 0 };
    const length = this.#walk(type, offset, cursor, true);
    const extra = braces.items[cursor.index];
    if (extra !== undefined && !this.failed) {
      const what =
        type.type.kind === 'array'
          ? 'array'
          : type.type.kind === 'record' && type.type.union
            ? 'union'
            : 'struct';
      this.#checker.warning(
        extra.value.span,
        'excess-initializers',
        `excess elements in ${what} initializer`,
      );
    }
    return length;
  }

  /** A scalar or vector in braces. */
  braced(type: QualifiedType, braces: BracedInitializer): Expression | undefined {
    const values: Expression[] = [];
    for (const item of braces.items) {
      const [designator] = item.designators;
      if (designator !== undefined)
        return this.#fail(
          designator.span,
          `designator in initializer for scalar type '${this.#checker.show(valueType(type))}'`,
        );
      if (item.value.kind === 'braces') {
        if (type.type.kind !== 'vector') {
          if (braces.items.length === 1) return this.braced(type, item.value);
          return this.#fail(item.value.span, 'too many braces around scalar initializer');
        }
        const [inner] = item.value.items;
        if (item.value.items.length !== 1 || inner === undefined || inner.value.kind === 'braces') {
          return this.#fail(item.value.span, 'too many braces around vector element initializer');
        }
        values.push(inner.value);
      } else values.push(item.value);
    }
    if (type.type.kind === 'vector') {
      if (this.#checker.dialect.features.gnu) fillWithZeros(values, type.type, braces.span);
      const value = checkVectorLiteral(this.#checker, type.type, values, braces.span);
      if (isError(value)) this.failed = true;
      return value;
    }
    const [first, second] = values;
    if (first === undefined) return this.#fail(braces.span, 'scalar initializer cannot be empty');
    if (second !== undefined) {
      this.#checker.warning(second.span, 'excess-initializers', 'excess elements in scalar initializer');
    }
    const value = convertForAssignment(this.#checker, first, type, 'initializing');
    if (isError(value)) this.failed = true;
    return value;
  }

  #fail(span: Span, message: string): undefined {
    this.failed = true;
    this.#checker.error(span, message);
    return undefined;
  }

  /** Initializes the parts of an aggregate from the cursor on. Without its own braces it stops when it is full. */
  #walk(type: QualifiedType, offset: number, cursor: Cursor, ownBraces: boolean): number {
    const inner = type.type;
    if (inner.kind === 'record') {
      this.#walkRecord(inner, offset, cursor, ownBraces);
      return 0;
    }
    return inner.kind === 'array' ? this.#walkArray(inner, offset, cursor, ownBraces) : 0;
  }

  #walkArray(
    array: Extract<CType, { kind: 'array' }>,
    offset: number,
    cursor: Cursor,
    ownBraces: boolean,
  ): number {
    const size = sizeOf(array.element.type, this.#checker.dialect.addressBytes);
    let index = 0;
    let length = 0;
    while (cursor.index < cursor.items.length && !this.failed) {
      const item = cursor.items[cursor.index];
      if (item === undefined) break;
      const [designator] = item.designators;
      if (designator !== undefined && !ownBraces && !isLedHere(cursor)) break;
      let repeats = 0;
      if (designator?.kind === 'index') {
        const value = this.#designatedIndex(designator, designator.index, array.length);
        const last = designator.last && this.#designatedIndex(designator, designator.last, array.length);
        if (value === undefined || (designator.last && last === undefined)) break;
        index = value;
        repeats = (last ?? value) - value;
        if (repeats < 0 || repeats > longestRange) {
          const fault = repeats < 0 ? 'is empty' : 'is too long';
          this.#fail(designator.span, `array designator range [${value}, ${last}] ${fault}`);
          break;
        }
      } else if (designator !== undefined) {
        this.#fail(
          designator.span,
          `field designator cannot initialize a non-struct, non-union type '${this.#checker.showType(array)}'`,
        );
        break;
      }
      if (array.length !== undefined && index >= array.length) break;
      if (index >= maximumElements) {
        this.#fail(item.value.span, 'array is too large');
        break;
      }
      for (; repeats > 0 && !this.failed; repeats -= 1) {
        const again: Cursor = { items: [item], index: 0 };
        this.#part(array.element, offset + index * size, again, 1);
        index += 1;
      }
      this.#part(array.element, offset + index * size, cursor, item.designators.length > 0 ? 1 : 0);
      index += 1;
      length = Math.max(length, index);
    }
    return length;
  }

  #designatedIndex(
    designator: Extract<Designator, { kind: 'index' }>,
    bound: Expression,
    length: number | undefined,
  ): number | undefined {
    if (isError(bound)) {
      this.failed = true;
      return undefined;
    }
    const value = evaluateInteger(toValue(this.#checker, bound), this.#checker.dialect.addressBytes);
    if (value === undefined)
      return this.#fail(designator.span, 'expression is not an integer constant expression');
    if (value < 0n) return this.#fail(designator.span, `array designator value '${value}' is negative`);
    if (value >= BigInt(length ?? maximumElements)) {
      return this.#fail(
        designator.span,
        `array designator index (${value}) exceeds array bounds (${length ?? maximumElements})`,
      );
    }
    return Number(value);
  }

  #walkRecord(
    record: Extract<CType, { kind: 'record' }>,
    offset: number,
    cursor: Cursor,
    ownBraces: boolean,
  ): void {
    const fields = record.fields ?? [];
    let position = 0;
    while (cursor.index < cursor.items.length && !this.failed) {
      const item = cursor.items[cursor.index];
      if (item === undefined) break;
      const [designator] = item.designators;
      let depth = 0;
      if (designator !== undefined) {
        if (!ownBraces && !isLedHere(cursor)) break;
        if (designator.kind !== 'field') {
          this.#fail(
            designator.span,
            `array designator cannot initialize non-array type '${this.#checker.showType(record)}'`,
          );
          break;
        }
        this.#checker.observer?.designator(designator.span, unqualified(record));
        const path = findField(record, designator.name);
        const [top] = path ?? [];
        if (path === undefined || top === undefined) {
          this.#fail(
            designator.span,
            `field designator '${designator.name}' does not refer to any field in type '${this.#checker.showType(record)}'`,
          );
          break;
        }
        position = fields.indexOf(top);
        depth = 1;
        if (path.length > 1) {
          // The name of an anonymous member's field is looked up again inside that member.
          this.#designated(top.type, offset + top.offset, item.designators, item.value);
          cursor.index += 1;
          position += 1;
          continue;
        }
      }
      const field = fields[position];
      if (field === undefined || (record.union && position > 0 && designator === undefined)) break;
      if (field.bits !== undefined && field.name === undefined) {
        position += 1;
        continue;
      }
      const count = this.entries.length;
      this.#part(field.type, offset + field.offset, cursor, depth);
      const entry = this.entries[count];
      if (field.bits !== undefined && entry !== undefined)
        this.entries[count] = { ...entry, bits: field.bits };
      position += 1;
      if (record.union) position = fields.length;
    }
  }

  /** Initializes one element or field from the cursor; `depth` designators of the item have led here. */
  #part(type: QualifiedType, offset: number, cursor: Cursor, depth: number): void {
    const item = cursor.items[cursor.index];
    if (item === undefined) return;
    if (item.designators.length > depth) {
      const designators = item.designators.slice(depth);
      if (type.type.kind !== 'array' && type.type.kind !== 'record') {
        cursor.index += 1;
        this.#designated(type, offset, designators, item.value);
        return;
      }
      const items = [{ ...item, designators }, ...cursor.items.slice(cursor.index + 1)];
      const within: Cursor = { items, index: 0, isLed: true };
      this.#walk(type, offset, within, false);
      cursor.index += Math.max(1, within.index);
      return;
    }
    const { value } = item;
    const inner = type.type;
    if (value.kind === 'braces') {
      cursor.index += 1;
      this.#bracedPart(type, offset, value);
      return;
    }
    if (isError(value)) {
      this.failed = true;
      return;
    }
    if (inner.kind === 'array' && value.kind === 'string-literal') {
      const filled = initializeArray(this.#checker, type, value, true);
      if (filled !== undefined) {
        cursor.index += 1;
        this.entries.push({ offset, type: valueType(type), value });
        return;
      }
    }
    if (inner.kind === 'array' || inner.kind === 'record') {
      if (
        inner.kind === 'record' &&
        isPassable(this.#checker, toValue(this.#checker, value).type, type) === 'exact'
      ) {
        cursor.index += 1;
        this.#store(type, offset, value);
        return;
      }
      const before = cursor.index;
      // A designator that led here is used up: the item continues as a plain value.
      if (depth > 0) {
        const rest: Cursor = { items: cursor.items.slice(before), index: 0 };
        const [head] = rest.items;
        if (head !== undefined) {
          const plain: Cursor = {
            items: [{ designators: [], value: head.value }, ...rest.items.slice(1)],
            index: 0,
          };
          this.#walk(type, offset, plain, false);
          cursor.index = before + Math.max(1, plain.index);
        }
        return;
      }
      this.#walk(type, offset, cursor, false);
      if (cursor.index === before && !this.failed) cursor.index += 1;
      return;
    }
    cursor.index += 1;
    this.#store(type, offset, value);
  }

  #designated(
    type: QualifiedType,
    offset: number,
    designators: readonly Designator[],
    value: Initializer,
  ): void {
    const braces: BracedInitializer = { kind: 'braces', items: [{ designators, value }], span: value.span };
    this.aggregate(type, offset, braces);
    const isAggregate = type.type.kind === 'array' || type.type.kind === 'record';
    const [designator] = designators;
    if (!isAggregate && designator !== undefined) {
      this.#fail(
        designator.span,
        `designator in initializer for scalar type '${this.#checker.show(valueType(type))}'`,
      );
    }
  }

  #bracedPart(type: QualifiedType, offset: number, braces: BracedInitializer): void {
    const inner = type.type;
    if (inner.kind === 'array' || inner.kind === 'record') {
      const [only] = braces.items;
      if (inner.kind === 'array' && braces.items.length === 1 && only?.value.kind === 'string-literal') {
        const filled = initializeArray(this.#checker, type, only.value, true);
        if (filled !== undefined) {
          this.entries.push({ offset, type: valueType(type), value: only.value });
          return;
        }
      }
      this.aggregate(type, offset, braces);
      return;
    }
    const value = this.braced(type, braces);
    if (value !== undefined && !this.failed) this.entries.push({ offset, type: valueType(type), value });
  }

  #store(type: QualifiedType, offset: number, value: Expression): void {
    const converted = convertForAssignment(this.#checker, value, type, 'initializing');
    if (isError(converted)) this.failed = true;
    else this.entries.push({ offset, type: valueType(type), value: converted });
  }
}

function isLedHere({ isLed, index }: Cursor): boolean {
  return isLed === true && index === 0;
}

/** A designator may not make an array larger than memory. */
const maximumElements = 0x7fff_ffff;
/** Each element of a range is an entry of its own. */
const longestRange = 1 << 20;

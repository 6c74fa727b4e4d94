/** Structs, unions and enumerations: their tags, members and layout (C99, 6.7.2.1 to 6.7.2.3; OpenCL 1.2, 6.1.5). */
import type { Span } from '../../source/span.ts';
import type { Attribute, Expression } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import { wrapInteger } from '../constant-arithmetic.ts';
import { alignOfObject, arithmeticOf, isComplete, sizeOf, withSpace } from '../type-facts.ts';
import {
  type ArithmeticType,
  arithmeticTypes,
  type CType,
  type EnumType,
  type Field,
  type QualifiedType,
  type RecordType,
  unqualified,
} from '../types.ts';
import { alignmentOf, applyTypeAttributes, checkAttributes, hasAttribute } from './attributes.ts';
import { type Checker, isError } from './checker.ts';
import { toValue } from './conversions.ts';
import type { Tag } from './scopes.ts';

export type TagKind = 'struct' | 'union' | 'enum';

/** A member as written. */
export interface ParsedField {
  readonly name: string | undefined;
  readonly type: QualifiedType;
  readonly bits: Expression | undefined;
  readonly attributes: readonly Attribute[];
  readonly span: Span;
}

/** The tag that `struct name` means: an existing one, or a new incomplete one. */
export function referToTag(
  checker: Checker,
  kind: TagKind,
  name: string | undefined,
  span: Span,
  defines: boolean,
  standsAlone: boolean,
): Tag {
  const { scopes } = checker;
  const here = defines || standsAlone;
  const known = name === undefined ? undefined : here ? scopes.lookupTagHere(name) : scopes.lookupTag(name);
  if (known !== undefined && name !== undefined) {
    if (kindOf(known) === kind) {
      if (!defines || !isDefined(known)) return known;
      checker.error(span, `redefinition of '${name}'`, [
        { message: 'previous definition is here', span: known.span },
      ]);
    } else {
      checker.error(span, `use of '${name}' with tag type that does not match previous declaration`, [
        { message: 'previous use is here', span: known.span },
      ]);
      if (!defines && kind !== 'enum' && known.kind === 'record') return known;
    }
  }
  const made: Tag =
    kind === 'enum'
      ? { kind: 'enum', tag: name, underlying: undefined, span }
      : {
          kind: 'record',
          union: kind === 'union',
          tag: name,
          fields: undefined,
          size: 0,
          align: 1,
          nesting: 0,
          span,
        };
  if (name !== undefined) scopes.declareTag(name, made);
  return made;
}

function kindOf(tag: Tag): TagKind {
  if (tag.kind === 'enum') return 'enum';
  return tag.union ? 'union' : 'struct';
}

function isDefined(tag: Tag): boolean {
  return tag.kind === 'enum' ? tag.underlying !== undefined : tag.fields !== undefined;
}

/** Types are followed by recursion. */
const deepestRecord = 500;

function nestingOf(type: CType): number {
  let element = type;
  while (element.kind === 'array') element = element.element.type;
  return element.kind === 'record' ? element.nesting : 0;
}

/**
 * Gives a record its members and lays them out. Wrong members are reported and left out.
 * @param packing the most that members are aligned to; 0 if nothing is said of that
 */
export function defineRecord(
  checker: Checker,
  record: RecordType,
  parsed: readonly ParsedField[],
  attributeList: readonly Attribute[],
  packing: number,
): void {
  const attributes = checkAttributes(checker, attributeList, 'type');
  const packed = hasAttribute(attributes, 'packed');
  const layout = new Layout(checker.dialect.addressBytes, record.union, packed, packing);
  const names = new Map<string, Span>();
  let nesting = 0;
  for (const [index, field] of parsed.entries()) {
    const isLast = index === parsed.length - 1;
    if (!checkField(checker, field, isLast && !record.union && index > 0)) continue;
    if (!declareNames(checker, field, names)) continue;
    const inner = nestingOf(field.type.type);
    if (inner >= deepestRecord) {
      checker.error(field.span, `structs and unions nest more than ${deepestRecord} deep`);
      continue;
    }
    nesting = Math.max(nesting, inner);
    const fieldAttributes = checkAttributes(checker, field.attributes, 'field');
    const width = field.bits === undefined ? undefined : bitWidth(checker, field, field.bits);
    if (field.bits !== undefined && width === undefined) continue;
    const typed = { ...field, type: applyTypeAttributes(checker, field.type, fieldAttributes) };
    layout.add(typed, alignmentOf(fieldAttributes), hasAttribute(fieldAttributes, 'packed'), width);
  }
  const align = Math.max(layout.align, alignmentOf(attributes));
  record.fields = layout.fields;
  record.align = align;
  record.size = roundUp(layout.size, align);
  record.nesting = nesting + 1;
  checker.observer?.recordDefined(record);
}

function declareNames(checker: Checker, field: ParsedField, names: Map<string, Span>): boolean {
  const added: string[] = [];
  if (field.name !== undefined) added.push(field.name);
  else if (field.type.type.kind === 'record') collectNames(field.type.type, added);
  for (const name of added) {
    const previous = names.get(name);
    if (previous !== undefined) {
      checker.error(field.span, `duplicate member '${name}'`, [
        { message: 'previous declaration is here', span: previous },
      ]);
      return false;
    }
    names.set(name, field.span);
  }
  return true;
}

function collectNames(record: RecordType, names: string[]): void {
  for (const field of record.fields ?? []) {
    if (field.name !== undefined) names.push(field.name);
    else if (field.type.type.kind === 'record') collectNames(field.type.type, names);
  }
}

function checkField(checker: Checker, field: ParsedField, mayBeFlexible: boolean): boolean {
  const { type } = field.type;
  if (type.kind === 'function') {
    checker.error(field.span, `field '${field.name ?? ''}' declared as a function`);
    return false;
  }
  if (type.kind === 'array' && type.length === undefined) {
    if (!mayBeFlexible) {
      checker.error(field.span, `flexible array member '${field.name ?? ''}' not allowed here`);
      return false;
    }
  } else if (!isComplete(type)) {
    checker.error(field.span, `field has incomplete type '${checker.show(field.type)}'`);
    return false;
  }
  if (field.type.space !== undefined && field.type.space !== 'private') {
    checker.error(field.span, 'field may not be qualified with an address space');
    return false;
  }
  if (field.bits !== undefined && !checker.dialect.features.bitFields) {
    checker.error(field.span, `bit-fields are not supported in ${checker.dialect.language}`);
    return false;
  }
  return checker.dialect.rules.field(field.type, field.span, checker);
}

function bitWidth(checker: Checker, field: ParsedField, bits: Expression): number | undefined {
  const shown = field.name === undefined ? 'anonymous bit-field' : `bit-field '${field.name}'`;
  const type = arithmeticOf(field.type.type);
  if (type === undefined || type.floating) {
    checker.error(field.span, `${shown} has non-integral type '${checker.show(field.type)}'`);
    return undefined;
  }
  const value = isError(bits)
    ? undefined
    : evaluateConstant(toValue(checker, bits), checker.dialect.addressBytes);
  if (value?.kind !== 'integer') {
    if (!isError(bits)) checker.error(bits.span, 'expression is not an integer constant expression');
    return undefined;
  }
  if (value.value < 0n) {
    checker.error(bits.span, `${shown} has negative width (${value.value})`);
    return undefined;
  }
  if (value.value === 0n && field.name !== undefined) {
    checker.error(bits.span, `named ${shown} has zero width`);
    return undefined;
  }
  const width = type.name === 'bool' ? 1 : type.size * 8;
  if (value.value > BigInt(width)) {
    checker.error(
      bits.span,
      `width of ${shown} (${value.value} bits) exceeds the width of its type (${width} bits)`,
    );
    return undefined;
  }
  return Number(value.value);
}

/** Places members one after another, or all at the start of a union. */
class Layout {
  readonly fields: Field[] = [];
  size = 0;
  align = 1;
  readonly #addressBytes: number;
  readonly #union: boolean;
  readonly #packed: boolean;
  readonly #packing: number;
  /** the next free bit after a bit-field, counted from the start of the record; undefined after other members */
  #bit: number | undefined;

  constructor(addressBytes: number, union: boolean, packed: boolean, packing: number) {
    this.#addressBytes = addressBytes;
    this.#packing = packing;
    this.#union = union;
    this.#packed = packed;
  }

  add(field: ParsedField, aligned: number, packed: boolean, width: number | undefined): void {
    const size = sizeOf(field.type.type, this.#addressBytes);
    const isPacked = this.#packed || packed;
    const unpacked = alignOfObject(field.type, this.#addressBytes);
    // The pragma says more of bit-fields than the attribute does, for gcc and clang.
    const natural = isPacked && (width === undefined || this.#packing === 0) ? 1 : unpacked;
    const most = this.#packing || Number.POSITIVE_INFINITY;
    const align = Math.min(Math.max(natural, aligned), most);
    if (width !== undefined) {
      this.#addBits(field, size, width, isPacked || this.#packing > 0, align, Math.min(aligned, most));
      return;
    }
    this.#bit = undefined;
    const offset = this.#union ? 0 : roundUp(this.size, align);
    this.fields.push({ name: field.name, type: withSpace(field.type, undefined), offset, span: field.span });
    this.size = Math.max(this.size, offset + size);
    this.align = Math.max(this.align, align);
  }

  /** Bit-fields fill units of their type; one that would straddle two begins the next, as in the usual C ABIs, but not if packed. */
  #addBits(
    field: ParsedField,
    size: number,
    width: number,
    isPacked: boolean,
    align: number,
    aligned: number,
  ): void {
    const unit = size * 8;
    let bit = this.#union ? 0 : (this.#bit ?? this.size * 8);
    if (width === 0) {
      this.#bit = roundUp(bit, Math.max(unit, aligned * 8));
      this.size = Math.max(this.size, this.#bit / 8);
      return;
    }
    if (aligned > 0) bit = roundUp(bit, aligned * 8);
    const straddles = Math.floor(bit / unit) !== Math.floor((bit + width - 1) / unit);
    if (straddles && !isPacked) bit = roundUp(bit, unit);
    const offset = isPacked ? Math.floor(bit / 8) : Math.floor(bit / unit) * size;
    this.fields.push({
      name: field.name,
      type: withSpace(field.type, undefined),
      offset,
      bits: { width, shift: bit - offset * 8, isPacked },
      span: field.span,
    });
    this.#bit = bit + width;
    this.size = Math.max(this.size, Math.ceil(this.#bit / 8));
    if (field.name !== undefined) this.align = Math.max(this.align, align);
  }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

/** Reads the constants of an enumeration one by one and gives it its type at the end. */
export class EnumBuilder {
  readonly #checker: Checker;
  readonly #type: EnumType;
  #next = 0n;
  #least = 0n;
  #greatest = 0n;

  constructor(checker: Checker, type: EnumType) {
    this.#checker = checker;
    this.#type = type;
  }

  add(name: string, span: Span, value: Expression | undefined): void {
    const checker = this.#checker;
    if (value !== undefined) this.#next = this.#evaluate(value) ?? this.#next;
    const known = checker.scopes.lookupHere(name);
    if (known !== undefined) {
      const message =
        known.kind === 'enumerator'
          ? `redefinition of enumerator '${name}'`
          : `redefinition of '${name}' as different kind of symbol`;
      checker.error(span, message, [{ message: 'previous definition is here', span: known.span }]);
    }
    const { int, uint, long, ulong } = arithmeticTypes;
    const number = this.#next;
    let type = int;
    if (number > 0x7fff_ffffn) type = number <= 0xffff_ffffn ? uint : number < 1n << 63n ? long : ulong;
    else if (number < -0x8000_0000n) type = long;
    checker.scopes.declare({ kind: 'enumerator', name, type: unqualified(type), value: number, span });
    if (number < this.#least) this.#least = number;
    if (number > this.#greatest) this.#greatest = number;
    this.#next = number + 1n;
  }

  #evaluate(expression: Expression): bigint | undefined {
    const checker = this.#checker;
    const value = toValue(checker, expression);
    if (isError(value)) return undefined;
    if (arithmeticOf(value.type.type)?.floating !== false) {
      checker.error(
        value.span,
        `integer constant expression must have integer type, not '${checker.show(value.type)}'`,
      );
      return undefined;
    }
    const constant = evaluateConstant(value, checker.dialect.addressBytes);
    if (constant?.kind === 'integer') return constant.value;
    checker.error(value.span, 'expression is not an integer constant expression');
    return undefined;
  }

  finish(attributes: readonly Attribute[] = []): void {
    const { int, uint, long } = arithmeticTypes;
    if (hasAttribute(attributes, 'packed')) {
      this.#type.underlying = this.#smallest();
      return;
    }
    const fitsInt = this.#least >= -0x8000_0000n && this.#greatest <= 0x7fff_ffffn;
    if (this.#least >= 0n && this.#greatest <= 0xffff_ffffn) this.#type.underlying = uint;
    else this.#type.underlying = fitsInt ? int : long;
  }

  /** The smallest type that holds all constants, which is what a packed enumeration is kept in. */
  #smallest(): ArithmeticType {
    const { char, uchar, short, ushort, int, uint, long, ulong } = arithmeticTypes;
    const types = this.#least < 0n ? [char, short, int, long] : [uchar, ushort, uint, ulong];
    const holds = (type: ArithmeticType) =>
      wrapInteger(this.#least, type) === this.#least && wrapInteger(this.#greatest, type) === this.#greatest;
    return types.find(holds) ?? long;
  }
}

/**
 * Parts of objects: members of structs and unions, elements of arrays (C99, 6.5.2.1 and 6.5.2.3), components of vectors
 * (OpenCL 1.2, 6.1.7).
 */
import { counted } from '../../source/counted.ts';
import { append } from '../../source/lists.ts';
import { nearestName } from '../../source/nearest-name.ts';
import { joinSpans, type Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import { evaluateInteger } from '../constant.ts';
import { findField, isComplete, isInteger, pointerTo, valueType } from '../type-facts.ts';
import type { Field, QualifiedType, RecordType, VectorType } from '../types.ts';
import { unqualified } from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import { makeCast, promote, toValue } from './conversions.ts';
import { swizzleLanes } from './swizzles.ts';
import { dereference } from './unary.ts';

/** `object.name` or, with `arrow`, `pointer->name`. */
export function checkMember(
  checker: Checker,
  base: Expression,
  name: string,
  nameSpan: Span,
  arrow: boolean,
): Expression {
  const span = joinSpans(base.span, nameSpan);
  if (isError(base)) return errorExpression(span);
  let object = base;
  if (arrow) {
    const pointer = toValue(checker, base);
    if (isError(pointer)) return errorExpression(span);
    const { type } = pointer.type;
    if (type.kind === 'pointer') object = dereference(checker, pointer, type.pointee, base.span);
    else if (type.kind === 'record') {
      checker.error(
        span,
        `member reference type '${checker.show(base.type)}' is not a pointer; did you mean to use '.'?`,
      );
      return findField(type, name)
        ? selectField(checker, base, type, name, nameSpan, span)
        : errorExpression(span);
    } else {
      return checker.wrong(span, `member reference type '${checker.show(base.type)}' is not a pointer`);
    }
  }
  const { type } = object.type;
  if (type.kind === 'vector') return selectLanes(checker, object, type, name, nameSpan, span);
  if (type.kind === 'record') return selectField(checker, object, type, name, nameSpan, span);
  if (!arrow && type.kind === 'pointer' && type.pointee.type.kind === 'record') {
    checker.error(
      span,
      `member reference type '${checker.show(base.type)}' is a pointer; did you mean to use '->'?`,
    );
    if (!findField(type.pointee.type, name)) return errorExpression(span);
    const pointed = dereference(checker, toValue(checker, base), type.pointee, base.span);
    return selectField(checker, pointed, type.pointee.type, name, nameSpan, span);
  }
  return checker.wrong(
    span,
    `member reference base type '${checker.show(object.type)}' is not a structure or union`,
  );
}

function selectField(
  checker: Checker,
  object: Expression,
  record: RecordType,
  name: string,
  nameSpan: Span,
  span: Span,
): Expression {
  if (record.fields === undefined) {
    return checker.wrong(nameSpan, `incomplete definition of type '${checker.showType(record)}'`, [
      { message: `forward declaration of '${checker.showType(record)}'`, span: record.span },
    ]);
  }
  const path = findField(record, name);
  if (path === undefined) {
    if (checker.brokenRecords.has(record)) return errorExpression(nameSpan);
    const near = nearestName(name, fieldNames(record));
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    return checker.wrong(
      nameSpan,
      `no member named '${name}' in '${checker.show(valueType(object.type))}'${hint}`,
    );
  }
  let expression = object;
  for (const field of path) expression = member(checker, expression, field, span);
  return expression;
}

function member(checker: Checker, object: Expression, field: Field, span: Span): Expression {
  const type = object.lvalue ? checker.types.field(object.type, field) : checker.types.value(field.type);
  return { kind: 'member', object, field, type, lvalue: object.lvalue, span };
}

function fieldNames(record: RecordType): string[] {
  const names: string[] = [];
  for (const field of record.fields ?? []) {
    if (field.name !== undefined) names.push(field.name);
    else if (field.type.type.kind === 'record') append(names, fieldNames(field.type.type));
  }
  return names;
}

function selectLanes(
  checker: Checker,
  vector: Expression,
  type: VectorType,
  name: string,
  nameSpan: Span,
  span: Span,
): Expression {
  const lanes = swizzleLanes(checker, type, checker.show(valueType(vector.type)), name, nameSpan);
  return lanes === undefined ? errorExpression(span) : swizzle(checker, vector, type, lanes, span);
}

function swizzle(
  checker: Checker,
  vector: Expression,
  type: VectorType,
  lanes: readonly number[],
  span: Span,
): Expression {
  // A swizzle of a swizzle is a swizzle of the vector under it, so that lowering sees one step.
  if (vector.kind === 'swizzle' && vector.lvalue) {
    const inner = vector.vector.type.type;
    if (inner.kind === 'vector') {
      const mapped = lanes.map((lane) => vector.lanes[lane] ?? 0);
      return swizzle(checker, vector.vector, inner, mapped, span);
    }
  }
  const result = checker.types.lanes(vector.type, type, lanes.length);
  return { kind: 'swizzle', vector, lanes, type: result, lvalue: vector.lvalue, span };
}

/** `base[index]`, in either order. */
export function checkSubscript(
  checker: Checker,
  base: Expression,
  index: Expression,
  close: Span,
): Expression {
  const span = joinSpans(base.span, close);
  if (isError(base) || isError(index)) return errorExpression(span);
  if (base.type.type.kind === 'vector') return subscriptVector(checker, base, base.type.type, index, span);
  const left = toValue(checker, base);
  const right = toValue(checker, index);
  if (isError(left) || isError(right)) return errorExpression(span);
  const isSwapped = left.type.type.kind !== 'pointer';
  const pointer = isSwapped ? right : left;
  const step = isSwapped ? left : right;
  const { type } = pointer.type;
  if (type.kind !== 'pointer') {
    return checker.wrong(span, 'subscripted value is not an array, pointer, or vector');
  }
  if (!isInteger(step.type.type)) return checker.wrong(step.span, 'array subscript is not an integer');
  const { pointee } = type;
  if (pointee.type.kind === 'function' || pointee.type.kind === 'void' || !isComplete(pointee.type)) {
    const what = pointee.type.kind === 'function' ? 'function type' : 'incomplete type';
    return checker.wrong(span, `subscript of pointer to ${what} '${checker.show(valueType(pointee))}'`);
  }
  warnBounds(checker, pointer, step, span);
  return { kind: 'subscript', base: pointer, index: promote(step), type: pointee, lvalue: true, span };
}

/** A constant index outside an array whose length is known. */
function warnBounds(checker: Checker, pointer: Expression, index: Expression, span: Span): void {
  if (pointer.kind !== 'cast' || pointer.cast !== 'decay' || checker.unevaluated > 0) return;
  const array = pointer.operand.type;
  if (array.type.kind !== 'array' || array.type.length === undefined || index.kind === 'cast') return;
  // The older way to write a flexible array member.
  if (array.type.length === 0 && checker.dialect.features.gnu) return;
  const value = evaluateInteger(index, checker.dialect.addressBytes);
  if (value === undefined || (value >= 0n && value < BigInt(array.type.length))) return;
  if (value < 0n) {
    checker.warning(span, 'array-bounds', `array index ${value} is before the beginning of the array`);
  } else if (value > BigInt(array.type.length) || pointer.operand.kind !== 'member') {
    checker.warning(
      span,
      'array-bounds',
      `array index ${value} is past the end of the array (which contains ${counted(array.type.length, 'element')})`,
    );
  }
}

/** `v[i]` on a vector, as clang has it: a lane by constant, or an element in memory by any other index. */
function subscriptVector(
  checker: Checker,
  vector: Expression,
  type: VectorType,
  indexOperand: Expression,
  span: Span,
): Expression {
  const index = toValue(checker, indexOperand);
  if (isError(index)) return errorExpression(span);
  if (!isInteger(index.type.type)) return checker.wrong(index.span, 'array subscript is not an integer');
  const lane = evaluateInteger(index, checker.dialect.addressBytes);
  if (lane !== undefined) {
    if (lane < 0n || lane >= BigInt(type.lanes)) {
      return checker.wrong(
        span,
        `vector component access exceeds type '${checker.show(valueType(vector.type))}'`,
      );
    }
    return swizzle(checker, vector, type, [Number(lane)], span);
  }
  const isInMemory = vector.kind === 'swizzle' ? undefined : vector.lvalue;
  const place = isInMemory ? vector : stored(checker, toValue(checker, vector));
  const object = place.type;
  const space = object.space ?? checker.dialect.defaultSpace('local', type);
  const element: QualifiedType = { ...object, type: type.element, alias: undefined, align: undefined, space };
  const address: Expression = {
    kind: 'address-of',
    operand: place,
    type: unqualified(pointerTo({ ...object, space })),
    span,
  };
  const base = makeCast('pointer', address, unqualified(pointerTo(element)));
  return { kind: 'subscript', base, index: promote(index), type: element, lvalue: isInMemory, span };
}

/** A value in an object of its own. */
function stored(checker: Checker, value: Expression): Expression {
  const { span, type } = value;
  const space = checker.dialect.defaultSpace('local', type.type);
  return {
    kind: 'compound-literal',
    isStatic: false,
    initializer: {
      kind: 'initializer-list',
      entries: [{ offset: 0, type, value }],
      span,
      type,
    },
    span,
    type: { ...type, space },
    lvalue: true,
  };
}

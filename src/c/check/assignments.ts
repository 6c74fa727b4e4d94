/**
 * Values that go into an object of a given type: by assignment, initialization, as an argument, or out of a
 * function (C99, 6.5.16.1). The four differ only in words.
 */
import type { Span } from '../../source/span.ts';
import type { Expression } from '../ast.ts';
import type { Purpose, Reporter } from '../dialect.ts';
import {
  arithmeticOf,
  elementOf,
  findNestedField,
  isInteger,
  sameType,
  valueType,
  withoutAtomic,
} from '../type-facts.ts';
import { type AtomicType, arithmeticTypes, type QualifiedType } from '../types.ts';
import { type Checker, errorExpression, isError } from './checker.ts';
import {
  convertArithmetic,
  isNullConstant,
  makeCast,
  onlyAtomically,
  splat,
  toValue,
  warnChangedConstant,
} from './conversions.ts';
import { laterVersionNotes } from './names.ts';

/** The value converted to the type of the target, or an error that has been reported. */
export function convertForAssignment(
  checker: Checker,
  expression: Expression,
  target: QualifiedType,
  purpose: Purpose,
): Expression {
  const value = toValue(checker, expression);
  if (isError(value)) return value;
  const from = value.type.type;
  const to = target.type;
  if (to.kind === 'opaque') return toOpaque(checker, value, target, purpose);
  if (to.kind === 'atomic') {
    if (checker.dialect.features.atomicObjects)
      return convertForAssignment(checker, value, withoutAtomic(target), purpose);
    return toAtomic(checker, value, target, to, purpose);
  }
  if (from === to) return value;
  if (to.kind === 'pointer') return toPointer(checker, value, target, purpose);
  const type = checker.types.value(target);
  const arithmetic = arithmeticOf(to);
  if (arithmetic !== undefined) {
    if (from.kind === 'pointer' && arithmetic === arithmeticTypes.bool)
      return makeCast('to-bool', value, type);
    if (from.kind === 'pointer' && isInteger(to)) {
      const message = phrase(checker, purpose, 'pointer to integer', value.type, target);
      checker.warning(value.span, 'int-conversion', message);
      return makeCast('pointer-to-integral', value, type);
    }
    if (arithmeticOf(from) !== undefined) {
      warnChangedConstant(checker, value, arithmetic);
      const converted = convertArithmetic(value, arithmetic);
      return to.kind === 'enum' ? makeCast('same', converted, type) : converted;
    }
  }
  if (to.kind === 'vector' && arithmeticOf(from) !== undefined) {
    warnChangedConstant(checker, value, to.element, to);
    return splat(value, to);
  }
  if (sameType(from, to) && from.kind !== 'void') return value;
  return checker.wrong(value.span, phrase(checker, purpose, 'incompatible', value.type, target));
}

/** An atomic object is initialised with a value of its own; it is not assigned, passed or returned. */
function toAtomic(
  checker: Checker,
  value: Expression,
  target: QualifiedType,
  to: AtomicType,
  purpose: Purpose,
): Expression {
  const isValue = purpose === 'initializing' && arithmeticOf(value.type.type) !== undefined;
  const held = arithmeticOf(to.value);
  if (!isValue || held === undefined)
    return checker.wrong(value.span, phrase(checker, purpose, 'incompatible', value.type, target));
  warnChangedConstant(checker, value, held);
  return convertArithmetic(value, held);
}

function toOpaque(checker: Checker, value: Expression, target: QualifiedType, purpose: Purpose): Expression {
  const from = value.type.type;
  const isSame = sameType(from, target.type);
  if (!isSame && !checker.dialect.opaqueConverts(from, target.type)) {
    return checker.wrong(value.span, phrase(checker, purpose, 'incompatible', value.type, target));
  }
  if (!checker.dialect.rules.opaqueValue(value, target, purpose, checker)) return errorExpression(value.span);
  return isSame ? value : makeCast('same', value, valueType(target));
}

function toPointer(checker: Checker, value: Expression, target: QualifiedType, purpose: Purpose): Expression {
  const from = value.type.type;
  const to = target.type;
  const type = checker.types.value(target);
  if (to.kind !== 'pointer') return value;
  if (isNullConstant(value)) return makeCast('null', value, type);
  if (isInteger(from)) {
    const message = phrase(checker, purpose, 'integer to pointer', value.type, target);
    checker.warning(value.span, 'int-conversion', message);
    return makeCast('integral-to-pointer', value, type);
  }
  if (from.kind !== 'pointer') {
    return checker.wrong(value.span, phrase(checker, purpose, 'incompatible', value.type, target));
  }
  const source = from.pointee;
  const pointee = to.pointee;
  const sourceSpace = source.space ?? 'private';
  const space = pointee.space ?? 'private';
  const bothFunctions = source.type.kind === 'function' && pointee.type.kind === 'function';
  if (!bothFunctions && sourceSpace !== space && !checker.dialect.spaceConverts(sourceSpace, space)) {
    const remarks =
      space === 'private' && sourceSpace !== 'constant'
        ? laterVersionNotes(checker, 'generic', value.span)
        : [];
    return checker.wrong(value.span, phrase(checker, purpose, 'space', value.type, target), remarks);
  }
  if (!sameType(source.type, pointee.type) && source.type.kind !== 'void' && pointee.type.kind !== 'void') {
    warnPointee(checker, value, target, source, pointee, purpose);
  } else if ((source.isConst && !pointee.isConst) || (source.isVolatile && !pointee.isVolatile)) {
    checker.warning(
      value.span,
      'incompatible-pointer-types-discards-qualifiers',
      phrase(checker, purpose, 'qualifiers', value.type, target),
    );
  }
  if (sourceSpace !== space) return makeCast('space', value, type);
  return sameType(source.type, pointee.type)
    ? makeCast('same', value, type)
    : makeCast('pointer', value, type);
}

function warnPointee(
  checker: Checker,
  value: Expression,
  target: QualifiedType,
  source: QualifiedType,
  pointee: QualifiedType,
  purpose: Purpose,
): void {
  const a = elementOf(source.type);
  const b = elementOf(pointee.type);
  const differsInSign =
    a !== undefined &&
    b !== undefined &&
    !a.floating &&
    !b.floating &&
    a.size === b.size &&
    a.name !== 'bool' &&
    b.name !== 'bool' &&
    source.type.kind === pointee.type.kind;
  if (differsInSign && source.type.kind !== 'vector') {
    checker.warning(value.span, 'pointer-sign', phrase(checker, purpose, 'sign', value.type, target));
  } else {
    const message = phrase(checker, purpose, 'pointer', value.type, target);
    checker.warning(value.span, 'incompatible-pointer-types', message);
  }
}

type Complaint =
  | 'incompatible'
  | 'pointer'
  | 'integer to pointer'
  | 'pointer to integer'
  | 'space'
  | 'qualifiers'
  | 'sign';

/** That a value of one type does not go where another is wanted, for dialects to say it of their own types. */
export function incompatibleValue(
  report: Reporter,
  purpose: Purpose,
  from: QualifiedType,
  to: QualifiedType,
): string {
  return phrase(report, purpose, 'incompatible', from, to);
}

/** clang's sentence for a value of one type going where another is wanted. */
function phrase(
  checker: Reporter,
  purpose: Purpose,
  complaint: Complaint,
  from: QualifiedType,
  to: QualifiedType,
): string {
  const source = `'${checker.show(from)}'`;
  const target = `'${checker.show(valueType(to))}'`;
  const swapped = complaint !== 'space' && purpose === 'assigning';
  const tail = {
    space: ' changes address space of pointer',
    qualifiers: ' discards qualifiers',
    sign: ' converts between pointers to integer types with different sign',
  };
  if (complaint === 'space' || complaint === 'qualifiers' || complaint === 'sign') {
    return between(purpose, source, target, swapped) + tail[complaint];
  }
  if (complaint === 'incompatible') {
    switch (purpose) {
      case 'assigning':
        return `assigning to ${target} from incompatible type ${source}`;
      case 'initializing':
        return `initializing ${target} with an expression of incompatible type ${source}`;
      case 'passing':
        return `passing ${source} to parameter of incompatible type ${target}`;
      case 'returning':
        return `returning ${source} from a function with incompatible result type ${target}`;
    }
  }
  const kind = complaint === 'pointer' ? 'pointer types' : `${complaint} conversion`;
  return `incompatible ${kind} ${between(purpose, source, target, true)}`;
}

function between(purpose: Purpose, source: string, target: string, targetFirst: boolean): string {
  switch (purpose) {
    case 'assigning':
      return targetFirst ? `assigning to ${target} from ${source}` : `assigning ${source} to ${target}`;
    case 'initializing':
      return `initializing ${target} with an expression of type ${source}`;
    case 'passing':
      return `passing ${source} to parameter of type ${target}`;
    case 'returning':
      return `returning ${source} from a function with result type ${target}`;
  }
}

/** Whether a value could be passed to a parameter without a complaint that is an error: for overloads. */
export function isPassable(
  checker: Checker,
  from: QualifiedType,
  to: QualifiedType,
): 'exact' | 'convertible' | 'no' {
  if (sameType(from.type, to.type)) return 'exact';
  const source = from.type;
  const target = to.type;
  if (arithmeticOf(source) && (arithmeticOf(target) || target.kind === 'vector')) return 'convertible';
  if (source.kind === 'pointer' && target.kind === 'pointer') {
    const a = source.pointee.space ?? 'private';
    const b = target.pointee.space ?? 'private';
    if (a !== b && !checker.dialect.spaceConverts(a, b)) return 'no';
    const isSame = sameType(source.pointee.type, target.pointee.type);
    if (isSame) return a === b ? 'exact' : 'convertible';
    return source.pointee.type.kind === 'void' || target.pointee.type.kind === 'void' ? 'convertible' : 'no';
  }
  if (target.kind === 'opaque' && checker.dialect.opaqueConverts(source, target)) return 'convertible';
  return 'no';
}

/** True if the place may be written to; otherwise it has been reported. */
export function checkAssignable(checker: Checker, target: Expression, span: Span): boolean {
  if (isError(target)) return false;
  if (!target.lvalue) {
    checker.error(span, 'expression is not assignable');
    return false;
  }
  const { type } = target.type;
  if (type.kind === 'array') {
    checker.error(span, `array type '${checker.show(target.type)}' is not assignable`);
    return false;
  }
  if (target.kind === 'swizzle' && new Set(target.lanes).size !== target.lanes.length) {
    checker.error(span, 'vector is not assignable (contains duplicate components)');
    return false;
  }
  if (target.type.isConst || target.type.space === 'constant' || hasConstField(target.type)) {
    complainReadOnly(checker, target, span);
    return false;
  }
  if (type.kind === 'record' && type.fields === undefined) {
    checker.error(span, `incomplete type '${checker.show(target.type)}' is not assignable`);
    return false;
  }
  if (type.kind === 'atomic' && !checker.dialect.features.atomicObjects) {
    checker.error(span, onlyAtomically(checker, target.type));
    return false;
  }
  if (type.kind === 'arithmetic') return checker.dialect.rules.storageOnly(type, 'store', span, checker);
  return true;
}

function hasConstField(type: QualifiedType): boolean {
  if (type.type.kind !== 'record') return false;
  return findNestedField(type.type, (field) => field.type.isConst, false) !== undefined;
}

function complainReadOnly(checker: Checker, target: Expression, span: Span): void {
  const root = rootOf(target);
  if (root?.kind === 'name' && root.declaration.kind === 'variable') {
    const { declaration } = root;
    const isDirect = root === target;
    if (declaration.type.isConst && declaration.type.type.kind !== 'pointer') {
      const type = checker.show({ ...target.type, space: declaration.type.space });
      checker.error(
        span,
        isDirect
          ? `cannot assign to variable '${declaration.name}' with const-qualified type '${type}'`
          : `cannot assign to ${target.kind === 'member' ? `non-static data member '${target.field.name}'` : `variable '${declaration.name}'`} with const-qualified type '${type}'`,
        [{ message: `variable '${declaration.name}' declared const here`, span: declaration.span }],
      );
      return;
    }
    if (isDirect && declaration.type.isConst) {
      checker.error(
        span,
        `cannot assign to variable '${declaration.name}' with const-qualified type '${checker.show(declaration.type)}'`,
        [{ message: `variable '${declaration.name}' declared const here`, span: declaration.span }],
      );
      return;
    }
  }
  checker.error(span, 'read-only variable is not assignable');
}

/** The variable that an lvalue lies in, if it is reached without a pointer. */
function rootOf(place: Expression): Expression | undefined {
  let expression = place;
  for (;;) {
    if (expression.kind === 'member') expression = expression.object;
    else if (expression.kind === 'swizzle') expression = expression.vector;
    else if (
      expression.kind === 'subscript' &&
      expression.base.kind === 'cast' &&
      expression.base.cast === 'decay'
    ) {
      expression = expression.base.operand;
    } else return expression;
  }
}

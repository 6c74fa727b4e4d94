/**
 * From a declarator as written, `*(*name[3])(int)`, to the type it gives a name (C99, 6.7.5).
 */
import type { Span } from '../../source/span.ts';
import type { Attribute, Expression, VariableDeclaration } from '../ast.ts';
import { evaluateConstant } from '../constant.ts';
import type { AccessQualifier } from '../dialect.ts';
import {
  alignOfObject,
  arrayOf,
  elementObject,
  isComplete,
  isInteger,
  pointerTo,
  sizeOf,
  withoutAtomic,
  withSpace,
} from '../type-facts.ts';
import {
  type AddressSpace,
  type ArrayType,
  atomicType,
  type FunctionType,
  type QualifiedType,
  qualifiedType,
  unqualified,
} from '../types.ts';
import { type Checker, isError } from './checker.ts';
import { toValue } from './conversions.ts';

export interface Qualifiers {
  isConst: boolean;
  isVolatile: boolean;
  isRestrict: boolean;
  isAtomic?: boolean;
  space: AddressSpace | undefined;
}

/** A parameter as written. */
export interface ParsedParameter {
  readonly name: string;
  readonly type: QualifiedType;
  readonly writtenSpace: AddressSpace | undefined;
  readonly access: AccessQualifier | undefined;
  readonly attributes: readonly Attribute[];
  readonly span: Span;
  readonly isWrong: boolean;
}

/** One step from the type of the specifiers to the type of the name. */
export type DeclaratorPart =
  | { readonly kind: 'pointer'; readonly qualifiers: Qualifiers; readonly span: Span }
  | { readonly kind: 'block'; readonly qualifiers: Qualifiers; readonly span: Span }
  | { readonly kind: 'array'; readonly size: Expression | undefined; readonly span: Span }
  | FunctionPart;

export interface FunctionPart {
  readonly kind: 'function';
  readonly parameters: readonly ParsedParameter[];
  readonly variadic: boolean;
  readonly unprototyped: boolean;
  readonly span: Span;
}

export interface Declarator {
  readonly name: string | undefined;
  readonly nameSpan: Span;
  /** In the order in which they are applied to the type of the specifiers. */
  readonly parts: readonly DeclaratorPart[];
  readonly attributes: readonly Attribute[];
  readonly isWrong: boolean;
}

/** The type of the declared name; undefined if it cannot be, which has been reported. */
export function applyDeclarator(
  checker: Checker,
  base: QualifiedType,
  declarator: Declarator,
): QualifiedType | undefined {
  let type: QualifiedType | undefined = base;
  for (const part of declarator.parts) {
    if (part.kind === 'pointer') type = applyPointer(checker, type, part.qualifiers, part.span);
    else if (part.kind === 'block') type = applyBlock(checker, type, part.qualifiers, part.span);
    else if (part.kind === 'array') type = applyArray(checker, type, part.size, part.span, declarator.name);
    else type = applyFunction(checker, type, part);
    if (type === undefined) return undefined;
  }
  return type;
}

function applyPointer(
  checker: Checker,
  pointee: QualifiedType,
  qualifiers: Qualifiers,
  span: Span,
): QualifiedType | undefined {
  if (pointee.type.kind === 'function' && !checker.dialect.features.functionPointers) {
    checker.error(span, 'pointers to functions are not allowed');
    return undefined;
  }
  if (pointee.type.kind === 'block') {
    checker.error(
      span,
      `pointer to type '${checker.show(pointee)}' is invalid in ${checker.dialect.language}`,
    );
    return undefined;
  }
  if (!checker.dialect.rules.pointer(pointee, span, checker)) return undefined;
  const space = pointee.space ?? checker.dialect.defaultSpace('pointee', pointee.type);
  const { isConst, isVolatile, isRestrict } = qualifiers;
  const pointer = pointerTo(withSpace(pointee, space));
  const type = qualifiers.isAtomic ? atomicType(pointer) : pointer;
  return qualifiedType(type, isConst, isVolatile, isRestrict, qualifiers.space, undefined);
}

/** Variables of a block type are constant, written so or not (OpenCL 2.0, 6.12.5.5). */
function applyBlock(
  checker: Checker,
  called: QualifiedType,
  { isVolatile, space }: Qualifiers,
  span: Span,
): QualifiedType | undefined {
  if (called.type.kind !== 'function') {
    checker.error(span, 'block pointer to non-function type is invalid');
    return undefined;
  }
  return qualifiedType({ kind: 'block', function: called.type }, true, isVolatile, false, space, undefined);
}

function applyArray(
  checker: Checker,
  element: QualifiedType,
  size: Expression | undefined,
  span: Span,
  name: string | undefined,
): QualifiedType | undefined {
  const { type } = element;
  if (type.kind === 'block') {
    checker.error(span, `array of '${checker.show(element)}' type is invalid in ${checker.dialect.language}`);
    return undefined;
  }
  if (type.kind === 'function') {
    checker.error(
      span,
      `'${name ?? 'type name'}' declared as array of functions of type '${checker.show(element)}'`,
    );
    return undefined;
  }
  if (type.kind === 'void' || !isComplete(type)) {
    checker.error(span, `array has incomplete element type '${checker.show(element)}'`);
    return undefined;
  }
  if (!fillsWhole(checker, element, span)) return undefined;
  if (size === undefined) return arrayOf(element, undefined);
  const value = toValue(checker, size);
  if (isError(value)) return undefined;
  if (!isInteger(value.type.type)) {
    checker.error(value.span, `size of array has non-integer type '${checker.show(value.type)}'`);
    return undefined;
  }
  const constant = evaluateConstant(value, checker.dialect.addressBytes);
  if (constant?.kind !== 'integer') {
    const isAllowed = checker.dialect.features.variableLengthArrays && name !== undefined;
    if (isAllowed && !checker.scopes.isProgram) return variableLengthArray(element, value);
    checker.error(value.span, `variable length arrays are not supported in ${checker.dialect.language}`);
    return undefined;
  }
  const length = constant.value;
  if (length < 0n) {
    const what =
      name === undefined ? 'array size is negative' : `'${name}' declared as an array with a negative size`;
    checker.error(value.span, what);
    return undefined;
  }
  if (length * BigInt(sizeOf(type, checker.dialect.addressBytes)) > 0x7fff_ffffn) {
    checker.error(value.span, `array is too large (${length} elements)`);
    return undefined;
  }
  return arrayOf(element, Number(length));
}

/** Elements follow one another without gaps, so that a typedef cannot align each to more than they are long. */
function fillsWhole(checker: Checker, element: QualifiedType, span: Span): boolean {
  const { addressBytes } = checker.dialect;
  const [size, align] = [sizeOf(element.type, addressBytes), alignOfObject(element, addressBytes)];
  if (size % align === 0) return true;
  const shown = checker.show(element);
  const message = `size of array element of type '${shown}' (${size} bytes) isn't a multiple of its alignment (${align} bytes)`;
  checker.error(span, message);
  return false;
}

function variableLengthArray(element: QualifiedType, count: Expression): QualifiedType {
  const array = arrayOf(element, undefined);
  return array.type.kind === 'array' ? { ...array, type: { ...array.type, count } } : array;
}

export function applyFunction(
  checker: Checker,
  result: QualifiedType,
  part: FunctionPart,
): (QualifiedType & { readonly type: FunctionType }) | undefined {
  if (result.type.kind === 'block') {
    checker.error(
      part.span,
      `declaring function return value of type '${checker.show(result)}' is not allowed`,
    );
    return undefined;
  }
  if (result.type.kind === 'function') {
    checker.error(part.span, `function cannot return function type '${checker.show(result)}'`);
    return undefined;
  }
  if (result.type.kind === 'array') {
    checker.error(part.span, `function cannot return array type '${checker.show(result)}'`);
    return undefined;
  }
  if (result.space !== undefined && result.space !== 'private') {
    checker.error(part.span, 'return type cannot be qualified with address space');
    return undefined;
  }
  if (part.parameters.some((parameter) => parameter.isWrong)) return undefined;
  if (part.variadic && !checker.dialect.features.variadicFunctions) {
    checker.error(
      part.span,
      `invalid prototype, variadic arguments are not allowed in ${checker.dialect.language}`,
    );
    return undefined;
  }
  const type: FunctionType = {
    kind: 'function',
    result: checker.dialect.features.atomicObjects
      ? withoutAtomic(withSpace(result, undefined))
      : withSpace(result, undefined),
    parameters: part.parameters.map((parameter) => withSpace(parameter.type, undefined)),
    variadic: part.variadic,
    unprototyped: part.unprototyped,
  };
  return { ...unqualified(type), type };
}

/** What a parameter written with this type is: arrays and functions are pointers (C99, 6.7.5.3 7 and 8). */
export function adjustParameter(
  checker: Checker,
  type: QualifiedType,
  span: Span,
): QualifiedType | undefined {
  if (type.type.kind === 'array') {
    const element = elementObject(type as QualifiedType & { type: ArrayType });
    const space = element.space ?? checker.dialect.defaultSpace('pointee', element.type);
    return unqualified(pointerTo(withSpace(element, space)));
  }
  if (type.type.kind === 'block') {
    checker.error(span, 'a block cannot be a parameter of a function');
    return undefined;
  }
  if (type.type.kind === 'function') {
    return applyPointer(
      checker,
      type,
      { isConst: false, isVolatile: false, isRestrict: false, space: undefined },
      span,
    );
  }
  return type;
}

/** A parameter as its function's body sees it. */
export function parameterVariable(checker: Checker, parameter: ParsedParameter): VariableDeclaration {
  const type = withSpace(parameter.type, checker.dialect.defaultSpace('parameter', parameter.type.type));
  return {
    kind: 'variable',
    name: parameter.name,
    type,
    storage: 'none',
    scope: 'parameter',
    align: alignOfObject(type, checker.dialect.addressBytes),
    initializer: undefined,
    accessQualifier: parameter.access,
    span: parameter.span,
  };
}

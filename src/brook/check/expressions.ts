/** Checks expressions: names, literals, constructors, casts, components, elements of arrays. Operators and calls have files of their own. */
import type { Span } from '../../source/span.ts';
import type {
  Call,
  Cast,
  Constructor,
  Expression,
  Index,
  Member,
  Name,
  NumberLiteral,
} from '../syntax/ast.ts';
import { sameType, typeName, type ValueType, valueType, valueTypeNamed } from '../types.ts';
import { checkCall } from './calls.ts';
import { converted, losesData } from './conversions.ts';
import { groups } from './groups.ts';
import { checkAssignment, checkBinary, checkConditional, checkUnary } from './operators.ts';
import { isFormal, isLocal, type Scope } from './scope.ts';
import type { Formal, Typed } from './tree.ts';

const int = valueTypeNamed('int')!;
const float4 = valueTypeNamed('float4')!;
const int4 = valueTypeNamed('int4')!;

/** The expression with its type; undefined where something is wrong with it, which has been reported. */
export function checkExpression(scope: Scope, expression: Expression): Typed | undefined {
  switch (expression.kind) {
    case 'number':
      return checkNumber(scope, expression);
    case 'string':
      return fail(scope, expression, groups.none, 'String constant in kernel not allowed');
    case 'sizeof':
      return fail(scope, expression, groups.none, 'Sizeof not allowed in kernel');
    case 'braces':
      return fail(scope, expression, groups.initializer, 'Initializer is not vector type');
    case 'name':
      return checkName(scope, expression);
    case 'unary':
      return checkUnary(scope, expression);
    case 'binary':
      return checkBinary(scope, expression);
    case 'assignment':
      return checkAssignment(scope, expression);
    case 'conditional':
      return checkConditional(scope, expression);
    case 'call':
      return checkCall(scope, expression);
    case 'constructor':
      return checkConstructor(scope, expression);
    case 'cast':
      return checkCast(scope, expression);
    case 'member':
      return checkMember(scope, expression);
    case 'index':
      return checkIndex(scope, expression);
  }
}

/** The expression if it is a value: a scalar or a vector. `side` is what brcc calls it if it is an operand: `left`, `right`. */
export function checkValue(
  scope: Scope,
  expression: Expression,
  side: 'left' | 'right' | '' = '',
): (Typed & { readonly type: ValueType }) | undefined {
  const value = checkExpression(scope, expression);
  if (!value) return undefined;
  if (value.kind === 'array')
    return fail(
      scope,
      expression,
      groups.expression,
      `Illegal to use array type as ${side || 'unary'} operand`,
    );
  if (value.type.kind !== 'value')
    return fail(scope, expression, groups.none, `${side}${side && ' '}operand is not a Arithmetic type`);
  return value as Typed & { readonly type: ValueType };
}

/**
 * The condition of a statement as a scalar (A.6.3.8). Without strong typing a vector means its first component, as A.2 of the guide
 * has it.
 */
export function checkCondition(scope: Scope, expression: Expression): Typed | undefined {
  const value = checkAnyCondition(scope, expression, 'the first component decides');
  return value && firstComponent(value);
}

type Value = Typed & { readonly type: ValueType };

/** The condition as it stands; of a vector, which strong typing refuses, a warning says what is made of it. */
export function checkAnyCondition(
  scope: Scope,
  expression: Expression,
  vectorMeans: string,
): Value | undefined {
  const value = checkExpression(scope, expression);
  if (!value) return undefined;
  if (value.kind === 'array' || value.type.kind !== 'value')
    return fail(scope, expression, groups.none, 'conditional resultant type is not a Arithmetic type');
  if (value.type.width === 1) return value as Value;
  const words = 'conditional expression must be a scalar data type.';
  if (scope.report.options.strongTypes) return fail(scope, expression, groups.none, words);
  scope.report.warning(expression.span, groups.none, `${words} Without strong type checking ${vectorMeans}`);
  return value as Value;
}

/** The first component of a vector; a scalar as it is. */
export function firstComponent(value: Value): Typed {
  if (value.type.width === 1) return value;
  return { kind: 'swizzle', type: valueType(value.type.scalar, 1), object: value, lanes: 'x' };
}

export function fail(
  scope: Scope,
  { span }: { readonly span: Span },
  group: string,
  text: string,
): undefined {
  scope.report.error(span, group, text);
  return undefined;
}

/** What numbers look like; the lexer takes more for one, such as `1.y`. */
const floatingForm =
  /^(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX](?:[\da-fA-F]+\.?[\da-fA-F]*|\.[\da-fA-F]+)[pP][+-]?\d+)[fFlL]?$/;
const integerForm = /^(?:0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)?$/;

function checkNumber(scope: Scope, { text, isFloating, span }: NumberLiteral): Typed | undefined {
  if (!(isFloating ? floatingForm : integerForm).test(text))
    return fail(scope, { span }, groups.expression, 'Unsupported constant type inside kernel');
  if (isFloating) {
    const isFloat = /[fF]$/.test(text);
    // Programs from before Brook+ mean float by 1.0, and mostly run where there is no double.
    const scalar = isFloat || !scope.report.options.strongTypes ? 'float' : 'double';
    const digits = decimal(text.replace(/[fFlL]$/, ''));
    return { kind: 'literal', type: valueType(scalar, 1), text: digits, isUnrounded: !isFloat };
  }
  const digits = text.replace(/[uUlL]+$/, '');
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  if (!Number.isFinite(value) || value > 0xffffffff)
    return fail(scope, { span }, groups.expression, 'Unsupported constant type inside kernel');
  const isUnsigned = /[uU]/.test(text) || value > 0x7fffffff;
  return { kind: 'literal', type: valueType(isUnsigned ? 'uint' : 'int', 1), text: String(value) };
}

/** A floating number in decimal digits; one in hexadecimal is rounded to double. */
function decimal(text: string): string {
  const parts = /^0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)$/.exec(text);
  if (!parts) return text;
  const [, whole = '', fraction = '', exponent] = parts;
  const places = Number(exponent) - 4 * fraction.length;
  // In two steps, since the power alone may be beyond the range of numbers.
  const half = Math.trunc(places / 2);
  return String(Number(BigInt(`0x${whole}${fraction}`)) * 2 ** half * 2 ** (places - half));
}

function checkName(scope: Scope, { name, span }: Name): Typed | undefined {
  const meaning = scope.find(name);
  if (!meaning) return fail(scope, { span }, groups.variable, `${name} not defined`);
  if (isLocal(meaning)) return { kind: 'local', type: meaning.type, local: meaning };
  if (!isFormal(meaning))
    return fail(scope, { span }, groups.expression, 'Illegal to use array type as left operand');
  if (meaning.role === 'reduce') scope.reduceUses += 1;
  if (meaning.role === 'gather' || meaning.role === 'scatter')
    return { kind: 'array', type: meaning.type, formal: meaning };
  return { kind: 'formal', type: meaning.type, formal: meaning };
}

/** `float4(a, b, c, d)`: as many scalars as components (A.6.3.5). */
function checkConstructor(scope: Scope, { type, args, span }: Constructor): Typed | undefined {
  if (type.kind !== 'value') return fail(scope, { span }, groups.expression, 'Unsupported variable type');
  if (type.width === 1 && args.length === 1) {
    return checkCast(scope, { kind: 'cast', type, isPointer: false, operand: args[0]!, span });
  }
  return checkComponents(scope, type, args, span);
}

/** Components of a vector in a row, as a constructor or an initializer has them. */
export function checkComponents(
  scope: Scope,
  type: ValueType,
  args: readonly Expression[],
  span: Span,
): Typed | undefined {
  const { report } = scope;
  const { strongTypes } = report.options;
  if (args.some(({ kind }) => kind === 'braces'))
    return fail(
      scope,
      { span },
      groups.initializerForm,
      'Mismatched array dimensions and initializer dimensions',
    );
  const values = args.map((arg) => checkValue(scope, arg));
  if (values.some((value) => value === undefined)) return undefined;
  const parts: Typed[] = [];
  const component = valueType(type.scalar, 1);
  for (const [index, value] of (values as (Typed & { type: ValueType })[]).entries()) {
    const { width } = value.type;
    if (width > 1 && strongTypes)
      return fail(scope, { span }, groups.initializer, elementMismatch(index, value.type, component));
    if (strongTypes && !sameType(value.type, component))
      report.error(span, groups.initializer, elementMismatch(index, value.type, component));
    else if (losesData(value.type, component))
      report.warning(span, groups.initializer, elementLoss(index, value.type, component), 1);
    for (let lane = 0; lane < width; lane += 1) {
      const scalar: Typed =
        width === 1
          ? value
          : {
              kind: 'swizzle',
              type: valueType(value.type.scalar, 1),
              object: value,
              lanes: 'xyzw'[lane]!,
            };
      parts.push(converted(scalar, component));
    }
  }
  if (parts.length > type.width) {
    report.typeWarning(span, groups.initializer, 'Too many initializers');
    parts.length = type.width;
  } else if (parts.length < type.width) {
    report.typeWarning(span, groups.initializer, 'Uninitialized components');
    while (parts.length < type.width) parts.push({ kind: 'literal', type: component, text: '0' });
  }
  return { kind: 'construct', type, parts };
}

function elementLoss(index: number, actual: ValueType, expected: ValueType): string {
  const from = typeName(valueType(actual.scalar, 1));
  return `possible lose of data for element ${index + 1}: conversion from "${from}" to "${typeName(expected)}"`;
}

function elementMismatch(index: number, actual: ValueType, expected: ValueType): string {
  return `Mismatched type for element ${index + 1}: actual type is ${typeName(actual)} but expected type is ${typeName(expected)}`;
}

function checkCast(scope: Scope, { type, isPointer, operand, span }: Cast): Typed | undefined {
  if (isPointer) return fail(scope, { span }, groups.variable, 'pointers not allowed inside kernel');
  const inner = checkExpression(scope, operand);
  if (!inner) return undefined;
  if (inner.kind === 'array')
    return fail(scope, { span }, groups.none, 'Illegal to use array type as casting expression');
  if (sameType(inner.type, type)) return inner;
  if (type.kind !== 'value' || inner.type.kind !== 'value')
    return fail(scope, { span }, groups.expression, 'Unsupported variable type');
  if (inner.type.width !== type.width)
    scope.report.typeWarning(span, groups.none, 'explicit casting required to have same no of components');
  return converted(inner, type);
}

const laneSets = ['xyzw', 'rgba'];

function checkMember(scope: Scope, { object, name, isArrow, span }: Member): Typed | undefined {
  if (isArrow) return fail(scope, { span }, groups.operator, 'pointer dereference(->)');
  const inner = checkExpression(scope, object);
  if (!inner) return undefined;
  const { type } = inner;
  if (inner.kind === 'array')
    return fail(scope, { span }, groups.expression, `unrecognized field/swizzle ${name}`);
  if (type.kind === 'struct') {
    const field = type.fields.find((one) => one.name === name);
    if (field) return { kind: 'field', type: field.type, object: inner, name };
    return fail(scope, { span }, groups.expression, `unrecognized field/swizzle ${name}`);
  }
  if (type.kind !== 'value')
    return fail(scope, { span }, groups.expression, `unrecognized field/swizzle ${name}`);
  const set = laneSets.find((lanes) => [...name].every((letter) => lanes.includes(letter)));
  const lanes = set ? [...name].map((letter) => 'xyzw'[set.indexOf(letter)]!).join('') : '';
  const isInside = [...lanes].every((letter) => 'xyzw'.indexOf(letter) < type.width);
  if (type.width === 1) {
    // Older programs write .x of scalars.
    if (!scope.report.options.strongTypes && lanes !== '' && isInside && lanes.length <= 4)
      return converted(inner, valueType(type.scalar, lanes.length));
    return fail(scope, { span }, groups.expression, 'Illegal to use swizzle on scalar types');
  }
  if (lanes === '' || !isInside)
    return fail(scope, { span }, groups.expression, `unrecognized field/swizzle ${name}`);
  if (type.scalar === 'double' && lanes.length > 2)
    return fail(scope, { span }, groups.none, 'double data types can have 1 or 2 components');
  if (lanes.length > 4) {
    const words = 'Non double data types can have 1, 2, 3, or 4 components except void type';
    return fail(scope, { span }, groups.none, words);
  }
  return { kind: 'swizzle', type: valueType(type.scalar, lanes.length), object: inner, lanes };
}

/** Elements of arrays: `a[row][column]`, or `a[v]` with the fastest dimension in v.x (A.4.2). */
function checkIndex(scope: Scope, expression: Index): Typed | undefined {
  const indices: Expression[] = [];
  let root: Expression = expression;
  while (root.kind === 'index') {
    indices.unshift(root.index);
    root = root.object;
  }
  if (root.kind !== 'name')
    return fail(
      scope,
      expression,
      groups.index,
      'Array expression of index expression must be variable type',
    );
  const meaning = scope.find(root.name);
  if (!meaning) return fail(scope, root, groups.variable, `${root.name} not defined`);
  const values = indices.map((index) => checkValue(scope, index));
  if (values.some((value) => value === undefined)) return undefined;
  const known = values as (Typed & { readonly type: ValueType })[];
  if (!isLocal(meaning) && !isFormal(meaning)) {
    const [index] = known;
    if (known.length !== 1 || index!.type.width !== 1)
      return fail(
        scope,
        expression,
        groups.index,
        'Local array variable dimensions and index expression dimensions must be same',
      );
    return { kind: 'shared', type: meaning.type, array: meaning, index: converted(index!, int) };
  }
  if (!isFormal(meaning) || meaning.rank === 0)
    return fail(scope, expression, groups.index, 'Variable must be array type');
  return checkElement(scope, expression, meaning, known);
}

function checkElement(
  scope: Scope,
  expression: Index,
  array: Formal,
  indices: readonly (Typed & { readonly type: ValueType })[],
): Typed | undefined {
  const { type, rank } = array;
  const [first] = indices;
  if (indices.length === 1 && first!.type.width > 1) {
    const { width } = first!.type;
    if (width !== rank && (scope.report.options.strongTypes || width < rank))
      return fail(
        scope,
        expression,
        groups.index,
        'Index expression size either 1 or equal to array dimensions',
      );
    const advice = 'Strongly recommended to use c-style indexing for gather/scatter arrays';
    scope.report.warning(expression.span, groups.none, advice, 1);
    return { kind: 'element-at', type, array, index: converted(first!, valueType('int', width)) };
  }
  if (indices.some((index) => index.type.width !== 1))
    return fail(scope, expression, groups.index, 'subscript expression must be scalar type');
  if (indices.length !== rank)
    return fail(
      scope,
      expression,
      groups.index,
      'Gather/scatter array dimensions and subscript vector components must match',
    );
  return { kind: 'element', type, array, indices: indices.map((index) => converted(index, int)) };
}

const positionNames = new Set(['indexof', 'instance', 'instanceInGroup', 'syncGroup']);

/** The operators of a thread's place (A.6.3.6), which look like calls; undefined if the call is none of them. */
export function checkPosition(scope: Scope, call: Call): { readonly value: Typed | undefined } | undefined {
  if (call.callee.kind !== 'name' || !positionNames.has(call.callee.name)) return undefined;
  const { name } = call.callee;
  const refuse = (text: string): { readonly value: undefined } => ({
    value: fail(scope, call, groups.call, text),
  });
  if (scope.isReduction) return refuse(`Illegal to use ${name}() function in reduction kernel`);
  if (name === 'indexof') {
    const [arg] = call.args;
    if (call.args.length !== 1 || arg!.kind !== 'name')
      return refuse('indexof()operator allowed only on stream/scatter');
    const meaning = scope.find(arg.name);
    if (!meaning) return refuse(`${arg.name} not defined`);
    if (!isFormal(meaning) || meaning.role === 'value')
      return refuse('indexof()operator allowed only on stream/scatter');
    if (meaning.role === 'gather' && scope.report.options.strongTypes)
      return refuse('indexof() operator is not allowed on gather array/local array');
    return { value: { kind: 'position', type: float4, of: meaning } };
  }
  if (call.args.length > 0)
    return refuse(`incorrect number of parameters expect 0 actual ${call.args.length}`);
  if (name === 'instance') return { value: { kind: 'position', type: int4, of: 'instance' } };
  if (scope.groupSize === undefined && !scope.isFunction)
    return refuse(`Illegal to use ${name}() for pixel shader kernel`);
  if (name === 'syncGroup') return { value: { kind: 'sync', type: { kind: 'void' } } };
  return { value: { kind: 'position', type: int4, of: 'instanceInGroup' } };
}

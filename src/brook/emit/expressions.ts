/** Expressions of checked kernels as OpenCL C. Each text can stand anywhere: it is in brackets, or needs none. */
import type { Formal, Typed } from '../check/tree.ts';
import { computedScalar, elementIn, type ScatterTarget } from '../scatter-target.ts';
import { isFloating, scalarBytes, typeName, type ValueType, valueType } from '../types.ts';
import { emitBuiltin } from './builtins.ts';
import {
  fieldName,
  formalName,
  functionName,
  localName,
  placeName,
  shapeName,
  sharedName,
  typeText,
} from './names.ts';
import { type Change, changeFunction } from './scatter.ts';
import type { Source } from './source.ts';
import { gatherIndex, getFunction, load, scatterIndex } from './storage.ts';

export function emitExpression(source: Source, value: Typed): string {
  const emit = (one: Typed): string => emitExpression(source, one);
  switch (value.kind) {
    case 'literal':
      return emitLiteral(value.type, value.text);
    case 'local':
      return localName(value.local);
    case 'formal':
      return isPointer(value.formal) ? `(*${formalName(value.formal)})` : formalName(value.formal);
    case 'position':
      if (value.of === 'instance') return 'at';
      if (value.of === 'instanceInGroup') return '((int4)((int)get_local_id(0), 0, 0, 0))';
      return `convert_float4(${placeOf(value.of)})`;
    case 'element':
    case 'element-at':
      return emitElement(source, value);
    case 'shared':
      return `${sharedName(value.array.name)}[${emit(value.index)}]`;
    case 'swizzle':
      return `${emit(value.object)}.${value.lanes}`;
    case 'field':
      return `${emit(value.object)}.${fieldName(value.name)}`;
    case 'unary': {
      const { operator, operand, type } = value;
      if (operator === '++' || operator === '--') {
        const element = elementIn(operand);
        const change = { operator: operator[0]!, isPostfix: value.isPostfix };
        if (element) return emitChange(source, element, change, oneOf(type));
        // OpenCL C steps no vectors of floats.
        if (isFloating(type) && type.width > 1) return emitVectorStep(source, operand, type, change);
        return value.isPostfix ? `(${emit(operand)}${operator})` : `(${operator}${emit(operand)})`;
      }
      return narrowed(type, `${operator} ${emit(operand)}`);
    }
    case 'binary':
      return narrowed(value.type, binaryText(source, value));
    case 'relation':
      return truth(
        value.left.type as ValueType,
        `${emit(value.left)} ${value.operator} ${emit(value.right)}`,
      );
    case 'not':
      return truth(
        value.operand.type as ValueType,
        `${emit(value.operand)} == ${zeroOf(value.operand.type as ValueType)}`,
      );
    case 'assignment':
      return emitAssignment(source, value);
    case 'conditional':
      return `(${emit(value.condition)} != 0 ? ${emit(value.yes)} : ${emit(value.no)})`;
    case 'select':
      return `(${emitMask(source, value.condition, value.type)} ? ${emit(value.yes)} : ${emit(value.no)})`;
    case 'comma':
      return `(${emit(value.left)}, ${emit(value.right)})`;
    case 'convert':
      return emitConversion(value.operand.type as ValueType, value.type, emit(value.operand));
    case 'construct':
      return `((${typeName(value.type)})(${value.parts.map(emit).join(', ')}))`;
    case 'builtin': {
      const parameter = value.args[0]!.type as ValueType;
      return emitBuiltin(source, value.name, parameter, value.type, value.args.map(emit));
    }
    case 'call':
      return emitCall(source, value);
    case 'array':
      return formalName(value.formal);
    case 'sync':
      return 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)';
  }
}

type Binary = Typed & { readonly kind: 'binary' };

/** Sums of sums of small integers are cut to their size at the end only, so that short vectors can add them. */
function binaryText(source: Source, { operator, left, right }: Binary): string {
  const isSum = operator === '+' || operator === '-';
  const emit = (one: Typed): string =>
    isSum && one.kind === 'binary' && /^[+-]$/.test(one.operator)
      ? `(${binaryText(source, one)})`
      : emitExpression(source, one);
  return `${emit(left)} ${operator} ${emit(right)}`;
}

export function isPointer({ role }: Formal): boolean {
  return role === 'out' || role === 'reduce';
}

/** Where the thread is in a stream; in what is none, where it is in the domain. */
function placeOf(formal: Formal): string {
  return formal.role === 'stream' || formal.role === 'out' ? placeName(formal) : 'at';
}

/** A number as a literal of a scalar type. */
export function emitLiteral({ scalar }: ValueType, text: string): string {
  switch (scalar) {
    case 'float':
    case 'double': {
      const digits = `${/[.eE]/.test(text) ? text : `${text}.0`}${scalar === 'float' ? 'f' : ''}`;
      return text.startsWith('-') ? `(${digits})` : digits;
    }
    case 'int':
      // The least one has no literal of its own: the digits without the sign are a long.
      if (text === '-2147483648') return '(-2147483647 - 1)';
      return text.startsWith('-') ? `(${text})` : text;
    case 'uint':
      return `${text}u`;
    default:
      return `(${scalar})${text}`;
  }
}

/** C computes with small integers as int; Brook+ does not. */
export function narrowed({ scalar, width }: ValueType, text: string): string {
  const isSmall = width === 1 && /char|short/.test(scalar);
  return isSmall ? `((${scalar})(${text}))` : `(${text})`;
}

/** A comparison of operands of a type as Brook+ has it: int, with 1 for what is true, in every component. */
function truth({ scalar, width }: ValueType, comparison: string): string {
  if (width === 1) return `(${comparison})`;
  const isInt = scalar === 'int' || scalar === 'uint' || scalar === 'float';
  return isInt ? `(-(${comparison}))` : `convert_int${width}(-(${comparison}))`;
}

/** Where the components of a condition are not 0, as OpenCL C wants it to choose between vectors of a type. */
function emitMask(source: Source, condition: Typed, { scalar, width }: ValueType): string {
  const [compared, of] = comparisonText(source, condition);
  const bytes = scalarBytes(scalar);
  if (scalarBytes(of.scalar) === bytes) return `(${compared})`;
  return `convert_${{ 1: 'char', 2: 'short', 4: 'int', 8: 'long' }[bytes]}${width}(${compared})`;
}

/** A comparison of vectors that says where a condition is not 0, and the type of what it compares. */
function comparisonText(source: Source, condition: Typed): readonly [text: string, of: ValueType] {
  if (condition.kind === 'relation') {
    const { left, operator, right } = condition;
    return [
      `${emitExpression(source, left)} ${operator} ${emitExpression(source, right)}`,
      left.type as ValueType,
    ];
  }
  const isNot = condition.kind === 'not';
  const operand = isNot ? condition.operand : condition;
  const type = operand.type as ValueType;
  return [`${emitExpression(source, operand)} ${isNot ? '==' : '!='} ${zeroOf(type)}`, type];
}

export function emitConversion(from: ValueType, to: ValueType, text: string): string {
  const name = typeName(to);
  if (from.width === 1) {
    const scalar = from.scalar === to.scalar ? text : `(${to.scalar})(${text})`;
    return to.width === 1 ? `(${scalar})` : `((${name})(${scalar}))`;
  }
  if (to.width === 1) return `((${to.scalar})${text}.x)`;
  const kept = Math.min(from.width, to.width);
  const lanes = kept < from.width ? `${text}.${'xyzw'.slice(0, kept)}` : text;
  const scalars = from.scalar === to.scalar ? lanes : `convert_${to.scalar}${kept}(${lanes})`;
  if (kept === to.width) return scalars;
  const zeros = Array.from({ length: to.width - kept }, () => emitLiteral(to, '0'));
  return `((${name})(${[scalars, ...zeros].join(', ')}))`;
}

type Element = Typed & { readonly kind: 'element' | 'element-at' };

function emitElement(source: Source, value: Element): string {
  const { array, type } = value;
  const index = emitIndex(source, value);
  if (array.role === 'gather') return load(source, type, formalName(array), index);
  return `${getFunction(source, type)}(${formalName(array)}, ${index})`;
}

/** The index of an element in its array. */
function emitIndex(source: Source, value: Element): string {
  const { array } = value;
  const { rank } = array;
  if (value.kind === 'element') {
    const limits = value.indices.map((index) => source.inside.get(index));
    const inside = limits.flatMap((limit, place) => (limit === undefined ? [] : [rank - 1 - place]));
    const name = array.role === 'gather' ? gatherIndex(source, rank, inside) : scatterIndex(source, rank);
    const subscripts = value.indices.map((index, place) => {
      const limit = limits[place];
      return limit?.kind === 'axis' ? `at.${'xyzw'[limit.axis]}` : emitExpression(source, index);
    });
    return `${name}(${[...subscripts, shapeName(array)].join(', ')})`;
  }
  const name = array.role === 'gather' ? gatherIndex(source, rank) : scatterIndex(source, rank);
  const vector = emitExpression(source, value.index);
  // A vector has the fastest dimension first; a function that takes it reads the vector once.
  const spread = `${name}_at${typeWidth(value.index.type)}`;
  const lanes = [...'xyzw'].slice(0, rank).reverse();
  const width = typeWidth(value.index.type);
  source.need(
    spread,
    `${array.role === 'gather' ? 'uint' : 'int'} ${spread}(int${width} at, uint8 shape) {
  return ${name}(${lanes.map((lane) => `at.${lane}`).join(', ')}, shape);
}`,
  );
  return `${spread}(${vector}, ${shapeName(array)})`;
}

function typeWidth(type: Typed['type']): number {
  return type.kind === 'value' ? type.width : 1;
}

function emitAssignment(source: Source, value: Typed & { readonly kind: 'assignment' }): string {
  const { target, operator } = value;
  const given = emitExpression(source, value.value);
  const element = elementIn(target);
  const bare = operator.slice(0, -1);
  const computed = computedScalar(value);
  if (element) return emitChange(source, element, { operator: bare, isPostfix: false, computed }, given);
  const place = emitExpression(source, target);
  const type = target.type as ValueType;
  // C converts scalars by itself. The places of vectors have no effects, so that they can stand twice.
  if (computed === undefined || type.width === 1) return `(${place} ${operator} ${given})`;
  const common = valueType(computed, type.width);
  const result = `(${emitConversion(type, common, place)} ${bare} ${given})`;
  return `(${place} = ${emitConversion(common, type, result)})`;
}

function emitChange(
  source: Source,
  { element, lanes }: ScatterTarget,
  change: Change,
  given: string,
): string {
  const { array, type } = element;
  const name = changeFunction(source, type as ValueType, lanes, change);
  return `${name}(${formalName(array)}, ${emitIndex(source, element)}, ${given})`;
}

function emitCall(source: Source, { kernel, args }: Typed & { readonly kind: 'call' }): string {
  const list = kernel.formals.flatMap((formal, index) => {
    const arg = args[index]!;
    const text = emitExpression(source, arg);
    if (formal.role === 'gather') return [text, shapeName((arg as { formal: Formal }).formal)];
    if (formal.role === 'value') return [text];
    const place = arg.kind === 'formal' ? placeOf(arg.formal) : 'at';
    return [isPointer(formal) ? `&${text}` : text, place];
  });
  return `${functionName(kernel.name)}(${['at', ...list].join(', ')})`;
}

/** `v++` and the like for a vector of floats that is a variable, in shared memory, a field, or components of one of these. */
function emitVectorStep(
  source: Source,
  operand: Typed,
  type: ValueType,
  { operator, isPostfix }: Change,
): string {
  if (!isPostfix) return `(${emitExpression(source, operand)} ${operator}= ${oneOf(type)})`;
  let object = operand;
  let lanes = 'xyzw'.slice(0, type.width);
  while (object.kind === 'swizzle') {
    const own = object.lanes;
    lanes = [...lanes].map((lane) => own['xyzw'.indexOf(lane)]!).join('');
    object = object.object;
  }
  const whole = typeText(object.type as ValueType);
  const space = isInSharedMemory(object) ? 'local ' : '';
  const verb = operator === '+' ? 'increment' : 'decrement';
  const name = ['brook', verb, ...(space === '' ? [] : ['local']), whole, lanes].join('_');
  const lines = [
    `${typeText(type)} before = at->${lanes};`,
    `at->${lanes} = before ${operator} ${oneOf(type)};`,
    'return before;',
  ];
  const body = lines.map((line) => `  ${line}\n`).join('');
  source.need(name, `${typeText(type)} ${name}(${space}${whole} *at) {\n${body}}`);
  return `${name}(&${emitExpression(source, object)})`;
}

function isInSharedMemory(object: Typed): boolean {
  return object.kind === 'shared' || (object.kind === 'field' && isInSharedMemory(object.object));
}

/** Nothing of a type, to begin with. */
export function zeroOf(type: ValueType): string {
  return filled(type, '0');
}

const oneOf = (type: ValueType): string => filled(type, '1');

function filled(type: ValueType, number: string): string {
  const scalar = emitLiteral(type, number);
  return type.width === 1 ? scalar : `(${typeText(type)})(${scalar})`;
}

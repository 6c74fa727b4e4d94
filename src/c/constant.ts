/**
 * Values of constant expressions: integer, floating, vector and address constants (C99, 6.6). Array sizes, case labels,
 * enumerators, attribute arguments and the initializers of static objects are worked out here, and lowering uses it
 * for the initial contents of program-scope variables.
 *
 * As clang does, it also reads variables that are const and whose initializer is constant.
 */
import type {
  Binary,
  Cast,
  CompoundLiteral,
  Expression,
  FunctionDeclaration,
  StringLiteral,
  VariableDeclaration,
} from './ast.ts';
import {
  compareConstants,
  convertLane,
  floatOperation,
  integerOperation,
  isComparison,
  loadLane,
  storeLane,
  wrapInteger,
} from './constant-arithmetic.ts';
import { arithmeticOf, elementOf, sizeOf } from './type-facts.ts';
import { type ArithmeticType, arithmeticTypes } from './types.ts';

/** What an address constant is relative to; undefined for an absolute one, such as a null pointer. */
export type AddressBase =
  | VariableDeclaration
  | FunctionDeclaration
  | StringLiteral
  | CompoundLiteral
  | undefined;

export type ConstantValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'floating'; readonly value: number }
  | { readonly kind: 'vector'; readonly lanes: readonly (bigint | number)[] }
  | { readonly kind: 'address'; readonly base: AddressBase; readonly offset: bigint };

type Address = Extract<ConstantValue, { kind: 'address' }>;

/** Values of const variables, each worked out once; undefined while that is under way or where it has none. */
const variableValues = new WeakMap<VariableDeclaration, { value: ConstantValue | undefined }>();

/** The value of an expression if it is constant; `addressBytes` is the size of a pointer. */
export function evaluateConstant(expression: Expression, addressBytes = 4): ConstantValue | undefined {
  switch (expression.kind) {
    case 'integer-literal':
      return { kind: 'integer', value: expression.value };
    case 'float-literal':
      return { kind: 'floating', value: expression.value };
    case 'unary':
      return unary(expression.operator, expression.operand, expression, addressBytes);
    case 'binary':
      return binary(expression, addressBytes);
    case 'shared':
      return evaluateConstant(expression.operand, addressBytes);
    case 'conditional': {
      const condition = evaluateConstant(expression.condition, addressBytes);
      if (condition?.kind === 'vector') {
        const yes = evaluateConstant(expression.then, addressBytes);
        const no = evaluateConstant(expression.else, addressBytes);
        if (yes?.kind !== 'vector' || no?.kind !== 'vector') return undefined;
        // A lane is chosen by the top bit of the condition's, whether that is signed or not.
        const element = elementOf(expression.condition.type.type);
        if (!element) return undefined;
        const bits = 8 * sizeOf(element, addressBytes);
        const lanes = condition.lanes.map(
          (lane, index) => (BigInt.asIntN(bits, BigInt(lane)) < 0n ? yes.lanes[index] : no.lanes[index]) ?? 0,
        );
        return { kind: 'vector', lanes };
      }
      const truth = condition && isTrue(condition);
      if (truth === undefined) return undefined;
      return evaluateConstant(truth ? expression.then : expression.else, addressBytes);
    }
    case 'builtin-call': {
      const { fold } = expression.builtin;
      if (!fold) return undefined;
      const operands: (bigint | number)[] = [];
      for (const argument of expression.arguments) {
        const value = evaluateConstant(argument, addressBytes);
        // Texts and addresses are no numbers; a function that takes one says nothing of it.
        operands.push(value?.kind === 'integer' || value?.kind === 'floating' ? value.value : Number.NaN);
        if (value === undefined || value.kind === 'vector') return undefined;
      }
      const result = fold(operands);
      return result === undefined ? undefined : scalar(result);
    }
    case 'cast':
      return cast(expression, addressBytes);
    case 'vector-literal': {
      const lanes: (bigint | number)[] = [];
      for (const element of expression.elements) {
        const value = evaluateConstant(element, addressBytes);
        if (value === undefined || value.kind === 'address') return undefined;
        if (value.kind === 'vector') lanes.push(...value.lanes);
        else lanes.push(value.value);
      }
      return { kind: 'vector', lanes };
    }
    case 'swizzle': {
      if (expression.lvalue) return undefined;
      const vector = evaluateConstant(expression.vector, addressBytes);
      return vector?.kind === 'vector' ? pick(vector.lanes, expression.lanes) : undefined;
    }
    case 'address-of':
      return addressOf(expression.operand, addressBytes);
    default:
      return undefined;
  }
}

/** The address of an lvalue or function, if it is constant. */
function addressOf(place: Expression, addressBytes: number): Address | undefined {
  switch (place.kind) {
    case 'name': {
      const { declaration } = place;
      const isStatic =
        declaration.kind === 'function' ||
        declaration.scope === 'program' ||
        declaration.storage === 'static' ||
        declaration.type.space === 'constant' ||
        declaration.type.space === 'local';
      return isStatic ? { kind: 'address', base: declaration, offset: 0n } : undefined;
    }
    case 'string-literal':
      return { kind: 'address', base: place, offset: 0n };
    case 'compound-literal':
      return place.isStatic ? { kind: 'address', base: place, offset: 0n } : undefined;
    case 'dereference': {
      const pointer = evaluateConstant(place.operand, addressBytes);
      return pointer?.kind === 'address' ? pointer : undefined;
    }
    case 'member': {
      const object = addressOf(place.object, addressBytes);
      return object && moved(object, BigInt(place.field.offset));
    }
    case 'subscript': {
      const base = evaluateConstant(place.base, addressBytes);
      const index = evaluateConstant(place.index, addressBytes);
      if (base?.kind !== 'address' || index?.kind !== 'integer') return undefined;
      return moved(base, index.value * BigInt(sizeOf(place.type.type, addressBytes)));
    }
    default:
      return undefined;
  }
}

function moved(address: Address, bytes: bigint): Address {
  return { ...address, offset: address.offset + bytes };
}

/** Whether a constant is unequal to zero; undefined where that is not known. */
export function isTrue(value: ConstantValue): boolean | undefined {
  switch (value.kind) {
    case 'integer':
      return value.value !== 0n;
    case 'floating':
      return value.value !== 0;
    case 'address':
      return value.base !== undefined || value.offset !== 0n;
    default:
      return undefined;
  }
}

function integer(value: boolean): ConstantValue {
  return { kind: 'integer', value: value ? 1n : 0n };
}

function scalar(value: bigint | number): ConstantValue {
  return typeof value === 'bigint' ? { kind: 'integer', value } : { kind: 'floating', value };
}

function pick(vector: readonly (bigint | number)[], lanes: readonly number[]): ConstantValue | undefined {
  const picked = lanes.map((lane) => vector[lane] ?? 0);
  const [first] = picked;
  if (picked.length === 1 && first !== undefined) return scalar(first);
  return { kind: 'vector', lanes: picked };
}

/** Applies an operation to a number or to each lane of a vector. */
function eachLane(
  value: ConstantValue,
  operation: (lane: bigint | number) => bigint | number | undefined,
): ConstantValue | undefined {
  if (value.kind === 'address') return undefined;
  if (value.kind !== 'vector') {
    const result = operation(value.value);
    return result === undefined ? undefined : scalar(result);
  }
  const lanes: (bigint | number)[] = [];
  for (const lane of value.lanes) {
    const result = operation(lane);
    if (result === undefined) return undefined;
    lanes.push(result);
  }
  return { kind: 'vector', lanes };
}

function unary(
  operator: string,
  operand: Expression,
  expression: Expression,
  addressBytes: number,
): ConstantValue | undefined {
  const value = evaluateConstant(operand, addressBytes);
  if (value === undefined) return undefined;
  const isVector = value.kind === 'vector';
  if (operator === '!' && !isVector) {
    const truth = isTrue(value);
    return truth === undefined ? undefined : integer(!truth);
  }
  const type = elementOf(expression.type.type);
  if (type === undefined) return undefined;
  return eachLane(value, (lane) => {
    if (operator === '!') return Number(lane) === 0 ? -1n : 0n;
    if (operator === '+') return lane;
    if (typeof lane === 'number') return operator === '-' ? -lane : undefined;
    return wrapInteger(operator === '-' ? -lane : ~lane, type);
  });
}

function binary(expression: Binary, addressBytes: number): ConstantValue | undefined {
  const { operator } = expression;
  const left = evaluateConstant(expression.left, addressBytes);
  if (left === undefined) return undefined;
  const isLogical = operator === '&&' || operator === '||';
  if (isLogical && left.kind !== 'vector') {
    const truth = isTrue(left);
    if (truth === undefined) return undefined;
    if (truth === (operator === '||')) return integer(truth);
    const right = evaluateConstant(expression.right, addressBytes);
    const other = right && isTrue(right);
    return other === undefined ? undefined : integer(other);
  }
  const right = evaluateConstant(expression.right, addressBytes);
  if (right === undefined) return undefined;
  if (left.kind === 'address' || right.kind === 'address')
    return addresses(expression, left, right, addressBytes);
  const type = elementOf(expression.left.type.type);
  if (type === undefined) return undefined;
  if (left.kind !== 'vector' && right.kind !== 'vector') {
    const result = lane(operator, left.value, right.value, type, 1n);
    return result === undefined ? undefined : scalar(result);
  }
  const count = left.kind === 'vector' ? left.lanes.length : right.kind === 'vector' ? right.lanes.length : 0;
  const lanes: (bigint | number)[] = [];
  for (let index = 0; index < count; index += 1) {
    const a = left.kind === 'vector' ? left.lanes[index] : left.value;
    const b = right.kind === 'vector' ? right.lanes[index] : right.value;
    if (a === undefined || b === undefined) return undefined;
    const result = lane(operator, a, b, type, -1n);
    if (result === undefined) return undefined;
    lanes.push(result);
  }
  return { kind: 'vector', lanes };
}

/** One operation on numbers of one type; `truth` is what a comparison gives when it holds. */
function lane(
  operator: Binary['operator'],
  a: bigint | number,
  b: bigint | number,
  type: ArithmeticType,
  truth: bigint,
): bigint | number | undefined {
  if (isComparison(operator)) return compareConstants(operator, a, b) ? truth : 0n;
  if (operator === '&&') return Number(a) !== 0 && Number(b) !== 0 ? truth : 0n;
  if (operator === '||') return Number(a) !== 0 || Number(b) !== 0 ? truth : 0n;
  if (typeof a === 'bigint' && typeof b === 'bigint') return integerOperation(operator, a, b, type);
  if (typeof a === 'number' && typeof b === 'number') return floatOperation(operator, a, b, type);
  return undefined;
}

function addresses(
  expression: Binary,
  left: ConstantValue,
  right: ConstantValue,
  addressBytes: number,
): ConstantValue | undefined {
  const { operator } = expression;
  const pointer = left.kind === 'address' ? expression.left.type.type : expression.right.type.type;
  const step = BigInt(
    Math.max(1, pointer.kind === 'pointer' ? sizeOf(pointer.pointee.type, addressBytes) : 1),
  );
  if (left.kind === 'address' && right.kind === 'address') {
    if (left.base !== right.base) {
      return operator === '==' || operator === '!=' ? integer(operator === '!=') : undefined;
    }
    if (operator === '-') return { kind: 'integer', value: (left.offset - right.offset) / step };
    return isComparison(operator)
      ? integer(compareConstants(operator, left.offset, right.offset))
      : undefined;
  }
  if (left.kind === 'address' && right.kind === 'integer') {
    if (operator === '+') return moved(left, right.value * step);
    if (operator === '-') return moved(left, -right.value * step);
  }
  if (right.kind === 'address' && left.kind === 'integer' && operator === '+') {
    return moved(right, left.value * step);
  }
  return undefined;
}

function cast(expression: Cast, addressBytes: number): ConstantValue | undefined {
  const { operand } = expression;
  switch (expression.cast) {
    case 'load':
      return load(operand, addressBytes);
    case 'decay':
    case 'function':
      return addressOf(operand, addressBytes);
    case 'null':
      return { kind: 'address', base: undefined, offset: 0n };
    case 'reinterpret':
      return reinterpret(expression, addressBytes);
    case 'void':
      return undefined;
  }
  const value = evaluateConstant(operand, addressBytes);
  if (value === undefined) return undefined;
  switch (expression.cast) {
    case 'same':
    case 'pointer':
    case 'space':
      return value;
    case 'splat': {
      if (value.kind !== 'integer' && value.kind !== 'floating') return undefined;
      return { kind: 'vector', lanes: repeat(value.value, expression) };
    }
    case 'bool-splat':
      return value.kind === 'integer'
        ? { kind: 'vector', lanes: repeat(value.value === 0n ? 0n : allOnes(expression), expression) }
        : undefined;
    case 'integral-to-pointer':
      return value.kind === 'integer' ? { kind: 'address', base: undefined, offset: value.value } : undefined;
    case 'pointer-to-integral': {
      if (value.kind !== 'address' || value.base !== undefined) return undefined;
      const type = arithmeticOf(expression.type.type);
      return type && { kind: 'integer', value: wrapInteger(value.offset, type) };
    }
    case 'to-bool': {
      const truth = isTrue(value);
      return truth === undefined ? undefined : integer(truth);
    }
  }
  const from = elementOf(operand.type.type);
  const to = elementOf(expression.type.type);
  if (from === undefined || to === undefined) return undefined;
  return eachLane(value, (element) => convertLane(element, from, to));
}

/** The bytes of a constant in another type. */
function reinterpret(expression: Cast, addressBytes: number): ConstantValue | undefined {
  const value = evaluateConstant(expression.operand, addressBytes);
  const from = elementOf(expression.operand.type.type);
  const to = elementOf(expression.type.type);
  if (value === undefined || value.kind === 'address' || from === undefined || to === undefined)
    return undefined;
  const bytes = new DataView(new ArrayBuffer(128));
  const lanes = value.kind === 'vector' ? value.lanes : [value.value];
  for (const [index, element] of lanes.entries()) storeLane(bytes, index * from.size, element, from);
  const { type } = expression.type;
  if (type.kind !== 'vector') return scalar(loadLane(bytes, 0, to));
  const loaded = Array.from({ length: type.lanes }, (_, index) => loadLane(bytes, index * to.size, to));
  return { kind: 'vector', lanes: loaded };
}

function repeat(value: bigint | number, expression: Expression): (bigint | number)[] {
  const { type } = expression.type;
  return new Array<bigint | number>(type.kind === 'vector' ? type.lanes : 1).fill(value);
}

function allOnes(expression: Expression): bigint {
  return wrapInteger(-1n, elementOf(expression.type.type) ?? arithmeticTypes.int);
}

/** The value of a const variable, or of lanes of one. */
function load(place: Expression, addressBytes: number): ConstantValue | undefined {
  if (place.kind === 'swizzle') {
    const vector = load(place.vector, addressBytes);
    return vector?.kind === 'vector' ? pick(vector.lanes, place.lanes) : undefined;
  }
  if (place.kind !== 'name' || place.declaration.kind !== 'variable') return undefined;
  const variable = place.declaration;
  const { type } = variable;
  const isConstant = (type.isConst || type.space === 'constant') && !type.isVolatile;
  if (!isConstant || variable.initializer === undefined || variable.scope === 'parameter') return undefined;
  let known = variableValues.get(variable);
  if (known === undefined) {
    known = { value: undefined };
    variableValues.set(variable, known);
    known.value = evaluateConstant(variable.initializer, addressBytes);
  }
  return known.value;
}

/** The value of a constant expression that has to be an integer. */
export function evaluateInteger(expression: Expression, addressBytes = 4): bigint | undefined {
  const value = evaluateConstant(expression, addressBytes);
  return value?.kind === 'integer' ? value.value : undefined;
}

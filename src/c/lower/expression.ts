/**
 * Lowers expressions. Scalars, vectors and pointers become IR values; a record is represented by the address of
 * its bytes; `bool` is a byte, 0 or 1.
 */
import type * as ir from '../../ir/ir.ts';
import { elementOf as irElementOf, type VectorType } from '../../ir/types.ts';
import type { Assignment, Binary, Conditional, Expression, Increment, Unary, VectorLiteral } from '../ast.ts';
import type { AtomicType, CType } from '../types.ts';
import { arithmetic, comparison, isComparison, negate } from './arithmetic.ts';
import { atomicFetch, atomicUpdate, operationFor } from './atomic-objects.ts';
import { functionPointer, lowerCall } from './calls.ts';
import {
  convertArithmetic,
  fromTruth,
  integerOfWidth,
  isNonZero,
  lowerCast,
  pointerInSpace,
  signBits,
} from './conversion.ts';
import type { FunctionLowering } from './function-lowering.ts';
import { namedHandle } from './handle.ts';
import {
  type MemoryPlace,
  memoryPlaceOf,
  type Place,
  pickLanes,
  placeOf,
  readPlace,
  writePlace,
} from './place.ts';
import { lowerStatement } from './statement.ts';

/** Lowers an expression that has a value. */
export function value(fn: FunctionLowering, expression: Expression): ir.Value {
  const result = evaluate(fn, expression);
  if (!result && expression.kind === 'statement-expression') {
    fn.error(expression.span, 'a statement expression without a value cannot be compiled here');
    return fn.builder.undefined(fn.builder.addressType);
  }
  if (!result) throw new Error(`an expression of kind '${expression.kind}' has no value`);
  return result;
}

/** Lowers an expression for its effects and its value, if it has one. */
export function evaluate(fn: FunctionLowering, expression: Expression): ir.Value | undefined {
  const { builder } = fn;
  const outer = builder.span;
  builder.span = expression.span;
  const result = evaluateInside(fn, expression);
  builder.span = outer;
  return result;
}

function evaluateInside(fn: FunctionLowering, expression: Expression): ir.Value | undefined {
  const { builder } = fn;
  switch (expression.kind) {
    case 'integer-literal':
      return builder.integer(fn.typeOf(expression.type.type), expression.value);
    case 'float-literal':
      return builder.constant(fn.typeOf(expression.type.type), expression.value);
    case 'name': {
      const handle = namedHandle(fn, expression);
      return handle ?? readPlace(fn, memoryPlaceOf(fn, expression));
    }
    case 'member':
      return readPlace(fn, placeOf(fn, expression));
    case 'dereference':
    case 'subscript':
    case 'string-literal':
    case 'compound-literal':
      // An lvalue that nothing loads stands for its place; records are represented by their address.
      return readPlace(fn, memoryPlaceOf(fn, expression));
    case 'swizzle':
      return expression.lvalue
        ? readPlace(fn, placeOf(fn, expression))
        : pickLanes(fn, value(fn, expression.vector), expression.lanes);
    case 'unary':
      return lowerUnary(fn, expression);
    case 'address-of':
      if (expression.operand.type.type.kind === 'function') return functionPointer(fn, expression.operand);
      return memoryPlaceOf(fn, expression.operand).pointer;
    case 'increment':
      return lowerIncrement(fn, expression);
    case 'binary':
      return lowerBinary(fn, expression);
    case 'comma':
      evaluate(fn, expression.left);
      return evaluate(fn, expression.right);
    case 'assignment':
      return lowerAssignment(fn, expression);
    case 'conditional':
      if (expression.shared) fn.shared.set(expression.shared, value(fn, expression.shared.operand));
      return lowerConditional(fn, expression);
    case 'shared':
      return fn.shared.get(expression);
    case 'statement-expression':
      lowerStatement(fn, expression.body);
      return expression.result && evaluate(fn, expression.result);
    case 'cast':
      return lowerCast(fn, expression);
    case 'call':
      return lowerCall(fn, expression);
    case 'builtin-call':
      return fn.module.dialect.builtinCall(fn, expression);
    case 'vector-literal':
      return lowerVectorLiteral(fn, expression);
    case 'block-literal':
      // One that nobody calls; its captures have no effect.
      return undefined;
    case 'initializer-list':
    case 'error':
      throw new Error(`'${expression.kind}' is no expression of its own`);
  }
}

// ----------------------------------------------------------------------------------------------- conditions

/** Whether a scalar is unequal to zero, as a truth value. */
export function conditionOf(fn: FunctionLowering, expression: Expression): ir.Value {
  const { builder } = fn;
  switch (expression.kind) {
    case 'binary': {
      if (expression.type.type.kind === 'vector') break;
      if (expression.operator === '&&' || expression.operator === '||') return shortCircuit(fn, expression);
      if (!isComparison(expression.operator)) break;
      return lowerComparison(fn, expression);
    }
    case 'unary':
      if (expression.operator !== '!' || expression.type.type.kind === 'vector') break;
      return builder.unary('not', conditionOf(fn, expression.operand));
    case 'cast':
      if (expression.cast === 'to-bool') return conditionOf(fn, expression.operand);
      break;
    default:
      break;
  }
  return isNonZero(fn, value(fn, expression));
}

/** Whether a condition is known without running: only literals, since the rest is the passes' work. */
export function constantCondition(expression: Expression | undefined): boolean | undefined {
  if (!expression) return true;
  if (expression.kind === 'integer-literal') return expression.value !== 0n;
  if (expression.kind === 'cast' && (expression.cast === 'to-bool' || expression.cast === 'integral')) {
    return constantCondition(expression.operand);
  }
  return undefined;
}

function shortCircuit(fn: FunctionLowering, expression: Binary): ir.Value {
  const { builder } = fn;
  const left = conditionOf(fn, expression.left);
  const right = () => conditionOf(fn, expression.right);
  return expression.operator === '&&'
    ? fn.choose(left, left.type, right, () => builder.constant(left.type, false))
    : fn.choose(left, left.type, () => builder.constant(left.type, true), right);
}

// ------------------------------------------------------------------------------------------------ operators

function lowerUnary(fn: FunctionLowering, expression: Unary): ir.Value {
  const { builder } = fn;
  const type = expression.type.type;
  switch (expression.operator) {
    case '+':
      return value(fn, expression.operand);
    case '-':
      return negate(fn, value(fn, expression.operand), type);
    case '~':
      return builder.unary('not', value(fn, expression.operand));
    case '!': {
      const truth =
        type.kind === 'vector'
          ? isNonZero(fn, value(fn, expression.operand))
          : conditionOf(fn, expression.operand);
      return fromTruth(fn, builder.unary('not', truth), type);
    }
  }
}

function lowerBinary(fn: FunctionLowering, expression: Binary): ir.Value {
  const { operator } = expression;
  const type = expression.type.type;
  if (operator === '&&' || operator === '||') {
    if (type.kind !== 'vector') return fromTruth(fn, shortCircuit(fn, expression), type);
    const left = isNonZero(fn, value(fn, expression.left));
    const right = isNonZero(fn, value(fn, expression.right));
    return fromTruth(fn, fn.builder.binary(operator === '&&' ? 'and' : 'or', left, right), type);
  }
  if (isComparison(operator)) return fromTruth(fn, lowerComparison(fn, expression), type);

  // A long chain `a + b + c ...` leans to the left; it is walked in a loop so that its length costs no stack.
  const chain: Binary[] = [];
  let first: Expression = expression;
  while (first.kind === 'binary' && isPlainArithmetic(first)) {
    chain.push(first);
    first = first.left;
  }
  if (chain.length === 0) return binaryOf(fn, expression, value(fn, expression.left));
  let result = value(fn, first);
  for (let node = chain.pop(); node; node = chain.pop()) result = binaryOf(fn, node, result);
  return result;
}

function isPlainArithmetic(expression: Binary): boolean {
  const { operator } = expression;
  return operator !== '&&' && operator !== '||' && !isComparison(operator);
}

/** An arithmetic operator whose left operand has been lowered already. */
function binaryOf(fn: FunctionLowering, expression: Binary, left: ir.Value): ir.Value {
  const { builder } = fn;
  const right = value(fn, expression.right);
  const leftType = expression.left.type.type;
  const rightType = expression.right.type.type;
  const outer = builder.span;
  builder.span = expression.span;
  try {
    const { operator } = expression;
    if (leftType.kind === 'pointer' && rightType.kind === 'pointer') {
      return pointerDifference(fn, left, right, leftType.pointee.type, expression.type.type);
    }
    if (leftType.kind === 'pointer') {
      return offsetByElements(fn, left, right, rightType, leftType.pointee.type, operator === '-');
    }
    if (rightType.kind === 'pointer') {
      return offsetByElements(fn, right, left, leftType, rightType.pointee.type);
    }
    if (isComparison(operator) || operator === '&&' || operator === '||') throw new Error('not arithmetic');
    return arithmetic(fn, operator, left, right, expression.type.type);
  } finally {
    builder.span = outer;
  }
}

function lowerComparison(fn: FunctionLowering, expression: Binary): ir.Value {
  const left = value(fn, expression.left);
  const right = pointerInSpaceOf(fn, value(fn, expression.right), left);
  if (!isComparison(expression.operator)) throw new Error('not a comparison');
  return comparison(fn, expression.operator, left, right, expression.left.type.type);
}

function pointerInSpaceOf(fn: FunctionLowering, pointer: ir.Value, other: ir.Value): ir.Value {
  return other.type.kind === 'pointer' ? pointerInSpace(fn, pointer, other.type) : pointer;
}

/** Moves a pointer by `index` elements, forward or back. */
export function offsetByElements(
  fn: FunctionLowering,
  pointer: ir.Value,
  index: ir.Value,
  indexType: CType,
  element: CType,
  back = false,
): ir.Value {
  const { builder } = fn;
  const size = Math.max(1, fn.module.sizeOf(element));
  let distance = integerOfWidth(fn, index, indexType, builder.addressType);
  if (size !== 1) {
    distance = builder.binary('imul', distance, builder.integer(builder.addressType, size));
  }
  if (back) distance = builder.binary('isub', builder.integer(builder.addressType, 0), distance);
  return builder.offset(pointer, distance);
}

function pointerDifference(
  fn: FunctionLowering,
  left: ir.Value,
  right: ir.Value,
  element: CType,
  type: CType,
): ir.Value {
  const { builder } = fn;
  const from = builder.convert('ptoi', left, builder.addressType);
  const to = builder.convert('ptoi', right, builder.addressType);
  const size = Math.max(1, fn.module.sizeOf(element));
  let distance = builder.binary('isub', from, to);
  if (size !== 1) distance = builder.binary('sdiv', distance, builder.integer(builder.addressType, size));
  const result = fn.typeOf(type);
  if (result === builder.addressType || result.kind !== 'int') return distance;
  return builder.convert(result.bits > builder.addressType.bits ? 'sext' : 'trunc', distance, result);
}

function lowerIncrement(fn: FunctionLowering, expression: Increment): ir.Value {
  const place = placeOf(fn, expression.operand);
  const type = expression.operand.type.type;
  if (type.kind === 'atomic') {
    const { pointer } = place as MemoryPlace;
    const update = atomicUpdate(fn, pointer, type.value, (old) => stepped(fn, expression, type.value, old));
    return expression.prefix ? update.renewed : update.old;
  }
  const old = readPlace(fn, place);
  const renewed = stepped(fn, expression, type, old);
  writePlace(fn, place, renewed);
  if (!expression.prefix) return old;
  return storedIn(fn, place, renewed);
}

/** One more or one less than a value of the type. */
function stepped(fn: FunctionLowering, expression: Increment, type: CType, old: ir.Value): ir.Value {
  const { builder } = fn;
  if (type.kind === 'pointer') {
    const size = Math.max(1, fn.module.sizeOf(type.pointee.type));
    const step = builder.integer(builder.addressType, expression.operator === '++' ? size : -size);
    return builder.offset(old, step);
  }
  if (type.kind === 'arithmetic' && type.name === 'bool') {
    // ++ gives true; -- gives the opposite (C99, 6.3.1.2: the sum is compared with zero).
    const one = builder.integer(old.type, 1);
    return expression.operator === '++' ? one : builder.binary('xor', old, one);
  }
  const one = oneOf(fn, old);
  return arithmetic(fn, expression.operator === '++' ? '+' : '-', old, one, type);
}

function oneOf(fn: FunctionLowering, like: ir.Value): ir.Value {
  const { type } = like;
  if (irElementOf(type).kind !== 'float') return fn.builder.integer(type, 1);
  return fn.builder.constant(type, type.kind === 'vector' ? new Array<number>(type.lanes).fill(1) : 1);
}

function lowerAssignment(fn: FunctionLowering, expression: Assignment): ir.Value {
  const target = expression.target.type.type;
  if (!expression.operator) {
    if (target.kind === 'record') {
      const place = memoryPlaceOf(fn, expression.target);
      writePlace(fn, place, value(fn, expression.value));
      return place.pointer;
    }
    const place = placeOf(fn, expression.target);
    const stored = value(fn, expression.value);
    writePlace(fn, place, stored);
    return storedIn(fn, place, stored);
  }
  const place = placeOf(fn, expression.target);
  const operand = value(fn, expression.value);
  if (target.kind === 'atomic')
    return compoundAtomic(fn, expression, target, (place as MemoryPlace).pointer, operand);
  const old = readPlace(fn, place);
  const result = combined(fn, expression, target, old, operand);
  writePlace(fn, place, result);
  return storedIn(fn, place, result);
}

/** What a compound assignment makes of the old value. */
function combined(
  fn: FunctionLowering,
  expression: Assignment,
  target: CType,
  old: ir.Value,
  operand: ir.Value,
): ir.Value {
  const operator = expression.operator!;
  if (target.kind === 'pointer') {
    const { type } = expression.value.type;
    return offsetByElements(fn, old, operand, type, target.pointee.type, operator === '-');
  }
  const computation = expression.computation ?? target;
  const left = convertArithmetic(fn, old, target, computation);
  const result = arithmetic(fn, operator, left, operand, computation);
  return convertArithmetic(fn, result, computation, target);
}

function compoundAtomic(
  fn: FunctionLowering,
  expression: Assignment,
  target: AtomicType,
  pointer: ir.Value,
  operand: ir.Value,
): ir.Value {
  const computation = expression.computation ?? target.value;
  const operation = operationFor(expression.operator!, target, computation);
  if (!operation) {
    const change = (old: ir.Value) => combined(fn, expression, target.value, old, operand);
    return atomicUpdate(fn, pointer, target.value, change).renewed;
  }
  const given = convertArithmetic(fn, operand, expression.value.type.type, target.value);
  const old = atomicFetch(fn, operation, pointer, given);
  return arithmetic(fn, expression.operator!, old, given, target.value);
}

/** The value of an assignment: what the object holds then, which in a bit-field may be less than was given. */
function storedIn(fn: FunctionLowering, place: Place, given: ir.Value): ir.Value {
  return place.kind === 'bits' ? readPlace(fn, place) : given;
}

/** So many conditionals nest in one another's last operands. More stand in a row, for regions are walked by recursion later. */
const longestNest = 64;

/** A long chain of conditionals, each the last operand of the one before: `a ? x : b ? y : ...`, of one arithmetic type. */
function chainOf(expression: Conditional): Conditional[] | undefined {
  const chain = [expression];
  const { type } = expression.type;
  if (type.kind !== 'arithmetic' && type.kind !== 'vector') return undefined;
  for (let next = expression.else; next.kind === 'conditional'; next = next.else) {
    if (next.type.type !== type || next.condition.type.type.kind === 'vector') break;
    chain.push(next);
  }
  return chain.length > longestNest ? chain : undefined;
}

function lowerChain(fn: FunctionLowering, chain: readonly Conditional[]): ir.Value {
  const { builder } = fn;
  const block = builder.block([fn.typeOf(chain[0]!.type.type)]);
  builder.within(block.regions[0]!, () => {
    for (const { condition, shared, then } of chain) {
      if (shared) fn.shared.set(shared, value(fn, shared.operand));
      const node = builder.if(conditionOf(fn, condition));
      builder.within(node.regions[0]!, () => builder.break(block, [value(fn, then)]));
      builder.within(node.regions[1]!, () => builder.yield());
    }
    builder.yield([value(fn, chain.at(-1)!.else)]);
  });
  return block.results[0]!;
}

function lowerConditional(fn: FunctionLowering, expression: Conditional): ir.Value | undefined {
  const { builder } = fn;
  const type = expression.type.type;
  if (expression.condition.type.type.kind === 'vector') {
    const lanes = signBits(fn, value(fn, expression.condition));
    const then = value(fn, expression.then);
    return builder.select(lanes, then, value(fn, expression.else));
  }
  const chain = chainOf(expression);
  if (chain) return lowerChain(fn, chain);
  const condition = conditionOf(fn, expression.condition);
  if (type.kind === 'void') {
    fn.branch(
      condition,
      () => evaluate(fn, expression.then),
      () => evaluate(fn, expression.else),
    );
    return undefined;
  }
  if (type.kind === 'record') {
    const pointer = fn.temporary(type);
    const size = fn.module.sizeOf(type);
    const copy = (source: Expression) => {
      const from = value(fn, source);
      builder.copy(pointer, from, builder.integer(builder.addressType, size), fn.module.alignOf(type));
    };
    fn.branch(
      condition,
      () => copy(expression.then),
      () => copy(expression.else),
    );
    return pointer;
  }
  const wanted = fn.typeOf(type);
  const inSpace = (result: ir.Value) =>
    wanted.kind === 'pointer' ? pointerInSpace(fn, result, wanted) : result;
  return fn.choose(
    condition,
    wanted,
    () => inSpace(value(fn, expression.then)),
    () => inSpace(value(fn, expression.else)),
  );
}

function lowerVectorLiteral(fn: FunctionLowering, expression: VectorLiteral): ir.Value {
  const { builder } = fn;
  const type = fn.typeOf(expression.type.type) as VectorType;
  const lanes: ir.Value[] = [];
  for (const element of expression.elements) {
    const part = value(fn, element);
    if (part.type.kind !== 'vector') lanes.push(part);
    else for (let lane = 0; lane < part.type.lanes; lane += 1) lanes.push(builder.extract(part, lane));
  }
  const [only] = lanes;
  if (lanes.length === 1 && only) return builder.splat(only, type);
  return builder.build(type, lanes.slice(0, type.lanes));
}

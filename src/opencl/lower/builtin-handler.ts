/** What the files of this room share: a call of a built-in function, its arguments lowered, and ways to answer it. */
import type { BuiltinCall } from '../../c/ast.ts';
import type { FunctionLowering } from '../../c/lower/function-lowering.ts';
import { elementOf as cElementOf } from '../../c/type-facts.ts';
import {
  type ArithmeticType,
  arithmeticTypes,
  type CType,
  vectorType as cVectorType,
} from '../../c/types.ts';
import type { Builder } from '../../ir/builder.ts';
import { roundDouble } from '../../ir/interpreter/rounding.ts';
import type * as ir from '../../ir/ir.ts';
import {
  elementOf,
  f16,
  f32,
  lanesOf,
  type ScalarType,
  type Type,
  typeName,
  vectorType,
  withElement,
} from '../../ir/types.ts';

/** One call, ready to be answered. */
export interface LoweredCall {
  readonly fn: FunctionLowering;
  readonly builder: Builder;
  readonly name: string;
  readonly node: BuiltinCall;
  readonly args: readonly ir.Value[];
  /** The C types of the arguments, which say how integers are read. */
  readonly types: readonly CType[];
  readonly result: CType;
}

/** Lowers a call; the value, if the function has one. */
export type BuiltinHandler = (call: LoweredCall) => ir.Value | undefined;

export type BuiltinHandlers = Readonly<Record<string, BuiltinHandler>>;

/** An argument that the signature promises. */
export function argument(call: LoweredCall, index: number): ir.Value {
  const value = call.args[index];
  if (!value) throw new Error(`${call.name} has no argument ${index}`);
  return value;
}

/** The arithmetic type of the lanes of an argument. */
export function elementAt(call: LoweredCall, index: number): ArithmeticType {
  const type = call.types[index];
  const element = type && cElementOf(type);
  if (!element) throw new Error(`argument ${index} of ${call.name} is not arithmetic`);
  return element;
}

/** An argument with the lanes of `shape`: a scalar that stands for a vector is put in every lane. */
export function shaped(call: LoweredCall, value: ir.Value, shape: Type): ir.Value {
  if (shape.kind !== 'vector' || value.type.kind === 'vector') return value;
  return call.builder.splat(value, shape);
}

/** The same floating-point number in every lane of a type, rounded to it. */
export function floating(builder: Builder, type: Type, value: number): ir.Value {
  const element = elementOf(type);
  const rounded = element.kind === 'float' ? roundDouble(value, element.bits, 'rte') : value;
  return builder.constant(
    type,
    type.kind === 'vector' ? new Array<number>(type.lanes).fill(rounded) : rounded,
  );
}

/** A product that may be fused if operators may in that place. */
export function multiply(call: LoweredCall, a: ir.Value, b: ir.Value): ir.Value {
  return call.builder.binary('fmul', a, b, call.fn.mayContract);
}

/** @param isFree the order of a sum's terms does not matter, whatever the build options say */
export function add(call: LoweredCall, a: ir.Value, b: ir.Value, isFree = false): ir.Value {
  return call.builder.binary('fadd', a, b, call.fn.mayContract, isFree || call.fn.module.options.reassociate);
}

export function subtract(call: LoweredCall, a: ir.Value, b: ir.Value): ir.Value {
  return call.builder.binary('fsub', a, b, call.fn.mayContract, call.fn.module.options.reassociate);
}

/**
 * Applies a function of the library (src/library), which is written for scalars, lane by lane.
 * @param element the element of the result; the same as the arguments' unless it is given
 */
export function library(
  call: LoweredCall,
  base: string,
  args: readonly ir.Value[],
  element?: ScalarType,
): ir.Value {
  const { builder, fn } = call;
  const first = args[0]!;
  if (isHalf(first) && !ownHalfForms.has(base)) return libraryForHalf(call, base, args, element);
  const scalars = args.map((value) => elementOf(value.type));
  const resultElement = element ?? (scalars[0] as ScalarType);
  const name = `__millrace_${base}_${typeName(scalars[0]!)}`;
  const callee = fn.module.externalFunction(name, scalars, resultElement);
  const lanes = lanesOf(first.type);
  if (first.type.kind !== 'vector') return builder.call(callee, [...args])!;
  const results: ir.Value[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const each = args.map((value) => (value.type.kind === 'vector' ? builder.extract(value, lane) : value));
    results.push(builder.call(callee, each)!);
  }
  const type = fn.typeOf(call.result);
  const shape = type.kind === 'vector' && type.element === resultElement ? type : undefined;
  return builder.build(shape ?? vectorLike(first.type, resultElement), results);
}

/** Functions that a result for float does not answer: it would be a neighbour among floats. */
const ownHalfForms: ReadonlySet<string> = new Set(['nextafter']);

/** Half functions are computed as float ones and rounded once, which leaves less than one ULP of half (OpenCL 1.2, 9.5.12). */
function libraryForHalf(
  call: LoweredCall,
  base: string,
  args: readonly ir.Value[],
  element: ScalarType | undefined,
): ir.Value {
  const result = library(
    { ...call, result: inFloats(call.result) },
    base,
    args.map((value) => widened(call.builder, value)),
    element,
  );
  return element ? result : call.builder.convert('fnarrow', result, withElement(result.type, f16));
}

/** Whether a value's lanes are halves. */
function isHalf(value: ir.Value): boolean {
  return elementOf(value.type) === f16;
}

function widened(builder: Builder, value: ir.Value): ir.Value {
  return isHalf(value) ? builder.convert('fwiden', value, withElement(value.type, f32)) : value;
}

/** A type with floats in the place of halves. */
function inFloats(type: CType): CType {
  if (type === arithmeticTypes.half) return arithmeticTypes.float;
  return type.kind === 'vector' && type.element === arithmeticTypes.half
    ? cVectorType(arithmeticTypes.float, type.lanes)
    : type;
}

/** Answers a call on halves as one on floats, and rounds the result once: for what takes more than one rounding. */
export function throughFloats(handler: BuiltinHandler): BuiltinHandler {
  return (call) => {
    if (!isHalf(argument(call, 0))) return handler(call);
    const result = handler({
      ...call,
      args: call.args.map((value) => widened(call.builder, value)),
      types: call.types.map(inFloats),
      result: inFloats(call.result),
    });
    return result && call.builder.convert('fnarrow', result, withElement(result.type, f16));
  };
}

function vectorLike(shape: Type, element: ScalarType) {
  if (shape.kind !== 'vector') throw new Error('not a vector');
  return vectorType(element, shape.lanes);
}

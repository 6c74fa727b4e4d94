/**
 * What each kind of instruction demands of its own operands, results and fields, wherever it stands. Every function
 * here gives the first thing that is wrong, or undefined.
 */

import { samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import {
  bool,
  elementOf,
  type IntType,
  i32,
  lanesOf,
  pointerType,
  sizeOf,
  type Type,
  typeName,
  vectorType,
  withElement,
} from '../types.ts';
import { imageProblem } from './image-rules.ts';

/** A complaint about an instruction, or undefined if there is none. */
export type Problem = string | undefined;

/** Checks the numbers of operands, results and regions, the types, and the fields of one instruction. */
export function operandProblem(instruction: ir.Instruction, addressType: IntType): Problem {
  return countProblem(instruction) ?? typeProblem(instruction, addressType);
}

/** How many operands, results and regions each kind has; undefined where its own rule counts them. */
function countsOf(
  instruction: ir.Instruction,
): [operands: number | undefined, results: number | undefined, regions: number] {
  switch (instruction.op) {
    case 'constant':
    case 'undefined':
    case 'variable':
    case 'global_address':
    case 'function_address':
    case 'query':
    case 'slot_read':
      return [0, 1, 0];
    case 'unary':
    case 'convert':
    case 'splat':
    case 'extract':
    case 'load':
    case 'item_address':
    case 'copies_address':
    case 'in_space':
    case 'test':
      return [1, 1, 0];
    case 'collective':
      return [instruction.fn === 'broadcast' ? 2 : 1, 1, 0];
    case 'masked_load':
      return [2, 1, 0];
    case 'masked_store':
      return [3, 0, 0];
    case 'gather':
      return [instruction.operands.length === 2 ? 2 : 3, 1, 0];
    case 'scatter':
      return [instruction.operands.length === 3 ? 3 : 4, 0, 0];
    case 'binary':
    case 'compare':
    case 'insert':
    case 'shuffle':
    case 'offset':
      return [2, 1, 0];
    case 'fma':
    case 'select':
      return [3, 1, 0];
    case 'build':
    case 'printf':
      return [undefined, 1, 0];
    case 'store':
    case 'fill':
      return [2, 0, 0];
    case 'copy':
      return [3, 0, 0];
    case 'atomic':
      return [atomicOperands(instruction.fn), instruction.fn === 'store' ? 0 : 1, 0];
    case 'fence':
    case 'barrier':
    case 'slot':
    case 'unreachable':
      return [0, 0, 0];
    case 'slot_write':
      return [1, instruction.scan ? 1 : 0, 0];
    case 'image_read':
      return [undefined, 1, 0];
    case 'image_write':
      return [3, 0, 0];
    case 'image_query':
      return [1, 1, 0];
    case 'call':
    case 'call_indirect':
      return [undefined, undefined, 0];
    case 'items':
      return [0, 0, 1 + Number(instruction.lanes !== undefined) + Number(instruction.rows !== undefined)];
    case 'if':
      return [1, undefined, 2];
    case 'switch':
      return [1, undefined, instruction.cases.length + 1];
    case 'block':
      return [0, undefined, 1];
    case 'loop':
      return [undefined, undefined, 1];
    case 'yield':
    case 'break':
    case 'continue':
    case 'return':
      return [undefined, 0, 0];
  }
}

function atomicOperands(fn: ir.AtomicFunction): number {
  return fn === 'load' ? 1 : fn === 'compare_exchange' ? 3 : 2;
}

function countProblem(instruction: ir.Instruction): Problem {
  const [operands, results, regions] = countsOf(instruction);
  if (operands !== undefined && instruction.operands.length !== operands) {
    return `${instruction.operands.length} operands, expected ${operands}`;
  }
  if (results !== undefined && instruction.results.length !== results) {
    return `${instruction.results.length} results, expected ${results}`;
  }
  if (instruction.regions.length !== regions) {
    return `${instruction.regions.length} regions, expected ${regions}`;
  }
  return undefined;
}

function typeProblem(instruction: ir.Instruction, addressType: IntType): Problem {
  // The counts are right, so those of these that the kind has are there.
  const a = instruction.operands[0]?.type as Type;
  const b = instruction.operands[1]?.type as Type;
  const c = instruction.operands[2]?.type as Type;
  const result = instruction.results[0]?.type as Type;
  switch (instruction.op) {
    case 'constant':
      return constantProblem(instruction.value, result);
    case 'unary':
      return unaryProblem(instruction.fn, a) ?? mustBe('the result', result, a);
    case 'binary':
      return binaryProblem(instruction, a) ?? mustBe('operand 2', b, a) ?? mustBe('the result', result, a);
    case 'fma':
      if (elementOf(a).kind !== 'float') return `fma of ${typeName(a)}`;
      return mustBe('operand 2', b, a) ?? mustBe('operand 3', c, a) ?? mustBe('the result', result, a);
    case 'compare':
      return (
        compareProblem(instruction.fn, a) ??
        mustBe('operand 2', b, a) ??
        mustBe('the result', result, withElement(a, bool))
      );
    case 'select':
      if (a !== bool && a !== withElement(b, bool)) return `a condition of type ${typeName(a)}`;
      return mustBe('operand 3', c, b) ?? mustBe('the result', result, b);
    case 'convert':
      return convertProblem(instruction, a, result, addressType);
    case 'splat':
      if (result.kind !== 'vector') return `a result of type ${typeName(result)}, expected a vector`;
      return mustBe('operand 1', a, result.element);
    case 'build':
      return buildProblem(instruction, result);
    case 'extract':
      return laneProblem(instruction.lane, a) ?? mustBe('the result', result, elementOf(a));
    case 'insert':
      return (
        laneProblem(instruction.lane, a) ??
        mustBe('operand 2', b, elementOf(a)) ??
        mustBe('the result', result, a)
      );
    case 'shuffle':
      return shuffleProblem(instruction.lanes, a, b, result);
    case 'variable':
      if (instruction.space !== 'private' && instruction.perItem)
        return 'only private variables are per item';
      if (instruction.elementSize !== undefined) {
        if (!instruction.perItem) return 'only per-item variables lie by elements';
        if (!(instruction.size % instruction.elementSize === 0))
          return 'elements that do not fill the variable';
      }
      return (
        sizeProblem(instruction.size) ??
        alignProblem(instruction.align) ??
        pointerTo(instruction.space, result)
      );
    case 'global_address':
      return pointerTo(instruction.global.space, result);
    case 'offset':
      return mustPoint(a) ?? mustBe('operand 2', b, addressType) ?? mustBe('the result', result, a);
    case 'load':
      return mustPoint(a) ?? alignProblem(instruction.align) ?? mustBeStorable(result);
    case 'store':
      return mustBeWritable(a) ?? alignProblem(instruction.align) ?? mustBeStorable(b);
    case 'copy':
      return (
        mustBeWritable(a) ??
        mustPoint(b) ??
        mustBe('operand 3', c, addressType) ??
        alignProblem(instruction.align)
      );
    case 'fill':
      if (!Number.isInteger(instruction.byte) || instruction.byte < 0 || instruction.byte > 255) {
        return `byte ${instruction.byte} is not of 0 to 255`;
      }
      return mustBeWritable(a) ?? mustBe('operand 2', b, addressType) ?? alignProblem(instruction.align);
    case 'atomic':
      return atomicProblem(instruction, a);
    case 'printf':
      return printfProblem(instruction) ?? mustBe('the result', result, i32);
    case 'collective':
      return (
        collectiveProblem(instruction, a) ??
        mustBe('the result', result, a) ??
        broadcastProblem(b, addressType)
      );
    case 'in_space':
      return pointerTo('generic', a) ?? mustBe('the result', result, bool);
    case 'query':
      if (![0, 1, 2].includes(instruction.dimension)) return `dimension ${instruction.dimension}`;
      return mustBe('the result', result, instruction.fn === 'work_dim' ? i32 : addressType);
    case 'image_read':
    case 'image_write':
    case 'image_query':
      return imageProblem(instruction);
    case 'call':
      return callProblem(instruction);
    case 'function_address':
      return mustBe('the result', result, pointerType('private'));
    case 'call_indirect':
      if (instruction.results.length > 1) return `${instruction.results.length} results`;
      return pointerTo('private', a);
    case 'item_address':
      return pointerTo('private', a);
    case 'copies_address':
      return pointerTo('private', a) ?? mustBe('the result', result, a);
    case 'masked_load':
    case 'masked_store':
    case 'gather':
    case 'scatter':
    case 'test':
      return maskedProblem(instruction, addressType);
    case 'if':
      return mustBe('operand 1', a, bool);
    case 'switch':
      return switchProblem(instruction, a);
    case 'loop':
      return typesProblem('operand', instruction.operands, 'body parameters', parametersOf(instruction));
    default:
      return undefined;
  }
}

/** Masked and scattered accesses, and tests of masks: all vectors have the same lanes. */
function maskedProblem(
  instruction: ir.MaskedLoad | ir.MaskedStore | ir.Gather | ir.Scatter | ir.Test,
  addressType: IntType,
): Problem {
  const types = instruction.operands.map((operand) => operand.type);
  const mustMask = (mask: Type | undefined, lanes?: number): Problem => {
    if (mask === undefined) return undefined;
    const isMask = mask.kind === 'vector' && mask.element === bool;
    return isMask && (lanes === undefined || mask.lanes === lanes)
      ? undefined
      : `a mask of type ${typeName(mask)}`;
  };
  if (instruction.op === 'test') {
    return mustMask(types[0]) ?? mustBe('the result', instruction.results[0]!.type, bool);
  }
  const isIndexed = instruction.op === 'gather' || instruction.op === 'scatter';
  const isStore = instruction.op === 'masked_store' || instruction.op === 'scatter';
  const [pointer, ...rest] = types as [Type, ...Type[]];
  const offsets = isIndexed ? rest.shift()! : undefined;
  const value = isStore ? rest.shift()! : instruction.results[0]!.type;
  if (value.kind !== 'vector') return `a value of type ${typeName(value)}, expected a vector`;
  const offsetProblem = offsets && mustBe('operand 2', offsets, vectorType(addressType, value.lanes));
  return (
    (isStore ? mustBeWritable(pointer) : mustPoint(pointer)) ??
    offsetProblem ??
    mustMask(rest[0], value.lanes) ??
    alignProblem(instruction.align) ??
    mustBeStorable(value)
  );
}

function mustBe(what: string, type: Type, expected: Type): Problem {
  return type === expected ? undefined : `${what} has type ${typeName(type)}, expected ${typeName(expected)}`;
}

function mustPoint(type: Type, what = 'operand'): Problem {
  return type.kind === 'pointer' ? undefined : `${what} has type ${typeName(type)}, expected a pointer`;
}

function pointerTo(space: string, type: Type): Problem {
  if (type.kind === 'pointer' && type.space === space) return undefined;
  return `type ${typeName(type)}, expected ptr<${space}>`;
}

function mustBeWritable(type: Type): Problem {
  if (type.kind === 'pointer' && type.space === 'constant') return 'writes to constant memory';
  return mustPoint(type, 'operand 1');
}

function mustBeStorable(type: Type): Problem {
  if (type.kind === 'opaque') return `values of type ${typeName(type)} are not stored`;
  return elementOf(type).kind === 'bool' ? 'truth values are not stored' : undefined;
}

function printfProblem({ format, operands }: ir.Printf): Problem {
  for (const character of format) {
    const code = character.charCodeAt(0);
    if (code < 1 || code > 255) return 'the format is not a string of bytes';
  }
  for (const { type } of operands) {
    if (type.kind === 'opaque') return `prints a value of type ${typeName(type)}`;
    const problem = mustBeStorable(type);
    if (problem) return problem;
  }
  return undefined;
}

function collectiveProblem({ fn, combine }: ir.Collective, type: Type): Problem {
  const isFloat = combine === 'fadd' || combine === 'fmin' || combine === 'fmax';
  const { kind } = type;
  const fits = fn === 'broadcast' ? kind === 'int' || kind === 'float' : kind === (isFloat ? 'float' : 'int');
  return fits ? undefined : `collective ${fn} of ${typeName(type)}`;
}

function broadcastProblem(index: Type | undefined, addressType: IntType): Problem {
  return index && mustBe('operand 2', index, addressType);
}

function sizeProblem(size: number): Problem {
  return Number.isSafeInteger(size) && size >= 0 ? undefined : `size ${size}`;
}

/** An alignment is a power of two. */
export function alignProblem(align: number): Problem {
  const ok = Number.isSafeInteger(align) && align > 0 && Number.isInteger(Math.log2(align));
  return ok ? undefined : `alignment ${align} is not a power of two`;
}

/** The types of two lists of values, one by one. */
export function typesProblem(
  what: string,
  values: readonly ir.Value[],
  against: string,
  expected: readonly ir.Value[],
): Problem {
  if (values.length !== expected.length) {
    return `${values.length} ${what}s, but ${expected.length} ${against}`;
  }
  for (let index = 0; index < values.length; index += 1) {
    const problem = mustBe(`${what} ${index + 1}`, values[index]!.type, expected[index]!.type);
    if (problem) return problem;
  }
  return undefined;
}

function parametersOf(loop: ir.Loop): readonly ir.Value[] {
  return loop.regions[0]?.parameters ?? [];
}

function constantProblem(value: ir.Constant['value'], type: Type): Problem {
  if (type.kind !== 'vector') {
    return typeof value === 'object' ? 'lanes for a scalar' : scalarProblem(value, type);
  }
  if (typeof value !== 'object') return 'one value for a vector';
  if (value.length !== type.lanes) return `${value.length} lanes, expected ${type.lanes}`;
  for (const lane of value) {
    const problem = scalarProblem(lane, type.element);
    if (problem) return problem;
  }
  return undefined;
}

function scalarProblem(value: ir.ScalarConstant, type: Type): Problem {
  const wrong = `${typeof value} ${String(value)} is no canonical constant of ${typeName(type)}`;
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? undefined : wrong;
    case 'int':
      if (type.bits === 64) {
        return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? undefined : wrong;
      }
      if (typeof value !== 'number' || !Number.isInteger(value) || Object.is(value, -0)) return wrong;
      return value >= -(2 ** (type.bits - 1)) && value < 2 ** (type.bits - 1) ? undefined : wrong;
    case 'float':
      if (typeof value !== 'number') return wrong;
      return isRounded(value, type.bits) ? undefined : wrong;
    case 'pointer':
      return value === 0 ? undefined : wrong;
    case 'opaque':
      return type === samplerType ? scalarProblem(value, i32) : wrong;
    default:
      return wrong;
  }
}

/** Whether a number is one of the float format. */
function isRounded(value: number, bits: 16 | 32 | 64): boolean {
  if (!Number.isFinite(value) || bits === 64) return true;
  if (bits === 32) return Math.fround(value) === value;
  return Math.abs(value) <= 65504 && Number.isInteger(value / halfStep(value));
}

/** The distance between half-precision numbers around `value`. */
function halfStep(value: number): number {
  let step = 2 ** -24;
  while (step * 2048 <= Math.abs(value)) step *= 2;
  return step;
}

function unaryProblem(fn: ir.UnaryFunction, type: Type): Problem {
  const { kind } = elementOf(type);
  const fits =
    fn === 'not' ? kind === 'bool' || kind === 'int' : fn.startsWith('f') ? kind === 'float' : kind === 'int';
  return fits ? undefined : `${fn} of ${typeName(type)}`;
}

function binaryProblem({ fn, contract, reassociate }: ir.Binary, type: Type): Problem {
  const { kind } = elementOf(type);
  const logical = fn === 'and' || fn === 'or' || fn === 'xor';
  const fits = fn.startsWith('f') ? kind === 'float' : kind === 'int' || (logical && kind === 'bool');
  if (!fits) return `${fn} of ${typeName(type)}`;
  if (contract && fn !== 'fadd' && fn !== 'fsub' && fn !== 'fmul') return `${fn} cannot be contracted`;
  if (reassociate && fn !== 'fadd' && fn !== 'fsub') return `${fn} cannot be reassociated`;
  return undefined;
}

function compareProblem(fn: ir.CompareFunction, type: Type): Problem {
  const { kind } = elementOf(type);
  const equality = fn === 'eq' || fn === 'ne';
  const fits = fn.startsWith('f')
    ? kind === 'float'
    : kind === 'int' ||
      (kind === 'pointer' && (equality || fn.startsWith('u'))) ||
      ((kind === 'bool' || kind === 'opaque') && equality);
  return fits ? undefined : `${fn} of ${typeName(type)}`;
}

function convertProblem(instruction: ir.Convert, from: Type, to: Type, addressType: IntType): Problem {
  const { fn, rounding, saturate } = instruction;
  const wrong = `${fn} from ${typeName(from)} to ${typeName(to)}`;
  if (fn === 'bitcast') {
    const ok = isNumeric(from) && isNumeric(to) && sizeOf(from) === sizeOf(to);
    return ok ? fieldProblem() : wrong;
  }
  if (lanesOf(from) !== lanesOf(to)) return wrong;
  return fits(elementOf(from), elementOf(to)) ? fieldProblem() : wrong;

  function fieldProblem(): Problem {
    const toInteger = fn === 'ftos' || fn === 'ftou';
    if (saturate && !toInteger) return `${fn} cannot saturate`;
    const rounds = toInteger || fn === 'stof' || fn === 'utof' || fn === 'fnarrow';
    return rounding && !rounds ? `${fn} does not round` : undefined;
  }

  function fits(x: Type, y: Type): boolean {
    switch (fn) {
      case 'sext':
      case 'zext':
        return y.kind === 'int' && (x.kind === 'bool' || (x.kind === 'int' && x.bits < y.bits));
      case 'trunc':
        return x.kind === 'int' && y.kind === 'int' && x.bits > y.bits;
      case 'stof':
      case 'utof':
        return x.kind === 'int' && y.kind === 'float';
      case 'ftos':
      case 'ftou':
        return x.kind === 'float' && y.kind === 'int';
      case 'fwiden':
        return x.kind === 'float' && y.kind === 'float' && x.bits < y.bits;
      case 'fnarrow':
        return x.kind === 'float' && y.kind === 'float' && x.bits > y.bits;
      case 'ptoi':
        return x.kind === 'pointer' && y === addressType;
      case 'itop':
        return x === addressType && y.kind === 'pointer';
      case 'space':
        return x.kind === 'pointer' && y.kind === 'pointer';
      default:
        return false;
    }
  }
}

function isNumeric(type: Type): boolean {
  const { kind } = elementOf(type);
  return kind === 'int' || kind === 'float';
}

function buildProblem(instruction: ir.Build, result: Type): Problem {
  if (result.kind !== 'vector') return `a result of type ${typeName(result)}, expected a vector`;
  if (instruction.operands.length !== result.lanes) {
    return `${instruction.operands.length} operands, expected ${result.lanes}`;
  }
  for (const [index, operand] of instruction.operands.entries()) {
    const problem = mustBe(`operand ${index + 1}`, operand.type, result.element);
    if (problem) return problem;
  }
  return undefined;
}

function laneProblem(lane: number, type: Type): Problem {
  if (type.kind !== 'vector') return `operand 1 has type ${typeName(type)}, expected a vector`;
  return Number.isInteger(lane) && lane >= 0 && lane < type.lanes
    ? undefined
    : `lane ${lane} of ${typeName(type)}`;
}

function shuffleProblem(lanes: readonly number[], a: Type, b: Type, result: Type): Problem {
  if (a.kind !== 'vector') return `operand 1 has type ${typeName(a)}, expected a vector`;
  if (result.kind !== 'vector' || result.element !== a.element || result.lanes !== lanes.length) {
    return `a result of type ${typeName(result)}, expected ${lanes.length} lanes of ${typeName(a.element)}`;
  }
  for (const lane of lanes) {
    if (!Number.isInteger(lane) || lane >= a.lanes * 2) return `lane ${lane} of two ${typeName(a)}`;
  }
  return mustBe('operand 2', b, a);
}

function atomicProblem(instruction: ir.Atomic, pointer: Type): Problem {
  const { fn, operands, results } = instruction;
  const problem = fn === 'load' ? mustPoint(pointer) : mustBeWritable(pointer);
  if (problem) return problem;
  const type = (results[0] ?? operands[1])!.type;
  const wide = (type.kind === 'int' || type.kind === 'float') && type.bits >= 32;
  const moves = fn === 'load' || fn === 'store' || fn === 'exchange';
  if (!wide || (type.kind === 'float' && !moves)) return `atomic ${fn} of ${typeName(type)}`;
  for (let index = 1; index < operands.length; index += 1) {
    const mismatch = mustBe(`operand ${index + 1}`, operands[index]!.type, type);
    if (mismatch) return mismatch;
  }
  return undefined;
}

function callProblem({ callee, operands, results }: ir.Call): Problem {
  const parameters = callee.parameters.map((parameter) => parameter.value);
  const problem = typesProblem('argument', operands, 'parameters', parameters);
  if (problem) return problem;
  if (results.length !== (callee.result ? 1 : 0))
    return `${results.length} results, unlike the function called`;
  return callee.result ? mustBe('the result', results[0]!.type, callee.result) : undefined;
}

function switchProblem({ cases }: ir.Switch, type: Type): Problem {
  if (type.kind !== 'int') return `switch on ${typeName(type)}`;
  const seen = new Set<number | bigint>();
  for (const value of cases.flat()) {
    const problem = scalarProblem(value, type);
    if (problem) return problem;
    if (seen.has(value)) return `case ${value} stands twice`;
    seen.add(value);
  }
  return undefined;
}

/**
 * What each kind of instruction demands of its own operands, results and fields, wherever it is. Every function
 * here gives the first thing that is wrong, or undefined.
 */
import type * as ir from '../ir.ts';
import {
  bool,
  elementOf,
  type IntType,
  i32,
  pointerType,
  type Type,
  typeName,
  withElement,
} from '../types.ts';
import {
  binaryProblem,
  buildProblem,
  compareProblem,
  constantProblem,
  convertProblem,
  laneProblem,
  scalarProblem,
  shuffleProblem,
  unaryProblem,
} from './computation-rules.ts';
import { countProblem } from './count-rules.ts';
import {
  alignProblem,
  mustBe,
  mustBeStorable,
  mustBeWritable,
  mustPoint,
  type Problem,
  pointerTo,
  sizeProblem,
  typesProblem,
} from './demands.ts';
import { imageProblem } from './image-rules.ts';
import { atomicProblem, maskedProblem } from './memory-rules.ts';

/** Checks the numbers of operands, results and regions, the types, and the fields of one instruction. */
export function operandProblem(instruction: ir.Instruction, addressType: IntType): Problem {
  return countProblem(instruction) ?? typeProblem(instruction, addressType);
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
      return a ? pointerTo('private', a) : 'no operands, expected a pointer';
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

function parametersOf(loop: ir.Loop): readonly ir.Value[] {
  return loop.regions[0]?.parameters ?? [];
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
    if (seen.has(value)) return `case ${value} occurs twice`;
    seen.add(value);
  }
  return undefined;
}

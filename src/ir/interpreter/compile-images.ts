/** Steps of the instructions that use images. */
import { imageTypeFacts, samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, f32 } from '../types.ts';
import type { CompileContext } from './compile-function.ts';
import { type InterpreterImage, imageAt, readImage, writeImage } from './images.ts';
import type { Frame } from './state.ts';
import type { RuntimeValue } from './values.ts';

type Run = (frame: Frame) => void;
type NumberOf = (value: ir.Value) => number;

/** What a step does, or undefined for instructions of other kinds. */
export function imageStep(
  instruction: ir.Instruction,
  context: CompileContext,
  numberOf: NumberOf,
): Run | undefined {
  switch (instruction.op) {
    case 'image_read':
      return read(instruction, context, numberOf);
    case 'image_write':
      return write(instruction, context, numberOf);
    case 'image_query':
      return query(instruction, context, numberOf);
    default:
      return undefined;
  }
}

function read(instruction: ir.ImageRead, context: CompileContext, numberOf: NumberOf): Run {
  const { operands, channels } = instruction;
  const from = operands[0]!;
  const shape = imageTypeFacts(from.type)!;
  const sampler = operands[1]!.type === samplerType ? numberOf(operands[1]!) : -1;
  const coordinates = operands.at(-1)!;
  const [image, at, to] = [numberOf(from), numberOf(coordinates), numberOf(instruction.results[0]!)];
  const areFloats = elementOf(coordinates.type) === f32;
  return ({ values, item }) => {
    const bits = sampler < 0 ? undefined : (values[sampler] as number);
    const source = imageAt(context.memory, values[image] as number, item, context.observer());
    values[to] = readImage(source, shape, channels, bits, lanes(values[at]!), areFloats);
  };
}

function write(instruction: ir.ImageWrite, context: CompileContext, numberOf: NumberOf): Run {
  const shape = imageTypeFacts(instruction.operands[0]!.type)!;
  const [image, at, colour] = instruction.operands.map(numberOf) as [number, number, number];
  return ({ values, item }) => {
    const target = imageAt(context.memory, values[image] as number, item, context.observer());
    writeImage(target, shape, lanes(values[at]!), lanes(values[colour]!));
  };
}

const properties: Readonly<Record<ir.ImageQueryFunction, keyof InterpreterImage>> = {
  width: 'width',
  height: 'height',
  depth: 'depth',
  array_size: 'arraySize',
  channel_data_type: 'channelType',
  channel_order: 'channelOrder',
};

function query(instruction: ir.ImageQuery, context: CompileContext, numberOf: NumberOf): Run {
  const [image, to] = [numberOf(instruction.operands[0]!), numberOf(instruction.results[0]!)];
  const property = properties[instruction.fn];
  return ({ values, item }) => {
    values[to] = imageAt(context.memory, values[image] as number, item, context.observer())[
      property
    ] as number;
  };
}

function lanes(value: RuntimeValue): readonly number[] {
  return (typeof value === 'object' ? value : [value]) as readonly number[];
}

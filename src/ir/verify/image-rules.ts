/** What the instructions that use images demand of their operands and results; see operand-rules.ts. */
import { type ImageTypeFacts, imageTypeFacts, samplerType } from '../images.ts';
import type * as ir from '../ir.ts';
import { elementOf, f32, i32, lanesOf, type Type, typeName, vectorType } from '../types.ts';

type ImageInstruction = ir.ImageRead | ir.ImageWrite | ir.ImageQuery;

/** The first thing that is wrong, or undefined. */
export function imageProblem(instruction: ImageInstruction): string | undefined {
  const [image, ...rest] = instruction.operands;
  if (!image) return 'no operands, expected an image';
  const shape = imageTypeFacts(image.type);
  if (!shape) return `operand 1 has type ${typeName(image.type)}, expected an image`;
  switch (instruction.op) {
    case 'image_query':
      return queryProblem(instruction.fn, shape) ?? resultProblem(instruction, i32);
    case 'image_read': {
      if (shape.access === 'write_only') return `image_read of ${typeName(image.type)}`;
      const sampler = rest.length === 2 ? rest[0] : undefined;
      if (sampler && sampler.type !== samplerType) {
        return `operand 2 has type ${typeName(sampler.type)}, expected a sampler`;
      }
      if (sampler && shape.isBuffer) return 'a sampler for an image of a buffer';
      const coordinates = rest.at(-1);
      if (!coordinates || rest.length > 2) return `${rest.length + 1} operands, expected 2 or 3`;
      return (
        coordinatesProblem(coordinates.type, shape, sampler !== undefined) ??
        resultProblem(instruction, colourType(instruction.channels))
      );
    }
    case 'image_write': {
      if (shape.access === 'read_only') return `image_write of ${typeName(image.type)}`;
      const [coordinates, colour] = rest as [ir.Value, ir.Value];
      const expected = colourType(instruction.channels);
      if (colour.type !== expected) {
        return `operand 3 has type ${typeName(colour.type)}, expected ${typeName(expected)}`;
      }
      return coordinatesProblem(coordinates.type, shape, false);
    }
  }
}

/** The type of a pixel's channels as the program sees them. */
function colourType(channels: ir.ImageChannels): Type {
  return vectorType(channels === 'float' ? f32 : i32, 4);
}

function resultProblem({ results }: ir.Instruction, expected: Type): string | undefined {
  const { type } = results[0]!;
  if (type === expected) return undefined;
  return `the result has type ${typeName(type)}, expected ${typeName(expected)}`;
}

function coordinatesProblem(type: Type, shape: ImageTypeFacts, mayBeFloat: boolean): string | undefined {
  const lanes = shape.coordinates === 3 ? 4 : shape.coordinates;
  const element = elementOf(type);
  const fits = lanesOf(type) === lanes && (element === i32 || (mayBeFloat && element === f32));
  return fits ? undefined : `coordinates of type ${typeName(type)} for an ${shape.type}`;
}

function queryProblem(fn: ir.ImageQueryFunction, shape: ImageTypeFacts): string | undefined {
  const has =
    fn === 'height'
      ? shape.dimensions > 1
      : fn === 'depth'
        ? shape.dimensions > 2
        : fn !== 'array_size' || shape.isArray;
  return has ? undefined : `an ${shape.type} has no ${fn}`;
}

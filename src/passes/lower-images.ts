/**
 * Turns what uses images into calls of library functions, for devices whose kernels see an image as a descriptor in
 * memory (src/runtime/image-descriptor.ts).
 *
 *     kernel @k(%img: opaque<image2d_ro_t>, ...)          kernel @k(%img: ptr<constant> readable(64), ...)
 *     %s = constant 20 : opaque<sampler_t>           =>   %s = constant 20 : i32
 *     %c = image_read float %img, %s, %at                 %c = call @__millrace_image_sample_2d_f32_i32(%img, %s, %at)
 *
 * The functions are in the module already: whoever links the library brings those that an image instruction will need.
 * It comes before inlining, so that a sampler that is a constant decides there which of their code is left. Descriptors
 * are constant memory: nothing that a kernel stores changes them.
 */
import { imageFunctionName, imageTypeFacts, isImageInstruction, samplerType } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { i32, pointerType, type Type } from '../ir/types.ts';

/** As src/runtime/image-descriptor.ts has it, which passes do not know. */
const descriptorBytes = 64;

/** Does so in all functions of a linked module. @throws Error if the linker left a function out */
export function lowerImages(module: ir.Module): void {
  const functions = new Map(module.functions.map((fn) => [fn.name, fn]));
  const replaced = new Map<ir.Value, ir.Value>();
  for (const fn of module.functions) {
    fn.parameters.forEach((parameter, index) => {
      const type = loweredType(parameter.value.type);
      if (!type) return;
      const value: ir.Value = { ...parameter.value, type };
      replaced.set(parameter.value, value);
      const readable = type === i32 ? {} : { readableBytes: descriptorBytes };
      fn.parameters[index] = { ...parameter, value, ...readable };
    });
  }
  for (const fn of module.functions) if (fn.body) lowerRegion(fn.body, functions, replaced);
}

/** What stands for an image or sampler; undefined for types that stay. */
function loweredType(type: Type): Type | undefined {
  if (type === samplerType) return i32;
  return imageTypeFacts(type) ? pointerType('constant') : undefined;
}

function lowerRegion(
  region: ir.Region,
  functions: ReadonlyMap<string, ir.Function>,
  replaced: Map<ir.Value, ir.Value>,
): void {
  region.instructions.forEach((instruction, index) => {
    for (const nested of instruction.regions) lowerRegion(nested, functions, replaced);
    const [result] = instruction.results;
    const type = result && loweredType(result.type);
    if (type && (instruction.op === 'constant' || instruction.op === 'undefined')) {
      const value: ir.Value = { ...result, type };
      replaced.set(result, value);
      instruction.results = [value];
    } else if (isImageInstruction(instruction)) {
      region.instructions[index] = callFor(instruction, functions, replaced);
    } else if (instruction.op === 'call') {
      instruction.operands = instruction.operands.map((operand) => replaced.get(operand) ?? operand);
    }
  });
}

function callFor(
  instruction: ir.ImageRead | ir.ImageWrite | ir.ImageQuery,
  functions: ReadonlyMap<string, ir.Function>,
  replaced: ReadonlyMap<ir.Value, ir.Value>,
): ir.Call {
  const name = imageFunctionName(instruction);
  const callee = functions.get(name);
  if (!callee) throw new Error(`the module uses images but has no function ${name}`);
  const operands = instruction.operands.map((operand) => replaced.get(operand) ?? operand);
  return { op: 'call', callee, operands, results: instruction.results, regions: [], span: instruction.span };
}

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
 *
 * Where it is known what images and samplers a kernel will be given, it calls copies of the functions made for these
 * (known-images.ts).
 */
import { imageFunctionName, imageTypeFacts, isImageInstruction, samplerType } from '../../ir/images.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, pointerType, type Type } from '../../ir/types.ts';
import { append } from '../../source/lists.ts';
import { type AlignPixels, KnownFunctions, type KnownHandles, type KnownImage } from './known-images.ts';

/** As src/runtime/image-descriptor.ts has it, which passes do not know. */
const descriptorBytes = 64;

/**
 * Does so in all functions of a linked module.
 * @param known by the names of kernels
 * @param align for what is made for known images
 * @returns the functions that were made for what is known
 * @throws Error if the linker left a function out
 */
export function lowerImages(
  module: ir.Module,
  known?: ReadonlyMap<string, KnownHandles>,
  align?: AlignPixels,
): ir.Function[] {
  const lowering = new Lowering(module.functions, align);
  for (const fn of module.functions)
    lowering.parameters(fn, fn.kind === 'kernel' ? known?.get(fn.name) : undefined);
  for (const fn of module.functions) if (fn.body) lowering.region(fn.body);
  append(module.functions, lowering.made);
  return [...lowering.made];
}

/** What stands for an image or sampler; undefined for types that stay. */
function loweredType(type: Type): Type | undefined {
  if (type === samplerType) return i32;
  return imageTypeFacts(type) ? pointerType('constant') : undefined;
}

class Lowering {
  readonly made = new Set<ir.Function>();
  readonly #functions: ReadonlyMap<string, ir.Function>;
  readonly #replaced = new Map<ir.Value, ir.Value>();
  /** What is known of descriptors, and the bits of samplers. */
  readonly #images = new Map<ir.Value, KnownImage>();
  readonly #samplers = new Map<ir.Value, number>();
  readonly #knownFunctions: KnownFunctions;

  constructor(functions: readonly ir.Function[], align: AlignPixels | undefined) {
    this.#knownFunctions = new KnownFunctions(align);
    this.#functions = new Map(functions.map((fn) => [fn.name, fn]));
  }

  parameters(fn: ir.Function, known: KnownHandles | undefined): void {
    fn.parameters.forEach((parameter, index) => {
      const type = loweredType(parameter.value.type);
      if (!type) return;
      const value: ir.Value = { ...parameter.value, type };
      this.#replaced.set(parameter.value, value);
      const readable = type === i32 ? {} : { readableBytes: descriptorBytes };
      fn.parameters[index] = { ...parameter, value, ...readable };
      const handle = known?.[index];
      if (handle?.kind === 'image') this.#images.set(value, handle);
      else if (handle?.kind === 'sampler') this.#samplers.set(value, handle.bits);
    });
  }

  region(region: ir.Region): void {
    region.instructions.forEach((instruction, index) => {
      for (const nested of instruction.regions) this.region(nested);
      const [result] = instruction.results;
      const type = result && loweredType(result.type);
      if (type && (instruction.op === 'constant' || instruction.op === 'undefined')) {
        const value: ir.Value = { ...result, type };
        this.#replaced.set(result, value);
        instruction.results = [value];
        if (instruction.op === 'constant') this.#samplers.set(value, Number(instruction.value));
      } else if (isImageInstruction(instruction)) {
        region.instructions[index] = this.#callFor(instruction);
      } else if (instruction.op === 'call') {
        instruction.operands = this.#lowered(instruction.operands);
      }
    });
  }

  #lowered(operands: readonly ir.Value[]): ir.Value[] {
    return operands.map((operand) => this.#replaced.get(operand) ?? operand);
  }

  #callFor(instruction: ir.ImageRead | ir.ImageWrite | ir.ImageQuery): ir.Call {
    const name = imageFunctionName(instruction);
    const fn = this.#functions.get(name);
    if (!fn) throw new Error(`the module uses images but has no function ${name}`);
    const operands = this.#lowered(instruction.operands);
    const callee = this.#functionFor(fn, operands, instruction.operands[1]?.type === samplerType);
    return {
      op: 'call',
      callee,
      operands,
      results: instruction.results,
      regions: [],
      span: instruction.span,
    };
  }

  /** The function itself, or the copy of it for what is known of the operands. */
  #functionFor(fn: ir.Function, [image, second]: readonly ir.Value[], isSampled: boolean): ir.Function {
    const known = this.#images.get(image!);
    if (!known) return fn;
    const copy = this.#knownFunctions.for(fn, known, isSampled ? this.#samplers.get(second!) : undefined);
    this.made.add(copy);
    return copy;
  }
}

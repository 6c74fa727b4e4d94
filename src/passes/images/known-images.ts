/**
 * The library functions that read and write images (src/library), for images whose format is known and samplers whose
 * bits are: what a launch knows of its arguments. They look at the format each time, and call others for all but the
 * commonest; a copy for one format has only the code that this needs, whole, so that vectorisation finds nothing but loads,
 * stores and arithmetic.
 *
 *     function @f(%image, %sampler, %at) {              function @f.RGBA...(%image, %sampler, %at) {
 *       %p = offset %image, 32                            %order = constant 4277
 *       %order = load %p : i32                      =>    ...
 *       ...                                               the body of @pixel, likewise
 *       %c = call @pixel(%image, %x, %y, %z)            }
 *     }
 */
import { copyRegion } from '../../ir/clone.ts';
import type * as ir from '../../ir/ir.ts';
import { i32, type Type } from '../../ir/types.ts';
import { insert } from '../../source/lists.ts';
import { expandCalls } from '../scalar/expand-calls.ts';

/** What is known of an image: its cl_channel_order and cl_channel_type, and the bytes of a pixel. */
export interface KnownImage {
  readonly kind: 'image';
  readonly order: number;
  readonly type: number;
  readonly pixelBytes: number;
}

/** What is known of a sampler: its bits (src/runtime/image-descriptor.ts). */
export interface KnownSampler {
  readonly kind: 'sampler';
  readonly bits: number;
}

/** What is known of a kernel's arguments, by their numbers; for those that are neither, or not known, undefined. */
export type KnownHandles = readonly (KnownImage | KnownSampler | undefined)[];

/** Offsets in a descriptor, as src/runtime/image-descriptor.ts has them, which passes do not know. */
const words: Readonly<Record<number, 'order' | 'type' | 'pixelBytes'>> = {
  32: 'order',
  36: 'type',
  40: 'pixelBytes',
};

/** Says in the body of a function for an image how the pixels are aligned that it loads and stores. */
export type AlignPixels = (body: ir.Region, descriptor: ir.Value, pixelBytes: number) => void;

/** The copies that a module needs, each made once. Nothing has been simplified in them. */
export class KnownFunctions {
  readonly #byName = new Map<string, ir.Function>();
  readonly #align: AlignPixels | undefined;

  constructor(align?: AlignPixels) {
    this.#align = align;
  }

  /**
   * The copy of a library function for an image, and a sampler if it takes one.
   * @param fn whose first parameter is an image's descriptor, and second a sampler's bits, if `bits` are given
   */
  for(fn: ir.Function, image: KnownImage, bits: number | undefined): ir.Function {
    const name = [fn.name, image.order, image.type, ...(bits === undefined ? [] : [bits])].join('.');
    const known = this.#byName.get(name);
    if (known) return known;
    const copy = this.#copy(fn, name, image, bits);
    this.#byName.set(name, copy);
    return copy;
  }

  #copy(fn: ir.Function, name: string, image: KnownImage, bits: number | undefined): ir.Function {
    const values = new Map<ir.Value, ir.Value>();
    const parameters = fn.parameters.map((parameter) => {
      const value = { ...parameter.value };
      values.set(parameter.value, value);
      return { ...parameter, value };
    });
    const constants: ir.Instruction[] = [];
    if (bits !== undefined) {
      const sampler = numberOf(bits);
      constants.push(sampler);
      values.set(fn.parameters[1]!.value, sampler.results[0]!);
    }
    const body = copyRegion(fn.body!, { values, instructions: new Map() });
    insert(body.instructions, 0, constants);
    const descriptor = parameters[0]!.value;
    replaceWords(body, descriptor, image);
    expandCalls(body, (call) => {
      if (call.operands[0] !== descriptor) return 'none';
      call.callee = this.for(call.callee, image, undefined);
      return 'copy';
    });
    this.#align?.(body, descriptor, image.pixelBytes);
    return { ...fn, name, parameters, body, isOutlined: undefined, library: undefined };
  }
}

function numberOf(value: number, type: Type = i32): ir.Constant {
  return { op: 'constant', operands: [], results: [{ type }], regions: [], value: value | 0 };
}

/** Makes constants of what is loaded from a descriptor and known. */
function replaceWords(body: ir.Region, descriptor: ir.Value, image: KnownImage): void {
  const constants = new Map<ir.Value, number>();
  const places = new Map<ir.Value, number>();
  const visit = (region: ir.Region): void => {
    region.instructions.forEach((instruction, index) => {
      for (const nested of instruction.regions) visit(nested);
      const [result] = instruction.results;
      if (instruction.op === 'constant' && typeof instruction.value === 'number') {
        constants.set(result!, instruction.value);
      } else if (instruction.op === 'constant' && typeof instruction.value === 'bigint') {
        constants.set(result!, Number(instruction.value));
      } else if (instruction.op === 'offset' && instruction.operands[0] === descriptor) {
        const offset = constants.get(instruction.operands[1]!);
        if (offset !== undefined) places.set(result!, offset);
      } else if (instruction.op === 'load') {
        const word = words[places.get(instruction.operands[0]!) ?? -1];
        if (!word || result!.type !== i32) return;
        region.instructions[index] = { ...numberOf(image[word]), results: [result!] };
      }
    });
  };
  visit(body);
}

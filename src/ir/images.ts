/**
 * Images and samplers in the IR: opaque types with names of a fixed form. An image's access is part of its type, so
 * that a function which is handed one promises to keep to it: `opaque<image2d_ro_t>`, `opaque<image3d_wo_t>`.
 */
import type * as ir from './ir.ts';
import { elementOf, type OpaqueType, opaqueType, type Type, typeName } from './types.ts';
import { walkFunction } from './walk.ts';

/** Images of depths, which have one number a pixel. */
export const depthTypeNames = ['image2d_depth_t', 'image2d_array_depth_t'] as const;

/** The image types of OpenCL C, by their names there (OpenCL 1.2, table 6.3; those of depths OpenCL 2.0, 6.1.3). */
export const imageTypeNames = [
  'image1d_t',
  'image1d_array_t',
  'image1d_buffer_t',
  'image2d_t',
  'image2d_array_t',
  'image3d_t',
  ...depthTypeNames,
] as const;
export type ImageTypeName = (typeof imageTypeNames)[number];

/** What a function may do with an image (OpenCL 1.2, 6.6). */
export type ImageAccess = 'read_only' | 'write_only' | 'read_write';

const accessMarks = { read_only: 'ro', write_only: 'wo', read_write: 'rw' } as const;

/** What the name of an image type says. */
export interface ImageTypeFacts {
  readonly type: ImageTypeName;
  readonly access: ImageAccess;
  /** Of one image: 1, 2 or 3. */
  readonly dimensions: 1 | 2 | 3;
  readonly isArray: boolean;
  readonly isBuffer: boolean;
  readonly isDepth: boolean;
  /** Numbers that say which pixel: the dimensions, and one more for the image of an array. */
  readonly coordinates: 1 | 2 | 3;
}

/** `opaque<sampler_t>`: addressing, filter and whether coordinates are normalised. */
export const samplerType: OpaqueType = opaqueType('sampler_t');

/** The type of images of a kind that may be used in a way. */
export function imageType(type: ImageTypeName, access: ImageAccess): OpaqueType {
  return opaqueType(`${type.slice(0, -2)}_${accessMarks[access]}_t`);
}

const facts = new Map<Type, ImageTypeFacts>();
for (const type of imageTypeNames) {
  const isArray = type.includes('array');
  const dimensions = Number(type[5]) as 1 | 2 | 3;
  const coordinates = (isArray ? dimensions + 1 : dimensions) as 1 | 2 | 3;
  const isBuffer = type.includes('buffer');
  const isDepth = type.includes('depth');
  for (const access of ['read_only', 'write_only', 'read_write'] as const) {
    facts.set(imageType(type, access), { type, access, dimensions, isArray, isBuffer, isDepth, coordinates });
  }
}

/** What kind of image values of a type are; undefined for every other type. */
export function imageTypeFacts(type: Type): ImageTypeFacts | undefined {
  return facts.get(type);
}

export function isImageTypeName(name: string): name is ImageTypeName {
  return (imageTypeNames as readonly string[]).includes(name);
}

export function isImageAccess(name: string): name is ImageAccess {
  return Object.hasOwn(accessMarks, name);
}

/** The parts of a sampler's bits (OpenCL 1.2, 6.12.14.1); an addressing mode of zero is CLK_ADDRESS_NONE. */
export const samplerParts = { normalized: 1, addressing: 0xe, linear: 0x20 } as const;

/** An instruction that uses an image. */
export type ImageInstruction = ir.ImageRead | ir.ImageWrite | ir.ImageQuery;

export function isImageInstruction(instruction: ir.Instruction): instruction is ImageInstruction {
  const { op } = instruction;
  return op === 'image_read' || op === 'image_write' || op === 'image_query';
}

/**
 * The library function (src/library) that does for a device without images what an instruction says. It takes the
 * address of the image's descriptor in place of the image, and 32 bits in place of a sampler. An image of a buffer is a
 * 1D image, and one of depths an image like others, whose first component they are.
 */
export function imageFunctionName(instruction: ImageInstruction): string {
  const [image, second] = instruction.operands as [ir.Value, ir.Value | undefined];
  if (instruction.op === 'image_query') return imageQueryName(instruction.fn);
  const { type, isBuffer } = imageTypeFacts(image.type)!;
  const shape = isBuffer ? '1d' : type.slice('image'.length, -'_t'.length).replace('_depth', '');
  const colour = instruction.channels === 'float' ? 'f32' : 'i32';
  if (instruction.op === 'image_write') return `__millrace_image_write_${shape}_${colour}`;
  if (second?.type !== samplerType) return `__millrace_image_read_${shape}_${colour}`;
  const coordinates = typeName(elementOf(instruction.operands[2]!.type));
  return `__millrace_image_sample_${shape}_${colour}_${coordinates}`;
}

/** The same for a query, which every kind of image answers alike. */
export function imageQueryName(fn: ir.ImageQueryFunction): string {
  return `__millrace_image_${fn}`;
}

/** The names of all library functions that stand for the instructions of a module. */
export function imageFunctionsOf({ functions }: Pick<ir.Module, 'functions'>): Set<string> {
  const names = new Set<string>();
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      if (isImageInstruction(instruction)) names.add(imageFunctionName(instruction));
    });
  }
  return names;
}

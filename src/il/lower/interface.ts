/**
 * What a lowered IL program is to those who launch it: one IR kernel, named {@link kernelName}, and a record of its
 * parameters, its launch and its memory. CAL's runtime reads this; it needs to know nothing else of the lowering.
 *
 * ## Memory
 *
 * Every resource is an ordinary buffer: rows of elements, `pitch` elements apart. So the same buffer may be bound as input,
 * output, constants and global buffer. A kernel reaches it by a pointer to its first element; images of the IR are not
 * used, since IL reads bits (doubles and integers come through registers of floats), knows wrap modes that OpenCL does not,
 * and a sample that is known to be nearest costs no more than a load.
 *
 * How elements look and how they are sampled is therefore known when a program is lowered, not when it runs: the runtime
 * lowers a program for the formats and samplers that are bound ({@link Bindings}) and keeps what it has compiled by
 * {@link bindingsKey}. What is not in the bindings has {@link defaultFormat} and {@link defaultSampler}.
 *
 * ## Launch
 *
 * - A pixel program runs once for each position of the domain: global size (width, height), local size as the runtime likes, no
 *   global offset. The domain's origin and size are the parameter `domain`.
 * - A compute program runs in groups of {@link LoweredProgram.groupSize}; global size is grid size times group size.
 *
 * ## Parameters, in the order of {@link LoweredProgram.parameters}
 *
 * - `domain`: int4 by value, x, y, width, height; of pixel programs only, and always their first.
 * - `constants` cb#: `constant float4 *`, 16 bytes an element; the buffer must have at least `elements` of them.
 * - `input` i#: `const global` pointer to the elements; directly behind it `input-shape`: int4 by value, width, height, pitch in
 *   elements, 0. Height is 1 for one dimension. Reads outside of the resource follow the sampler's wrap modes and never leave it.
 * - `output` o#: `global` pointer; directly behind it `output-shape`, as of inputs. Position (x, y) of the domain writes element
 *   (x, y), if that lies inside of the shape; thread n of a compute program the n-th element, row by row.
 * - `global` g: `global` pointer to elements of 16 bytes, whatever the resource's format; directly behind it
 *   `global-size`: int by value, the number of such elements. Reads outside give 0, and writes outside do nothing.
 * - `uav` uav#: `global` pointer, addressed in bytes or, structured ones, elements; behind it `uav-size`: int by
 *   value, its bytes. Typed ones have elements of the format that is bound, in one or two dimensions, and behind them `uav-shape`, as of
 *   inputs. Accesses outside as for `global`.
 *
 * Scratch (x#) is private memory and group memory (LDS) local memory of the kernel: neither is a parameter.
 */
import type * as ir from '../../ir/ir.ts';

/** Programs call their entry `main`, but drivers that compile OpenCL C do not let a kernel have that name. */
export const kernelName = 'il_main';

/**
 * How one component of an element is stored (CAL, formats). Normalised ones and halves are read and written as floats; integers of 8 and 16
 * bits as integers of 32. The last three are elements as a whole: the first three components in one word, red in its upper bits.
 */
export type ComponentType =
  | 'unorm8'
  | 'snorm8'
  | 'unorm16'
  | 'snorm16'
  | 'uint8'
  | 'sint8'
  | 'uint16'
  | 'sint16'
  | 'float16'
  | 'float32'
  | 'int32' // 32 bits as they are, signed or not
  | 'float64' // two components of a register each
  | 'unorm565'
  | 'unorm555'
  | 'unorm101010';

/** The format of a resource's elements; of float64 at most two components, and three of those that are packed into a word. */
export interface ElementFormat {
  readonly type: ComponentType;
  readonly components: 1 | 2 | 3 | 4;
}

/** CAL's eight wrap modes (CALsamplerWrapMode), in their order. */
export const wrapModes = [
  'repeat',
  'mirrored-repeat',
  'clamp-to-edge',
  'mirror-clamp-to-edge',
  'clamp', // half-way to the border's colour when filtered, the edge otherwise
  'mirror-clamp',
  'clamp-to-border',
  'mirror-clamp-to-border',
] as const;
export type WrapMode = (typeof wrapModes)[number];

/** How a sampler reads between elements and outside of them. There are no mipmaps. */
export interface SamplerState {
  readonly filter: 'nearest' | 'linear';
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  /** what clamping to the border gives; of integer formats, rounded */
  readonly border: readonly [number, number, number, number];
}

/** What is bound where, as far as code depends on it. */
export interface Bindings {
  readonly inputs?: ReadonlyMap<number, ElementFormat> | undefined;
  readonly outputs?: ReadonlyMap<number, ElementFormat> | undefined;
  /** of those that are typed */
  readonly uavs?: ReadonlyMap<number, ElementFormat> | undefined;
  /** by the number in `_sampler(n)` */
  readonly samplers?: ReadonlyMap<number, SamplerState> | undefined;
}

export const defaultFormat: ElementFormat = { type: 'float32', components: 4 };

/** Of typed uavs: one word. */
export const defaultUavFormat: ElementFormat = { type: 'int32', components: 1 };

/** CAL's default: nearest, and clamped to the edge. */
export const defaultSampler: SamplerState = {
  filter: 'nearest',
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  border: [0, 0, 0, 0],
};

export type LoweredParameter =
  | { readonly kind: 'domain' | 'global' | 'global-size' }
  | { readonly kind: 'constants'; readonly index: number; readonly elements: number }
  | {
      readonly kind: 'input';
      readonly index: number;
      readonly dimensions: 1 | 2;
      /** coordinates count elements; otherwise they go from 0 to 1 */
      readonly isUnnormalized: boolean;
      /** the samplers that it is read with; none if it is only loaded from */
      readonly samplers: readonly number[];
    }
  | {
      readonly kind: 'input-shape' | 'output' | 'output-shape' | 'uav' | 'uav-size' | 'uav-shape';
      readonly index: number;
    };

export interface LoweredProgram {
  /** With one kernel, {@link kernelName}. Functions of Millrace's library are declared and not yet supplied. */
  readonly module: ir.Module;
  readonly shader: 'ps' | 'cs';
  /** One for each parameter of the kernel, in their order. */
  readonly parameters: readonly LoweredParameter[];
  /** Of compute programs, work-items of a group; undefined for pixel programs. */
  readonly groupSize: readonly [number, number, number] | undefined;
  /** Bytes of group memory that the kernel reserves itself. */
  readonly ldsBytes: number;
  /** Names that CAL's calModuleGetName finds: `i0`, `o0`, `cb0`, `x0`, `g`, `uav0`, sorted. */
  readonly symbols: readonly string[];
  /** Whether it computes in double precision, uses the global buffer, or group memory: devices differ in that. */
  readonly usesDouble: boolean;
  readonly usesGlobal: boolean;
  readonly usesLds: boolean;
}

/** A text that is the same for bindings that lead to the same code. */
export function bindingsKey({ inputs, outputs, uavs, samplers }: Bindings): string {
  const formats = (map: ReadonlyMap<number, ElementFormat> | undefined): string =>
    [...(map ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([index, { type, components }]) => `${index}:${type}x${components}`)
      .join();
  const states = [...(samplers ?? [])]
    .sort(([a], [b]) => a - b)
    .map(
      ([index, { filter, wrapS, wrapT, border }]) =>
        `${index}:${[filter, wrapS, wrapT, ...border].join(' ')}`,
    )
    .join();
  return `${formats(inputs)};${formats(outputs)};${formats(uavs)};${states}`;
}

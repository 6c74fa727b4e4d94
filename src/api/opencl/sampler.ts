/** Samplers (OpenCL 1.2, 5.5): how a kernel reads an image. */
import { samplerBits } from '../../runtime/image-descriptor.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery, shown } from './handle.ts';

const addressing: Readonly<Record<number, number>> = {
  [CL.ADDRESS_NONE]: samplerBits.addressNone,
  [CL.ADDRESS_CLAMP_TO_EDGE]: samplerBits.addressClampToEdge,
  [CL.ADDRESS_CLAMP]: samplerBits.addressClamp,
  [CL.ADDRESS_REPEAT]: samplerBits.addressRepeat,
  [CL.ADDRESS_MIRRORED_REPEAT]: samplerBits.addressMirroredRepeat,
};
const filters: Readonly<Record<number, number>> = {
  [CL.FILTER_NEAREST]: samplerBits.filterNearest,
  [CL.FILTER_LINEAR]: samplerBits.filterLinear,
};

export class CLSampler extends Handle {
  protected readonly kind = { error: 'CL_INVALID_SAMPLER', noun: 'sampler' } as const;
  readonly context: CLContext;
  /** What kernels see. */
  readonly bits: number;
  readonly #normalizedCoords: boolean;
  readonly #addressingMode: number;
  readonly #filterMode: number;

  /** Samplers come from CLContext.createSampler. @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_OPERATION */
  constructor(
    context: CLContext,
    normalizedCoords: boolean | number,
    addressingMode: number,
    filterMode: number,
  ) {
    super();
    const address = addressing[addressingMode];
    const filter = filters[filterMode];
    if (
      address === undefined ||
      filter === undefined ||
      (typeof normalizedCoords !== 'boolean' && normalizedCoords !== 0 && normalizedCoords !== 1)
    ) {
      throw new OpenCLError(
        'CL_INVALID_VALUE',
        `normalised coordinates ${shown(normalizedCoords)}, addressing mode ${shown(addressingMode)} and filter mode ${shown(filterMode)} are no sampler`,
      );
    }
    if (!context.devices.some(({ runtime }) => runtime.info.imageSupport)) {
      throw new OpenCLError('CL_INVALID_OPERATION', 'no device of the context has images');
    }
    this.context = context;
    this.#normalizedCoords = Boolean(normalizedCoords);
    this.#addressingMode = addressingMode;
    this.#filterMode = filterMode;
    this.bits = address | filter | (normalizedCoords ? samplerBits.normalizedCoordinates : 0);
    context.attach();
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /** clGetSamplerInfo. */
  getInfo(name: number): number | boolean | CLContext {
    this.check();
    switch (name) {
      case CL.SAMPLER_REFERENCE_COUNT:
        return this.references;
      case CL.SAMPLER_CONTEXT:
        return this.context;
      case CL.SAMPLER_NORMALIZED_COORDS:
        return this.#normalizedCoords;
      case CL.SAMPLER_ADDRESSING_MODE:
        return this.#addressingMode;
      case CL.SAMPLER_FILTER_MODE:
        return this.#filterMode;
      default:
        return invalidQuery(name);
    }
  }

  protected destroy(): void {
    this.context.detach();
  }
}

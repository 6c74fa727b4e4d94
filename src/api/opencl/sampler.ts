/** Samplers (OpenCL 1.2, 5.5): how a kernel reads an image. */
import { samplerBits } from '../../runtime/image-descriptor.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { Handle, invalidQuery } from './handle.ts';
import { keptProperties, type PropertyList, readPropertyList } from './properties.ts';

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
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLSampler';
  protected readonly kind = { error: 'CL_INVALID_SAMPLER', noun: 'sampler' } as const;
  readonly context: CLContext;
  /** What kernels see. */
  readonly bits: number;
  /** The list that it was created with (CL_SAMPLER_PROPERTIES). */
  readonly #properties: readonly number[];
  readonly #normalizedCoords: boolean;
  readonly #addressingMode: number;
  readonly #filterMode: number;

  /** Samplers come from CLContext.createSampler. @throws OpenCLError CL_INVALID_VALUE, CL_INVALID_OPERATION */
  constructor(
    context: CLContext,
    normalizedCoords: boolean | number,
    addressingMode: number,
    filterMode: number,
    properties: readonly number[] = [],
  ) {
    super();
    this.#properties = properties;
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
    context.life.attach(this);
  }

  /** clCreateSamplerWithProperties; see CLContext.createSamplerWithProperties. */
  static withProperties(context: CLContext, list: PropertyList): CLSampler {
    const names = [CL.SAMPLER_NORMALIZED_COORDS, CL.SAMPLER_ADDRESSING_MODE, CL.SAMPLER_FILTER_MODE];
    const properties = readPropertyList(list, names, 'a sampler');
    return new CLSampler(
      context,
      properties.get(CL.SAMPLER_NORMALIZED_COORDS) ?? CL.TRUE,
      properties.get(CL.SAMPLER_ADDRESSING_MODE) ?? CL.ADDRESS_CLAMP,
      properties.get(CL.SAMPLER_FILTER_MODE) ?? CL.FILTER_NEAREST,
      keptProperties(list),
    );
  }

  protected override get isOver(): boolean {
    return this.context.isOver;
  }

  /** clGetSamplerInfo. */
  getInfo(name: number): number | boolean | readonly number[] | CLContext {
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
      case CL.SAMPLER_PROPERTIES:
        return this.#properties;
      default:
        return invalidQuery(name);
    }
  }

  protected destroy(): void {
    const { life } = this.context;
    life.forget(this);
    life.detach();
  }
}

/** The driver's samplers, one for each combination that a kernel was given. */
import { samplerBits } from '../../runtime/image-descriptor.ts';
import type { Driver } from './driver.ts';

/** CL_ADDRESS_NONE and CL_FILTER_NEAREST; the others follow. */
const firstAddressing = 0x1130;
const firstFilter = 0x1140;

export class Samplers {
  readonly #driver: Driver;
  readonly #context: number;
  readonly #samplers = new Map<number, number>();
  readonly #error = new Int32Array(1);

  constructor(driver: Driver, context: number) {
    this.#driver = driver;
    this.#context = context;
  }

  /** The handle for a sampler's bits, or a CL error code. */
  of(bits: number): number {
    const known = this.#samplers.get(bits);
    if (known !== undefined) return known;
    const sampler = this.#driver.clCreateSampler(
      this.#context,
      bits & samplerBits.normalizedCoordinates,
      firstAddressing + ((bits >> 1) & 7),
      firstFilter + (bits & samplerBits.filterLinear ? 1 : 0),
      this.#error,
    );
    if (this.#error[0] !== 0) return this.#error[0]!;
    this.#samplers.set(bits, sampler);
    return sampler;
  }

  close(): void {
    for (const sampler of this.#samplers.values()) this.#driver.clReleaseSampler(sampler);
  }
}

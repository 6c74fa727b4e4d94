/** What `const lib = await fft()` gives: plans of transforms on a device, which are kept. */
import type { DeviceBuffer, TypedArray } from '../api/javascript/device-buffer.ts';
import { checkKeys } from '../api/javascript/known-keys.ts';
import type { Device } from '../api/javascript/program.ts';
import { invalid } from '../array/errors.ts';
import type { LauncherOptions } from '../array/launcher.ts';
import { Core } from '../blas/core.ts';
import { numberKinds } from '../blas/number-kinds.ts';
import { extentOf, faultOf, type Memory, numbersIn, type Operand } from '../blas/operand.ts';
import { dispose } from '../runtime/dispose.ts';
import { shown } from '../source/shown.ts';
import { type Kind, planSteps, type Steps } from './planner.ts';

/** Where transforms run: as for `compile`; a device may also be one of the OpenCL API. */
export type FftOptions = Pick<LauncherOptions, 'device' | 'prefer' | 'timeout'>;

export interface PlanOptions {
  /** Complex numbers to complex ones, or real ones to the half of the results that is not the conjugate of the other; default `complex`. */
  readonly kind?: 'complex' | 'real' | undefined;
  /** Default `single`. */
  readonly precision?: 'single' | 'double' | undefined;
  /** Transforms one behind the other; default 1. */
  readonly batch?: number | undefined;
  /** What results are multiplied by; by default 1, and one over the number of elements for the inverse. */
  readonly scale?: { readonly forward?: number; readonly inverse?: number } | undefined;
}

/**
 * Opens a device for transforms.
 * @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND
 */
export async function fft(options: FftOptions = {}): Promise<Fft> {
  checkKeys(options, ['device', 'prefer', 'timeout'], 'CL_INVALID_VALUE', 'fft takes');
  return new Fft(await Core.open(options, 'fft'));
}

export class Fft {
  readonly #core: Core;
  readonly #plans = new Map<string, Plan>();

  /** Made by {@link fft}. */
  constructor(core: Core) {
    this.#core = core;
  }

  get device(): Device {
    return this.#core.program.device;
  }

  /**
   * A plan for transforms of a length, or of two or three of them, the last of neighbours in memory. Of what was asked for before it is
   * the same one.
   * @throws OpenCLError CL_INVALID_VALUE
   */
  plan(shape: number | readonly number[], options: PlanOptions = {}): Plan {
    this.#core.check();
    checkKeys(options, ['kind', 'precision', 'batch', 'scale'], 'CL_INVALID_VALUE', 'a plan has');
    const facts = planFacts(shape, options);
    const key = JSON.stringify(facts);
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = new Plan(this.#core, facts);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** Memory of the device: so many bytes, or a copy of a typed array. */
  buffer(content: number | TypedArray): DeviceBuffer {
    this.#core.check();
    return this.#core.program.buffer(content);
  }

  /** Resolves when all transforms so far have ended. */
  finish(): Promise<void> {
    return this.#core.run(async () => this.#core.program.finish());
  }

  /** Gives the plans, the kernels and the memory back. */
  release(): void {
    this.#plans.clear();
    this.#core.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }
}

interface PlanFacts {
  readonly shape: readonly number[];
  readonly kind: 'complex' | 'real';
  readonly precision: 'single' | 'double';
  readonly batch: number;
  readonly forward: number;
  readonly inverse: number;
}

function planFacts(given: number | readonly number[], options: PlanOptions): PlanFacts {
  const shape = typeof given === 'number' ? [given] : [...given];
  const { kind = 'complex', precision = 'single', batch = 1, scale = {} } = options;
  const isSize = (size: unknown): boolean => Number.isInteger(size) && (size as number) > 0;
  if (shape.length < 1 || shape.length > 3 || !shape.every(isSize)) {
    throw invalid(`a transform has one to three lengths from 1 on, not ${shown(given)}`);
  }
  if (kind !== 'complex' && kind !== 'real')
    throw invalid(`a transform is 'complex' or 'real', not ${shown(kind)}`);
  if (precision !== 'single' && precision !== 'double') {
    throw invalid(`the precision is 'single' or 'double', not ${shown(precision)}`);
  }
  if (!isSize(batch)) throw invalid(`a batch of ${shown(batch)} transforms`);
  const size = shape.reduce((product, each) => product * each, 1);
  if (size * batch >= 2 ** 29) throw invalid(`${size * batch} elements are too many`);
  checkKeys(scale, ['forward', 'inverse'], 'CL_INVALID_VALUE', 'a scale has');
  const { forward = 1, inverse = 1 / size } = scale;
  return { shape, kind, precision, batch, forward, inverse };
}

/** Steps with what they need on the device. */
interface Ready {
  readonly steps: Steps;
  readonly tables: readonly (DeviceBuffer | undefined)[];
}

/** How to transform one shape. */
export class Plan {
  readonly shape: readonly number[];
  readonly kind: 'complex' | 'real';
  readonly precision: 'single' | 'double';
  readonly batch: number;
  /** Numbers of the typed array that `forward` reads, for the whole batch; those of `inverse` are {@link outputLength}. */
  readonly inputLength: number;
  /** Numbers of the typed array that `forward` writes. */
  readonly outputLength: number;
  readonly #core: Core;
  readonly #facts: PlanFacts;
  readonly #ready = new Map<-1 | 1, Ready>();

  /** Made by `plan` of {@link Fft}. */
  constructor(core: Core, facts: PlanFacts) {
    this.#core = core;
    this.#facts = facts;
    ({ shape: this.shape, kind: this.kind, precision: this.precision, batch: this.batch } = facts);
    const size = this.shape.reduce((product, each) => product * each, facts.batch);
    const n = this.shape.at(-1)!;
    this.inputLength = this.kind === 'real' ? size : 2 * size;
    this.outputLength = this.kind === 'real' ? 2 * (size / n) * (Math.floor(n / 2) + 1) : 2 * size;
  }

  /**
   * The transform, sums of x exp(-2 pi i j k / n). Complex numbers lie in pairs, dimensions and batch behind each other.
   * @param output default `input`, for complex numbers
   */
  forward(input: Operand, output?: Operand): Promise<void> {
    return this.#run(-1, input, output, this.inputLength, this.outputLength);
  }

  /** The inverse, with exp(2 pi i j k / n), divided by the number of elements unless the plan has another scale. */
  inverse(input: Operand, output?: Operand): Promise<void> {
    return this.#run(1, input, output, this.outputLength, this.inputLength);
  }

  async #run(
    sign: -1 | 1,
    input: Operand,
    output: Operand | undefined,
    read: number,
    written: number,
  ): Promise<void> {
    this.#core.check();
    const kind = numberKinds[this.precision === 'single' ? 's' : 'd'];
    if (output === undefined && this.kind === 'real') {
      throw invalid('a transform of real numbers is not in place: give two arrays');
    }
    const extent = (what: string, value: Operand, count: number) => {
      const fault = faultOf(value, kind);
      if (fault !== undefined) throw invalid(`${what}: ${fault}`);
      const found = extentOf(value, kind, count);
      if (!found) throw invalid(`${what} has ${numbersIn(value, kind)} numbers, ${count} are needed`);
      return found;
    };
    const uses = [
      { ...extent('the input', input, read), isWritten: output === undefined },
      ...(output === undefined ? [] : [{ ...extent('the output', output, written), isWritten: true }]),
    ];
    await this.#core.run(async (call) => {
      const [from, to = from] = await call.bind(uses);
      const { steps, tables } = this.#readyFor(sign);
      const between = (): Memory => call.temporary(steps.between * kind.bytes);
      const [first, second] =
        steps.steps.length > 1 ? [between(), steps.steps.length > 2 ? between() : undefined] : [];
      const memories = {
        input: from!,
        output: to!,
        first: { memory: first, offset: 0 },
        second: { memory: second, offset: 0 },
      };
      for (const [index, step] of steps.steps.entries()) {
        const [x, y] = [memories[step.from.slot], memories[step.to.slot]];
        const table = tables[index];
        await call.launch(step.source, { global: step.global }, [
          x.memory!,
          x.offset,
          y.memory!,
          y.offset,
          ...(table ? [table] : []),
          ...step.values,
        ]);
      }
    });
  }

  #readyFor(sign: -1 | 1): Ready {
    let ready = this.#ready.get(sign);
    if (!ready) {
      const { shape, batch, kind, precision, forward, inverse } = this.#facts;
      const of: Kind = kind === 'complex' ? 'complex' : sign === -1 ? 'real-to-complex' : 'complex-to-real';
      const scale = sign === -1 ? forward : inverse;
      const steps = planSteps({
        real: precision === 'single' ? 'float' : 'double',
        shape,
        batch,
        kind: of,
        sign,
        scale,
      });
      const array = precision === 'single' ? Float32Array : Float64Array;
      const tables = steps.steps.map(({ table }) => table && this.#core.program.buffer(array.from(table)));
      ready = { steps, tables };
      this.#ready.set(sign, ready);
    }
    return ready;
  }
}

/** What makes arrays on a device: `const np = await arrays()`. */
import type { TypedArray } from '../api/javascript/device-buffer.ts';
import { checkKeys } from '../api/javascript/known-keys.ts';
import type { Device, ProgramOptions } from '../api/javascript/program.ts';
import { dispose } from '../runtime/dispose.ts';
import { shown } from '../source/shown.ts';
import { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { apply, constantNode, NdArray, type Nested, type Operand } from './nd-array.ts';
import { Node } from './node.ts';
import {
  type ArrayOf,
  checkFits,
  checkType,
  isFloat,
  type NumberType,
  numberTypes,
  typeOfArray,
} from './number-types.ts';
import { mrgNumbers, philoxNumbers, type RandomNumbers } from './random.ts';
import { readShape, type Shape, shapeText, sizeOf } from './shape.ts';
import {
  elementwiseKernel,
  type ReductionOptions,
  reductionKernel,
  type ScanOptions,
  scanKernel,
  type UserArgument,
  type UserOptions,
} from './user-kernels.ts';

/** Where arrays are: as for `compile`. */
export type ArraysOptions = Pick<ProgramOptions, 'device' | 'prefer' | 'timeout'>;

/** The type of numbers in a typed array. */
type TypeOf<A> = A extends Float32Array
  ? 'float32'
  : A extends Float64Array
    ? 'float64'
    : A extends Int32Array
      ? 'int32'
      : A extends Uint32Array
        ? 'uint32'
        : NumberType;

/**
 * Opens a device for arrays.
 * @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND
 */
export async function arrays(options: ArraysOptions = {}): Promise<Arrays> {
  checkKeys(options, ['device', 'prefer', 'timeout'], 'CL_INVALID_VALUE', 'arrays takes');
  return new Arrays(await Engine.open(options));
}

export class Arrays {
  readonly #engine: Engine;

  /** Made by {@link arrays}. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get device(): Device {
    return this.#engine.program.device;
  }

  /** Why that is not the preferred device, in words. */
  get fallback(): string | undefined {
    return this.#engine.program.fallback;
  }

  /** Numbers of a typed array, which are copied, or nested arrays. Whole numbers are int32, others float64, unless a type is given. */
  array<A extends TypedArray>(data: A, type?: undefined, shape?: number | Shape): NdArray<TypeOf<A>>;
  array<T extends NumberType>(data: TypedArray | Nested, type: T, shape?: number | Shape): NdArray<T>;
  array(data: TypedArray | Nested, type?: undefined, shape?: number | Shape): NdArray;
  array(data: TypedArray | Nested, type?: NumberType, shape?: number | Shape): NdArray {
    this.#engine.check();
    if (type !== undefined) checkType(type);
    const { values, own, sizes } = isTypedArray(data)
      ? { values: data, own: typeOfArray(data)!, sizes: [data.length] }
      : readNested(data);
    const wanted = shape === undefined ? sizes : readShape(shape);
    if (sizeOf(wanted) !== values.length) {
      throw invalid(`array: ${values.length} elements are not those of shape ${shapeText(wanted)}`);
    }
    const to = type ?? own;
    const content =
      isTypedArray(values) &&
      (own === to || (to === 'bool' && values instanceof Uint8Array && values.every((v) => v < 2)))
        ? values
        : converted(values, to);
    const buffer = this.#engine.bufferOf(content);
    return this.#of(new Node(to, wanted, { kind: 'stored', buffer }));
  }

  zeros<T extends NumberType = 'float32'>(shape: number | Shape, type?: T): NdArray<T> {
    return this.full(shape, 0, (type ?? 'float32') as T);
  }

  ones<T extends NumberType = 'float32'>(shape: number | Shape, type?: T): NdArray<T> {
    return this.full(shape, 1, (type ?? 'float32') as T);
  }

  /** One number everywhere. */
  full<T extends NumberType = 'float32'>(
    shape: number | Shape,
    value: number | bigint | boolean,
    type?: T,
  ): NdArray<T> {
    this.#engine.check();
    const wanted = type ?? 'float32';
    checkType(wanted);
    checkNumber(value, wanted);
    return this.#of(constantNode(wanted, readShape(shape), value)) as NdArray<T>;
  }

  /** From `start` in steps to before `stop`; with one number from 0 to before it. Whole numbers are int32, others float64. */
  arange<T extends NumberType = NumberType>(stop: number): NdArray<T>;
  arange<T extends NumberType = NumberType>(start: number, stop: number, step?: number, type?: T): NdArray<T>;
  arange(first: number, second?: number, step = 1, type?: NumberType): NdArray {
    this.#engine.check();
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    if (![start, stop, step].every(Number.isFinite) || step === 0) {
      throw invalid(`arange: from ${start} to ${stop} in steps of ${step}`);
    }
    const own = [start, stop, step].every(Number.isInteger) ? 'int32' : 'float64';
    const wanted = type ?? own;
    checkType(wanted);
    const count = Math.max(0, Math.ceil((stop - start) / step));
    const shape = readShape(count);
    // As NumPy has it, of the first two elements.
    const by = start + step - start;
    if (!isFloat(wanted) && wanted !== 'bool') {
      for (const value of [start, start + Math.max(0, count - 1) * step]) checkNumber(value, wanted);
      if (!Number.isInteger(step)) throw invalid(`arange: steps of ${step} are no integers`);
    }
    // Unsigned types count down by what wraps around.
    const whole = numberTypes[wanted].kind === 'unsigned' && by < 0;
    const bits = 8 * numberTypes[wanted].bytes;
    return this.#of(
      new Node(wanted, shape, { kind: 'range', start, step: whole ? BigInt.asUintN(bits, BigInt(by)) : by }),
    );
  }

  /** So many numbers from `start` to `stop`, which is the last one, or would be the next one without `endpoint`. */
  linspace<T extends 'float32' | 'float64' = 'float64'>(
    start: number,
    stop: number,
    count = 50,
    options: { readonly endpoint?: boolean; readonly type?: T } = {},
  ): NdArray<T> {
    this.#engine.check();
    const shape = readShape(count);
    const type = options.type ?? 'float64';
    checkType(type);
    const parts = options.endpoint === false ? count : count - 1;
    const step = parts > 0 ? (stop - start) / parts : 0;
    const last = options.endpoint === false || count < 2 ? {} : { last: stop };
    const wide = this.#of(new Node('float64', shape, { kind: 'range', start, step, ...last }));
    return (type === 'float64' ? wide : wide.astype(type)) as NdArray<T>;
  }

  /** The elements of `a` where the condition is true, else those of `b`. */
  where(condition: NdArray, a: Operand, b: Operand): NdArray {
    return apply(this.#engine, 'where', [condition, a, b]);
  }

  /**
   * Random numbers of a seed by Philox, the same on every device. `counter` is the block of four words that they begin with; streams are 2^64 blocks
   * apart.
   */
  random(
    seed: number | bigint,
    options: {
      readonly counter?: number | bigint | undefined;
      readonly stream?: number | bigint | undefined;
    } = {},
  ): RandomNumbers {
    this.#engine.check();
    checkKeys(options, ['counter', 'stream'], 'CL_INVALID_VALUE', 'random takes');
    return philoxNumbers(this.#engine, seed, options.counter ?? 0, options.stream ?? 0);
  }

  /**
   * The same by MRG32k3a, as RngStreams has it. A seed is six numbers, or one for all six; streams are 2^127 numbers apart, the substreams
   * of each 2^76, and `counter` is the number that they begin with.
   */
  mrg32k3a(
    seed: number | readonly number[] = 12345,
    options: {
      readonly stream?: number | bigint | undefined;
      readonly substream?: number | bigint | undefined;
      readonly counter?: number | bigint | undefined;
    } = {},
  ): RandomNumbers {
    this.#engine.check();
    checkKeys(options, ['counter', 'stream', 'substream'], 'CL_INVALID_VALUE', 'mrg32k3a takes');
    const { counter = 0, stream = 0, substream = 0 } = options;
    return mrgNumbers(this.#engine, seed, counter, stream, substream);
  }

  /** A kernel of what is done for each element `i`: `np.elementwise('float a, float *x, float *y', 'y[i] += a * x[i]')`. */
  elementwise(
    parameters: string,
    operation: string,
    options: UserOptions = {},
  ): (...given: UserArgument[]) => Promise<void> {
    return elementwiseKernel(this.#engine, parameters, operation, options);
  }

  /** A reduction of what is computed for each element `i`. */
  reduction<T extends NumberType>(
    type: T,
    options: ReductionOptions,
  ): (...given: UserArgument[]) => NdArray<T> {
    return reductionKernel(this.#engine, type, options);
  }

  /** A scan of what is computed for each element `i`. */
  scan(type: NumberType, options: ScanOptions): (...given: UserArgument[]) => Promise<void> {
    return scanKernel(this.#engine, type, options);
  }

  /** Resolves when all that was launched has ended. */
  async finish(): Promise<void> {
    this.#engine.check();
    await this.#engine.finish();
  }

  /** Gives everything back, all arrays included. */
  release(): void {
    this.#engine.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  #of(node: Node): NdArray {
    return new NdArray(this.#engine, node);
  }
}

const isTypedArray = (data: unknown): data is TypedArray => typeOfArray(data) !== undefined;

function checkNumber(value: unknown, type: NumberType): void {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw invalid(`${shown(value)} is no number`);
  }
  if (isFloat(type) || type === 'bool' || typeof value === 'boolean') return;
  if (typeof value === 'number' && !Number.isInteger(value)) throw invalid(`${value} is no ${type}`);
  checkFits(value, type);
}

function readNested(data: Nested): {
  readonly values: (number | bigint | boolean)[];
  readonly own: NumberType;
  readonly sizes: number[];
} {
  const sizes: number[] = [];
  for (let part: Nested = data; Array.isArray(part); part = part[0] as Nested) {
    sizes.push(part.length);
    if (part.length === 0) break;
  }
  const values: (number | bigint | boolean)[] = [];
  const visit = (part: Nested, depth: number): void => {
    if (
      Array.isArray(part) !== depth < sizes.length ||
      (Array.isArray(part) && part.length !== sizes[depth])
    ) {
      throw invalid(
        `array: the rows have different lengths; the first ones make a shape of ${shapeText(sizes)}`,
      );
    }
    if (Array.isArray(part)) for (const each of part) visit(each, depth + 1);
    else values.push(part as number);
  };
  visit(data, 0);
  const wrong = values.find((value) => !/^(number|bigint|boolean)$/.test(typeof value));
  if (wrong !== undefined) throw invalid(`array: ${shown(wrong)} is no number`);
  const isAll = (test: (value: unknown) => boolean) => values.length > 0 && values.every(test);
  let own: NumberType = 'float64';
  if (isAll((value) => typeof value === 'boolean')) own = 'bool';
  else if (isAll((value) => typeof value === 'bigint')) own = 'int64';
  else if (isAll((value) => typeof value === 'boolean' || (Number.isInteger(value) && !Object.is(value, -0))))
    own = 'int32';
  return { values, own, sizes };
}

/** Numbers as a type. @throws OpenCLError CL_INVALID_VALUE for those that it has not */
function converted(values: ArrayLike<number | bigint | boolean>, type: NumberType): TypedArray {
  const { array, bytes } = numberTypes[type];
  const result = new array(values.length) as ArrayOf[NumberType];
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (type === 'bool') result[i] = value ? 1 : 0;
    else if (isFloat(type)) result[i] = Number(value);
    else {
      checkNumber(value, type);
      result[i] = bytes === 8 ? BigInt(value) : Number(value);
    }
  }
  return result;
}

/**
 * Arrays of numbers on a device, as users see them. What a method computes is decided at once (type, shape, what is wrong with it) and
 * computed when it is read: operations on elements in one kernel with what they are used for.
 */
import { dispose } from '../runtime/dispose.ts';
import { shown } from '../source/shown.ts';
import { countEach, countInBins } from './counting.ts';
import { ElementwiseArray } from './elementwise.ts';
import type { Engine } from './engine.ts';
import { invalid, wrongObject } from './errors.ts';
import { Node } from './node.ts';
import {
  type ArrayOf,
  checkType,
  isFloat,
  isInteger,
  type NumberType,
  promote,
  sumType,
  typeOfNumber,
} from './number-types.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { planProduct } from './plan-product.ts';
import {
  allOf,
  anyOf,
  extremeOf,
  placeOfExtreme,
  productOf,
  type Reduction,
  reduced,
  sumOf,
} from './reduce.ts';
import { broadcastShapes, readAxis, type Shape, shapeText, sizeOf } from './shape.ts';
import { repeated, reshaped, type Slice, sliced, transposed } from './views.ts';

/** What an operation takes besides the array: another one of the same device, or one number for all elements. */
export type Operand = NdArray | number | bigint | boolean;

export interface AxisOptions {
  /** Of which the elements are joined; without it all are. Negative from the last. */
  readonly axis?: number | undefined;
  /** The axis stays, with length 1. */
  readonly keepDims?: boolean | undefined;
}

/** Nested arrays as `toArray` gives them. */
export type Nested = number | bigint | boolean | readonly Nested[];

const forgotten = new FinalizationRegistry<Node>((node) => node.leave());

/** The algorithms that are loaded when an array needs one. */
const algorithms = () => import('./algorithms.ts');

/** Makes what an operation gives, which is not computed yet. */
export function apply(engine: Engine, name: OperationName, operands: readonly Operand[]): NdArray {
  engine.check();
  const operation: Operation = operations[name];
  const first = operands.find((operand) => operand instanceof NdArray)!;
  const besides = name === 'where' ? operands.slice(1).find((o) => o instanceof NdArray) : first;
  const nodes = operands.map((operand) => {
    if (operand instanceof NdArray) return operand.nodeFor(engine, name);
    return constant(operand, besides?.type ?? numberBesides(operands), name);
  });
  const shape = broadcastShapes(
    name,
    nodes.map((node) => node.shape),
  );
  const { result } = operation.types(nodes.map(({ type }) => type));
  const node = new Node(result, shape, { kind: 'map', operation: name, inputs: nodes });
  // The constants are the operation's alone.
  nodes.forEach((each, o) => {
    if (!(operands[o] instanceof NdArray)) each.leave();
  });
  return new NdArray(engine, node);
}

/** The type that numbers of JavaScript have among themselves. */
function numberBesides(operands: readonly Operand[]): NumberType {
  const numbers = operands.filter((operand) => !(operand instanceof NdArray));
  if (numbers.every((value) => typeof value === 'boolean')) return 'bool';
  return numbers.every((value) => typeof value !== 'number' || Number.isInteger(value)) ? 'int32' : 'float64';
}

function constant(value: unknown, besides: NumberType, what: string): Node {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
    throw invalid(`${what} takes an array or a number, not ${shown(value)}`);
  }
  const type = typeOfNumber(value, besides);
  return constantNode(type, [], value);
}

export function constantNode(type: NumberType, shape: Shape, value: number | bigint | boolean): Node {
  const number = typeof value === 'boolean' ? Number(value) : value;
  const kept = isFloat(type) ? Number(number) : type === 'bool' ? Number(Boolean(number)) : number;
  return new Node(type, shape, { kind: 'constant', value: kept });
}

/** An array of numbers. It is not changed by its methods, which give new ones. */
export class NdArray<T extends NumberType = NumberType> extends ElementwiseArray<T> {
  readonly type: T;
  readonly shape: Shape;
  readonly #engine: Engine;
  readonly #node: Node;
  #released = false;

  /** Arrays are made by {@link Arrays}. This takes the use of the node that its maker has. */
  constructor(engine: Engine, node: Node) {
    super();
    this.#engine = engine;
    this.#node = node;
    this.type = node.type as T;
    this.shape = node.shape;
    forgotten.register(this, node, this);
  }

  /** How many elements there are. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** For those who compute with it. @throws OpenCLError CL_INVALID_MEM_OBJECT if it is released or of another device */
  nodeFor(engine: Engine, what: string): Node {
    this.#check();
    if (engine !== this.#engine) {
      const [own, other] = [this.#engine, engine].map((each) => each.program.device.name);
      throw wrongObject(
        own === other
          ? `${what}: the arrays are of two calls of arrays()`
          : `${what}: the array is on the device ${own}, not on ${other}; read its data and make an array there`,
      );
    }
    return this.#node;
  }

  // What is on the device

  /** Has it computed, so that what uses it later only loads it. It need not be waited for. */
  async compute(): Promise<this> {
    this.#check();
    await this.#engine.compute(this.#node);
    await this.#engine.finish();
    return this;
  }

  /** The elements in the order of their indices: a copy. */
  async data(): Promise<ArrayOf[T]> {
    this.#check();
    return (await this.#engine.read(this.#node)) as ArrayOf[T];
  }

  /** The one number that there is. */
  async item(): Promise<ArrayOf[T][number]> {
    if (this.size !== 1) {
      throw invalid(`item is for arrays of one element; the shape is ${shapeText(this.shape)}`);
    }
    return (await this.data())[0]!;
  }

  /** As nested arrays of JavaScript; elements of bool are booleans. */
  async toArray(): Promise<Nested> {
    const data = await this.data();
    const isBool = this.type === 'bool';
    const nested = (d: number, start: number): Nested => {
      if (d === this.shape.length) return isBool ? data[start] !== 0 : data[start]!;
      const step = sizeOf(this.shape.slice(d + 1));
      return Array.from({ length: this.shape[d]! }, (_, i) => nested(d + 1, start + i * step));
    };
    return nested(0, 0);
  }

  /** Gives its memory back, when nothing that was made of it needs it any more. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    forgotten.unregister(this);
    this.#node.leave();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }

  #check(): void {
    if (this.#released) throw wrongObject('the array has been released');
    this.#engine.check();
  }

  protected override operate(name: OperationName, ...operands: readonly Operand[]): NdArray {
    this.#check();
    return apply(this.#engine, name, [this, ...operands]);
  }

  /** The elements as another type, as C converts them; numbers other than 0 are true. */
  astype<R extends NumberType>(type: R): NdArray<R> {
    this.#check();
    checkType(type);
    const node = new Node(type, this.shape, { kind: 'map', operation: 'cast', inputs: [this.#node] });
    return new NdArray<R>(this.#engine, node);
  }

  // Views: nothing is copied

  /** The same elements in another shape, of which one length may be -1: what is left. */
  reshape(...given: readonly number[] | readonly [Shape]): NdArray<T> {
    const wanted = (given.length === 1 && Array.isArray(given[0]) ? given[0] : given) as readonly number[];
    return this.#of(reshaped(this.#own(), wanted));
  }

  flatten(): NdArray<T> {
    return this.reshape(this.size);
  }

  /** The dimensions in another order; without one, in the opposite order. */
  transpose(...axes: readonly number[]): NdArray<T> {
    return this.#of(transposed(this.#own(), axes));
  }

  /** A part: for each dimension an index or `[start, stop, step]`; those that are not named stay whole. */
  slice(...slices: readonly Slice[]): NdArray<T> {
    return this.#of(sliced(this.#own(), slices));
  }

  /** Repeated to a shape that it can be broadcast to. */
  broadcastTo(given: number | Shape): NdArray<T> {
    return this.#of(repeated(this.#own(), given));
  }

  #own(): Node {
    this.#check();
    return this.#node;
  }

  #of(node: Node): NdArray<T> {
    return new NdArray<T>(this.#engine, node);
  }

  // Reductions

  #reduce(type: NumberType, options: AxisOptions, reduction: Reduction, input: Node = this.#node): NdArray {
    this.#check();
    const axis = this.#axisOf(options);
    return new NdArray(
      this.#engine,
      reduced(this.#engine, input, axis, options.keepDims ?? false, reduction, type),
    );
  }

  /** Of integers it has 64 bits. */
  sum(options: AxisOptions = {}): NdArray {
    return this.#wide(sumType(this.type), options, sumOf);
  }
  /** Of integers it has 64 bits. */
  prod(options: AxisOptions = {}): NdArray {
    return this.#wide(sumType(this.type), options, productOf);
  }
  /** A float64, or a float32 of those. */
  mean(options: AxisOptions = {}): NdArray {
    const type = isFloat(this.type) ? this.type : 'float64';
    return this.#wide(type, options, sumOf).div(this.#lengthOf(options));
  }
  /** The variance: the mean of the squares of what elements differ from their mean by; `less` is taken from their number (NumPy's ddof). */
  variance(options: AxisOptions & { readonly less?: number } = {}): NdArray {
    const middle = this.mean({ axis: options.axis, keepDims: true });
    const squares = this.sub(middle).square();
    return squares.sum(options).div(this.#lengthOf(options) - (options.less ?? 0));
  }
  /** The square root of the variance. */
  deviation(options: AxisOptions & { readonly less?: number } = {}): NdArray {
    return this.variance(options).sqrt();
  }
  /** A NaN if there is one. */
  min(options: AxisOptions = {}): NdArray<T> {
    this.#checkElements('min', options);
    return this.#reduce(this.type, options, extremeOf(this.type, '<')) as NdArray<T>;
  }
  /** A NaN if there is one. */
  max(options: AxisOptions = {}): NdArray<T> {
    this.#checkElements('max', options);
    return this.#reduce(this.type, options, extremeOf(this.type, '>')) as NdArray<T>;
  }
  /** The index of the first of the smallest elements, or of the first NaN. */
  argmin(options: AxisOptions = {}): NdArray<'int32'> {
    this.#checkElements('argmin', options);
    return this.#reduce('int32', options, placeOfExtreme(this.type, '<')) as NdArray<'int32'>;
  }
  /** The index of the first of the largest elements, or of the first NaN. */
  argmax(options: AxisOptions = {}): NdArray<'int32'> {
    this.#checkElements('argmax', options);
    return this.#reduce('int32', options, placeOfExtreme(this.type, '>')) as NdArray<'int32'>;
  }
  any(options: AxisOptions = {}): NdArray<'bool'> {
    return this.astype('bool').#reduce('bool', options, anyOf) as NdArray<'bool'>;
  }
  all(options: AxisOptions = {}): NdArray<'bool'> {
    return this.astype('bool').#reduce('bool', options, allOf) as NdArray<'bool'>;
  }

  #wide(type: NumberType, options: AxisOptions, reduction: (type: NumberType) => Reduction): NdArray {
    return this.#as(type).#reduce(type, options, reduction(type));
  }

  /** undefined where all elements are joined. */
  #axisOf({ axis }: AxisOptions): number | undefined {
    return axis === undefined ? undefined : readAxis(axis, this.shape);
  }

  #lengthOf(options: AxisOptions): number {
    const axis = this.#axisOf(options);
    return axis === undefined ? this.size : this.shape[axis]!;
  }

  /** Itself where it has the type already. */
  #as(type: NumberType): NdArray {
    return this.type === type ? this : this.astype(type);
  }

  #checkElements(name: string, options: AxisOptions): void {
    if (this.#lengthOf(options) === 0) {
      throw invalid(`${name} of no elements has no value; the shape is ${shapeText(this.shape)}`);
    }
  }

  // Scans and order: algorithms that are loaded with the first use

  #task<R extends NumberType>(
    type: R,
    shape: Shape,
    run: (loaded: Awaited<ReturnType<typeof algorithms>>) => ReturnType<Engine['dense']>,
    inputs: readonly Node[] = [this.#node],
  ): NdArray<R> {
    this.#check();
    const node = this.#engine.task(type, shape, inputs, async () => run(await algorithms()));
    return new NdArray<R>(this.#engine, node);
  }

  #cumulative(
    join: string,
    neutral: string,
    options: AxisOptions & { readonly exclusive?: boolean },
  ): NdArray {
    const type = sumType(this.type);
    const axis = this.#axisOf(options);
    const input = this.#as(type).#node;
    const shape = axis === undefined ? [this.size] : this.shape;
    return this.#task(
      type,
      shape,
      (loaded) =>
        loaded.scanned(this.#engine, input, axis, { join, neutral, isExclusive: options.exclusive ?? false }),
      [input],
    );
  }

  /** The sums of each element and all before it; without an axis in the order of all elements. `exclusive` leaves the element itself out. */
  cumsum(options: AxisOptions & { readonly exclusive?: boolean } = {}): NdArray {
    return this.#cumulative('a + b', '0', options);
  }
  cumprod(options: AxisOptions & { readonly exclusive?: boolean } = {}): NdArray {
    return this.#cumulative('a * b', '1', options);
  }
  /** What an associative operator, an expression of `a` and `b` in OpenCL C, gives of each element and all before it. */
  scan(
    operator: string,
    options: AxisOptions & { readonly neutral: string; readonly exclusive?: boolean },
  ): NdArray<T> {
    const axis = this.#axisOf(options);
    const shape = axis === undefined ? [this.size] : this.shape;
    const { neutral, exclusive = false } = options;
    return this.#task(this.type, shape, (loaded) =>
      loaded.scanned(this.#engine, this.#node, axis, { join: operator, neutral, isExclusive: exclusive }),
    );
  }

  /** Sorted along an axis, the last one by default; equal elements keep their order, and NaNs are last. */
  sort(axis = -1): NdArray<T> {
    return this.#alongLast(axis, (array) =>
      array.#task(this.type, array.shape, (loaded) => loaded.sorted(this.#engine, array.#node)),
    );
  }
  /** The indices that would sort it. */
  argsort(axis = -1): NdArray<'int32'> {
    return this.#alongLast(axis, (array) =>
      array.#task('int32', array.shape, (loaded) => loaded.sortedPlaces(this.#engine, array.#node)),
    );
  }

  /** Does what is done along the last axis along another one. */
  #alongLast<R extends NumberType>(axis: number, work: (array: NdArray<T>) => NdArray<R>): NdArray<R> {
    if (this.shape.length === 0) return work(this.reshape(1)).reshape([]);
    const found = readAxis(axis, this.shape);
    if (found === this.shape.length - 1) return work(this);
    const order = this.shape.map((_, d) => d);
    [order[found], order[order.length - 1]] = [order.at(-1)!, found];
    return work(this.transpose(...order)).transpose(...order);
  }

  /** Rows of the first axis by their indices: negative ones from the end, those beyond it the nearest. */
  take(indices: NdArray): NdArray<T> {
    if (!isInteger(indices.type)) throw invalid(`take: indices are integers, not ${indices.type}`);
    if (this.shape.length === 0) throw invalid('take: the array has no axis');
    const chosen = indices.nodeFor(this.#engine, 'take');
    return this.#task(
      this.type,
      [...indices.shape, ...this.shape.slice(1)],
      (loaded) => loaded.taken(this.#engine, this.#node, chosen),
      [this.#node, chosen],
    );
  }

  /** The product of matrices; of vectors the inner product, of more dimensions that of each pair in the stacks. */
  matmul(other: NdArray): NdArray {
    this.#check();
    const right = other.nodeFor(this.#engine, 'matmul');
    return matrixProduct(this.#engine, this, other, this.#node, right);
  }

  /** The elements where the mask, of the same shape, is true, in one dimension. It waits until it is known how many there are. */
  async filter(mask: NdArray): Promise<NdArray<T>> {
    const chosen = mask.nodeFor(this.#engine, 'filter');
    if (shapeText(mask.shape) !== shapeText(this.shape)) {
      throw invalid(
        `filter: the array has shape ${shapeText(this.shape)}, the mask ${shapeText(mask.shape)}`,
      );
    }
    const isTrue = mask.#as('bool');
    this.#check();
    this.#node.use();
    chosen.use();
    try {
      const { filtered } = await algorithms();
      const { buffer, count } = await filtered(this.#engine, this.#node, isTrue.#node);
      return new NdArray<T>(this.#engine, new Node(this.type, [count], { kind: 'stored', buffer }));
    } finally {
      this.#node.leave();
      chosen.leave();
    }
  }

  /** The different elements, sorted; NaN once. */
  async unique(): Promise<NdArray<T>> {
    const ordered = await this.flatten().sort().compute();
    if (ordered.size === 0) return ordered;
    const rest = ordered.slice([1]);
    const before = ordered.slice([0, -1]);
    let differs: NdArray = rest.notEqual(before);
    if (isFloat(this.type)) differs = differs.and(before.isNaN().not());
    const mask = new NdArray<'bool'>(
      this.#engine,
      this.#engine.task('bool', ordered.shape, [differs.#node], async () =>
        (await algorithms()).withFirst(this.#engine, differs.#node),
      ),
    );
    return ordered.filter(mask);
  }

  /** How often each of the integers from 0 to the largest element is there, or the sums of the weights of those. */
  async bincount(
    options: { readonly weights?: NdArray; readonly minLength?: number } = {},
  ): Promise<NdArray> {
    return new NdArray(this.#engine, await countEach(this.#engine, this as NdArray, options));
  }

  /** How many elements are in each of so many bins of one width, from the smallest to the largest element or in `range`. */
  async histogram(
    bins = 10,
    options: { readonly range?: readonly [number, number] } = {},
  ): Promise<{ readonly counts: NdArray<'int32'>; readonly edges: Float64Array }> {
    const { counts, edges } = await countInBins(this.#engine, this as NdArray, bins, options.range);
    return { counts: new NdArray<'int32'>(this.#engine, counts), edges };
  }
}

function matrixProduct(engine: Engine, a: NdArray, b: NdArray, left: Node, right: Node): NdArray {
  const type = promote(a.type, b.type);
  const plan = planProduct(a.shape, b.shape);
  const inputs = [left, right].map((node) =>
    node.type === type
      ? node
      : new Node(type, node.shape, { kind: 'map', operation: 'cast', inputs: [node] }),
  ) as [Node, Node];
  const run = async () => (await algorithms()).product(engine, ...inputs, plan, type);
  return new NdArray(engine, engine.task(type, plan.shape, inputs, run));
}

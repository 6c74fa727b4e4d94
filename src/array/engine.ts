/**
 * Computes nodes on a device: keeps the kernels that it has compiled, makes buffers, and has what a kernel reads computed before.
 */
import type { KernelArgument } from '../api/javascript/arguments.ts';
import { compile } from '../api/javascript/compile.ts';
import type { DeviceBuffer, TypedArray } from '../api/javascript/device-buffer.ts';
import type { Kernel, LaunchRange } from '../api/javascript/kernel.ts';
import type { Program, ProgramOptions } from '../api/javascript/program.ts';
import { invalid } from './errors.ts';
import { bufferOf, type Expression, expressionOf, launchOver } from './expression.ts';
import { inputsOf, Node } from './node.ts';
import { type NumberType, numberTypes } from './number-types.ts';
import { isDense, type Shape, sizeOf } from './shape.ts';

/** Kernels that are kept; those that were not used for longest go. */
const mostKernels = 200;

/** Results are NumPy's, which rounds each operation. */
const prologue = '#pragma OPENCL FP_CONTRACT OFF\n';

export class Engine {
  /** Holds the buffers. */
  readonly program: Program;
  readonly #options: ProgramOptions;
  readonly #kernels = new Map<string, Promise<{ readonly program: Program; readonly kernel: Kernel }>>();
  #released = false;

  private constructor(program: Program, options: ProgramOptions) {
    this.program = program;
    this.#options = options;
  }

  /** @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
  static async open(options: ProgramOptions): Promise<Engine> {
    const program = await compile('kernel void nothing(void) { }', options);
    // All kernels run where the first one does.
    const { prefer: _, ...rest } = options;
    return new Engine(program, {
      ...rest,
      device: program.device.id === 'webgpu' ? 'webgpu' : program.device,
    });
  }

  get isGpu(): boolean {
    return this.program.device.info.type === 'gpu';
  }

  check(): void {
    if (this.#released) throw invalid('these arrays have been released');
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const made of this.#kernels.values()) {
      made.then(
        ({ program }) => program.release(),
        () => {},
      );
    }
    this.program.release();
  }

  /** A buffer for so many numbers; of none, too, there is one. */
  buffer(type: NumberType, count: number): DeviceBuffer {
    return this.program.buffer(Math.max(count, 1) * numberTypes[type].bytes);
  }

  bufferOf(data: TypedArray): DeviceBuffer {
    return this.program.buffer(data.length > 0 ? data : data.BYTES_PER_ELEMENT);
  }

  /** The one kernel of a source. */
  async kernel(source: string): Promise<Kernel> {
    this.check();
    let made = this.#kernels.get(source);
    if (made) this.#kernels.delete(source);
    else made = this.#compile(source);
    this.#kernels.set(source, made);
    if (this.#kernels.size > mostKernels) this.#dropOldest();
    return (await made).kernel;
  }

  async #compile(source: string): Promise<{ readonly program: Program; readonly kernel: Kernel }> {
    const program = await compile(prologue + source, { ...this.#options, name: 'array' });
    return { program, kernel: program.kernel(program.kernelNames[0]!) };
  }

  #dropOldest(): void {
    const [oldest] = this.#kernels;
    if (!oldest) return;
    const [source, made] = oldest;
    this.#kernels.delete(source);
    made.then(
      ({ program }) => program.release(),
      () => {},
    );
  }

  /**
   * Launches a kernel behind all that have been launched before. Its errors come when something is read: `failed` rejects at once
   * only for what is wrong with the call.
   */
  async launch(source: string, range: LaunchRange, values: readonly KernelArgument[]): Promise<void> {
    const kernel = await this.kernel(source);
    this.check();
    this.#last = kernel(range, ...values);
    this.#last.catch((error) => {
      this.#failure ??= error;
    });
  }

  #last: Promise<unknown> | undefined;
  #failure: unknown;

  /** That all launches so far have ended well. */
  async finish(): Promise<void> {
    await this.#last?.catch(() => {});
    if (this.#failure === undefined) return;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }

  /** Has a node's numbers computed into a buffer, if they are not there. */
  async compute(node: Node): Promise<void> {
    if (node.content.kind === 'stored') return;
    if (!node.pending) {
      node.use();
      node.pending = this.#run(node).finally(() => {
        node.pending = undefined;
        node.leave();
      });
    }
    await node.pending;
  }

  async #run(node: Node): Promise<void> {
    const { content } = node;
    if (content.kind === 'task') node.store(await content.run());
    else {
      const buffer = this.buffer(node.type, sizeOf(node.shape));
      try {
        await this.#map(node, buffer);
      } catch (error) {
        buffer.release();
        throw error;
      }
      node.store(buffer);
    }
  }

  async #map(node: Node, buffer: DeviceBuffer): Promise<void> {
    if (sizeOf(node.shape) === 0) return;
    const expression = await this.expression(node);
    const launch = launchOver(expression.shape);
    const { statements, value } = expression.code(launch.index);
    const parameters = [
      `global ${numberTypes[node.type].c} *out`,
      ...launch.parameters,
      ...expression.parameters,
    ];
    const source = `${expression.helpers}kernel void elements(${parameters.join(', ')}) {\n${launch.begin}${statements}  out[i] = ${value};\n}\n`;
    await this.launch(source, { global: launch.global }, [
      buffer,
      ...launch.arguments,
      ...expression.arguments,
    ]);
  }

  /** The code of a node's elements, when all that it loads is there. */
  async expression(node: Node, prefix?: string): Promise<Expression> {
    await this.#prepare(node);
    return expressionOf(node, prefix);
  }

  /** Computes what is not computed within an expression. */
  async #prepare(root: Node): Promise<void> {
    const seen = new Set<Node>();
    const visit = async (node: Node): Promise<void> => {
      if (seen.has(node)) return;
      seen.add(node);
      if (node.content.kind === 'view') await this.compute(node.content.base);
      else if (node !== root && node.isCut) await this.compute(node);
      else if (node.content.kind === 'task') await this.compute(node);
      else for (const input of inputsOf(node.content)) await visit(input);
    };
    await visit(root);
  }

  /** A node's numbers in a buffer, one after another and from its beginning on. What it is of may be another node's: see `isDense`. */
  async dense(node: Node): Promise<DeviceBuffer> {
    const { content } = node;
    if (content.kind === 'view') {
      await this.compute(content.base);
      if (node.content.kind === 'view') {
        if (content.offset === 0 && isDense(node.shape, content.strides)) return bufferOf(content.base);
      }
    }
    await this.compute(node);
    return bufferOf(node);
  }

  /** A node of a task. */
  task(type: NumberType, shape: Shape, inputs: readonly Node[], run: () => Promise<DeviceBuffer>): Node {
    this.check();
    return new Node(type, shape, { kind: 'task', inputs, run });
  }

  async read(node: Node): Promise<TypedArray> {
    this.check();
    const { array } = numberTypes[node.type];
    const count = sizeOf(node.shape);
    node.use();
    try {
      const buffer = await this.dense(node);
      const data = count === 0 ? new array(0) : await buffer.read(array, 0, count);
      await this.finish();
      return data;
    } finally {
      node.leave();
    }
  }
}

/**
 * Computes nodes on a device: makes buffers, and has what a kernel reads computed before. Kernels are kept and launched by launcher.ts.
 */
import type { DeviceBuffer, TypedArray } from '../api/javascript/device-buffer.ts';
import type { ProgramOptions } from '../api/javascript/program.ts';
import { bufferOf, type Expression, expressionOf, launchOver } from './expression.ts';
import { Launcher, openLauncher, type SourceForm } from './launcher.ts';
import { inputsOf, Node } from './node.ts';
import { type NumberType, numberTypes } from './number-types.ts';
import { isDense, type Shape, sizeOf } from './shape.ts';

const form: SourceForm = {
  // Results are NumPy's, which rounds each operation.
  prologue: '#pragma OPENCL FP_CONTRACT OFF\n',
  name: 'array',
  mostKernels: 200,
  released: 'these arrays have been released',
};

export class Engine extends Launcher {
  /** @throws OpenCLError CL_INVALID_DEVICE, CL_DEVICE_NOT_FOUND */
  static async open(options: ProgramOptions): Promise<Engine> {
    return new Engine(await openLauncher(options), form);
  }

  /** A buffer for so many numbers; of none, too, there is one. */
  buffer(type: NumberType, count: number): DeviceBuffer {
    return this.program.buffer(Math.max(count, 1) * numberTypes[type].bytes);
  }

  bufferOf(data: TypedArray): DeviceBuffer {
    return this.program.buffer(data.length > 0 ? data : data.BYTES_PER_ELEMENT);
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

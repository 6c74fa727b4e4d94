/**
 * What a launch has in the interpreter's memory: its arguments, and the regions that it may reach without one. Their bytes are
 * used in place, and may move while the launch waits for its next slice.
 */
import type * as ir from '../ir.ts';
import { sizeOf } from '../types.ts';
import type { BufferArgument, ImageArgument, LaunchArgument, SharedRegion } from './launch.ts';
import type { Allocation, Memory } from './memory.ts';
import type { Code } from './state.ts';
import { type RuntimeValue, readerOf } from './values.ts';

export class LaunchMemory {
  readonly #memory: Memory;
  readonly #addressBits: 32 | 64;
  readonly #allocations = new Map<BufferArgument | SharedRegion, Allocation>();

  constructor(memory: Memory, addressBits: 32 | 64) {
    this.#memory = memory;
    this.#addressBits = addressBits;
  }

  share(regions: readonly SharedRegion[]): void {
    for (const region of regions) {
      this.#allocations.set(
        region,
        this.#memory.place('global', region.address, region.bytes(), region.name),
      );
    }
  }

  /** Finds all bytes that have moved since the launch last ran. */
  follow(): void {
    for (const [owner, allocation] of this.#allocations) {
      const bytes = owner.bytes();
      if (allocation.bytes.buffer === bytes.buffer) continue;
      allocation.bytes = bytes;
      allocation.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
  }

  /** The kernel's parameters, but for local memory, which each group has its own of. */
  bind(kernel: ir.Function, args: readonly LaunchArgument[]): RuntimeValue[] {
    if (args.length !== kernel.parameters.length) {
      throw new Error(
        `${args.length} arguments for kernel '${kernel.name}', which has ${kernel.parameters.length}`,
      );
    }
    return kernel.parameters.map((parameter, index) => this.#argument(parameter, index, args[index]!));
  }

  #argument({ value, aggregate }: ir.Parameter, index: number, argument: LaunchArgument): RuntimeValue {
    const { type } = value;
    const name = value.name ?? `argument ${index}`;
    const space = type.kind === 'pointer' ? type.space : undefined;
    if (argument.kind === 'image') return this.#image(argument, name);
    if (argument.kind === 'sampler') return argument.bits;
    if (aggregate && argument.kind === 'bytes') {
      if (argument.bytes.length !== aggregate.size) {
        throw new Error(`${argument.bytes.length} bytes for '${name}', which has ${aggregate.size}`);
      }
      // The function may only read it, so all work-items can share it.
      const memory = this.#memory.allocate(
        space === 'private' ? 'private' : 'constant',
        argument.bytes,
        name,
        aggregate.align,
      );
      memory.written?.fill(1);
      return memory.start;
    }
    const fits =
      argument.kind === 'local'
        ? space === 'local'
        : argument.kind === 'address' || argument.kind === 'buffer'
          ? space === 'global' || space === 'constant'
          : space === undefined && type.kind !== 'opaque';
    if (!fits || aggregate) throw new Error(`an argument of kind '${argument.kind}' does not fit '${name}'`);
    if (argument.kind === 'local') return 0;
    if (argument.kind === 'address') return argument.address;
    if (argument.kind === 'buffer') return this.#buffer(argument);
    const { bytes } = argument;
    const size = sizeOf(type);
    if (bytes.length < size) throw new Error(`${bytes.length} bytes for '${name}', which has ${size}`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return readerOf(type, this.#addressBits)(view, 0);
  }

  /** The address of the image's descriptor, which says where the pixels are during this launch. */
  #image({ pixels, descriptor }: ImageArgument, name: string): number {
    const copy = descriptor.slice();
    const start = this.#buffer(pixels);
    new DataView(copy.buffer).setBigUint64(0, BigInt(start), true);
    return this.#memory.allocate('constant', copy, `the descriptor of ${name}`).start;
  }

  #buffer(argument: BufferArgument): number {
    const allocation = this.#memory.allocate(argument.space, argument.bytes(), argument.name);
    this.#allocations.set(argument, allocation);
    return allocation.start;
  }

  /** Of a group: the local memory that its kernel is given as arguments. */
  reserveLocals({ fn }: Code, parameters: RuntimeValue[], args: readonly LaunchArgument[]): void {
    args.forEach((argument, index) => {
      if (argument.kind !== 'local') return;
      const name = fn.parameters[index]!.value.name ?? `argument ${index}`;
      parameters[index] = this.#memory.reserve('local', argument.size, 128, name).start;
    });
  }
}

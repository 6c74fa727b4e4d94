/** The interpreter's device in a context: programs in IR, launches that run in slices on the host thread. */
import {
  type BufferArgument,
  bytesOfGlobals,
  Interpreter,
  type LaunchArgument,
  type PrintSink,
} from '../../ir/interpreter.ts';
import type { Function as IrFunction, KernelAttributes, Module } from '../../ir/ir.ts';
import { bufferHeader } from '../../ir/printf/record.ts';
import { walkFunction } from '../../ir/walk.ts';
import type { MemoryRange, Triple } from '../../runtime/command.ts';
import type {
  DeviceHost,
  DeviceInfo,
  DeviceKernel,
  DeviceProgram,
  DeviceQueue,
  KernelParameter,
  OpenDevice,
  ProgramInput,
  QueueOptions,
} from '../../runtime/device.ts';
import { LocalDeviceQueues } from '../../runtime/device-queues.ts';
import { type LaunchBody, LocalEngine, type LocalLaunch } from '../../runtime/local-engine.ts';
import { NestedLaunches } from '../../runtime/nested-launches.ts';
import { roundUp } from '../../runtime/range-allocator.ts';
import { chooseLocalSize } from '../wasm/local-size.ts';
import type { InterpreterDevice } from './interpreter-device.ts';

/** Steps between two looks at the time: about a millisecond. */
const sliceSteps = 20_000;

export class OpenInterpreter implements OpenDevice {
  readonly device: InterpreterDevice;
  readonly #host: DeviceHost;
  readonly #engine: LocalEngine;
  readonly onDeviceQueues = new LocalDeviceQueues();

  constructor(device: InterpreterDevice, host: DeviceHost) {
    this.device = device;
    this.#host = host;
    this.#engine = new LocalEngine(host, (body, event) => this.#launch(body, event));
  }

  build(input: ProgramInput): DeviceProgram {
    const module = input.lower();
    const bytes = bytesOfGlobals(module);
    // The interpreter has them itself; the addresses are taken from the context's so that shared memory lies elsewhere.
    const globalsAt = bytes === 0 ? undefined : this.#host.memory.allocate(bytes);
    const interpreters = new InterpreterPool(module, globalsAt);
    return {
      kernels: module.functions
        .filter((fn) => fn.kind === 'kernel' && fn.body !== undefined && !fn.attributes?.isBlock)
        .map((fn) => new InterpretedKernel(fn, module, interpreters, this.device.info)),
      log: '',
      binary: new Uint8Array(0),
      globalVariableBytes: module.globals.reduce(
        (bytes, { space, size }) => bytes + (space === 'global' ? size : 0),
        0,
      ),
      release: () => {
        if (globalsAt !== undefined) this.#host.freeLater(globalsAt);
      },
    };
  }

  async buildAsync(input: ProgramInput): Promise<DeviceProgram> {
    return this.build(input);
  }

  createQueue(options: QueueOptions): DeviceQueue {
    return this.#engine.createQueue(options);
  }

  close(): void {
    this.#engine.close();
  }

  /** Keeps what a launch prints, as much as a buffer would hold, until its event has ended. */
  #printing(event: number, body: LaunchBody): PrintSink {
    let texts: string[] | undefined;
    let room = this.device.info.printfBufferSize - bufferHeader.records;
    let refused = 0;
    return (text, size) => {
      if (!texts) {
        const kept: string[] = [];
        const printed = { texts: () => kept, refused: () => refused, release: () => {} };
        this.#host.printing.expect(event, printed, body.print);
        texts = kept;
      }
      if (size > room) {
        // What is smaller finds no room either: the claim has passed the end.
        room = 0;
        refused += 1;
        return false;
      }
      room -= size;
      texts.push(text);
      return true;
    };
  }

  #launch(body: LaunchBody, event: number): LocalLaunch {
    const kernel = body.kernel as InterpretedKernel;
    const values = body.arguments.map((argument, index): LaunchArgument => {
      if (argument.kind === 'value') return { kind: 'bytes', bytes: argument.bytes };
      if (argument.kind === 'local') return { kind: 'local', size: argument.bytes };
      if (argument.kind === 'sampler') return argument;
      const parameter = kernel.parameters[index]!;
      const name = parameter.info?.name ?? `argument ${index}`;
      if (argument.kind === 'image') {
        const descriptor = this.#bytesOf(argument.descriptor).slice();
        return { kind: 'image', pixels: this.#buffer(argument.pixels, 'global', name), descriptor };
      }
      if (!argument.range) return { kind: 'address', address: 0 };
      const { memory, offset } = argument.range;
      if (memory.isSvm) return { kind: 'address', address: memory.address + offset };
      return this.#buffer(argument.range, parameter.kind === 'constant' ? 'constant' : 'global', name);
    });
    const range = { globalSize: body.global, localSize: body.local, globalOffset: body.offset };
    const interpreter = kernel.interpreters.take();
    const shared = [...this.#host.svm].map((buffer) => ({
      address: buffer.address,
      name: `shared memory at 0x${buffer.address.toString(16)}`,
      bytes: () => this.#bytesOf({ memory: buffer, offset: 0 }),
    }));
    const print = this.#printing(event, body);
    const queues = this.onDeviceQueues;
    const launch = interpreter.begin(
      kernel.name,
      range,
      values,
      print,
      shared,
      (now, writeTimes) => new NestedLaunches(queues, now, writeTimes),
    );
    const end = () => {
      launch.end();
      kernel.interpreters.giveBack(interpreter);
    };
    return {
      slice: () => {
        let complete = true;
        try {
          complete = launch.run(sliceSteps);
          return complete;
        } finally {
          // After an error too.
          if (complete) end();
        }
      },
      end,
    };
  }

  #buffer(range: MemoryRange, space: BufferArgument['space'], name: string): BufferArgument {
    return { kind: 'buffer', space, name, bytes: () => this.#bytesOf(range) };
  }

  #bytesOf({ memory: object, offset }: MemoryRange): Uint8Array {
    return this.#host.memory.bytes.subarray(object.address + offset, object.address + object.size);
  }
}

/**
 * Launches of several queues take turns, and an interpreter runs one at a time. The program's variables are the same for
 * all.
 */
class InterpreterPool {
  readonly #first: Interpreter;
  readonly #free: Interpreter[] = [];

  constructor(module: Module, globalsAt: number | undefined) {
    this.#first = new Interpreter(module, globalsAt === undefined ? {} : { globalsAt });
    this.#free.push(this.#first);
  }

  take(): Interpreter {
    return this.#free.pop() ?? this.#first.another();
  }

  giveBack(interpreter: Interpreter): void {
    this.#free.push(interpreter);
  }
}

class InterpretedKernel implements DeviceKernel {
  readonly name: string;
  readonly parameters: readonly KernelParameter[];
  readonly attributes: KernelAttributes | undefined;
  readonly localBytes: number;
  readonly privateBytes: number;
  readonly maxWorkGroupSize: number;
  readonly preferredWorkGroupMultiple = 1;
  readonly interpreters: InterpreterPool;
  readonly #localMemSize: number;

  constructor(fn: IrFunction, module: Module, interpreters: InterpreterPool, info: DeviceInfo) {
    this.name = fn.name;
    this.attributes = fn.attributes;
    this.maxWorkGroupSize = info.maxWorkGroupSize;
    this.interpreters = interpreters;
    this.#localMemSize = info.localMemSize;
    this.localBytes = variableBytes(fn, 'local');
    this.privateBytes = variableBytes(fn, 'private');
    const pointerBytes = module.addressBits / 8;
    this.parameters = fn.parameters.map((parameter): KernelParameter => {
      const { aggregate, info: said, value } = parameter;
      if (aggregate) return { kind: 'aggregate', ...aggregate, info: said };
      if (said?.handle) return { kind: said.handle.kind, size: 4, align: 4, info: said };
      const { type } = value;
      if (type.kind === 'pointer') {
        const kind = type.space === 'local' || type.space === 'constant' ? type.space : 'global';
        return { kind, size: pointerBytes, align: pointerBytes, info: said };
      }
      const size = said?.layout?.size ?? 0;
      return { kind: 'value', size, align: size, info: said };
    });
  }

  chooseLocalSize(_dimensions: 1 | 2 | 3, global: Triple): Triple {
    return chooseLocalSize(global, { limit: this.maxWorkGroupSize, threads: 1 });
  }

  refuses(_local: Triple, dynamicLocalBytes: number): string | undefined {
    const bytes = this.localBytes + dynamicLocalBytes;
    if (bytes <= this.#localMemSize) return undefined;
    return `kernel '${this.name}' needs ${bytes} bytes of local memory; the device has ${this.#localMemSize}`;
  }
}

/** Bytes of all variables of a space that a kernel has itself. */
function variableBytes(fn: IrFunction, space: 'local' | 'private'): number {
  let bytes = 0;
  walkFunction(fn, (instruction) => {
    if (instruction.op !== 'variable' || instruction.space !== space) return;
    bytes = roundUp(bytes, instruction.align) + instruction.size;
  });
  return bytes;
}

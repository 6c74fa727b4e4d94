/** Opens the wasm device in a context of its own and enqueues hand-assembled kernels. Needs the built dist/. */

import type { WasmProgram } from '../../../src/codegen/wasm/module/abi.ts';
import { openKeeper } from '../../../src/devices/native/code-keeper.ts';
import { LocalWasmDevice } from '../../../src/devices/wasm/local-wasm-device.ts';
import type { MachineCode } from '../../../src/devices/wasm/machine-code.ts';
import type { OpenWasmDevice } from '../../../src/devices/wasm/open-wasm-device.ts';
import { localDevice, WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import { RuntimeBuffer } from '../../../src/runtime/buffer.ts';
import type { KernelArgument, Triple } from '../../../src/runtime/command.ts';
import { Context } from '../../../src/runtime/context.ts';
import type { RuntimeEvent } from '../../../src/runtime/event.ts';
import { CommandQueue, type CommandQueueOptions } from '../../../src/runtime/queue.ts';
import { readBuffer, writeBuffer } from '../../../src/runtime/transfer.ts';
import { handProgram } from './kernels.ts';

localDevice.provide(LocalWasmDevice);

const dist = new URL('../../../dist/', import.meta.url);

const unit: Triple = [1, 1, 1];
const origin: Triple = [0, 0, 0];

export interface Bench {
  readonly context: Context;
  readonly queue: CommandQueue;
  newQueue(options?: CommandQueueOptions): CommandQueue;
  buffer(words: number): RuntimeBuffer;
  launch(
    kernel: string,
    groups: number | Triple,
    args: readonly (RuntimeBuffer | number | KernelArgument)[],
    options?: { queue?: CommandQueue; waits?: readonly RuntimeEvent[]; local?: Triple; offset?: Triple },
  ): RuntimeEvent;
  write(buffer: RuntimeBuffer, words: Int32Array | Float32Array, blocking?: boolean): RuntimeEvent;
  read(buffer: RuntimeBuffer, words: number, blocking?: boolean): { data: Int32Array; event: RuntimeEvent };
  close(): void;
}

export interface BenchOptions {
  shared?: boolean;
  threads?: number;
  timeout?: number;
  /** Thread files in place of those in dist/. */
  processor?: URL;
  worker?: URL;
  /** Machine code in the place of WebAssembly, as src/devices/native runs it. */
  native?: () => WasmProgram;
}

const machine: MachineCode = {
  id: 'native',
  who: { name: 'machine code', type: 'cpu', svmCapabilities: 0 },
  variant: 'by hand',
  open: openKeeper,
};

export function setUp(options: BenchOptions = {}): Bench {
  const device = new WasmDevice({
    threads: options.threads ?? 2,
    files: {
      processor: options.processor ?? new URL('processor.js', dist),
      worker: options.worker ?? new URL('worker.js', dist),
    },
    ...(options.native ? { machine } : {}),
    compile: () => {
      throw new Error('these tests bring compiled kernels');
    },
  });
  const context = new Context([device], { shared: options.shared });
  const program = (context.opened(device) as OpenWasmDevice).load(
    options.native?.() ?? handProgram(context.memory.shared),
  );
  const newQueue = (queueOptions: CommandQueueOptions = {}) =>
    new CommandQueue(context, device, queueOptions);
  const queue = newQueue({ timeout: options.timeout });
  return {
    context,
    queue,
    newQueue,
    buffer: (words) => RuntimeBuffer.create(context, words * 4),
    launch: (
      name,
      groups,
      args,
      { queue: other = queue, waits = [], local = unit, offset = origin } = {},
    ) => {
      const kernel = program.kernels.find((candidate) => candidate.name === name)!;
      const count: Triple = typeof groups === 'number' ? [groups, 1, 1] : groups;
      const values = args.map((argument, index): KernelArgument => {
        if (argument instanceof RuntimeBuffer)
          return { kind: 'memory', range: { memory: argument, offset: 0 } };
        if (typeof argument !== 'number') return argument;
        const float = name === 'saxpy' && index === 2;
        const bytes = new Uint8Array((float ? Float32Array : Int32Array).of(argument).buffer);
        return { kind: 'value', bytes };
      });
      const global: Triple = [count[0] * local[0], count[1] * local[1], count[2] * local[2]];
      const body = {
        kind: 'launch',
        kernel,
        arguments: values,
        dimensions: 3,
        offset,
        global,
        local,
      } as const;
      const uses = args.filter((argument) => argument instanceof RuntimeBuffer);
      return other.enqueue(0x11f0, body, waits, uses);
    },
    write: (buffer, words, blocking = false) =>
      writeBuffer(queue, buffer, 0, words, { type: 0x11f4, blocking, waits: [] }),
    read: (buffer, words, blocking = true) => {
      const data = new Int32Array(words);
      return { data, event: readBuffer(queue, buffer, 0, data, { type: 0x11f3, blocking, waits: [] }) };
    },
    close: () => context.close(),
  };
}

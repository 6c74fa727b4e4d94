/** Opens devices of the machine's OpenCL drivers for tests. Needs the built dist/ for the devices' threads. */
import { type BuildResult, buildFrom, buildFromAsync } from '../../../src/build/build-program.ts';
import { type SourceProgram, sourceFrontEnd } from '../../../src/build/source-front-end.ts';
import { nativeDevices, nativeProblems } from '../../../src/devices/icd/discover.ts';
import { compileForWasm } from '../../../src/devices/wasm/compile-kernels.ts';
import { WasmDevice } from '../../../src/devices/wasm/wasm-device.ts';
import { provideLibraryForAll } from '../../../src/library/wide.ts';
import { RuntimeBuffer } from '../../../src/runtime/buffer.ts';
import type { KernelArgument } from '../../../src/runtime/command.ts';
import { Context } from '../../../src/runtime/context.ts';
import type { Device, DeviceProgram, OpenDevice } from '../../../src/runtime/device.ts';
import type { RuntimeEvent } from '../../../src/runtime/event.ts';
import { planLaunch } from '../../../src/runtime/launch.ts';
import { CommandQueue } from '../../../src/runtime/queue.ts';
import { readBuffer, writeBuffer } from '../../../src/runtime/transfer.ts';

provideLibraryForAll();

const dist = new URL('../../../dist/', import.meta.url);

/** The first driver's device, if the machine has one; or the first whose id holds MILLRACE_TEST_DEVICE. */
export const native = nativeDevices()
  .find(({ id }) => id.includes(process.env['MILLRACE_TEST_DEVICE'] ?? ''))
  ?.with({ file: new URL('icd.js', dist) });

/** The same, made to keep copies of buffers as a graphics card does. */
export const copying = native?.with({ file: new URL('icd.js', dist), copies: true });

/** Why tests are skipped: to be put into their titles. */
export const skipped = native ? '' : ` (SKIPPED: ${nativeProblems().join('; ')})`;

export function wasmDevice(): WasmDevice {
  return new WasmDevice({
    threads: 2,
    files: { processor: new URL('processor.js', dist), worker: new URL('worker.js', dist) },
    compile: compileForWasm,
  });
}

/** Builds OpenCL C as the API does; blocks where the driver's compiler has to be waited for. */
export function buildProgram(input: SourceProgram, device: OpenDevice): BuildResult {
  return buildFrom(sourceFrontEnd(input, device.device), device);
}

/** The same without blocking. */
export function buildProgramAsync(input: SourceProgram, device: OpenDevice): Promise<BuildResult> {
  return buildFromAsync(sourceFrontEnd(input, device.device), device);
}

export function build(context: Context, device: Device, source: string, options = ''): DeviceProgram {
  const { program, log } = buildProgram({ source, options }, context.opened(device));
  if (!program) throw new Error(log);
  return program;
}

type Argument = RuntimeBuffer | Float32Array | Int32Array | Uint8Array | { local: number } | null;

/** Enqueues a kernel of a program. Typed arrays are values; buffers, null and `{ local }` are what they say. */
export function launch(
  queue: CommandQueue,
  program: DeviceProgram,
  name: string,
  args: readonly Argument[],
  range: { global: readonly number[]; local?: readonly number[]; offset?: readonly number[] },
  waits: readonly RuntimeEvent[] = [],
): RuntimeEvent {
  const kernel = program.kernels.find((candidate) => candidate.name === name)!;
  const values = args.map((argument): KernelArgument => {
    if (argument === null) return { kind: 'memory', range: undefined };
    if (argument instanceof RuntimeBuffer) return { kind: 'memory', range: { memory: argument, offset: 0 } };
    if ('local' in argument) return { kind: 'local', bytes: argument.local };
    return {
      kind: 'value',
      bytes: new Uint8Array(argument.buffer, argument.byteOffset, argument.byteLength).slice(),
    };
  });
  const body = planLaunch(kernel, queue.device.info, values, {
    dimensions: range.global.length,
    global: range.global,
    local: range.local,
    offset: range.offset,
  });
  const uses = args.filter((argument) => argument instanceof RuntimeBuffer);
  return queue.enqueue(0x11f0, body, waits, uses);
}

export function bufferOf(queue: CommandQueue, data: Float32Array | Int32Array | Uint8Array): RuntimeBuffer {
  const buffer = RuntimeBuffer.create(queue.context, data.byteLength);
  buffer.view(0, data.byteLength).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return buffer;
}

export function write(queue: CommandQueue, buffer: RuntimeBuffer, data: Float32Array | Int32Array): void {
  writeBuffer(queue, buffer, 0, data, { type: 0x11f4, blocking: true, waits: [] }).release();
}

/** The content of a buffer once the queue's earlier commands are done. */
export function contentOf<T extends Float32Array | Int32Array | Uint8Array>(
  queue: CommandQueue,
  buffer: RuntimeBuffer,
  target: T,
): T {
  readBuffer(queue, buffer, 0, target, { type: 0x11f3, blocking: true, waits: [] }).release();
  return target;
}

/** A context with one queue on one device. */
export function open(
  device: Device,
  options: { outOfOrder?: boolean; timeout?: number } = {},
): { context: Context; queue: CommandQueue } {
  const context = new Context([device]);
  return { context, queue: new CommandQueue(context, device, options) };
}

/** The host's end of a queue on a WebGPU device: that of native devices, with a launch's arguments as shaders take them. */
import { printfBufferBytes } from '../../codegen/wasm/module/abi.ts';
import type { Command } from '../../runtime/command.ts';
import type { DeviceHost, QueueOptions } from '../../runtime/device.ts';
import type { BufferNumbers } from '../icd/buffer-numbers.ts';
import { NativeQueue } from '../icd/native-queue.ts';
import type { NativeThread } from '../icd/native-thread.ts';
import type { ChunkPool } from '../wasm/command-stream.ts';
import type { PrintfBuffers } from '../wasm/printf-buffers.ts';
import { GpuKernel } from './gpu-program.ts';

export class GpuQueue extends NativeQueue {
  readonly #printing: PrintfBuffers;

  constructor(
    host: DeviceHost,
    thread: NativeThread,
    chunks: ChunkPool,
    numbers: BufferNumbers,
    printing: PrintfBuffers,
    options: QueueOptions,
  ) {
    super(host, thread, chunks, numbers, options);
    this.#printing = printing;
  }

  protected override write(command: Command): void {
    const { body } = command;
    const kernel = body.kind === 'launch' ? body.kernel : undefined;
    if (body.kind !== 'launch' || !(kernel instanceof GpuKernel)) {
      super.write(command);
      return;
    }
    const { printfSites } = kernel.shader;
    const address = printfSites.length > 0 ? this.#printing.take(command.event, body, printfSites) : 0;
    const values = kernel.argumentsOf(body.arguments, address, address === 0 ? 0 : printfBufferBytes);
    super.write({ ...command, body: { ...body, arguments: values } });
  }
}

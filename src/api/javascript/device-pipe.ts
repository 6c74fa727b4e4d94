/** Pipes of the short form (OpenCL 2.0, 5.4; docs/pipes.md). */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import { dispose } from '../../runtime/dispose.ts';
import { watchClass } from '../../runtime/observe-calls.ts';
import { pipeBytes, writeEmptyPipe } from '../../runtime/pipe-layout.ts';
import type { CommandQueue } from '../../runtime/queue.ts';
import { OpenCLError } from '../../runtime/status.ts';

export class DevicePipe {
  /** What profiles and logs call it, in minified bundles too. */
  static readonly name: string = 'DevicePipe';
  /** Bytes of a packet, and how many the pipe holds. */
  readonly packetBytes: number;
  readonly maxPackets: number;
  readonly #queue: CommandQueue;
  readonly #buffer: RuntimeBuffer;
  readonly #onRelease: () => void;
  #released = false;

  /** Pipes are made by Program.pipe. */
  constructor(queue: CommandQueue, packetBytes: number, maxPackets: number, onRelease: () => void) {
    watchClass('Millrace', new.target, /^(?:map|read|release|write)$/);
    const { pipes, maxMemAllocSize, name } = queue.device.info;
    if (!pipes) throw new OpenCLError('CL_INVALID_OPERATION', `${name} has no pipes`);
    const bytes = pipeBytes({ packetBytes, maxPackets });
    const isSound = isCount(packetBytes) && isCount(maxPackets) && packetBytes <= pipes.maxPacketSize;
    if (!isSound || bytes > maxMemAllocSize) {
      throw new OpenCLError(
        'CL_INVALID_PIPE_SIZE',
        `a pipe of ${maxPackets} packets of ${packetBytes} bytes: packets have 1 to ${pipes.maxPacketSize}, all together ${maxMemAllocSize} at most`,
      );
    }
    this.#queue = queue;
    this.#onRelease = onRelease;
    this.packetBytes = packetBytes;
    this.maxPackets = maxPackets;
    this.#buffer = RuntimeBuffer.create(queue.context, bytes);
    writeEmptyPipe(this.#buffer.view(0, bytes), { packetBytes, maxPackets });
  }

  /** For kernel calls. @throws OpenCLError CL_INVALID_MEM_OBJECT if it is released or another program's */
  memoryFor(queue: CommandQueue): RuntimeBuffer {
    if (this.#released) throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the pipe has been released');
    if (queue.context !== this.#queue.context) {
      throw new OpenCLError('CL_INVALID_MEM_OBJECT', 'the pipe is of another device or time-out');
    }
    return this.#buffer;
  }

  /** Gives the memory back, once calls that use it have ended. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#onRelease();
    this.#buffer.release();
  }

  /** For `using`. */
  [dispose](): void {
    this.release();
  }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

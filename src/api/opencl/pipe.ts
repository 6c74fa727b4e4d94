/** Pipes: packets that kernels write and other kernels read, first in, first out (OpenCL 2.0, 5.4). */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import { type PipeShape, pipeBytes, writeEmptyPipe } from '../../runtime/pipe-layout.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';
import type { CLContext } from './context.ts';
import { invalidQuery, shownBits } from './handle.ts';
import { CLMemory } from './memory.ts';

/** What 0 means, and all that there is besides its parts (OpenCL 2.0, 5.4.1): both ends of a pipe are kernels. */
const pipeFlags = CL.MEM_READ_WRITE | CL.MEM_HOST_NO_ACCESS;
const allowedFlags: readonly number[] = [0, CL.MEM_READ_WRITE, CL.MEM_HOST_NO_ACCESS, pipeFlags];

export class CLPipe extends CLMemory {
  /** What profiles and logs call it, in minified bundles too. */
  static override readonly name: string = 'CLPipe';
  readonly type: number = CL.MEM_OBJECT_PIPE;
  readonly size: number;
  readonly parent = undefined;
  readonly origin = 0;
  /** Bytes of a packet, and how many the pipe holds. */
  readonly shape: PipeShape;

  /** Pipes come from CLContext.createPipe. */
  constructor(context: CLContext, flags: number, runtime: RuntimeBuffer, shape: PipeShape) {
    super(context, flags, runtime, undefined);
    this.size = runtime.size;
    this.shape = shape;
  }

  /** clCreatePipe; see CLContext.createPipe. */
  static create(
    context: CLContext,
    flags: number,
    packetSize: number,
    maxPackets: number,
    properties: readonly number[] | null | undefined,
  ): CLPipe {
    if (!allowedFlags.includes(flags)) {
      const message = `${shownBits(flags)} are no flags of a pipe: MEM_READ_WRITE and MEM_HOST_NO_ACCESS are all`;
      throw new OpenCLError('CL_INVALID_VALUE', message);
    }
    if (properties?.length) throw new OpenCLError('CL_INVALID_VALUE', 'pipes have no properties');
    const limits = context.devices.flatMap(({ runtime }) => runtime.info.pipes ?? []);
    if (limits.length === 0)
      throw new OpenCLError('CL_INVALID_OPERATION', 'no device of the context has pipes');
    const largest = Math.max(...limits.map(({ maxPacketSize }) => maxPacketSize));
    if (!isCount(packetSize) || packetSize > largest || !isCount(maxPackets)) {
      throw new OpenCLError(
        'CL_INVALID_PIPE_SIZE',
        `${shown(maxPackets)} packets of ${shown(packetSize)} bytes: there must be one at least, of 1 to ${largest} bytes`,
      );
    }
    const shape = { packetBytes: packetSize, maxPackets };
    const bytes = pipeBytes(shape);
    if (bytes > context.maxMemAllocSize) {
      throw new OpenCLError('CL_MEM_OBJECT_ALLOCATION_FAILURE', `the pipe would take ${bytes} bytes`);
    }
    const runtime = RuntimeBuffer.create(context.runtime, bytes);
    writeEmptyPipe(runtime.view(0, bytes), shape);
    return new CLPipe(context, pipeFlags, runtime, shape);
  }

  /** clGetPipeInfo: PIPE_PACKET_SIZE, PIPE_MAX_PACKETS, PIPE_PROPERTIES (OpenCL 3.0). */
  getPipeInfo(name: number): number | readonly number[] {
    this.check();
    switch (name) {
      case CL.PIPE_PACKET_SIZE:
        return this.shape.packetBytes;
      case CL.PIPE_MAX_PACKETS:
        return this.shape.maxPackets;
      case CL.PIPE_PROPERTIES:
        return [];
      default:
        return invalidQuery(name);
    }
  }
}

/** From 1 to the largest signed number of 32 bits, so that slots can be counted. */
function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

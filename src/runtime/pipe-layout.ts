/**
 * Pipes in memory (OpenCL 2.0, 5.4): how a pipe's bytes begin before any kernel has seen it. src/library/pipes.cl is what
 * works on them, and docs/pipes.md says what they mean.
 *
 *     byte 0     bytes of a packet
 *     4          slots: how many packets it holds
 *     8          where the first packet lies, from the pipe's beginning
 *     64         where the next packet is written, 32 bits: the slot, and above as many bits as a slot has the rounds
 *     128        where the next packet is read, likewise
 *     192        the state of each slot, 32 bits
 *     ...        packets, aligned to 128 bytes, without gaps
 */

/** What a pipe is created for. */
export interface PipeShape {
  readonly packetBytes: number;
  readonly maxPackets: number;
}

const stateBytes = 4;
const firstState = 192;
/** As the largest built-in type needs it. */
const packetAlignment = 128;

function firstPacket({ maxPackets }: PipeShape): number {
  return Math.ceil((firstState + stateBytes * maxPackets) / packetAlignment) * packetAlignment;
}

/** Bytes that a pipe takes. */
export function pipeBytes(shape: PipeShape): number {
  return firstPacket(shape) + shape.packetBytes * shape.maxPackets;
}

/** Makes an empty pipe of `pipeBytes` bytes. */
export function writeEmptyPipe(bytes: Uint8Array, shape: PipeShape): void {
  const first = firstPacket(shape);
  bytes.fill(0, 0, first);
  const view = new DataView(bytes.buffer, bytes.byteOffset, first);
  view.setUint32(0, shape.packetBytes, true);
  view.setUint32(4, shape.maxPackets, true);
  view.setUint32(8, first, true);
}

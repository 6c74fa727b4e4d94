/** Copies and fills inside device memory, as command payloads of 32-bit words: how they are written and run. */
import type { CommandBody, MemoryRange } from '../../runtime/command.ts';
import { copyRectangle as copyRows, fillPattern } from '../../runtime/transfer.ts';

type TransferBody = Extract<CommandBody, { kind: 'copy' | 'copy-rectangle' | 'fill' }>;

/** How many words of payload a transfer takes. */
export function transferWords(body: TransferBody): number {
  if (body.kind === 'copy') return 3;
  if (body.kind === 'copy-rectangle') return 9;
  return 3 + ((body.pattern.length + 3) >> 2);
}

/** Writes a transfer's payload at `at`. */
export function encodeTransfer(body: TransferBody, words: Int32Array, bytes: Uint8Array, at: number): void {
  if (body.kind === 'copy') {
    words[at] = addressOf(body.source);
    words[at + 1] = addressOf(body.target);
    words[at + 2] = body.bytes;
  } else if (body.kind === 'copy-rectangle') {
    words[at] = addressOf(body.source);
    words[at + 1] = body.source.rowPitch;
    words[at + 2] = body.source.slicePitch;
    words[at + 3] = addressOf(body.target);
    words[at + 4] = body.target.rowPitch;
    words[at + 5] = body.target.slicePitch;
    words.set(body.region, at + 6);
  } else {
    words[at] = addressOf(body.target);
    words[at + 1] = body.bytes;
    words[at + 2] = body.pattern.length;
    bytes.set(body.pattern, (at + 3) * 4);
  }
}

export function copyBytes(memory: Uint8Array, payload: Int32Array): void {
  const source = unsigned(payload, 0);
  memory.copyWithin(unsigned(payload, 1), source, source + unsigned(payload, 2));
}

export function copyRectangle(memory: Uint8Array, payload: Int32Array): void {
  const rectangle = (at: number) => ({
    start: unsigned(payload, at),
    rowPitch: unsigned(payload, at + 1),
    slicePitch: unsigned(payload, at + 2),
  });
  const region = [unsigned(payload, 6), unsigned(payload, 7), unsigned(payload, 8)] as const;
  copyRows(memory, rectangle(3), memory, rectangle(0), region);
}

export function fillBytes(memory: Uint8Array, payload: Int32Array): void {
  const pattern = new Uint8Array(payload.buffer, payload.byteOffset + 12, unsigned(payload, 2));
  fillPattern(memory, unsigned(payload, 0), unsigned(payload, 1), pattern);
}

function unsigned(payload: Int32Array, at: number): number {
  return payload[at]! >>> 0;
}

function addressOf(range: MemoryRange): number {
  return range.memory.address + range.offset;
}

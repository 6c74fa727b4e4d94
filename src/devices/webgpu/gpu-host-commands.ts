/** Commands that a WebGPU device has no part in: copies, fills and host commands, done in the context's memory once the newest bytes are there. */
import { bufferUpTo } from '../../runtime/shared-growth.ts';
import { statusCodes } from '../../runtime/status.ts';
import { copyRectangle, fillPattern } from '../../runtime/transfer.ts';
import { endOf, type Range, rangeAt } from '../icd/memory-access.ts';
import {
  access,
  copyPayload,
  fillPayload,
  operation,
  rangeWords,
  rectanglePayload,
  wideAt,
} from '../icd/native-layout.ts';
import type { GpuMemory } from './gpu-memory.ts';

/** Each function takes a payload (native-layout.ts), which it copies before it waits, and resolves to a CL status. */
export class GpuHostCommands {
  readonly #context: WebAssembly.Memory;
  readonly #memory: GpuMemory;

  constructor(context: WebAssembly.Memory, memory: GpuMemory) {
    this.#context = context;
    this.#memory = memory;
  }

  /** The context's memory, all of some ranges within it. */
  #bytesOf(...ranges: readonly Range[]): Uint8Array {
    return new Uint8Array(bufferUpTo(this.#context, Math.max(...ranges.map(endOf))));
  }

  /** A copy, a copied rectangle or a fill of a device queue's stream. */
  transfer(payload: Int32Array): Promise<number> {
    switch (payload[0]) {
      case operation.copy:
        return this.copy(payload);
      case operation.copyRectangle:
        return this.copyRectangle(payload);
      default:
        return this.#fill(payload);
    }
  }

  async copy(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const source = rangeAt(payload, copyPayload.source);
    const target = rangeAt(payload, copyPayload.target);
    const bytes = wideAt(payload, copyPayload.bytes);
    await this.#memory.publish(source);
    await this.#memory.giveUp(target);
    const from = source.address + source.offset;
    this.#bytesOf(source, target).copyWithin(target.address + target.offset, from, from + bytes);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  async copyRectangle(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const source = rangeAt(payload, rectanglePayload.source);
    const target = rangeAt(payload, rectanglePayload.target);
    await this.#memory.publish(source);
    await this.#memory.publish(target);
    const number = (index: number): number => wideAt(payload, rectanglePayload.numbers + 2 * index);
    const rectangle = (range: Range, pitch: number) => ({
      start: range.address + range.offset,
      rowPitch: number(pitch),
      slicePitch: number(pitch + 1),
    });
    const region = [number(4), number(5), number(6)] as const;
    const memory = this.#bytesOf(source, target);
    copyRectangle(memory, rectangle(target, 2), memory, rectangle(source, 0), region);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  async #fill(given: Int32Array): Promise<number> {
    const payload = given.slice();
    const target = rangeAt(payload, fillPayload.target);
    await this.#memory.giveUp(target);
    const pattern = new Uint8Array(
      payload.buffer,
      fillPayload.pattern * 4,
      payload[fillPayload.patternBytes]!,
    );
    const start = target.address + target.offset;
    fillPattern(this.#bytesOf(target), start, wideAt(payload, fillPayload.bytes), pattern);
    this.#memory.hostChanged(target);
    return statusCodes.CL_SUCCESS;
  }

  /** Brings the host's bytes up to date that a host command or a marker is about to read or change. */
  async synchronise(given: Int32Array): Promise<number> {
    const payload = given.slice();
    for (let at = 0; at < payload.length; at += rangeWords.count) {
      const range = rangeAt(payload, at);
      await this.#memory.publish(range);
      if (range.access & access.writes) this.#memory.hostChanged(range);
    }
    return statusCodes.CL_SUCCESS;
  }
}

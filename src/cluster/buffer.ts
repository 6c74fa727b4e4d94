/** Memory that each rank has a copy of, of which parts are newer with some ranks than with others. */
import type { DeviceBuffer, TypedArray, TypedArrayConstructor } from '../api/javascript/device-buffer.ts';
import type { Communicator } from '../mpi/index.ts';
import type { Launcher } from './launcher.ts';
import { Validity } from './validity.ts';

export class ClusterBuffer {
  readonly byteLength: number;
  /** This rank's. */
  readonly local: DeviceBuffer;
  readonly validity: Validity;
  readonly #launcher: Launcher;

  /** Buffers are made by ClusterProgram.buffer. */
  constructor(ranks: Communicator, local: DeviceBuffer, launcher: Launcher) {
    this.local = local;
    this.byteLength = local.byteLength;
    this.validity = new Validity(local.byteLength, ranks.size);
    this.#launcher = launcher;
  }

  /** All of it, on every rank. All ranks call it. */
  async read<T extends TypedArray>(kind: TypedArrayConstructor<T>): Promise<T> {
    await this.#launcher.bringEverywhere(this);
    return this.local.read(kind);
  }

  /** Replaces the content from a byte on. All ranks call it with the same. */
  async write(data: TypedArray, byteOffset = 0): Promise<void> {
    await this.#launcher.after(async () => {
      await this.local.write(data, byteOffset);
      this.validity.sameEverywhere({ start: byteOffset, end: byteOffset + data.byteLength });
    });
  }

  release(): void {
    this.local.release();
  }
}

/**
 * Numbers for the buffers of which a device keeps copies. Addresses are used again; numbers never are, so that the copy
 * of a released buffer is not taken for one of its successor.
 */
import { RuntimeBuffer } from '../../runtime/buffer.ts';
import type { MemoryObject } from '../../runtime/command.ts';
import type { DeviceHost } from '../../runtime/device.ts';

export class BufferNumbers {
  readonly #byAddress = new Map<number, number>();
  readonly #others = new WeakSet<MemoryObject>();
  #next = 1;

  /** `forget` is told when the buffer of a number is gone. */
  constructor(host: DeviceHost, forget: (id: number) => void) {
    host.onFree((address) => {
      const id = this.#byAddress.get(address);
      if (id === undefined) return;
      this.#byAddress.delete(address);
      forget(id);
    });
  }

  /** Keeps copies of this memory too, though it is no buffer. It must be freed as buffers are. */
  add(memory: MemoryObject): void {
    this.#others.add(memory);
  }

  /** The number of a whole buffer; 0 for memory that is not a buffer, such as staging memory. */
  of(whole: MemoryObject): number {
    if (!(whole instanceof RuntimeBuffer) && !this.#others.has(whole)) return 0;
    let id = this.#byAddress.get(whole.address);
    if (id === undefined) {
      id = this.#next;
      this.#next += 1;
      this.#byAddress.set(whole.address, id);
    }
    return id;
  }
}

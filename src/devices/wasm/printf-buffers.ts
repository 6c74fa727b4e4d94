/**
 * The buffers in device memory that compiled kernels print into, one for each launch from its enqueueing until its
 * text is out. A kernel that runs wild can spoil them as it can spoil any buffer, so nothing in them is believed: the
 * host copies what seems to be there and reads the copy with every size checked (src/ir/printf/record.ts).
 */
import { printfBufferBytes } from '../../codegen/wasm/module/abi.ts';
import { bufferHeader, type PrintfSite, recordTexts } from '../../ir/printf/record.ts';
import type { DeviceHost } from '../../runtime/device.ts';
import type { LaunchBody } from '../../runtime/local-engine.ts';

/** Buffers kept for later launches; more are given back. */
const mostKept = 8;
/** Bytes of a string that are looked at in search of its end. */
const longestString = 1 << 16;

export class PrintfBuffers {
  readonly #host: DeviceHost;
  readonly #free: number[] = [];

  constructor(host: DeviceHost) {
    this.#host = host;
  }

  /**
   * The address of a buffer for the launch of that event.
   * @throws OpenCLError CL_MEM_OBJECT_ALLOCATION_FAILURE
   */
  take(event: number, body: LaunchBody, sites: readonly PrintfSite[]): number {
    const { events, memory, printing } = this.#host;
    const address = this.#free.pop() ?? memory.allocate(printfBufferBytes);
    const view = () => new DataView(memory.bytes.buffer, address, printfBufferBytes);
    view().setUint32(bufferHeader.claimed, 0, true);
    view().setUint32(bufferHeader.refused, 0, true);
    const text = {
      texts: () =>
        recordTexts({
          records: this.#records(address),
          sites,
          addressBits: 32,
          readString: (place) => this.#string(place),
        }),
      refused: () => view().getUint32(bufferHeader.refused, true),
      // Threads may still be in a launch that has failed.
      release: () => (events.status(event) < 0 ? this.#host.freeLater(address) : this.#giveBack(address)),
    };
    printing.expect(event, text, body.print);
    return address;
  }

  /** A copy of what was claimed. */
  #records(address: number): Uint8Array {
    const { bytes } = this.#host.memory;
    const start = address + bufferHeader.records;
    const claimed = new DataView(bytes.buffer, address, bufferHeader.records).getUint32(
      bufferHeader.claimed,
      true,
    );
    return bytes.slice(start, Math.min(start + claimed, address + printfBufferBytes));
  }

  #string(address: number): string | undefined {
    if (address === 0) return undefined;
    let text = '';
    for (const byte of this.#host.memory.bytes.subarray(address, address + longestString)) {
      if (byte === 0) return text;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #giveBack(address: number): void {
    if (this.#free.length < mostKept) this.#free.push(address);
    else this.#host.memory.free(address);
  }
}

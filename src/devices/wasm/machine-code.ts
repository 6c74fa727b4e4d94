/**
 * What a device of machine code (devices/native) tells the runtime that it shares with WebAssembly: types alone. Its programs are modules, too,
 * that hold machine code; before threads are told of one, a keeper puts the code where they can call it.
 */
import type { DeviceHost } from '../../runtime/device.ts';
import type { DeviceIdentity } from './device-info.ts';
import type { SharedLayout } from './shared-layout.ts';

export interface MachineCode {
  readonly id: string;
  /** What the device says of itself that differs. */
  readonly who: DeviceIdentity;
  /** What its code is told apart by in caches. */
  readonly variant: string;
  /**
   * Makes a context ready for its code.
   * @throws OpenCLError CL_DEVICE_NOT_AVAILABLE if its memory is no such one
   */
  open(host: DeviceHost, layout: SharedLayout): CodeKeeper;
}

/** The machine code of a context's programs. */
export interface CodeKeeper {
  /** @throws OpenCLError CL_OUT_OF_HOST_MEMORY if there is no room for it */
  place(module: Uint8Array): PlacedCode;
  /** Has all threads ended, by `end`, once none is in code, and gives the code back when they have. */
  close(end: () => Promise<unknown> | undefined): void;
}

/** A context as this device sees it, which keeps machine code there. */
export type WasmHost = DeviceHost & { keeper?: CodeKeeper | undefined };

export interface PlacedCode {
  /** The module that tells threads where the code is. */
  readonly bytes: Uint8Array;
  /** No command needs it any more. */
  release(): void;
}

/** The host's side of a canvas that the device draws on: a kernel whose launches are done by gpu-screens.ts. */
import type { Triple } from '../../runtime/command.ts';
import type { DeviceKernel } from '../../runtime/device.ts';
import type { DeviceScreen } from '../../runtime/screen.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { access } from '../icd/native-layout.ts';
import type { ThreadKernel } from '../icd/native-queue.ts';
import type { NativeThread } from '../icd/native-thread.ts';
import { firstScreenNumber } from './gpu-layout.ts';

class ScreenKernel implements DeviceKernel, ThreadKernel {
  readonly name = 'screen';
  readonly number = 0;
  readonly handle: number;
  readonly parameters = [];
  readonly attributes = undefined;
  readonly localBytes = 0;
  readonly privateBytes = 0;
  readonly maxWorkGroupSize = 1;
  readonly preferredWorkGroupMultiple = 1;

  constructor(handle: number) {
    this.handle = handle;
  }

  accessOf(): number {
    return access.reads;
  }

  chooseLocalSize(): Triple {
    return [1, 1, 1];
  }

  refuses(): undefined {
    return undefined;
  }
}

let screens = 0;

/** @throws OpenCLError what is wrong with the canvas */
export async function openGpuScreen(thread: NativeThread, canvas: OffscreenCanvas): Promise<DeviceScreen> {
  const handle = firstScreenNumber + screens;
  screens += 1;
  const { status, message } = await thread.openScreen(handle, canvas);
  if (status !== 0) throw new OpenCLError(status, message ?? 'the canvas cannot be drawn on');
  return { kernel: new ScreenKernel(handle), release: () => thread.releaseScreen(handle) };
}

/**
 * The IR's interpreter as a device: slow and exact, with every memory access checked, on the host thread. Results of
 * other devices are compared with it, kernel by kernel. The interpreter itself is loaded apart.
 */
import { Part } from '../../parts/part.ts';
import type { Device, DeviceHost, DeviceInfo, OpenDevice } from '../../runtime/device.ts';
import { formatsOf, type ImageFormat } from '../../runtime/image-format.ts';
import { wasmDeviceInfo } from '../wasm/device-info.ts';
import type { OpenInterpreter } from './open-interpreter.ts';

/** What opens the device. */
export const interpreter = /* @__PURE__ */ new Part<typeof OpenInterpreter>(
  'the interpreter',
  async () => (await import('./open-interpreter.ts')).OpenInterpreter,
);

/**
 * CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, _FINE_GRAIN_BUFFER: it works in the memory that the host sees, but atomically only towards
 * the thread that it runs on.
 */
const bufferSvm = 0b11;

export class InterpreterDevice implements Device {
  readonly id = 'interpreter';
  readonly namesPlaces = true;
  readonly info: DeviceInfo = wasmDeviceInfo(1, {
    name: 'Millrace interpreter',
    type: 'custom',
    svmCapabilities: bufferSvm,
  });

  imageFormats(objectType: number): readonly ImageFormat[] {
    return formatsOf(objectType);
  }

  load(): Promise<void> {
    return interpreter.load();
  }

  open(host: DeviceHost): OpenDevice {
    const Opened = interpreter.get();
    return new Opened(this, host);
  }
}

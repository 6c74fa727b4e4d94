/** Platforms and devices of WebCL (3.4 and 3.5). */
import { CL } from '../opencl/constants.ts';
import type { CLDevice, CLPlatform } from '../opencl/platform.ts';
import { attempt } from './exception.ts';
import { enableExtension, isEnabled, supportedExtensions } from './extensions.ts';
import { checkName, innerOf, outerOf, pair, watchWebCL } from './handles.ts';

const platformNames = [
  CL.PLATFORM_PROFILE,
  CL.PLATFORM_VERSION,
  CL.PLATFORM_NAME,
  CL.PLATFORM_VENDOR,
  CL.PLATFORM_EXTENSIONS,
];

export class WebCLPlatform {
  constructor(inner: CLPlatform) {
    watchWebCL(new.target);
    pair(this, inner);
  }

  /** PLATFORM_PROFILE, _VERSION, _NAME, _VENDOR, _EXTENSIONS. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): string {
    checkName(name, platformNames);
    if (name === CL.PLATFORM_PROFILE) return 'WEBCL_PROFILE';
    if (name === CL.PLATFORM_VERSION) return 'WebCL 1.0 Millrace';
    if (name === CL.PLATFORM_EXTENSIONS) return this.getSupportedExtensions().join(' ');
    // Name and vendor.
    return String(innerOf<CLPlatform>(this).getInfo(name));
  }

  /** @throws WebCLException INVALID_DEVICE_TYPE, DEVICE_NOT_FOUND */
  getDevices(deviceType: number = CL.DEVICE_TYPE_ALL): WebCLDevice[] {
    return attempt(() => innerOf<CLPlatform>(this).getDevices(deviceType)).map(deviceFor);
  }

  getSupportedExtensions(): string[] {
    return supportedExtensions(innerOf<CLPlatform>(this).getDevices());
  }

  /** Enables an extension for the platform's devices. False if they do not have it. */
  enableExtension(extensionName: string): boolean {
    return enableExtension(innerOf<CLPlatform>(this).getDevices(), extensionName);
  }
}

/** The last query of OpenCL 1.1; those of later versions are none of WebCL's. */
const lastQuery = CL.DEVICE_OPENCL_C_VERSION;
/** Queries that count as 0 until an extension is enabled. */
const queriesOfExtensions: Readonly<Record<number, string>> = {
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE]: 'KHR_fp64',
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE]: 'KHR_fp64',
  [CL.DEVICE_DOUBLE_FP_CONFIG]: 'KHR_fp64',
  [CL.DEVICE_PREFERRED_VECTOR_WIDTH_HALF]: 'KHR_fp16',
  [CL.DEVICE_NATIVE_VECTOR_WIDTH_HALF]: 'KHR_fp16',
  [CL.DEVICE_HALF_FP_CONFIG]: 'KHR_fp16',
};

export type WebCLDeviceInfo = number | boolean | string | null | readonly number[] | WebCLPlatform;

export class WebCLDevice {
  constructor(inner: CLDevice) {
    watchWebCL(new.target);
    pair(this, inner);
  }

  /** Everything of OpenCL 1.1, table 4.3, but DEVICE_MIN_DATA_TYPE_ALIGN_SIZE. @throws WebCLException INVALID_VALUE */
  getInfo(name: number): WebCLDeviceInfo {
    const inner = innerOf<CLDevice>(this);
    const isKnown = name <= lastQuery && name !== CL.DEVICE_MIN_DATA_TYPE_ALIGN_SIZE;
    checkName(name, isKnown ? [name] : []);
    const extension = queriesOfExtensions[name];
    if (extension && !isEnabled(inner, extension)) return 0;
    switch (name) {
      case CL.DEVICE_PROFILE:
        return 'WEBCL_PROFILE';
      case CL.DEVICE_VERSION:
        return 'WebCL 1.0 Millrace';
      case CL.DEVICE_OPENCL_C_VERSION:
        return 'WebCL C 1.0 Millrace';
      case CL.DEVICE_EXTENSIONS:
        return this.getSupportedExtensions().join(' ');
      case CL.DEVICE_TYPE:
        return (inner.getInfo(name) as number) & ~CL.DEVICE_TYPE_DEFAULT;
      case CL.DEVICE_EXECUTION_CAPABILITIES:
        return CL.EXEC_KERNEL;
      case CL.DEVICE_PLATFORM:
        return platformFor(inner.platform);
      default: {
        const answer = attempt(() => inner.getInfo(name)) as number | readonly number[];
        return Array.isArray(answer) ? [...answer] : answer;
      }
    }
  }

  getSupportedExtensions(): string[] {
    return supportedExtensions([innerOf<CLDevice>(this)]);
  }

  /** False if the device does not have the extension. */
  enableExtension(extensionName: string): boolean {
    return enableExtension([innerOf<CLDevice>(this)], extensionName);
  }
}

export function platformFor(inner: CLPlatform): WebCLPlatform {
  return outerOf(inner, (platform) => new WebCLPlatform(platform));
}

export function deviceFor(inner: CLDevice): WebCLDevice {
  return outerOf(inner, (device) => new WebCLDevice(device));
}

/** Devices for the OpenCL API; what is no device of ours it refuses. */
export function givenDevice(device: WebCLDevice | null | undefined): CLDevice {
  return device instanceof WebCLDevice ? innerOf<CLDevice>(device) : (device as unknown as CLDevice);
}

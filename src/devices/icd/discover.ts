/** Finds the devices of all OpenCL drivers of this machine, when somebody first asks. */
import type { PlatformInfo } from '../../runtime/device.ts';
import { statusName } from '../../runtime/status.ts';
import { deviceProperties } from './device-properties.ts';
import { type Driver, loadDriver } from './driver.ts';
import { answerText, answerWords, type Query } from './info-queries.ts';
import { NativeDevice } from './native-device.ts';
import { brokenDrivers } from './vendor-files.ts';

const allTypes = 0xffffffff;
const deviceNotFound = -1;
/** The loader's answer when no driver is installed. */
const noPlatform = -1001;

interface Found {
  readonly devices: readonly NativeDevice[];
  readonly problems: readonly string[];
}

let found: Found | undefined;
let broken: readonly string[] | undefined;

/** The devices of all drivers; the same objects at every call. The first call loads the drivers. */
export function nativeDevices(): readonly NativeDevice[] {
  found ??= discover();
  return found.devices;
}

/** Why there are fewer devices than one might expect, in sentences for people; empty if all is well. */
export function nativeProblems(): readonly string[] {
  found ??= discover();
  // The loader passes over drivers that do not load, without a word.
  broken ??= brokenDrivers();
  return [...found.problems, ...broken];
}

function discover(): Found {
  const driver = loadDriver();
  if (typeof driver === 'string') return { devices: [], problems: [driver] };
  const devices: NativeDevice[] = [];
  const problems: string[] = [];
  const count = new Uint32Array(1);
  const status = driver.clGetPlatformIDs(0, null, count);
  if (status === noPlatform || (status === 0 && count[0] === 0)) {
    return { devices, problems: ['there is an OpenCL loader, but it finds no driver'] };
  }
  if (status !== 0) return { devices, problems: [`the OpenCL loader fails: ${statusName(status)}`] };
  const platforms = new BigUint64Array(count[0]!);
  driver.clGetPlatformIDs(platforms.length, platforms, null);
  for (const handle of platforms) platformDevices(driver, Number(handle), devices, problems);
  return { devices, problems };
}

function platformDevices(
  driver: Driver,
  platform: number,
  devices: NativeDevice[],
  problems: string[],
): void {
  const query: Query = (name, size, value, needed) =>
    driver.clGetPlatformInfo(platform, name, size, value, needed);
  const info: PlatformInfo = {
    name: answerText(query, 0x0902),
    vendor: answerText(query, 0x0903),
    version: answerText(query, 0x0901),
    profile: answerText(query, 0x0900) === 'EMBEDDED_PROFILE' ? 'EMBEDDED_PROFILE' : 'FULL_PROFILE',
    extensions: answerWords(query, 0x0904),
  };
  const count = new Uint32Array(1);
  const status = driver.clGetDeviceIDs(platform, allTypes, 0, null, count);
  if (status !== 0 || count[0] === 0) {
    const why = status === 0 || status === deviceNotFound ? 'has no device' : `fails: ${statusName(status)}`;
    problems.push(`the OpenCL driver '${info.name}' ${why}`);
    return;
  }
  const handles = new BigUint64Array(count[0]!);
  driver.clGetDeviceIDs(platform, allTypes, handles.length, handles, null);
  // The suffix of cl_khr_icd is the driver's short name: POCL, NV, INTEL.
  const short = answerText(query, 0x0920) || info.name;
  for (const handle of handles) {
    const device = Number(handle);
    const properties = deviceProperties((name, size, value, needed) =>
      driver.clGetDeviceInfo(device, name, size, value, needed),
    );
    const id = `icd:${slug(short)}-${slug(properties.name)}`;
    const same = devices.filter((other) => other.id === id || other.id.startsWith(`${id}#`)).length;
    devices.push(new NativeDevice(same === 0 ? id : `${id}#${same + 1}`, properties, info, device));
  }
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

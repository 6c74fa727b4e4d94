/** Devices of Brook+ (2.12 of the guide): which there are, and which streams and kernels are made for. */

import { environment } from '../../runtime/host.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { CL } from '../opencl/constants.ts';
import { type CLDevice, type CLPlatform, defaultPlatform, getPlatforms } from '../opencl/platform.ts';
import { BrookSession } from './session.ts';

/** `cpu` is the interpreter, for looking at what kernels do; all others stand where Brook+ has CAL. */
export type BrookDeviceType = 'all' | 'cal' | 'cpu';

export class BrookDevice {
  readonly device: CLDevice;
  #session: BrookSession | undefined;

  /** Devices come from {@link getDevices}. */
  constructor(device: CLDevice) {
    this.device = device;
  }

  get name(): string {
    return this.device.runtime.info.name;
  }

  /** `cpu` or `cal`. */
  getType(): 'cal' | 'cpu' {
    return typeOf(this.device);
  }

  /** What else can share its memory, as words: nothing. */
  getBindings(): string {
    return '';
  }

  /** The device at work; begun when it is first needed. */
  get session(): BrookSession {
    this.#session ??= new BrookSession(this.device);
    return this.#session;
  }

  /**
   * Resolves when the device's threads run. In a worker of a page they do not start while the worker sleeps, so await this once
   * before the first stream is read or written there; elsewhere it is never needed.
   */
  ready(): Promise<void> {
    return this.session.queue.ready();
  }

  /** Ends its threads; its streams are of no more use. */
  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}

/** The interpreter is a custom device, which `DEVICE_TYPE_ALL` leaves out. */
const everyType =
  CL.DEVICE_TYPE_CPU | CL.DEVICE_TYPE_GPU | CL.DEVICE_TYPE_ACCELERATOR | CL.DEVICE_TYPE_CUSTOM;

/** What Brook+ takes a device for. */
export function typeOf({ runtime }: CLDevice): 'cal' | 'cpu' {
  return runtime.id === 'interpreter' ? 'cpu' : 'cal';
}

/** The devices of platforms; default those of all that the machine has. */
export function devicesOf(platforms: readonly CLPlatform[] = getPlatforms()): readonly CLDevice[] {
  return platforms.flatMap((platform) => platform.getDevices(everyType));
}

/** One object for each device. */
const known = new Map<CLDevice, BrookDevice>();
let used: readonly BrookDevice[] = [];

function knownFor(device: CLDevice): BrookDevice {
  const found = known.get(device) ?? new BrookDevice(device);
  known.set(device, found);
  return found;
}

/**
 * The devices of a type, those of the machine's OpenCL drivers among them; the same objects at every call. Of other types
 * than `all`, `cal` and `cpu` there are none.
 */
export function getDevices(type = 'all'): BrookDevice[] {
  const all = calledByProgram('Brook+', 'getDevices', [type], () => devicesOf().map(knownFor));
  return type === 'all' ? all : all.filter((device) => device.getType() === type);
}

/** Makes new streams and modules use these devices, of which the first one counts; gives those that were used before. */
export function useDevices(devices: readonly BrookDevice[]): readonly BrookDevice[] {
  return calledByProgram('Brook+', 'useDevices', [devices], () => {
    const before = used;
    used = [...devices];
    return before;
  });
}

/** The device of new streams and modules: what {@link useDevices} said, or {@link deviceOfEnvironment}. */
export function currentDevice(): BrookDevice {
  return used[0] ?? knownFor(deviceOfEnvironment(environment));
}

/**
 * The device that an environment asks for: BRT_RUNTIME (`cpu` or `cal`, which is the default) and BRT_ADAPTER, the place of a
 * device among those of its type. Where there is none at that place, it is the first one.
 * @param variable the value of a variable of the environment
 * @param platforms where to look; default Millrace's own and, for places beyond it, those of the machine's drivers
 */
export function deviceOfEnvironment(
  variable: (name: string) => string | undefined,
  platforms?: readonly CLPlatform[],
): CLDevice {
  const type = variable('BRT_RUNTIME') === 'cpu' ? 'cpu' : 'cal';
  const place = Number(variable('BRT_ADAPTER') ?? 0);
  const ofType = (those: readonly CLPlatform[]): readonly CLDevice[] =>
    devicesOf(those).filter((device) => typeOf(device) === type);
  const own = ofType(platforms ?? [defaultPlatform()]);
  // Drivers are loaded only for those who want more than our own devices.
  const found = own[place] ?? (platforms ? undefined : ofType(getPlatforms())[place]);
  return found ?? own[0] ?? defaultPlatform().getDevices(everyType)[0];
}

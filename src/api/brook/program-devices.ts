/** The devices that a program of Brook+ finds and uses (2.16 of the guide). It knows them by their places in a list. */
import { type CLDevice, defaultPlatform } from '../opencl/platform.ts';
import { devicesOf, typeOf } from './devices.ts';
import { BrookSession } from './session.ts';

export interface ProgramDeviceOptions {
  /** Where streams and kernels are until the program says so; default the first of Millrace's own. */
  readonly device?: (() => CLDevice) | undefined;
  /** What the program can choose from; default the devices of Millrace's own platform. */
  readonly devices?: (() => readonly CLDevice[]) | undefined;
  /** A device at work. */
  readonly session?: ((device: CLDevice) => BrookSession) | undefined;
}

export class ProgramDevices {
  readonly #options: ProgramDeviceOptions;
  readonly #sessions = new Map<CLDevice, BrookSession>();
  #all: readonly CLDevice[] | undefined;
  #used: readonly number[] = [];

  constructor(options: ProgramDeviceOptions) {
    this.#options = options;
  }

  /** Those that are at work. */
  get sessions(): readonly BrookSession[] {
    return [...this.#sessions.values()];
  }

  /** That of the device in use. Made when it is first needed: a program may compile and have nothing to run. */
  get session(): BrookSession {
    const [place] = this.#used;
    const device = place === undefined ? this.#first : this.at(place);
    let session = this.#sessions.get(device);
    if (!session) {
      session = this.#options.session?.(device) ?? new BrookSession(device);
      this.#sessions.set(device, session);
    }
    return session;
  }

  /** Places of what the program uses, of which the first one counts; none until it says so. */
  get used(): readonly number[] {
    return this.#used;
  }

  use(places: readonly number[]): undefined {
    for (const place of places) this.at(place);
    this.#used = places;
    return undefined;
  }

  /** Places of the devices of a type: `all`, `cal` or `cpu`. */
  ofType(type: string): readonly number[] {
    return this.#list.flatMap((device, place) => (type === 'all' || type === typeOf(device) ? [place] : []));
  }

  /** The device at a place. One that is not there is the program's mistake, and traps. */
  at(place: number): CLDevice {
    const device = this.#list[place];
    if (!device) throw new WebAssembly.RuntimeError('it used a device that is not there');
    return device;
  }

  placeOf(device: CLDevice): number {
    return this.#list.indexOf(device);
  }

  get #first(): CLDevice {
    return this.#options.device?.() ?? defaultPlatform().getDevices()[0];
  }

  /** With the first one in any case, which BRT_ADAPTER may have found among the machine's drivers. */
  get #list(): readonly CLDevice[] {
    if (!this.#all) {
      const found = this.#options.devices?.() ?? devicesOf([defaultPlatform()]);
      const first = this.#first;
      this.#all = found.includes(first) ? found : [...found, first];
    }
    return this.#all;
  }
}

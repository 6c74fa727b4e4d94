/** The device that a person means by `--device`. */
import { type Device, deviceProblems, devices, OpenCLError, requestDevice } from 'millrace';
import { UsageError } from './errors.ts';

/** What a device is called, before it is opened. */
interface Names {
  readonly id: string;
  readonly name: string;
}

/** Devices that are there only when somebody asks for them. WebGPU's full name goes on with the maker of the card. */
const requestable = [
  { id: 'webgpu', name: 'WebGPU' },
  { id: 'native', name: 'Millrace x86-64' },
] as const;

/** The device that is taken if none is named. No driver is loaded. */
export function defaultDevice(): Device {
  return devices({ drivers: false })[0]!;
}

/**
 * A device by its id, its name or a part of either; without a name the default one. Ours are looked at first, also those that are asked for
 * (WebGPU's, machine code), which are loaded only if one of them is meant. Drivers are loaded only if it is none of ours.
 * @throws UsageError if there is none, or if a part fits several
 */
export async function findDevice(name: string | undefined): Promise<Device> {
  if (name === undefined) return defaultDevice();
  const own = devices({ drivers: false });
  const unopened = requestable.filter(({ id }) => own.every((device) => device.id !== id));
  const ours = chosenOf<Names>([...own, ...unopened], name);
  if (ours) {
    const asked = requestable.find(({ id }) => id === ours.id);
    return asked ? requested(asked.id) : own.find(({ id }) => id === ours.id)!;
  }
  const all = devices();
  const found = chosenOf(all, name);
  if (found) return found;
  const ids = new Set([...all, ...requestable].map(({ id }) => id));
  const why = deviceProblems().map((problem) => `\n${problem}`);
  throw new UsageError(`no device is called '${name}'; there are ${[...ids].join(', ')}${why.join('')}`);
}

async function requested(id: 'webgpu' | 'native'): Promise<Device> {
  try {
    return await requestDevice(id);
  } catch (error) {
    const name = id === 'webgpu' ? 'WebGPU' : 'native';
    if (error instanceof OpenCLError) throw new UsageError(`there is no ${name} device: ${error.message}`);
    throw error;
  }
}

/** The device that is called so; else the only one of whose names it is a part. */
function chosenOf<Named extends Names>(all: readonly Named[], name: string): Named | undefined {
  const part = name.toLowerCase();
  // An empty word, such as a variable of the shell that is not set, is a part of every name.
  if (part === '') return undefined;
  const having = (has: (text: string) => boolean) =>
    all.filter((device) => [device.id, device.name].some((text) => has(text.toLowerCase())));
  const whole = having((text) => text === part || (text === 'webgpu' && part.startsWith('webgpu ')));
  const fitting = whole.length > 0 ? whole : having((text) => text.includes(part));
  if (fitting.length > 1) {
    throw new UsageError(`--device '${name}' fits ${fitting.map(({ id }) => id).join(' and ')}: say which`);
  }
  return fitting[0];
}

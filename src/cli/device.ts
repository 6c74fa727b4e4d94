/** The device that a person means by `--device`. */
import { type Device, deviceProblems, devices, OpenCLError, requestDevice } from 'millrace';
import { UsageError } from './errors.ts';

/** The device that is taken if none is named. No driver is loaded. */
export function defaultDevice(): Device {
  return devices({ drivers: false })[0]!;
}

/**
 * A device by its id, its name or a part of either; without a name the default one. Those that are asked for (WebGPU's, machine code) and the
 * drivers are loaded only if it is none of ours, the former only if it is called so.
 */
export async function findDevice(name: string | undefined): Promise<Device> {
  if (name === undefined) return defaultDevice();
  const own = chosenOf(devices({ drivers: false }), name);
  if (own) return own;
  const asked = (['webgpu', 'native'] as const).find((id) => name.toLowerCase().startsWith(id));
  if (asked) return requested(asked);
  const found = chosenOf(devices(), name);
  if (found) return found;
  const ids = [...devices().map(({ id }) => id), 'webgpu', 'native'];
  const why = deviceProblems().map((problem) => `\n${problem}`);
  throw new UsageError(`no device is called '${name}'; there are ${ids.join(', ')}${why.join('')}`);
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

function chosenOf(all: readonly Device[], name: string): Device | undefined {
  const part = name.toLowerCase();
  // An empty word, such as a variable of the shell that is not set, is a part of every name.
  if (part === '') return undefined;
  return (
    all.find((device) => device.id === name) ??
    all.find(({ id, name: full }) => [id, full].some((text) => text.toLowerCase().includes(part)))
  );
}

/** The device that a person means by `--device`. */
import { type Device, deviceProblems, devices } from 'millrace';
import { UsageError } from './errors.ts';

/** The device that is taken if none is named. No driver is loaded. */
export function defaultDevice(): Device {
  return devices({ drivers: false })[0]!;
}

/** A device by its id, its name or a part of either; without a name the default one. Drivers are loaded only if it is none of ours. */
export function findDevice(name: string | undefined): Device {
  if (name === undefined) return defaultDevice();
  const found = chosenOf(devices({ drivers: false }), name) ?? chosenOf(devices(), name);
  if (!found) {
    const ids = devices().map(({ id }) => id);
    const why = deviceProblems().map((problem) => `\n${problem}`);
    throw new UsageError(`no device is called '${name}'; there are ${ids.join(', ')}${why.join('')}`);
  }
  return found;
}

function chosenOf(all: readonly Device[], name: string): Device | undefined {
  const part = name.toLowerCase();
  return (
    all.find((device) => device.id === name) ??
    all.find(({ id, name: full }) => [id, full].some((text) => text.toLowerCase().includes(part)))
  );
}

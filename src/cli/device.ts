/** The device that a person means by `--device`. */
import { type Device, devices } from 'millrace';
import { UsageError } from './errors.ts';

/** A device by its id, its name or a part of either; without a name the default one, and no driver is loaded. */
export function findDevice(name: string | undefined): Device | undefined {
  if (name === undefined) return undefined;
  const all = devices();
  const part = name.toLowerCase();
  const found =
    all.find((device) => device.id === name) ??
    all.find(({ id, name: full }) => [id, full].some((text) => text.toLowerCase().includes(part)));
  if (!found) {
    throw new UsageError(`no device is called '${name}'; there are ${all.map(({ id }) => id).join(', ')}`);
  }
  return found;
}

/** The part of `millrace devices --formats`: which image formats kernels of a device read and write (clGetSupportedImageFormats). */
import type { Device } from 'millrace';
import { CL, type CLDevice, getPlatforms } from 'millrace/opencl';

const kinds = [
  ['1D', CL.MEM_OBJECT_IMAGE1D],
  ['1D of a buffer', CL.MEM_OBJECT_IMAGE1D_BUFFER],
  ['1D array', CL.MEM_OBJECT_IMAGE1D_ARRAY],
  ['2D', CL.MEM_OBJECT_IMAGE2D],
  ['2D array', CL.MEM_OBJECT_IMAGE2D_ARRAY],
  ['3D', CL.MEM_OBJECT_IMAGE3D],
] as const;
const accesses = [
  ['read', 'read_only'],
  ['written', 'write_only'],
] as const;

/** The constants whose numbers lie in a range, by their numbers: channel orders and channel types. */
function namesBetween(first: number, last: number): ReadonlyMap<number, string> {
  const found = Object.entries(CL).filter(([, value]) => value >= first && value <= last);
  return new Map(found.map(([name, value]) => [value, name]));
}

/** The OpenCL API's object of a device; undefined for one that it does not list. */
function objectOf(device: Device): CLDevice | undefined {
  // Custom devices are listed only when asked for.
  const every =
    CL.DEVICE_TYPE_DEFAULT |
    CL.DEVICE_TYPE_CPU |
    CL.DEVICE_TYPE_GPU |
    CL.DEVICE_TYPE_ACCELERATOR |
    CL.DEVICE_TYPE_CUSTOM;
  const all = getPlatforms().flatMap((platform) => platform.getDevices(every));
  return all.find(({ runtime }) => runtime.info === device.info);
}

type Property = readonly [label: string, value: string];

/**
 * For each channel order the channel types of a device's images. Kinds of images that have the same formats, read or
 * written, stand together.
 */
export function formatProperties(device: Device): readonly Property[] {
  const found = objectOf(device);
  if (!found) return [['images', 'not known']];
  const orders = namesBetween(CL.R, CL.RGBx);
  const types = namesBetween(CL.SNORM_INT8, CL.FLOAT);
  const nameOf = (names: ReadonlyMap<number, string>, value: number) =>
    names.get(value) ?? `0x${value.toString(16)}`;
  const groups = new Map<string, { readonly uses: string[]; readonly lines: Map<string, string[]> }>();
  for (const [kind, objectType] of kinds) {
    for (const [use, access] of accesses) {
      const lines = new Map<string, string[]>();
      for (const { order, type } of found.runtime.imageFormats(objectType, access)) {
        const name = nameOf(orders, order);
        lines.set(name, [...(lines.get(name) ?? []), nameOf(types, type)]);
      }
      const key = JSON.stringify([...lines]);
      const group = groups.get(key) ?? { uses: [], lines };
      group.uses.push(`${kind} ${use}`);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ uses, lines }): Property[] => [
    ['images', `${uses.join(', ')}${lines.size === 0 ? ': none' : ''}`],
    ...[...lines].map(([order, list]): Property => [`  ${order}`, list.join(' ')]),
  ]);
}

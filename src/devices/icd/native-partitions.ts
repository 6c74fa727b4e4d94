/** Sub-devices of a driver's device (OpenCL 1.2, 4.3). */
import type { Device, DeviceInfo, Partition, Partitions } from '../../runtime/device.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { deviceProperties } from './device-properties.ts';
import { type Driver, loadDriver } from './driver.ts';
import { answerNumber, answerNumbers, type Query } from './info-queries.ts';

const partitionProperties = 0x1044;
const affinityDomains = 0x1045;
const names = { equally: 0x1086, 'by-counts': 0x1087, 'by-affinity-domain': 0x1088 } as const;

// A sub-device that neither the program nor a context holds any more is given back to the driver.
const dropped = new FinalizationRegistry<number>((handle) => {
  (loadDriver() as Driver).clReleaseDevice(handle);
});

/** How the driver divides a device; null if it does not. `make` makes a device of a driver's handle. */
export function partitionsOf(
  handle: number,
  make: (handle: number, info: DeviceInfo) => Device,
): Partitions | null {
  const query = queryOf(handle);
  const known = answerNumbers(query, partitionProperties);
  const kinds = (Object.keys(names) as Partition['kind'][]).filter((kind) => known.includes(names[kind]));
  if (kinds.length === 0) return null;
  const divide = (partition: Partition): Device[] =>
    subDevices(handle, partition).map((part) => {
      const device = make(part, deviceProperties(queryOf(part)));
      dropped.register(device, part);
      return device;
    });
  return { kinds, affinityDomains: answerNumber(query, affinityDomains), divide };
}

/** The driver's handles. @throws OpenCLError with the driver's code */
function subDevices(handle: number, partition: Partition): number[] {
  const driver = loadDriver() as Driver;
  const properties = BigInt64Array.from(propertiesOf(partition), BigInt);
  const found = new Uint32Array(1);
  let status = driver.clCreateSubDevices(handle, properties, 0, null, found);
  const handles = new BigUint64Array(found[0]!);
  if (status === 0) status = driver.clCreateSubDevices(handle, properties, handles.length, handles, null);
  if (status !== 0) throw new OpenCLError(status, 'the driver does not divide the device so');
  return Array.from(handles, Number);
}

/** The list that ends with 0. */
function propertiesOf(partition: Partition): number[] {
  const name = names[partition.kind];
  switch (partition.kind) {
    case 'equally':
      return [name, partition.units, 0];
    case 'by-counts':
      return [name, ...partition.counts, 0, 0];
    case 'by-affinity-domain':
      return [name, partition.domain, 0];
  }
}

function queryOf(handle: number): Query {
  const driver = loadDriver() as Driver;
  return (name, size, value, needed) => driver.clGetDeviceInfo(handle, name, size, value, needed);
}

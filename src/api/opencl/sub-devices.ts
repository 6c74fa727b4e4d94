/** clCreateSubDevices (OpenCL 1.2, 4.3): the list of properties, and the parts that a device gives. */
import type { Device, Partition } from '../../runtime/device.ts';
import { OpenCLError, type StatusName } from '../../runtime/status.ts';
import { shown } from '../../source/shown.ts';
import { CL } from './constants.ts';

/** The kinds of partition by their numbers. */
const kindNames = {
  equally: CL.DEVICE_PARTITION_EQUALLY,
  'by-counts': CL.DEVICE_PARTITION_BY_COUNTS,
  'by-affinity-domain': CL.DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
} as const;

/** CL_DEVICE_PARTITION_PROPERTIES: empty for a device that cannot be divided. */
export function partitionKinds(device: Device): readonly number[] {
  return (device.partitions?.kinds ?? []).map((kind) => kindNames[kind]);
}

/**
 * The parts of a device. `properties` is the list of C: a kind, its values and a 0, which may be left out.
 * @throws OpenCLError CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT
 */
export function divideDevice(device: Device, properties: readonly number[]): readonly Device[] {
  const partition = parse(properties);
  const { partitions } = device;
  if (!partitions?.kinds.includes(partition.kind)) {
    fail('CL_INVALID_VALUE', `${device.info.name} is not divided ${partition.kind.replaceAll('-', ' ')}`);
  }
  const { maxComputeUnits: units, partitionMaxSubDevices: most } = device.info;
  switch (partition.kind) {
    case 'equally': {
      if (units < 2) fail('CL_DEVICE_PARTITION_FAILED', 'a device of one compute unit cannot be divided');
      const parts = Math.floor(units / partition.units);
      if (parts === 0 || parts > most) {
        fail(
          'CL_DEVICE_PARTITION_FAILED',
          `${units} compute units in parts of ${partition.units}; there can be from 1 to ${most} parts`,
        );
      }
      break;
    }
    case 'by-counts': {
      if (units < 2) fail('CL_DEVICE_PARTITION_FAILED', 'a device of one compute unit cannot be divided');
      const { counts } = partition;
      const total = counts.reduce((sum, count) => sum + count, 0);
      if (counts.some((count) => count < 0) || counts.length > most || total > units) {
        fail(
          'CL_INVALID_DEVICE_PARTITION_COUNT',
          `${counts.join(' + ')} compute units; the device has ${units}, for at most ${most} parts`,
        );
      }
      break;
    }
    case 'by-affinity-domain':
      if ((partition.domain & partitions!.affinityDomains) === 0) {
        fail('CL_INVALID_VALUE', `the device does not know the affinity domain ${partition.domain}`);
      }
  }
  return partitions!.divide(partition);
}

/** @throws OpenCLError CL_INVALID_VALUE */
function parse(properties: readonly number[]): Partition {
  if (!Array.isArray(properties) || !properties.every(Number.isInteger)) {
    fail('CL_INVALID_VALUE', 'the properties of a partition are a list of numbers');
  }
  const [name, ...values] = properties as number[];
  const [first] = values;
  switch (name) {
    case CL.DEVICE_PARTITION_EQUALLY:
      if (!(first! >= 1)) fail('CL_INVALID_VALUE', `parts of ${first} compute units`);
      checkEnd(values.slice(1));
      return { kind: 'equally', units: first! };
    case CL.DEVICE_PARTITION_BY_COUNTS: {
      const end = values.indexOf(CL.DEVICE_PARTITION_BY_COUNTS_LIST_END);
      const counts = end < 0 ? values : values.slice(0, end);
      if (counts.length === 0) fail('CL_INVALID_VALUE', 'there is no count of compute units');
      checkEnd(end < 0 ? [] : values.slice(end + 1));
      return { kind: 'by-counts', counts };
    }
    case CL.DEVICE_PARTITION_BY_AFFINITY_DOMAIN: {
      const isOneBit = first! >= 1 && first! <= CL.DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
      if (!isOneBit || (first! & (first! - 1)) !== 0) {
        fail('CL_INVALID_VALUE', `${first} is no affinity domain`);
      }
      checkEnd(values.slice(1));
      return { kind: 'by-affinity-domain', domain: first! };
    }
    default:
      return fail('CL_INVALID_VALUE', `${shown(name)} is no kind of partition`);
  }
}

/** After the values comes nothing but the 0 of the end: a device is divided in one way at a time. */
function checkEnd(rest: readonly number[]): void {
  if (rest.length > 1 || (rest[0] ?? 0) !== 0) {
    fail('CL_INVALID_VALUE', 'a partition has one property');
  }
}

function fail(error: StatusName, why: string): never {
  throw new OpenCLError(error, why);
}

/** Platforms and devices (OpenCL 1.2, 4.1 to 4.3). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from '../opencl/constants.ts';
import type { CLDevice, CLPlatform, DeviceInfoValue } from '../opencl/platform.ts';
import { capabilitiesOf } from '../opencl/svm.ts';
import { writeAnswer, writeObjects } from './answers.ts';
import { type ImportedFunctions, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

export function platformFunctions(host: CHost): ImportedFunctions {
  const { memory, objects } = host;
  /** NULL is for the implementation to choose (4.2). */
  const platformOr = (number: number): CLPlatform =>
    number === 0 ? host.platforms[0]! : objects.platform(number);

  const answerOf = (device: CLDevice, name: number): DeviceInfoValue => {
    if (name === CL.DEVICE_TYPE) return host.shownType(device);
    // The program's memory is that of its devices.
    if (name === CL.DEVICE_SVM_CAPABILITIES) return capabilitiesOf(device.runtime.info, true);
    return device.getInfo(name);
  };

  return returningStatus(host, {
    clGetPlatformIDs(room, pointer, countPointer) {
      writeObjects(host, host.platforms, room, pointer, countPointer);
    },

    clGetPlatformInfo(platform, name, size, pointer, sizePointer) {
      writeAnswer(host, name, platformOr(platform).getInfo(name), size, pointer, sizePointer);
    },

    clGetDeviceIDs(platform, type, room, pointer, countPointer) {
      const asked = platformOr(platform);
      let found: readonly CLDevice[];
      try {
        found = asked.getDevices(host.ownType(type));
      } catch (error) {
        // Programs look at the count alone, as other implementations set it.
        const isNone = error instanceof OpenCLError && error.name === 'CL_DEVICE_NOT_FOUND';
        if (isNone && countPointer !== 0) memory.setU32(countPointer, 0);
        throw error;
      }
      writeObjects(host, found, room, pointer, countPointer);
    },

    clGetDeviceInfo(device, name, size, pointer, sizePointer) {
      const asked = objects.device(device);
      const answer = answerOf(asked, name);
      const isEmptyList =
        name === CL.DEVICE_PARTITION_PROPERTIES && Array.isArray(answer) && answer.length === 0;
      // A device that cannot be divided answers with 0 (table 4.3).
      writeAnswer(host, name, isEmptyList ? [0] : answer, size, pointer, sizePointer);
    },

    clCreateSubDevices(device, properties, room, pointer, countPointer) {
      const whole = objects.device(device);
      if (properties === 0) throw new OpenCLError('CL_INVALID_VALUE', 'no properties to divide a device by');
      const parts = whole.createSubDevices(readPartition(host, properties));
      if (pointer !== 0 && room < parts.length) {
        throw new OpenCLError('CL_INVALID_VALUE', `${parts.length} parts, and room for ${room}`);
      }
      if (countPointer !== 0) memory.setU32(countPointer, parts.length);
      if (pointer !== 0) writeObjects(host, parts, room, pointer, 0);
    },

    clRetainDevice(device) {
      objects.device(device).retain();
    },

    clReleaseDevice(device) {
      objects.release(objects.device(device));
    },

    clGetDeviceAndHostTimer(device, deviceTime, hostTime) {
      const { deviceTimestamp, hostTimestamp } = objects.device(device).getDeviceAndHostTimer();
      memory.check(deviceTime, 8);
      memory.check(hostTime, 8);
      memory.setU64(deviceTime, deviceTimestamp);
      memory.setU64(hostTime, hostTimestamp);
    },

    clGetHostTimer(device, hostTime) {
      memory.setU64(hostTime, objects.device(device).getHostTimer());
    },

    clUnloadPlatformCompiler(platform) {
      objects.platform(platform).unloadCompiler();
    },

    clUnloadCompiler() {},
  });
}

/** A kind, its values and a 0; among counts 0 ends the counts, and another 0 the list. */
function readPartition(host: CHost, pointer: number): number[] {
  const list: number[] = [];
  const next = (): number => {
    const value = host.memory.i32(pointer + list.length * 4);
    list.push(value);
    return value;
  };
  const kind = next();
  if (kind === 0) return list;
  if (kind !== CL.DEVICE_PARTITION_BY_COUNTS) next();
  else while (next() !== CL.DEVICE_PARTITION_BY_COUNTS_LIST_END);
  while (next() !== 0);
  return list;
}

/** How contexts come to be, and which devices one that shares with OpenGL could have. */

import { begin } from '../../build/machine.ts';
import { calledByProgram } from '../../runtime/observe-calls.ts';
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import { CLContext, type ContextExtras } from './context.ts';
import { type ContextProperty, canShareGL, readContextProperties } from './context-properties.ts';
import { checkHandle, invalidQuery } from './handle.ts';
import { CLDevice, CLPlatform, defaultPlatform } from './platform.ts';
import { checkCallback } from './program-state.ts';

/**
 * clCreateContext and clCreateContextFromType: with devices, a device, a platform and a type, or a type.
 * @throws OpenCLError CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE, CL_INVALID_DEVICE,
 *   CL_INVALID_DEVICE_TYPE, CL_DEVICE_NOT_FOUND, CL_OUT_OF_HOST_MEMORY
 */
export function createContext(
  what?: CLDevice | readonly CLDevice[] | CLPlatform | number | null,
  second?: number | ContextExtras,
  extras?: ContextExtras,
): CLContext {
  begin();
  const given = [what, second, extras].filter((each) => each !== undefined);
  return calledByProgram('OpenCL', 'createContext', given, () => contextOf(what, second, extras));
}

function contextOf(
  what: CLDevice | readonly CLDevice[] | CLPlatform | number | null | undefined,
  second: number | ContextExtras | undefined,
  extras: ContextExtras | undefined,
): CLContext {
  const more = extras ?? (typeof second === 'object' ? second : {});
  const type = typeof second === 'number' ? second : CL.DEVICE_TYPE_DEFAULT;
  const asked = readContextProperties(more.properties).platform;
  checkCallback(more.notify);
  if (what instanceof CLPlatform) return new CLContext(what.getDevices(type), more);
  if (what === undefined || what === null || typeof what === 'number') {
    const platform = asked ?? defaultPlatform();
    return new CLContext(platform.getDevices(what ?? CL.DEVICE_TYPE_DEFAULT), more);
  }
  const devices: readonly unknown[] = what instanceof CLDevice ? [what] : what;
  if (!Array.isArray(devices) || devices.length === 0) {
    throw new OpenCLError('CL_INVALID_VALUE', 'a context needs at least one device');
  }
  for (const device of devices) {
    checkHandle(device, CLDevice, 'CL_INVALID_DEVICE');
    if (asked && device.platform !== asked) {
      throw new OpenCLError(
        'CL_INVALID_DEVICE',
        'a device belongs to another platform than the properties say',
      );
    }
  }
  return new CLContext([...new Set(devices as readonly CLDevice[])], more);
}

/**
 * clGetGLContextInfoKHR: the devices that share with the WebGL 2 context among the properties, all of them
 * (DEVICES_FOR_GL_CONTEXT_KHR) or the one to take (CURRENT_DEVICE_FOR_GL_CONTEXT_KHR).
 * @throws OpenCLError CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, CL_INVALID_VALUE
 */
export function getGLContextInfoKHR(
  properties: readonly ContextProperty[],
  name: number,
): CLDevice | CLDevice[] {
  return calledByProgram('OpenCL', 'getGLContextInfoKHR', [properties, name], () =>
    glContextInfo(properties, name),
  );
}

function glContextInfo(properties: readonly ContextProperty[], name: number): CLDevice | CLDevice[] {
  const { platform = defaultPlatform(), gl } = readContextProperties(properties);
  if (!gl) {
    throw new OpenCLError('CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR', 'the properties name no WebGL 2 context');
  }
  const able = platform.getDevices().filter(canShareGL);
  if (name === CL.DEVICES_FOR_GL_CONTEXT_KHR) return able;
  if (name === CL.CURRENT_DEVICE_FOR_GL_CONTEXT_KHR) return able[0]!;
  return invalidQuery(name);
}

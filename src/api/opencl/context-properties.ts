/** The properties that a context is created with (OpenCL 1.2, 4.4, table 4.5). */
import { OpenCLError } from '../../runtime/status.ts';
import { CL } from './constants.ts';
import { glContextOf, isGLProperty } from './gl/context-properties.ts';
import { type CLDevice, CLPlatform } from './platform.ts';

/** A name, a platform, a WebGL 2 context, or a plain value. */
export type ContextProperty = number | boolean | CLPlatform | object | null;

/** What the properties of a context say. */
export interface ContextProperties {
  readonly platform?: CLPlatform | undefined;
  readonly gl?: WebGL2RenderingContext | undefined;
}

/** @throws OpenCLError CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR */
export function readContextProperties(
  properties: readonly ContextProperty[] | null | undefined,
): ContextProperties {
  if (properties === null || properties === undefined) return {};
  const fail = (why: string): never => {
    throw new OpenCLError('CL_INVALID_PROPERTY', `context properties: ${why}`);
  };
  if (!Array.isArray(properties) || properties.at(-1) !== 0) fail('a list that ends with 0 is needed');
  let platform: CLPlatform | undefined;
  let gl: WebGL2RenderingContext | undefined;
  const seen = new Set<unknown>();
  for (let at = 0; at < properties.length - 1; at += 2) {
    const [name, value] = [properties[at], properties[at + 1]];
    if (seen.has(name)) fail('the same name twice');
    seen.add(name);
    if (name === CL.CONTEXT_PLATFORM) {
      if (!(value instanceof CLPlatform))
        throw new OpenCLError('CL_INVALID_PLATFORM', 'CONTEXT_PLATFORM needs a platform');
      platform = value;
    } else if (name === CL.CONTEXT_INTEROP_USER_SYNC) {
      if (typeof value !== 'boolean' && value !== 0 && value !== 1) {
        fail('CONTEXT_INTEROP_USER_SYNC is true or false');
      }
    } else if (isGLProperty(name)) gl = glContextOf(name, value) ?? gl;
    else if (name === CL.GL_CONTEXT_KHR) fail('there is no OpenGL here, so no cl_khr_gl_sharing');
    else fail(`${typeof name === 'number' ? `0x${name.toString(16)}` : typeof name} is no name`);
  }
  return { platform, gl };
}

/** Whether a device can use what belongs to a context of OpenGL. */
export function canShareGL(device: CLDevice): boolean {
  return device.getSupportedExtensions().includes('cl_khr_gl_sharing');
}

/** The properties by which a context is created from one of OpenGL (OpenCL 1.2 extensions, 9.6.5). */
import { hasWebGL2 } from '../../../runtime/host.ts';
import { OpenCLError } from '../../../runtime/status.ts';
import { CL } from '../constants.ts';
import { isObject } from './create.ts';

/** Names of properties that say where a context of OpenGL is shown; WebGL has no such thing, so they are 0. */
const displays: readonly unknown[] = [
  CL.EGL_DISPLAY_KHR,
  CL.GLX_DISPLAY_KHR,
  CL.WGL_HDC_KHR,
  CL.CGL_SHAREGROUP_KHR,
];

/** Whether a property is one of cl_khr_gl_sharing, where there is that extension. */
export function isGLProperty(name: unknown): boolean {
  return hasWebGL2() && (name === CL.GL_CONTEXT_KHR || displays.includes(name));
}

/**
 * The WebGL 2 context that a property names; undefined for none.
 * @throws OpenCLError CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR
 */
export function glContextOf(name: unknown, value: unknown): WebGL2RenderingContext | undefined {
  if (value === 0 || value === null) return undefined;
  const isContext = name === CL.GL_CONTEXT_KHR && isObject(value, 'WebGL2RenderingContext');
  if (isContext && !(value as WebGL2RenderingContext).isContextLost()) return value as WebGL2RenderingContext;
  const why = isContext
    ? 'the WebGL context is lost'
    : 'what OpenCL shares with is a WebGL2RenderingContext, given as CL.GL_CONTEXT_KHR';
  throw new OpenCLError('CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR', why);
}

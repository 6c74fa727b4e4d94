/**
 * Functions that a program may refer to and that nothing here does: those of OpenCL 2.0 to 3.0 and of OpenGL sharing. They are
 * there, so that a program links, and they fail with CL_INVALID_OPERATION. And those that find functions of extensions, of
 * which there are none.
 */
import { OpenCLError } from '../../runtime/status.ts';
import { type Functions, type ImportedFunctions, returningObject, returningStatus } from './calls.ts';
import type { CHost } from './host.ts';

const withStatus = [
  'clGetGLObjectInfo',
  'clGetGLTextureInfo',
  'clEnqueueAcquireGLObjects',
  'clEnqueueReleaseGLObjects',
  'clGetGLContextInfoKHR',
] as const;

const withObject = [
  'clCreateFromGLBuffer',
  'clCreateFromGLTexture',
  'clCreateFromGLTexture2D',
  'clCreateFromGLTexture3D',
  'clCreateFromGLRenderbuffer',
  'clCreateEventFromGLsyncKHR',
] as const;

export function missingFunctions(host: CHost): ImportedFunctions {
  return {
    ...returningStatus(host, failing(withStatus)),
    ...returningObject(host, failing(withObject)),
    clGetExtensionFunctionAddress: () => 0,
    clGetExtensionFunctionAddressForPlatform: () => 0,
  };
}

function failing(names: readonly string[]): Functions<never> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        throw new OpenCLError('CL_INVALID_OPERATION', `${name} is not there`);
      },
    ]),
  );
}

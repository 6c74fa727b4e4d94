/** Where there is no OpenGL, as in Node, cl_khr_gl_sharing is absent, and its functions say so. */
import {
  CL,
  CLEvent,
  type ContextProperty,
  createContext,
  getGLContextInfoKHR,
  getPlatforms,
} from 'millrace/opencl';
import { afterAll, expect, it } from 'vitest';
import { errorName } from '../support/error-name.ts';

const context = createContext();
afterAll(() => context.releaseAll());

it('is no extension of any device', () => {
  for (const platform of getPlatforms()) {
    if (platform.getInfo(CL.PLATFORM_NAME) !== 'Millrace') continue;
    for (const device of platform.getDevices()) {
      expect(device.getInfo(CL.DEVICE_EXTENSIONS)).not.toMatch(/cl_khr_gl_/);
    }
  }
});

it('has no properties of contexts', () => {
  const properties: ContextProperty[] = [CL.GL_CONTEXT_KHR, {}, 0];
  expect(errorName(() => createContext(null, { properties }))).toBe('CL_INVALID_PROPERTY');
  expect(() => createContext(null, { properties })).toThrow('no OpenGL here');
  expect(errorName(() => getGLContextInfoKHR(properties, CL.DEVICES_FOR_GL_CONTEXT_KHR))).toBe(
    'CL_INVALID_PROPERTY',
  );
  expect(errorName(() => getGLContextInfoKHR([0], CL.DEVICES_FOR_GL_CONTEXT_KHR))).toBe(
    'CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR',
  );
});

it('makes no objects, events and commands', () => {
  const queue = context.createCommandQueue();
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, 16);
  const format = { channelOrder: CL.RGBA, channelType: CL.UNORM_INT8 };
  const image = context.createImage2D(CL.MEM_READ_WRITE, format, 2, 2);
  for (const call of [
    () => context.createFromGLBuffer(CL.MEM_READ_WRITE, {}),
    () => context.createFromGLTexture(CL.MEM_READ_WRITE, 0x0de1, 0, {}),
    () => context.createFromGLRenderbuffer(CL.MEM_READ_WRITE, {}),
    () => context.createEventFromGLsyncKHR({}),
    () => queue.enqueueAcquireGLObjects([buffer]),
    () => queue.enqueueReleaseGLObjects([buffer], null, new CLEvent()),
  ]) {
    expect(errorName(call)).toBe('CL_INVALID_CONTEXT');
    expect(call).toThrow('not created from a WebGL 2 context');
  }
  expect(errorName(() => buffer.getGLObjectInfo())).toBe('CL_INVALID_GL_OBJECT');
  expect(errorName(() => image.getGLTextureInfo(CL.GL_MIPMAP_LEVEL))).toBe('CL_INVALID_GL_OBJECT');
});

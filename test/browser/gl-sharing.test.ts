/** Objects of WebGL 2 as memory objects (cl_khr_gl_sharing): in a window with threads and without, and in a worker. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('sharing with WebGL 2 (needs Chromium)', () => {
  let browser: Browser;
  let sites: StaticServer[];
  let isolated: TestPage;
  let alone: TestPage;
  beforeAll(async () => {
    browser = await startChromium();
    sites = [await startSite(true), await startSite(false)];
    [isolated, alone] = await Promise.all([openPage(browser, sites[0]!), openPage(browser, sites[1]!)]);
  });
  afterAll(async () => {
    await browser?.close();
    for (const site of sites ?? []) await site.close();
  });

  it('is an extension of the device', async () => {
    const found = { listed: true, current: true, all: true, kept: true };
    expect(await isolated.here('glExtension')).toEqual(found);
    expect(await alone.here('glExtension')).toEqual(found);
    expect(await isolated.inWorker('glExtension')).toEqual(found);
  });

  it('changes a vertex buffer', async () => {
    const right = { wrong: 0, size: 4000, unchanged: 3, info: true, error: 0 };
    expect(await isolated.here('glBuffer', 'promise')).toEqual(right);
    expect(await alone.here('glBuffer', 'promise')).toEqual(right);
    expect(await alone.here('glBuffer', 'blocking')).toEqual(right);
    expect(await isolated.inWorker('glBuffer', 'promise')).toEqual(right);
    expect(await isolated.inWorker('glBuffer', 'blocking')).toEqual(right);
  });

  it('follows events, and fails with them', async () => {
    const right = {
      before: expect.toSatisfy((status: number) => status >= 2),
      result: [3, 5, 7, 9],
      types: [0x11ff, 0x1200],
      passedOn: 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST',
      deleted: 'CL_INVALID_GL_OBJECT',
    };
    expect(await isolated.here('glEvents')).toEqual(right);
    expect(await alone.here('glEvents')).toEqual(right);
  });

  it('exchanges textures of every format', async () => {
    expect(await isolated.here('glFormats', 'promise')).toEqual({ wrong: [], error: 0 });
    expect(await alone.here('glFormats', 'blocking')).toEqual({ wrong: [], error: 0 });
  });

  it('exchanges volumes, arrays, faces, levels and renderbuffers', async () => {
    expect(await isolated.here('glTargets')).toEqual({ wrong: [], error: 0 });
    expect(await isolated.inWorker('glTargets')).toEqual({ wrong: [], error: 0 });
  });

  it('runs kernels on textures', async () => {
    expect(await isolated.here('glKernelOnTextures')).toEqual([255, 245, 235, 225, 0, 1, 254, 255]);
  });

  it('leaves the state of WebGL as it is', async () => {
    const found = await isolated.here('glState');
    expect(found).toMatchObject({ changed: [], fed: false, error: 0 });
    expect(found.looked).toBeGreaterThan(30);
  });

  it('refuses what is wrong', async () => {
    const groups: Readonly<Record<string, readonly string[]>> = {
      CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR: [
        'a context of WebGL 1',
        'a context of nothing',
        'a context of a display',
        'info without a context',
      ],
      'no error': ['a context without OpenGL'],
      CL_INVALID_VALUE: [
        'info of another name',
        'buffer: host pointer flags',
        'texture: flags',
        'texture: 1D target',
        'texture: whole cube',
        'renderbuffer: flags',
        'texture info: name',
        'acquire: no list',
      ],
      CL_INVALID_CONTEXT: [
        'buffer: no sharing context',
        'texture: no sharing context',
        'renderbuffer: no sharing context',
        'acquire: no sharing context',
        'acquire: of another context',
        'fence: no sharing context',
      ],
      CL_INVALID_GL_OBJECT: [
        'buffer: a texture',
        'buffer: nothing',
        'buffer: without data',
        'buffer: of another WebGL context',
        'texture: another target',
        'texture: a buffer',
        'texture: without a level',
        'texture: level not defined',
        'texture: a cube with a face missing',
        'renderbuffer: a texture',
        'renderbuffer: without pixels',
        'object info: ordinary',
        'texture info: renderbuffer',
        'acquire: ordinary',
        'release: ordinary',
        'fence: a buffer',
      ],
      CL_INVALID_MIP_LEVEL: ['texture: level -1', 'texture: level beyond the last'],
      CL_INVALID_IMAGE_FORMAT_DESCRIPTOR: [
        'texture: sRGB without alpha',
        'texture: RGB',
        'texture: 5551',
        'renderbuffer: 565',
        'renderbuffer: depth',
      ],
      CL_INVALID_OPERATION: ['renderbuffer: samples'],
      CL_INVALID_MEM_OBJECT: ['object info: released', 'acquire: no memory object', 'acquire: released'],
      CL_INVALID_EVENT_WAIT_LIST: ['acquire: wait list'],
      CL_INVALID_EVENT: ['release: waits for a fence', 'fill: waits for a fence'],
    };
    const expected = Object.entries(groups).flatMap(([error, calls]) => calls.map((call) => [call, error]));
    expect(await alone.here('glErrors')).toEqual(Object.fromEntries(expected));
  });

  it('makes events of fences', async () => {
    const right = { before: 2, after: 0, type: 0x200d, queue: null, result: [1, 2, 3, 4] };
    expect(await isolated.here('glFence', 'promise')).toEqual(right);
    expect(await alone.here('glFence', 'blocking')).toEqual(right);
    expect(await isolated.inWorker('glFence', 'blocking')).toEqual(right);
  });

  it('fails when the WebGL context is lost', async () => {
    expect(await isolated.here('glLoss')).toEqual({
      acquired: 'CL_INVALID_GL_OBJECT',
      released: 'CL_INVALID_GL_OBJECT',
      created: 'CL_INVALID_GL_OBJECT',
      context: 'CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR',
    });
  });

  it('reports no errors', () => {
    expect(sites.flatMap(({ missing }) => missing)).toEqual([]);
    expect([...isolated.errors, ...alone.errors]).toEqual([]);
  });
});

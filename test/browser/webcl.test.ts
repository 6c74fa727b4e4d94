/** WebCL in a page that is not isolated: blocking calls on the page's own thread, and elements of the page as sources. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from './chromium.ts';
import { type StaticServer, startServer } from './server.ts';

const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body>
<canvas id="canvas" width="4" height="2"></canvas>
<script type="module">
  import { installWebCL } from '/dist/webcl.js';
  installWebCL();
  globalThis.context = webcl.createContext();
  globalThis.queue = context.createCommandQueue();
  globalThis.canvas = document.getElementById('canvas');
  globalThis.nameOf = (action) => {
    try { action(); return 'no error'; } catch (error) { return error.name; }
  };
</script>`;

describe.skipIf(chromiumPath === undefined)('WebCL in a page (needs Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  let page: Page;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await startChromium();
    server = await startServer({
      folders: { dist: 'dist' },
      files: new Map([['/index.html', html]]),
      isolated: false,
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(server.origin);
    await waitUntil(page, 'globalThis.nameOf !== undefined');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('blocks on the page’s own thread', async () => {
    const result = await page.evaluate(`(() => {
      const program = context.createProgram('kernel void f(global int *x) { x[get_global_id(0)] += 1; }');
      program.build();
      const kernel = program.createKernel('f');
      const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 12, Int32Array.of(1, 2, 3));
      kernel.setArg(0, buffer);
      queue.enqueueNDRangeKernel(kernel, 1, null, [3], null);
      queue.finish();
      const result = new Int32Array(3);
      queue.enqueueReadBuffer(buffer, true, 0, 12, result);
      return [...result];
    })()`);
    expect(result).toEqual([2, 3, 4]);
  });

  it('calls back', async () => {
    const status = await page.evaluate(`new Promise((resolve) => {
      const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 4);
      const event = new WebCLEvent();
      queue.enqueueWriteBuffer(buffer, false, 0, 4, Int32Array.of(1), null, event);
      event.setCallback(webcl.COMPLETE, (given) => resolve(given.getInfo(webcl.EVENT_COMMAND_EXECUTION_STATUS)));
      buffer.release();
    })`);
    expect(status).toBe(0);
  });

  it('takes the pixels of a canvas, and gives them back to it', async () => {
    const result = await page.evaluate(`(async () => {
      const before = nameOf(() => context.createImage(webcl.MEM_READ_ONLY, canvas));
      const enabled = webcl.enableExtension('WEBCL_html_image');
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = '#ff8000';
      drawing.fillRect(0, 0, 2, 2);
      const image = context.createImage(webcl.MEM_READ_WRITE, canvas);
      const { width, height, channelOrder } = image.getInfo();
      const pixels = new Uint8Array(32);
      queue.enqueueReadImage(image, true, [0, 0], [4, 2], 0, pixels);
      // The left half of the image to the right half of the canvas, by way of a buffer of the same shape.
      const buffer = context.createBuffer(webcl.MEM_READ_WRITE, 32);
      queue.enqueueWriteBuffer(buffer, true, 0, drawing.getImageData(0, 0, 4, 2));
      const event = new WebCLEvent();
      queue.enqueueCopyBufferRect(buffer, buffer, [0, 0, 0], [8, 0, 0], [8, 2, 1], 16, 0, 16, 0);
      queue.enqueueReadBuffer(buffer, false, 0, 32, canvas, null, event);
      await new Promise((resolve) => webcl.waitForEvents([event], resolve));
      const shown = [...drawing.getImageData(3, 1, 1, 1).data];
      const video = nameOf(() => context.createImage(webcl.MEM_READ_ONLY, document.createElement('video')));
      const empty = nameOf(() => context.createImage(webcl.MEM_READ_ONLY, new Image()));
      return { before, enabled, size: [width, height], isRgba: channelOrder === webcl.RGBA, pixels: [...pixels.slice(0, 12)], shown, video, empty };
    })()`);
    expect(result).toEqual({
      before: 'WEBCL_EXTENSION_NOT_ENABLED',
      enabled: true,
      size: [4, 2],
      isRgba: true,
      pixels: [255, 128, 0, 255, 255, 128, 0, 255, 0, 0, 0, 0],
      shown: [255, 128, 0, 255],
      video: 'WEBCL_EXTENSION_NOT_ENABLED',
      empty: 'INVALID_HOST_PTR',
    });
  });

  it('shares with WebGL 2', async () => {
    const result = await page.evaluate(`(() => {
      const gl = document.createElement('canvas').getContext('webgl2');
      const bytes = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, bytes);
      gl.bufferData(gl.ARRAY_BUFFER, Int32Array.of(1, 2, 3), gl.DYNAMIC_DRAW);
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
      const before = [
        () => webcl.createContext(gl),
        () => context.getGLContext(),
        () => context.createFromGLBuffer(webcl.MEM_READ_WRITE, bytes),
        () => queue.enqueueAcquireGLObjects([]),
      ].map(nameOf);
      const enabled = webcl.enableExtension('KHR_gl_sharing');
      const shared = webcl.createContext(gl, webcl.DEVICE_TYPE_DEFAULT);
      const sharedQueue = shared.createCommandQueue();
      const buffer = shared.createFromGLBuffer(webcl.MEM_READ_WRITE, bytes);
      const image = shared.createFromGLTexture(webcl.MEM_READ_ONLY, gl.TEXTURE_2D, 0, texture);
      const program = shared.createProgram('kernel void f(global int *x) { x[get_global_id(0)] *= 5; }');
      program.build();
      const kernel = program.createKernel('f');
      kernel.setArg(0, buffer);
      sharedQueue.enqueueAcquireGLObjects([buffer, image]);
      sharedQueue.enqueueNDRangeKernel(kernel, 1, null, [3], null);
      sharedQueue.enqueueReleaseGLObjects([buffer, image]);
      sharedQueue.finish();
      const values = new Int32Array(3);
      gl.getBufferSubData(gl.ARRAY_BUFFER, 0, values);
      const info = image.getGLObjectInfo();
      return {
        before,
        enabled,
        values: [...values],
        context: shared.getGLContext() === gl,
        size: [image.getInfo().width, image.getInfo().height],
        info: [info.type === webcl.GL_OBJECT_TEXTURE2D, info.glObject === texture, info.textureTarget === gl.TEXTURE_2D, info.mipmapLevel],
        target: image.getGLTextureInfo(webcl.GL_TEXTURE_TARGET) === gl.TEXTURE_2D,
        after: [
          () => context.getGLContext(),
          () => context.createFromGLBuffer(webcl.MEM_READ_WRITE, bytes),
          () => shared.createFromGLBuffer(99, bytes),
          () => shared.createFromGLTexture(webcl.MEM_READ_WRITE, gl.TEXTURE_3D, 0, texture),
          () => webcl.createContext(document.createElement('canvas').getContext('webgl')),
          () => sharedQueue.enqueueAcquireGLObjects([shared.createBuffer(webcl.MEM_READ_WRITE, 4)]),
        ].map(nameOf),
      };
    })()`);
    expect(result).toEqual({
      before: Array.from({ length: 4 }, () => 'WEBCL_EXTENSION_NOT_ENABLED'),
      enabled: true,
      values: [5, 10, 15],
      context: true,
      size: [4, 2],
      info: [true, true, true, 0],
      target: true,
      after: [
        'INVALID_CONTEXT',
        'INVALID_CONTEXT',
        'INVALID_VALUE',
        'INVALID_VALUE',
        'INVALID_GL_SHAREGROUP_REFERENCE_KHR',
        'INVALID_GL_OBJECT',
      ],
    });
  });

  it('reports no errors', () => {
    expect(errors).toEqual([]);
    expect(server.missing).toEqual([]);
  });
});

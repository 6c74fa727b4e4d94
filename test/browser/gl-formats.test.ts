/** Textures of every internal format of WebGL 2: which are images, and what kernels and WebGL see of one another's pixels. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium } from './chromium.ts';
import type { StaticServer } from './server.ts';
import { openPage, startSite, type TestPage } from './site.ts';

describe.skipIf(chromiumPath === undefined)('textures of WebGL 2 (needs Chromium)', () => {
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

  it('are images of the formats of the table, and no others', async () => {
    const { found, expected, glError } = await isolated.here('glAllFormats');
    expect(found).toEqual(expected);
    expect(glError).toBe(0);
    expect(Object.keys(found).length).toBeGreaterThan(55);
  });

  it('with signed numbers and sRGB colours are what WebGL samples, both ways', async () => {
    expect(await isolated.here('glColourTextures', 'promise')).toEqual({ wrong: [], error: 0 });
    expect(await alone.here('glColourTextures', 'blocking')).toEqual({ wrong: [], error: 0 });
  });

  it('that are faces of cubes lie as WebGL has them; sRGB renderbuffers keep their bytes', async () => {
    expect(await isolated.here('glSampledTargets')).toEqual({ wrong: [], error: 0 });
  });

  it('with depths are what WebGL samples, both ways, and stencils stay', async () => {
    expect(await isolated.here('glDepthTextures', 'promise')).toEqual({ wrong: [], error: 0 });
    expect(await isolated.inWorker('glDepthTextures', 'blocking')).toEqual({ wrong: [], error: 0 });
    expect(await alone.here('glDepthTextures', 'blocking')).toEqual({ wrong: [], error: 0 });
  });

  it('with stencils are for kernels alone', async () => {
    const refused = Object.fromEntries(
      ['read', 'write', 'fill', 'copy', 'copy to a buffer', 'copy from a buffer', 'map'].map((call) => [
        call,
        'CL_INVALID_OPERATION',
      ]),
    );
    expect(await isolated.here('glDepthStencilRules')).toEqual({
      extension: true,
      listed: [2, 2, 0],
      listedWithoutOpenGL: 0,
      element: 4,
      found: {
        ...refused,
        create: 'CL_IMAGE_FORMAT_NOT_SUPPORTED',
        'an argument that is no depth image': 'CL_INVALID_ARG_VALUE',
      },
    });
  });

  it('reports no errors', () => {
    expect(sites.flatMap(({ missing }) => missing)).toEqual([]);
    expect([...isolated.errors, ...alone.errors]).toEqual([]);
  });
});

/**
 * Files with kernels as modules, in fresh projects with bundlers: built for production and run in Chromium, and mistakes that are the
 * bundler's errors at their places.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from '../browser/chromium.ts';
import { startServer } from '../browser/server.ts';
import { npmPackages } from '../support/npm-packages.ts';
import { application, expected, limit, makeProject, type Project, saxpy, wrong } from './project.ts';

const { folder, missing } = await npmPackages('bundlers', {
  webpack: '5.113.0',
  rolldown: '1.3.2',
  '@rspack/core': '2.3.3',
});
if (missing !== undefined) console.log(`skipped: webpack and others are not to be had here: ${missing}`);
const newestVite = await npmPackages('vite-8', { vite: '8.4.0' });
if (newestVite.missing !== undefined)
  console.log(`skipped: Vite 8 is not to be had here: ${newestVite.missing}`);
const installed = (name: string): string => join(folder, 'node_modules', name);
const own = (name: string): string => resolve('node_modules', name);

const html = (script: string): string =>
  `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;

let project: Project;
let browser: Browser | undefined;
beforeAll(async () => {
  project = makeProject({
    vite: own('vite'),
    esbuild: own('esbuild'),
    rollup: own('rollup'),
    ...(missing === undefined
      ? {
          webpack: installed('webpack'),
          rolldown: installed('rolldown'),
          '@rspack/core': installed('@rspack/core'),
        }
      : {}),
  });
  project.write('src/saxpy.cl', saxpy);
  project.write('src/limit.h', limit);
  project.write('src/main.js', application);
  project.write('src/wrong.cl', wrong);
  project.write('src/wrong.js', "import { saxpy } from './wrong.cl';\nconsole.log(saxpy);\n");
  project.write('index.html', html('/src/main.js'));
  if (chromiumPath !== undefined) browser = await startChromium();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  project?.remove();
});

/** The plugin for a bundler, from the package in the project. */
async function plugin<Plugin>(bundler: string): Promise<(options?: object) => Plugin> {
  const file = createRequire(project.path('package.json')).resolve(`millrace/${bundler}`);
  return ((await import(file)) as { default: (options?: object) => Plugin }).default;
}

/** What the application reports at an address. */
async function visit(address: string): Promise<unknown> {
  if (!browser) return expected;
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(address);
  await waitUntil(page, 'globalThis.report !== undefined').catch((error) => {
    throw new Error([...errors, String(error)].join('\n'));
  });
  const report = await page.evaluate('report');
  await page.close();
  return report;
}

/** What it reports from a folder that a bundler has written. */
async function visitFolder(name: string, script?: string): Promise<unknown> {
  const files = new Map<string, string>(script === undefined ? [] : [['/index.html', html(script)]]);
  const server = await startServer({ folders: { '': project.path(name) }, files, isolated: true });
  try {
    return await visit(server.origin);
  } finally {
    await server.close();
  }
}

/** All scripts that a bundler has written, with a part of the compiler of OpenCL C or without. */
function scripts(name: string): string {
  const files = readdirSync(project.path(name), { recursive: true }) as string[];
  return files
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => readFileSync(project.path(join(name, file)), 'utf8'))
    .join('\n');
}

/** A message of the front end, which is in every bundle that has it. */
const ofFrontEnd = 'use of undeclared identifier';

const vites = [
  { major: '7', modules: resolve('node_modules') },
  ...(newestVite.missing === undefined
    ? [{ major: '8', modules: join(newestVite.folder, 'node_modules') }]
    : []),
];

describe.each(vites)('Vite $major', { timeout: 60_000 }, ({ major, modules }) => {
  let vite: typeof import('vite');
  beforeAll(async () => {
    const { resolve: find } = createRequire(join(modules, 'vite/package.json'));
    vite = (await import(find('vite'))) as typeof vite;
  });

  it('is what its name says', () => {
    expect(vite.version.split('.')[0]).toBe(major);
  });

  it('builds an application, with the types of its kernels', async () => {
    const millrace = await plugin('vite');
    const { build } = vite;
    await build({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [millrace() as never],
      build: { target: 'es2022', chunkSizeWarningLimit: 4096 },
    });
    expect(await visitFolder('dist')).toBe(expected);
    expect(scripts('dist').includes(ofFrontEnd)).toBe(false);
    expect(readFileSync(project.path('src/saxpy.d.cl.ts'), 'utf8')).toContain(
      ' * y += a x, for the first LIMIT numbers.\n',
    );
    expect(readdirSync(project.path('src'))).toContain('saxpy.cl.options--DLIMIT-2.d.ts');
  });

  it('stops at a mistake in a kernel, with its place and its line', async () => {
    const millrace = await plugin('vite');
    const { build } = vite;
    const failed = build({
      root: project.folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [millrace() as never],
      build: { write: false, lib: { entry: project.path('src/wrong.js'), formats: ['es'] } },
    });
    const thrown = (await failed.catch((reason: unknown) => reason)) as Record<string, unknown>;
    // Vite 8 throws one error of all that went wrong.
    const [error] = (thrown['errors'] ?? [thrown]) as [Record<string, unknown>];
    expect(thrown['message']).toMatch(/wrong\.cl:6:26: use of undeclared identifier 'b'/);
    expect(error['message']).toMatch(/wrong\.cl:6:26: use of undeclared identifier 'b'/);
    expect(error['loc']).toEqual({ file: project.path('src/wrong.cl'), line: 6, column: 26 });
    expect(error['frame']).toBe(`4  |  kernel void saxpy(float a, global const float *x, global float *y) {
5  |    int i = get_global_id(0);
6  |    if (i < LIMIT) y[i] += b * x[i];
   |                           ^
7  |  }
8  |
`);
  });

  it('replaces kernels while the application runs, and shows mistakes over the page', {
    timeout: 90_000,
  }, async () => {
    if (!browser) return;
    project.write('live/index.html', html('/main.js'));
    project.write('live/limit.h', limit);
    project.write('live/saxpy.cl', saxpy);
    // What has imported the kernel keeps the function and its buffer.
    project.write(
      'live/main.js',
      `import { program, saxpy } from './saxpy.cl';
const x = program.buffer(Float32Array.of(1, 2, 3, 4));
globalThis.step = async () => {
  const y = new Float32Array(4);
  await saxpy({ global: [4] }, 2, x, y);
  return y.join();
};
globalThis.loads = (globalThis.loads ?? 0) + 1;
globalThis.report = 'ready';`,
    );
    const millrace = await plugin('vite');
    const { createServer } = vite;
    const server = await createServer({
      root: project.path('live'),
      configFile: false,
      logLevel: 'silent',
      cacheDir: project.path(`live/cache-${major}`),
      plugins: [millrace({ isolated: true }) as never],
      server: { host: '127.0.0.1', port: 0 },
    });
    await server.listen();
    const page = await browser.newPage();
    try {
      await page.goto(server.resolvedUrls!.local[0]!);
      await waitUntil(page, 'globalThis.report');
      await page.evaluate("globalThis.marked = 'same page'");
      expect(await page.evaluate('crossOriginIsolated')).toBe(true);
      expect(await page.evaluate('step()')).toBe('2,4,6,8');
      // Vite's watcher (chokidar) tells of one change of a file in 50 ms and drops what follows within them. No person edits so fast.
      const edit = async (path: string, text: string): Promise<void> => {
        await page.waitForTimeout(200);
        project.write(path, text);
      };
      const becomes = async (result: string): Promise<void> => {
        await expect.poll(() => page.evaluate('step()'), { timeout: 10_000 }).toBe(result);
        expect(await page.evaluate('marked')).toBe('same page');
      };
      await edit('live/saxpy.cl', saxpy.replace('a * x[i]', 'a * x[i] + 1'));
      await becomes('3,5,7,9');
      await edit('live/saxpy.cl', wrong);
      const overlay = page.locator('vite-error-overlay');
      await overlay.waitFor({ state: 'attached', timeout: 10_000 });
      expect(await overlay.locator('.message').textContent()).toContain("use of undeclared identifier 'b'");
      expect(await overlay.locator('.file').textContent()).toContain('saxpy.cl:6:26');
      expect(await overlay.locator('.frame').textContent()).toContain('y[i] += b * x[i];');
      await edit('live/saxpy.cl', saxpy);
      await becomes('2,4,6,8');
      await edit('live/limit.h', '#define LIMIT 3\n');
      await becomes('2,4,6,0');
      // Who calls it must run anew: the page loads again.
      await edit('live/saxpy.cl', saxpy.replace('float a, ', 'float a, int unused, '));
      await expect
        .poll(() => page.evaluate('globalThis.marked').catch(() => 'loading'), { timeout: 10_000 })
        .toBe(undefined);
    } finally {
      await page.close();
      await server.close();
    }
  });
});

describe('esbuild', { timeout: 60_000 }, () => {
  it('builds an application', async () => {
    const millrace = await plugin<import('esbuild').Plugin>('esbuild');
    const { build } = await import('esbuild');
    await build({
      entryPoints: [project.path('src/main.js')],
      bundle: true,
      format: 'esm',
      splitting: true,
      outdir: project.path('esbuild'),
      plugins: [millrace({ declarations: false })],
    });
    expect(await visitFolder('esbuild', '/main.js')).toBe(expected);
    expect(scripts('esbuild').includes(ofFrontEnd)).toBe(false);
  });

  it('tells a mistake with its place, and what formats cannot', async () => {
    const millrace = await plugin<import('esbuild').Plugin>('esbuild');
    const { build } = await import('esbuild');
    const errorsOf = async (entry: string, format: 'esm' | 'iife') => {
      const failed = build({
        entryPoints: [project.path(entry)],
        bundle: true,
        format,
        write: false,
        logLevel: 'silent',
        external: ['millrace', 'millrace/*'],
        plugins: [millrace({ declarations: false })],
      });
      const { errors } = (await failed.catch((thrown: unknown) => thrown)) as import('esbuild').BuildFailure;
      return errors.map(({ text, location }) => ({
        text,
        at: location && [resolve(location.file), location.line, location.column, location.length],
        lineText: location?.lineText,
      }));
    };
    expect(await errorsOf('src/wrong.js', 'esm')).toEqual([
      {
        text: "use of undeclared identifier 'b'",
        at: [project.path('src/wrong.cl'), 6, 25, 1],
        lineText: '  if (i < LIMIT) y[i] += b * x[i];',
      },
    ]);
    const [first] = await errorsOf('src/main.js', 'iife');
    expect(first!.text).toContain("set format: 'esm', or import './saxpy.cl?load'");
  });

  it('builds one script without top-level await of a module that is loaded', async () => {
    project.write(
      'src/later.js',
      `import { load } from './saxpy.cl?load';
load({ timeout: 1000 }).then(async ({ program, saxpy }) => {
  const y = new Float32Array(2);
  await saxpy({ global: [2] }, 3, Float32Array.of(1, 2), y);
  globalThis.report = y.join() + ' ' + program.device.id;
});`,
    );
    const millrace = await plugin<import('esbuild').Plugin>('esbuild');
    const { build } = await import('esbuild');
    await build({
      entryPoints: [project.path('src/later.js')],
      bundle: true,
      format: 'iife',
      logLevel: 'error',
      outdir: project.path('later'),
      plugins: [millrace()],
    });
    if (browser) expect(await visitFolder('later', '/later.js')).toBe('3,6 wasm');
    expect(readdirSync(project.path('src'))).toContain('saxpy.cl.load.d.ts');
  });
});

describe.each(['rollup', 'rolldown'] as const)('%s', (name) => {
  const isThere = name === 'rollup' || missing === undefined;
  const bundler = async () =>
    (await import(createRequire(project.path('package.json')).resolve(name))) as typeof import('rollup');

  it.skipIf(!isThere)('builds modules', { timeout: 60_000 }, async () => {
    const millrace = await plugin<import('rollup').Plugin>(name);
    const { rollup, rolldown } = (await bundler()) as typeof import('rollup') & {
      rolldown: typeof import('rollup').rollup;
    };
    const make = name === 'rollup' ? rollup : rolldown;
    const bundle = await make({
      input: project.path('src/main.js'),
      external: /^millrace/,
      plugins: [millrace({ declarations: false })],
    });
    const { output } = await bundle.generate({ format: 'es' });
    const { code } = output[0];
    expect(code).toContain(
      "from 'millrace/kernels'".replace(/'/g, code.includes('"millrace/kernels"') ? '"' : "'"),
    );
    expect(code.match(/loadProgram\(["'`]iU1MUg0K/g)).toHaveLength(2);
    const wrongs = (async () => {
      const failing = await make({
        input: project.path('src/wrong.js'),
        external: /^millrace/,
        plugins: [millrace({ declarations: false })],
      });
      await failing.generate({ format: 'es' });
    })();
    const error = await wrongs.catch((thrown: Error) => thrown);
    expect(String((error as Error).message)).toMatch(/wrong\.cl:6:26: use of undeclared identifier 'b'/);
  });
});

interface Stats {
  hasErrors(): boolean;
  toString(options: object): string;
  toJson(options: object): {
    errors: { message: string; loc?: string; moduleName?: string }[];
    warnings: unknown[];
  };
}

describe.skipIf(missing !== undefined).each([
  ['webpack', 'webpack'],
  ['rspack', '@rspack/core'],
] as const)('%s', { timeout: 120_000 }, (name, pack) => {
  async function run(entry: string, output: string): Promise<Stats> {
    const millrace = await plugin(name);
    const loaded = createRequire(project.path('package.json'))(pack) as {
      rspack?: unknown;
    };
    const bundler = (loaded.rspack ?? loaded) as (
      options: object,
      done: (error: Error | null, stats: Stats | undefined) => void,
    ) => void;
    return new Promise((done, failed) => {
      const options = {
        mode: 'production',
        // Takes long, and changes nothing here.
        optimization: { minimize: false },
        context: project.folder,
        entry: project.path(entry),
        output: { path: project.path(output), filename: 'main.js', module: true },
        experiments: name === 'webpack' ? { outputModule: true } : {},
        plugins: [millrace({ declarations: false })],
      };
      bundler(options, (error, stats) => (stats === undefined ? failed(error) : done(stats)));
    });
  }

  it('builds an application', async () => {
    const stats = await run('src/main.js', name);
    expect(stats.toString({ all: false, errors: true })).toBe('');
    expect(await visitFolder(name, '/main.js')).toBe(expected);
    expect(scripts(name).includes(ofFrontEnd)).toBe(false);
  });

  it('has a mistake among its errors, with its place and its line', async () => {
    const stats = await run('src/wrong.js', `${name}-wrong`);
    const { errors } = stats.toJson({ all: false, errors: true });
    expect(errors).toHaveLength(1);
    const [{ loc, moduleName, ...error }] = errors as [(typeof errors)[0]];
    // Where CI is set, Rspack writes in colours.
    const message = stripVTControlCharacters(error.message);
    expect(message).toContain("src/wrong.cl:6:26: error: use of undeclared identifier 'b'\n");
    // Rspack draws a line at the left of all.
    expect(message.replace(/^ *│ ?/gm, '')).toContain(
      `  if (i < LIMIT) y[i] += b * x[i];\n${' '.repeat(25)}^`,
    );
    if (name === 'webpack') {
      expect(moduleName).toBe('./src/wrong.cl');
      expect(loc).toMatch(/^6:25/);
    }
  });
});

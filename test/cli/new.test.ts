/** `millrace new`: both projects, with the package as npm packs it, are checked, built and run as their READMEs say. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startChromium, waitUntil } from '../browser/chromium.ts';
import { startServer } from '../browser/server.ts';
import { makeProject, type Project } from '../modules/project.ts';
import { hasTypes } from '../support/built-types.ts';
import { npmPackages } from '../support/npm-packages.ts';
import { start } from './millrace.ts';

// That of the template; without a network the one that Millrace has itself.
const current = await npmPackages('vite-8', { vite: '8.4.0' });
if (current.missing !== undefined)
  console.log(`Vite 8 is not to be had here, so Vite 7 builds: ${current.missing}`);
const vite =
  current.missing === undefined ? join(current.folder, 'node_modules/vite') : resolve('node_modules/vite');

let project: Project;
beforeAll(() => {
  // A folder around the new ones: packages are found there.
  project = makeProject({
    vite,
    typescript: resolve('node_modules/typescript'),
  });
  mkdirSync(project.path('node_modules/.bin'));
  const commands = {
    millrace: '../millrace/dist/millrace.js',
    vite: '../vite/bin/vite.js',
    tsc: '../typescript/bin/tsc',
  };
  for (const [name, target] of Object.entries(commands)) {
    const file = project.path(`node_modules/.bin/${name}`);
    symlinkSync(target, file);
    // What npm does when it installs a command.
    if (name === 'millrace')
      execFileSync('chmod', ['+x', project.path('node_modules/millrace/dist/millrace.js')]);
  }
}, 120_000);
afterAll(() => project?.remove());

const npm = (folder: string, ...args: string[]): string =>
  execFileSync('npm', args, {
    cwd: project.path(folder),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const create = (...args: string[]) => start(project.folder, ['new', ...args]).ended;

describe('millrace new', () => {
  it('makes a page that is checked, built and drawn', { timeout: 240_000 }, async () => {
    const { code, stdout, stderr } = await create('My Waves');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /Next:\n {2}cd 'My Waves'\n(?: {2}npm pack .*\n)? {2}npm install\n {2}npm run dev\n/,
    );
    const root = project.path('My Waves');
    const { name, dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>> & { name: string };
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(name).toBe('my-waves');
    // The command is that of this clone, which has a file once it is packed.
    const clone = relative(realpathSync(root), resolve('.'));
    expect(dependencies).toEqual({ millrace: `file:${clone}/millrace-${version}.tgz` });
    if (current.missing === undefined) {
      const used = JSON.parse(readFileSync(join(vite, 'package.json'), 'utf8')) as { version: string };
      expect(devDependencies['vite']).toBe(`^${used.version.split('.')[0]}.0.0`);
    }
    expect(readdirSync(root)).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'tsconfig.json']));
    npm('My Waves', 'run', 'build');
    expect(existsSync(join(root, 'dist/index.html'))).toBe(true);
    if (chromiumPath === undefined) return;
    const browser = await startChromium();
    const server = await startServer({ folders: { '': join(root, 'dist') }, isolated: true });
    try {
      const page = await browser.newPage();
      await page.goto(`${server.origin}/`);
      await waitUntil(page, "/^\\d+ frames a second$/.test(document.querySelector('#rate').textContent)");
      const values = await page.evaluate(
        `new Set(document.querySelector('canvas').getContext('2d').getImageData(0, 0, 480, 320).data).size`,
      );
      expect(values).toBeGreaterThan(50);
    } finally {
      await browser.close();
      await server.close();
    }
  });

  it.runIf(hasTypes)(
    'makes a page whose check says where an argument is wrong',
    {
      timeout: 120_000,
    },
    async () => {
      expect((await create('checked')).code).toBe(0);
      const root = project.path('checked');
      npm('checked', 'run', 'check');
      const main = readFileSync(join(root, 'src/main.ts'), 'utf8');
      const wrong = main.replace('now / 1000', "'now'");
      expect(wrong).not.toBe(main);
      writeFileSync(join(root, 'src/main.ts'), wrong);
      const line = wrong.split('\n').findIndex((each) => each.includes("'now'")) + 1;
      const { status, stdout: said } = spawnSync('npm', ['run', 'check'], { cwd: root, encoding: 'utf8' });
      expect(status).not.toBe(0);
      expect(said).toMatch(new RegExp(`src/main\\.ts[(:]${line},\\d+`));
    },
  );

  it('makes a program that runs and is tested', { timeout: 120_000 }, async () => {
    const { code, stdout } = await create('sums', '--template', 'node');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Next:\n {2}cd sums\n(?: {2}npm pack .*\n)? {2}npm install\n {2}npm start\n/);
    expect(npm('sums', 'start')).toContain('y[10] = 21, y[999999] = 1999999');
    expect(npm('sums', 'test')).toMatch(/pass 1/);
    npm('sums', 'run', 'types');
    expect(existsSync(project.path('sums/src/saxpy.d.cl.ts'))).toBe(true);
  });

  it('writes over nothing, and says what it takes', async () => {
    project.write('full/notes.txt', 'mine');
    expect(await create('full')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'full' is not empty"),
    });
    expect(readdirSync(project.path('full'))).toEqual(['notes.txt']);
    expect(await create('full/notes.txt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no folder'),
    });
    expect(await create('x', '--template', 'deno')).toMatchObject({ code: 2 });
    expect(await create('...')).toMatchObject({ code: 2 });
    const { code, stdout } = await create('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--template');
    // An empty folder is as good as none.
    mkdirSync(project.path('empty'));
    expect((await create('empty', '-t', 'node')).code).toBe(0);
  });
});

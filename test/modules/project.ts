/** A user's project for tests, with Millrace as npm packs it in its node_modules. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Project {
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): void;
  remove(): void;
}

/** What Millrace itself needs of npm, as far as modules are concerned. */
const dependencies = ['unplugin', 'commander', 'picocolors', 'fast-png', 'jpeg-js'];

/**
 * A new folder with a package.json.
 * @param links packages that are there already, by their names and folders: links to them are made
 */
export function makeProject(links: Readonly<Record<string, string>> = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-modules-'));
  const path = (name: string) => join(folder, name);
  const installed = path('node_modules/millrace');
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }];
  execFileSync('tar', ['xzf', path(filename), '-C', installed, '--strip-components=1']);
  rmSync(path(filename));
  const known = Object.fromEntries(dependencies.map((name) => [name, resolve('node_modules', name)]));
  for (const [name, target] of Object.entries({ ...known, ...links })) {
    const link = path(join('node_modules', name));
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(target, link);
  }
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  write('package.json', '{ "type": "module", "private": true, "dependencies": { "millrace": "*" } }\n');
  return { folder, path, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A kernel with a header. */
export const saxpy = `#include "limit.h"

/** y += a x, for the first LIMIT numbers. */
kernel void saxpy(float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  if (i < LIMIT) y[i] += a * x[i];
}
`;

/** The same with a mistake in its sixth line, at the eighteenth column. */
export const wrong = saxpy.replace('y[i] += a *', 'y[i] += b *');

/** Uses it: 4 of 5 numbers. */
export const application = `
import { local } from 'millrace/kernels';
import { program, saxpy } from './saxpy.cl';
import { saxpy as two } from './saxpy.cl?options=-DLIMIT=2';
const x = Float32Array.of(1, 2, 3, 4, 5);
const y = new Float32Array(5);
await saxpy({ global: [5] }, 2, x, y);
const buffer = program.buffer(Float32Array.of(1, 1, 1, 1, 1));
await two({ global: [5] }, 1, x, buffer);
const z = await buffer.read(Float32Array);
globalThis.report = [[...y].join(), [...z].join(), saxpy.name, program.device.id, local(4).bytes].join(' ');
console.log(globalThis.report);
`;
export const limit = '#ifndef LIMIT\n#define LIMIT 4\n#endif\n';
export const expected = '2,4,6,8,0 2,3,1,1,1 saxpy wasm 4';

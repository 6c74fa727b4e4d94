/** What npm packs: with source maps that lead to the sources, in a package that is made as `npm pack` makes it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'millrace-packed-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}
let packed: Packed;
const paths = (): string[] => packed.files.map(({ path }) => path);
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

beforeAll(() => {
  const { files, ...rest } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
  for (const name of [
    'src',
    'include',
    'lib',
    'cmake',
    'docs',
    'scripts',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
  ]) {
    cpSync(name, join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...rest, files }));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // The declarations are looked at by test/house/package.test.ts.
  run(process.execPath, 'scripts/build.mjs', '--package', '--no-types');
  [packed] = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts')) as [Packed];
}, 120_000);

describe('the package', () => {
  it('has a source map for each of its files of JavaScript', () => {
    const scripts = paths().filter((path) => /^dist\/.*\.js$/.test(path));
    expect(scripts.length).toBeGreaterThan(50);
    for (const path of scripts) {
      const [, map] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(read(path)) ?? [];
      expect(paths(), path).toContain(`dist/${map}`);
    }
    expect(paths().filter((path) => path.startsWith('src/'))).toEqual([]);
  });

  it('has in the maps the sources that these name, but for generated data', () => {
    const maps = paths().filter((path) => path.endsWith('.map'));
    let sources = 0;
    for (const path of maps) {
      const map = JSON.parse(read(path)) as { sources: string[]; sourcesContent: string[] };
      expect(map.sourcesContent, path).toHaveLength(map.sources.length);
      for (const [index, source] of map.sources.entries()) {
        if (!source.startsWith('../src/')) continue;
        sources += 1;
        const isData = /^\.\.\/src\/(?:(?:library|hosted)\/embedded|parts\/rest-of-)/.test(source);
        expect(map.sourcesContent[index], `${path}: ${source}`).toBe(
          isData ? '' : read(join('dist', source)),
        );
      }
    }
    expect(sources).toBeGreaterThan(500);
    // 8.9 MB, 0.4 for machine code, threads and C++, 0.5 for BLAS, transforms, solvers, MPI and launches over ranks, 0.1 for narrow integers and the allocator of registers,
    // 0.1 for what machine code does with registers within blocks and loops, and for what readers of Brook+ and WebGPU found, 0.1 for vectors of 512 bits and for
    // commands that are loaded one by one, 0.03 for lanes that are shifted one by one, Trusted Types and what holds of queues: 10.23 in all.
    expect(packed.size).toBeLessThan(10.28e6);
  });

  it('leads from a place in dist to the place in its source', () => {
    // A function that esbuild renames nothing of, and that is in a chunk that was merged.
    const text = read('dist/chunk-front-end.js').split('\n');
    const line = text.findIndex((each) => /^(?:async )?function \w+\(|^var \w+ = class/.test(each));
    const name = /(?:function|var) (\w+)/.exec(text[line]!)![1]!.replace(/^_|\d+$/g, '');
    const map = new SourceMap(JSON.parse(read('dist/chunk-front-end.js.map')));
    const entry = map.findEntry(line, text[line]!.indexOf(name));
    expect('originalSource' in entry).toBe(true);
    const { originalSource, originalLine } = entry as { originalSource: string; originalLine: number };
    const original = read(join('dist', originalSource)).split('\n')[originalLine]!;
    expect(original).toContain(name);
  });

  it('has traces with the lines of the sources, if Node is asked for them', () => {
    mkdirSync(join(folder, 'use'));
    writeFileSync(
      join(folder, 'use/host.mjs'),
      "import { compile } from '../dist/index.js';\nawait compile(5);\n",
    );
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'use/host.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/a source is a string/);
    const [, file, line] = /(src\/api\/javascript\/compile\.ts):(\d+)/.exec(stderr) ?? [];
    const lines = readFileSync(file!, 'utf8').split('\n');
    expect(lines.slice(Number(line) - 1, Number(line) + 3).join('\n')).toMatch(/OpenCLError\(/);
  });

  it('names no address that it has not: see docs/versioning.md', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
    const remotes =
      spawnSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const isPublic = /^https:\/\//.test(remotes);
    for (const field of ['repository', 'homepage', 'bugs']) {
      if (isPublic) expect(manifest[field], field).toBeDefined();
      else expect(manifest[field], field).toBeUndefined();
    }
    if (!isPublic) expect(read('docs/versioning.md')).toMatch(/no `repository`, `homepage` or `bugs`/);
  });
});

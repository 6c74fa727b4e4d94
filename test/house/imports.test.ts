/**
 * The rooms import one way only (ARCHITECTURE.md). This reads every import under src/ and fails on one that
 * goes against the plan, on a Node module outside src/cli and src/modules, and on packages where none are allowed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** For each room, the rooms it may import from besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  parts: [],
  source: [],
  c: ['source', 'ir'],
  library: ['parts'],
  opencl: ['source', 'c', 'ir', 'library'],
  brook: ['source', 'c', 'ir', 'library'],
  il: ['source', 'ir'],
  ir: ['source'],
  passes: ['target', 'ir', 'source'],
  target: ['codegen', 'ir', 'source'],
  hosted: ['source', 'c', 'ir', 'opencl', 'brook', 'library', 'passes', 'codegen'],
  codegen: ['ir', 'source'],
  'codegen/r600-decompiler': ['codegen', 'il', 'source'],
  model: ['codegen'],
  runtime: ['ir', 'source'],
  devices: ['runtime', 'target', 'codegen', 'passes', 'ir', 'source', 'library', 'parts'],
  tools: [],
  'tools/profile': ['runtime'],
  'tools/check': ['devices', 'runtime', 'opencl', 'target', 'codegen', 'passes', 'ir', 'source', 'library'],
  'tools/debug': ['devices', 'runtime', 'opencl', 'c', 'ir', 'source', 'library'],
  'tools/language-service': ['source', 'c', 'ir', 'library', 'opencl', 'brook', 'il'],
  build: [
    'tools/profile',
    'tools/check',
    'runtime',
    'devices',
    'opencl',
    'il',
    'c',
    'ir',
    'source',
    'passes',
    'target',
    'codegen',
    'library',
    'parts',
  ],
  api: [
    'build',
    'codegen/r600-decompiler',
    'tools/profile',
    'runtime',
    'model',
    'devices',
    'opencl',
    'brook',
    'il',
    'c',
    'ir',
    'source',
    'passes',
    'target',
    'codegen',
    'library',
    'parts',
  ],
  array: ['api', 'runtime', 'source'],
  mpi: ['runtime', 'source'],
  cluster: ['mpi', 'api', 'build', 'passes', 'target', 'runtime', 'ir', 'source'],
  blas: ['array', 'api', 'runtime', 'source'],
  linalg: ['blas', 'array', 'api', 'runtime', 'source'],
  fft: ['blas', 'array', 'api', 'runtime', 'source'],
  'tools/examine': ['api', 'build', 'devices', 'opencl', 'brook', 'il', 'c', 'ir', 'source', 'library'],
  'tools/analyze': [
    'tools',
    'build',
    'model',
    'passes',
    'target',
    'codegen',
    'opencl',
    'brook',
    'il',
    'c',
    'ir',
    'source',
  ],
  'tools/roofline': ['tools', 'tools/debug', 'api', 'build', 'model', 'runtime', 'c', 'ir', 'source'],
  chost: ['api', 'mpi', 'blas', 'build', 'tools/check', 'tools/profile', 'runtime', 'hosted', 'source'],
};

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return /\.tsx?$/.test(path) ? [path] : [];
  });
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g;

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(importPattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

function roomOf(file: string): string {
  const parts = relative('src', file).split(sep);
  if (parts.length === 1) return 'index';
  // Each tool is a room of its own: some stand below the APIs, some above.
  if (parts[0] === 'tools' && parts.length > 2) return `tools/${parts[1]}`;
  // What reads the code of a machine back knows the language that it becomes.
  if (parts[1] === 'r600-decompiler') return 'codegen/r600-decompiler';
  return parts[0]!;
}

/** What uses Millrace as anybody would, on a machine. */
const users: readonly string[] = ['cli', 'modules'];

/** What is wrong with one import, or undefined. */
function complaint(file: string, specifier: string): string | undefined {
  const room = roomOf(file);
  if (!specifier.startsWith('.')) {
    if (users.includes(room)) return undefined;
    return `${file} imports the module '${specifier}'; only ${users.map((user) => `src/${user}`).join(' and ')} may`;
  }
  const target = roomOf(join(dirname(file), specifier));
  if (target === room || room === 'index') return undefined;
  if (users.includes(room))
    return target === 'index' || target === 'api'
      ? undefined
      : `${file} imports ${specifier}: ${room} uses only what a user can import`;
  const rooms = allowed[room];
  if (!rooms) return `${file} stands in the unknown room '${room}'`;
  if (!rooms.includes(target)) return `${file} imports ${specifier}: ${room} may not use ${target}`;
  return undefined;
}

describe('the rooms of src', () => {
  it('import one way only', () => {
    const complaints = filesUnder('src').flatMap((file) =>
      importsOf(file).flatMap((specifier) => complaint(file, specifier) ?? []),
    );
    expect(complaints).toEqual([]);
  });

  it('are reached by the playground through the package, but for the words of arguments', () => {
    const complaints = filesUnder(join('playground', 'src')).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier))
        .filter((path) => path.startsWith(`src${sep}`) && !path.startsWith(join('src', 'cli', 'arguments')))
        .map((path) => `${file} imports ${path}`),
    );
    expect(complaints).toEqual([]);
  });

  it('are reached by samples and benchmarks only through the package', () => {
    const complaints = ['samples', 'bench'].flatMap((folder) =>
      filesUnder(folder).flatMap((file) =>
        importsOf(file)
          .filter(
            (specifier) =>
              specifier.startsWith('.') && join(dirname(file), specifier).startsWith(`src${sep}`),
          )
          .map((specifier) => `${file} imports ${specifier}`),
      ),
    );
    expect(complaints).toEqual([]);
  });

  it('notices what it should notice', () => {
    expect(complaint('src/ir/a.ts', '../c/ast.ts')).toContain('ir may not use c');
    expect(complaint('src/passes/a.ts', 'node:fs')).toContain('only src/cli');
    expect(complaint('src/opencl/a.ts', '../c/ast.ts')).toBeUndefined();
    expect(complaint('src/cli/a.ts', '../runtime/event.ts')).toContain('only what a user can import');
    expect(complaint('src/modules/a.ts', '../build/build-il.ts')).toContain('only what a user can import');
  });
});

/** The build cache on the disk, through the built package in a folder of its own. */
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import {
  chmodSync,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildBinary, cacheInfo, clearCache, compile, renderDiagnostics } from 'millrace';
import { compileHost, MemoryFiles, runProgram } from 'millrace/c-host';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CacheFolder } from '../../src/build/cache/cache-folder.ts';
import { crc32 } from '../../src/build/crc32.ts';
import { start } from '../cli/millrace.ts';

let folder: string;
const before = { ...process.env };
beforeAll(() => {
  process.env['MILLRACE_CACHE'] = '1';
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-cache-'));
  process.env['MILLRACE_CACHE_DIR'] = folder;
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => {
  process.env = before;
});

const entries = () => readdirSync(folder).map((name) => join(folder, name));

async function namesOf(source: string, options: Parameters<typeof compile>[1] = {}): Promise<string> {
  const program = await compile(source, options);
  program.release();
  return program.kernelNames.join();
}

/** Keeps under the key of one entry what another one holds, as the cache itself would write it. */
function forge(own: string, other: string): void {
  const cache = new CacheFolder(folder, fs as never);
  cache.write(basename(own, '.mlrc'), cache.read(basename(other, '.mlrc'))!);
}

/** Makes the one entry of `a` that of another program, whose kernel is called `other`: who is answered by it shows. */
async function swap(a: string, options: Parameters<typeof compile>[1] = {}, put = forge): Promise<void> {
  await namesOf(a, options);
  const [own] = entries();
  expect(entries()).toHaveLength(1);
  await namesOf('kernel void other(global int *x) { x[0] = 1; }');
  put(own!, entries().find((path) => path !== own)!);
}

const simple = 'kernel void simple(global int *x) { x[get_global_id(0)] += 5; }';

describe('a remembered build', () => {
  it('is taken from the disk, and runs', async () => {
    await swap(simple);
    expect(await namesOf(simple)).toBe('other');
    expect(await namesOf(`${simple} `)).toBe('simple');
    clearCache();
    for (let round = 0; round < 2; round += 1) {
      const printed: string[] = [];
      const program = await compile(
        `constant int add[2] = {3, 4};
        kernel void add_up(global int *x, int2 y) { x[get_global_id(0)] += add[1] + y.s1; printf("%d|%f", x[0], 0.5f); }`,
        {
          print: (text) => printed.push(text),
        },
      );
      const data = Int32Array.of(1);
      await program.kernel('add_up')({ global: [1] }, data, [10, 20]);
      expect([...data]).toEqual([25]);
      expect(printed.join('')).toBe('25|0.500000');
      program.release();
    }
  });

  it('differs by name, options and device', async () => {
    await namesOf(simple);
    await namesOf(simple);
    expect(cacheInfo()).toMatchObject({ enabled: true, folder, entries: 1 });
    await namesOf(simple, { name: 'b.cl' });
    await namesOf(simple, { options: '-DX' });
    expect(cacheInfo().entries).toBe(3);
    expect(cacheInfo().bytes).toBeGreaterThan(300);
    expect(clearCache()).toBe(3);
    expect(cacheInfo().entries).toBe(0);
  });

  it('says the same', async () => {
    const source = `#define HALF(x) x / 0
#line 40 "generated.cl"
kernel void warns(global int *x) {
  x[0] = HALF(x[1]);
#include "inner.h"
}`;
    const files = { read: (path: string) => (path === 'inner.h' ? '  x[2] = x[3] / 0;\n' : undefined) };
    const told = [];
    for (let round = 0; round < 2; round += 1) {
      const { log, diagnostics } = await compile(source, { name: 'w.cl', files });
      expect(renderDiagnostics(diagnostics)).toBe(log);
      told.push(log);
    }
    expect(entries()).toHaveLength(1);
    expect(told[0]).toContain('generated.cl:41:');
    expect(told[0]).toContain("expanded from macro 'HALF'");
    expect(told[0]).toContain('In file included from generated.cl:42:');
    expect(told[1]).toBe(told[0]);
  });

  it('is none when an included file has changed, gone or come', async () => {
    const texts = new Map([['inc/value.h', '#define NAME first\n']]);
    const files = { read: (path: string) => texts.get(path) };
    const source = '#include "value.h"\nkernel void NAME(global int *x) {}';
    const build = () => namesOf(source, { files, options: '-I inc' });
    expect(await build()).toBe('first');
    texts.set('inc/value.h', '#define NAME second\n');
    expect(await build()).toBe('second');
    // Found before the other one, which is as it was.
    texts.set('value.h', '#define NAME third\n');
    expect(await build()).toBe('third');
    texts.delete('value.h');
    expect(await build()).toBe('second');
  });

  it('is never of a program that tells the time, or does not compile', async () => {
    await namesOf('kernel void k(global int *x) { x[0] = sizeof(__TIME__); }');
    await namesOf('#include "t.h"\nkernel void k(global int *x) { x[0] = sizeof(NOW); }', {
      files: { read: (path) => (path === 't.h' ? '#define NOW __DATE__\n' : undefined) },
    });
    await expect(compile('kernel void k( {')).rejects.toThrow();
    expect(entries()).toEqual([]);
  });

  it('is of a binary too, by its whole content', async () => {
    const binaryOf = (content: string) => buildBinary([{ name: 'k.cl', content }]).binary!;
    const [first, second] = [binaryOf(simple), binaryOf(simple.replace('+= 5', '+= 6'))];
    for (const [binary, expected] of [
      [first, 6],
      [second, 7],
      [first, 6],
      [second, 7],
    ] as const) {
      const program = await compile(binary);
      const data = Int32Array.of(1);
      await program.kernel('simple')({ global: [1] }, data);
      expect([...data]).toEqual([expected]);
      program.release();
    }
    expect(entries()).toHaveLength(2);
  });

  it('keeps the places that -g asks for', async () => {
    await namesOf(simple);
    const plain = cacheInfo().bytes;
    clearCache();
    await namesOf(simple, { options: '-g' });
    expect(cacheInfo().bytes).toBeGreaterThan(plain + 10);
  });

  it('can be turned off', async () => {
    await swap(simple);
    process.env['MILLRACE_CACHE'] = '0';
    expect(await namesOf(simple)).toBe('simple');
    expect(cacheInfo().enabled).toBe(false);
    process.env['MILLRACE_CACHE'] = '1';
  });
});

describe('a remembered program in C', () => {
  const source =
    '#include "answer.h"\n#ifndef MORE\n#define MORE 0\n#endif\nint main(void) { int unused; return answer + MORE; }';
  const sources = [{ name: 'host.c', text: source }];
  const filesWith = (answer: string) => ({
    read: (path: string) => (path === 'answer.h' ? answer : undefined),
  });

  it('comes from the disk with what was said about it', () => {
    const fresh = compileHost(sources, { files: filesWith('enum { answer = 42 };') });
    expect(cacheInfo().entries).toBe(1);
    const again = compileHost(sources, { files: filesWith('enum { answer = 42 };') });
    expect(again.bytes).toEqual(fresh.bytes);
    expect(again.log).toBe(fresh.log);
    expect(renderDiagnostics(again.diagnostics)).toBe(renderDiagnostics(fresh.diagnostics));
    expect(again.show('ir')).toBe(fresh.show('ir'));
    // It is the disk's: another module in its place is taken for it.
    const other = compileHost([{ name: 'host.c', text: 'int main(void) { return 7; }' }]);
    const [a, b] = entries().sort((x, y) => statSync(x).mtimeMs - statSync(y).mtimeMs);
    forge(a!, b!);
    expect(compileHost(sources, { files: filesWith('enum { answer = 42 };') }).bytes).toEqual(other.bytes);
  });

  it('comes with the kernels of its .br files', () => {
    const program = (factor: string): string => `
      kernel float twice(float a) { return a + a; }
      kernel void f(float a<>, float k, out float b<>) { b = twice(a) * k; }
      int main(void) {
        float x[3] = { 1, 2, 3 };
        float a<3>, b<3>;
        streamRead(a, x);
        f(a, ${factor}f, b);
        streamWrite(b, x);
        printf("%g %g %g\\n", x[0], x[1], x[2]);
        return 0;
      }`;
    const compiled = (factor: string) => compileHost([{ name: 'f.br', text: program(factor) }]);
    const fresh = compiled('5.0');
    expect(fresh.log).toBe('');
    const [own] = entries();
    compiled('7.0');
    forge(own!, entries().find((path) => path !== own)!);
    // It is the disk's: the other program in its place is taken for it.
    const printed = [fresh, compiled('5.0')].map(({ bytes, brook }) => {
      let out = '';
      const stdout = (part: Uint8Array): void => {
        out += new TextDecoder().decode(part);
      };
      runProgram(bytes!, { brook, inMemory: { files: new MemoryFiles(), stdout } });
      return out;
    });
    expect(printed).toEqual(['10 20 30\n', '14 28 42\n']);
  });

  it('is another one with other files, definitions or options', () => {
    const compiled = (answer: string, definitions: string[] = []) =>
      compileHost(sources, { files: filesWith(answer), definitions, suppressWarnings: true }).bytes!;
    const first = compiled('enum { answer = 42 };');
    expect(compiled('enum { answer = 43 };')).not.toEqual(first);
    expect(compiled('enum { answer = 42 };', ['MORE=1'])).not.toEqual(first);
    expect(compileHost(sources).bytes).toBeUndefined();
    clearCache();
    compiled('enum { answer = sizeof __TIME__ };');
    expect(cacheInfo().entries).toBe(0);
  });
});

describe("what is not the cache's own", () => {
  const another = (own: string, other: string) => copyFileSync(other, own);

  it("is another program's file under this one's name", async () => {
    await swap(simple, {}, another);
    expect(await namesOf(simple)).toBe('simple');
    const compiled = (result: number) =>
      compileHost([{ name: 'host.c', text: `int main(void) { return ${result}; }` }]).bytes!;
    const first = compiled(1);
    const [own] = entries().sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs);
    const second = compiled(2);
    const [other] = entries().sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs);
    expect(other).not.toBe(own);
    another(own!, other!);
    expect(compiled(1)).toEqual(first);
    expect(first).not.toEqual(second);
  });

  it('is a file with a checksum that fits by CRC-32, or is cut', () => {
    const cache = new CacheFolder(folder, fs as never);
    cache.write('key', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const path = join(folder, 'key.mlrc');
    const whole = readFileSync(path);
    expect(cache.read('key')).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    // Adding this polynomial anywhere leaves a CRC-32 as it is.
    const changed = Uint8Array.from(whole);
    [0x41, 0x06, 0x71, 0xdb, 0x01].forEach((byte, index) => {
      changed[whole.length - 6 + index]! ^= byte;
    });
    expect(crc32(changed)).toBe(crc32(whole));
    writeFileSync(path, changed);
    expect(cache.read('key')).toBeUndefined();
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      expect(cache.read('key'), String(length)).toBeUndefined();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'is a link, a pipe, a socket, a device or a folder',
    { timeout: 30_000 },
    async () => {
      await namesOf(simple);
      const [path] = entries() as [string];
      const content = readFileSync(path);
      const elsewhere = mkdtempSync(join(tmpdir(), 'millrace-elsewhere-'));
      writeFileSync(join(elsewhere, 'kept'), content, { mode: 0o600 });
      const socket = createServer();
      try {
        const things: (() => unknown)[] = [
          () => symlinkSync(join(elsewhere, 'kept'), path),
          () => execFileSync('mkfifo', [path]),
          () => symlinkSync('/dev/zero', path),
          () => symlinkSync('/dev/tty', path),
          () => new Promise<void>((resolve) => socket.listen(path, resolve)),
          () => mkdirSync(path),
        ];
        for (const make of things) {
          rmSync(path, { force: true });
          await make();
          const before = lstatSync(path);
          expect(new CacheFolder(folder, fs as never).read(basename(path, '.mlrc'))).toBeUndefined();
          expect(cacheInfo()).toMatchObject({ entries: 0, bytes: 0 });
          expect(await namesOf(simple)).toBe('simple');
          // The build put a file in its place, or, where a folder was, could not.
          expect(lstatSync(path).isFile()).toBe(!before.isDirectory());
          if (before.isDirectory()) continue;
          expect(readFileSync(path)).toEqual(content);
        }
        expect(readFileSync(join(elsewhere, 'kept'))).toEqual(content);
      } finally {
        socket.close();
        rmSync(elsewhere, { recursive: true });
      }
    },
  );

  it.skipIf(process.platform === 'win32')('is what others can write, or own', async () => {
    await swap(simple);
    expect(await namesOf(simple)).toBe('other');
    for (const mode of [0o722, 0o777, 0o720, 0o702]) {
      chmodSync(folder, mode);
      expect(await namesOf(simple), mode.toString(8)).toBe('simple');
      expect(cacheInfo()).toMatchObject({ enabled: false, problem: 'others can write it' });
    }
    const info = await start(folder, ['cache'], { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: folder }).ended;
    expect(info.stdout).toContain(`folder: ${folder} (not used: others can write it)\n`);
    const clear = await start(folder, ['cache', 'clear'], { MILLRACE_CACHE_DIR: folder }).ended;
    expect(clear).toMatchObject({ code: 1 });
    expect(clear.stderr).toContain('not used: others can write it');
    expect(clearCache()).toBe(0);
    // Nothing was written there meanwhile either.
    chmodSync(folder, 0o755);
    expect(cacheInfo()).toMatchObject({ enabled: true, entries: 2 });
    expect(await namesOf(simple)).toBe('other');
    // A single file.
    for (const path of entries()) chmodSync(path, 0o666);
    expect(await namesOf(simple)).toBe('simple');
  });

  it.skipIf(process.platform === 'win32')('is what another user owns', () => {
    const own = new CacheFolder(folder, fs as never);
    own.write('key', Uint8Array.of(1));
    const folderOf = (uid: number) => ({
      ...fs,
      statSync: (path: string) => Object.assign(statSync(path), { uid }),
    });
    const filesOf = (uid: number) => ({
      ...fs,
      fstatSync: (file: number) => Object.assign(fstatSync(file), { uid }),
    });
    const me = process.geteuid!();
    const said: string[] = [];
    const log = (text: string) => said.push(text);
    const theirs = new CacheFolder(folder, folderOf(me + 1) as never, 1e9, 0, log);
    expect(theirs.read('key')).toBeUndefined();
    theirs.write('more', Uint8Array.of(2));
    theirs.write('other', Uint8Array.of(2));
    expect(theirs.clear()).toBe(0);
    expect(readdirSync(folder)).toEqual(['key.mlrc']);
    // Said once.
    expect(said).toEqual([`${folder} is not used: it belongs to another user`]);
    const theirFile = new CacheFolder(folder, filesOf(me + 1) as never);
    expect(theirFile.read('key')).toBeUndefined();
    expect(new CacheFolder(folder, filesOf(me) as never).read('key')).toEqual(Uint8Array.of(1));
  });

  it('is what is larger than an entry may be', () => {
    new CacheFolder(folder, fs as never, 1e6).write('key', new Uint8Array(1000));
    expect(new CacheFolder(folder, fs as never, 1e6).read('key')).toHaveLength(1000);
    expect(new CacheFolder(folder, fs as never, 4000).read('key')).toBeUndefined();
  });

  it('is told where NODE_DEBUG asks for it', async () => {
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, 'k.cl'), simple);
    const env = { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: folder };
    const silent = await start(folder, ['compile', 'k.cl'], env).ended;
    expect(silent).toMatchObject({ code: 0, stderr: '' });
    const told = await start(folder, ['compile', 'k.cl'], { ...env, NODE_DEBUG: 'millrace' }).ended;
    expect(told.code).toBe(0);
    expect(told.stderr).toMatch(/MILLRACE \d+: \S+ is not used: others can write it/);
  });
});

describe('the folder', () => {
  it('keeps whole entries while several processes write the same key', { timeout: 60_000 }, async () => {
    const contents = `
      import * as fs from 'node:fs';
      import { CacheFolder } from './src/build/cache/cache-folder.ts';
      const cache = new CacheFolder(process.argv[2], fs, 1e9);
      let wrong = 0, found = 0;
      for (let round = 0; round < 300; round += 1) {
        cache.write('key', new Uint8Array(200_000).fill(Number(process.argv[3]) + round % 3));
        const read = cache.read('key');
        if (!read) continue;
        found += 1;
        if (read.length !== 200_000 || read.some((byte) => byte !== read[0])) wrong += 1;
      }
      console.log(JSON.stringify({ wrong, found }));`;
    const outfile = join(mkdtempSync(join(folder, 'writer-')), 'writer.mjs');
    const stdin = { contents, resolveDir: '.' };
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm' });
    const shared = join(folder, 'cache');
    const run = promisify(execFile);
    const all = await Promise.all(
      [1, 11].map((first) => run(process.execPath, [outfile, shared, String(first)])),
    );
    for (const { stdout } of all) expect(JSON.parse(stdout)).toEqual({ wrong: 0, found: 300 });
    expect(readdirSync(shared)).toEqual(['key.mlrc']);
  });

  it('may be damaged', async () => {
    await namesOf(simple);
    const [path] = entries() as [string];
    const whole = readFileSync(path);
    for (const at of [0, 10, whole.length >> 1, whole.length - 1]) {
      const bytes = Uint8Array.from(whole);
      bytes[at]! ^= 4;
      writeFileSync(path, bytes);
      expect(await namesOf(simple)).toBe('simple');
      writeFileSync(path, whole.subarray(0, at));
      expect(await namesOf(simple)).toBe('simple');
    }
    // It has been mended.
    expect(readFileSync(path)).toEqual(whole);
  });

  it('may be no folder, or not to be written', async () => {
    process.env['MILLRACE_CACHE_DIR'] = join(folder, 'file/below');
    writeFileSync(join(folder, 'file'), '');
    expect(await namesOf(simple)).toBe('simple');
    expect(cacheInfo()).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('is made with those above it, or given up where none can be', () => {
    const deep = new CacheFolder(join(folder, 'a', 'b/'), fs as never);
    deep.write('key', Uint8Array.of(1));
    expect(deep.read('key')).toEqual(Uint8Array.of(1));
    // As in /proc: every folder is there, and in none can one be made.
    let made = 0;
    const mkdirSync = () => {
      made += 1;
      throw Object.assign(new Error('none'), { code: 'ENOENT' });
    };
    const nowhere = new CacheFolder('/proc/none/at/all', { ...fs, mkdirSync } as never);
    nowhere.write('key', Uint8Array.of(1));
    expect(nowhere.read('key')).toBeUndefined();
    expect(made).toBeLessThan(10);
  });

  it('is shared by processes that write at once', async () => {
    writeFileSync(join(folder, 'k.cl'), simple);
    const env = { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: join(folder, 'cache') };
    const all = await Promise.all([1, 2, 3].map(() => start(folder, ['compile', 'k.cl'], env).ended));
    expect(all.map(({ stdout }) => stdout)).toEqual(Array(3).fill('k.cl: no errors, 1 kernel: simple\n'));
    expect(readdirSync(join(folder, 'cache'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.mlrc$/)]);
    const info = await start(folder, ['cache'], env).ended;
    expect(info.stdout).toMatch(/^folder: \S+cache\nholds: 1 build, \d+\.\d KiB\n$/);
    expect((await start(folder, ['cache', 'clear'], env).ended).stdout).toBe('1 build removed\n');
    expect((await start(folder, ['cache', 'info'], { ...env, MILLRACE_CACHE: '0' }).ended).stdout).toContain(
      '(turned off)\nholds: 0 builds, 0.0 KiB',
    );
  });

  it('keeps to its limit: the oldest go, and what was left unfinished', () => {
    const fill = new CacheFolder(folder, fs as never, 1e9);
    const content = new Uint8Array(1000);
    for (let index = 0; index < 20; index += 1) {
      fill.write(`k${index}`, content);
      utimesSync(join(folder, `k${index}.mlrc`), 1000 + index, 1000 + index);
    }
    writeFileSync(join(folder, 'x.mlrc.abc.tmp'), content);
    utimesSync(join(folder, 'x.mlrc.abc.tmp'), 1, 1);
    writeFileSync(join(folder, 'mine.txt'), 'not of the cache');
    // A use makes it young.
    expect(fill.read('k0')).toEqual(content);
    new CacheFolder(folder, fs as never, 10_000, 0).write('new', content);
    const left = readdirSync(folder).sort();
    expect(left).toContain('k0.mlrc');
    expect(left).toContain('new.mlrc');
    expect(left).toContain('mine.txt');
    expect(left).not.toContain('k1.mlrc');
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const bytes = left.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(10_000);
    expect(left.length).toBeGreaterThan(7);
    // What is too large for the folder is not kept.
    new CacheFolder(folder, fs as never, 10_000, 0).write('large', new Uint8Array(5000));
    expect(readdirSync(folder)).not.toContain('large.mlrc');
  });

  it("is looked through at one of 32 writes, not at each process's first", () => {
    let looks = 0;
    const counting = {
      ...fs,
      readdirSync: (path: string) => {
        looks += 1;
        return readdirSync(path);
      },
    };
    const cache = new CacheFolder(folder, counting as never, 1e9, 5);
    const looksAfter = Array.from({ length: 70 }, (_, index) => {
      cache.write(`k${index}`, new Uint8Array(8));
      return looks;
    });
    expect(
      looksAfter
        .map((count, index) => (count > (looksAfter[index - 1] ?? 0) ? index : -1))
        .filter((index) => index >= 0),
    ).toEqual([5, 37, 69]);
  });
});

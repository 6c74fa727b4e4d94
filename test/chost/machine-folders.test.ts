/**
 * Folders of the machine that programs are given: nothing leads out of them, by any function that takes a path, and what links
 * lead to inside of them is what node:fs finds there.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compileHost, runProgram } from 'millrace/c-host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenFile, OpenFolder, OpenRequest } from '../../src/chost/descriptors.ts';
import { OpenMachineFolder } from '../../src/chost/machine-descriptors.ts';
import { errno, fileType, SystemError } from '../../src/chost/wasi.ts';
import { compileC, hasClang } from '../support/clang.ts';

let root: string;
let given: string;
let folder: OpenMachineFolder;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-folders-')));
  given = join(root, 'given');
  mkdirSync(join(given, 'sub/deep'), { recursive: true });
  mkdirSync(join(root, 'other/empty'), { recursive: true });
  writeFileSync(join(root, 'other/secret.txt'), 'secret');
  writeFileSync(join(given, 'a.txt'), 'inside');
  writeFileSync(join(given, 'sub/b.txt'), 'deeper');
  const links: Record<string, string> = {
    out: '../other',
    outabsolute: join(root, 'other'),
    outfile: '../other/secret.txt',
    outfileabsolute: join(root, 'other/secret.txt'),
    top: '/',
    up: '..',
    'sub/up': '../..',
    'sub/here': '..',
    around: 'sub/../sub/up/given',
    in: 'sub',
    infile: 'sub/b.txt',
    twice: 'in/../infile',
    dangling: 'sub/new.txt',
    danglingout: '../other/new.txt',
    loop: 'loop2',
    loop2: 'loop',
    absoluteinside: join(given, 'a.txt'),
  };
  for (const [name, text] of Object.entries(links)) symlinkSync(text, join(given, name));
  folder = OpenMachineFolder.given(given, '.');
});

afterEach(() => {
  folder.close();
  rmSync(root, { recursive: true });
});

const request: OpenRequest = {
  follow: true,
  create: false,
  exclusive: false,
  truncate: false,
  folder: false,
  mayRead: true,
  mayWrite: false,
  flags: 0,
};
const creating = { ...request, create: true, mayWrite: true };
const noTimes = { accessed: 0n, modified: 0n };

/** The name of the error that an action ends with. */
function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SystemError);
    const { code } = error as SystemError;
    return Object.keys(errno).find((name) => errno[name as keyof typeof errno] === code)!;
  }
  return 'no error';
}

/** All that there is below a folder of the machine, with times and texts. */
function everything(path: string): unknown[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const status = lstatSync(join(path, name));
      const text = status.isFile() ? readFileSync(join(path, name), 'utf8') : '';
      return [name, status.mode, status.nlink, status.mtimeMs, text];
    });
}

const operations: Readonly<Record<string, (path: string) => unknown>> = {
  open: (path) => folder.open(path, request),
  'open to write': (path) => folder.open(path, { ...request, mayWrite: true }),
  create: (path) => folder.open(path, creating),
  truncate: (path) => folder.open(path, { ...creating, truncate: true }),
  'open a folder': (path) => folder.open(path, { ...request, folder: true }),
  status: (path) => folder.statusOf(path, true),
  'set times': (path) => folder.setTimesOf(path, true, noTimes),
  link: (path) => folder.link(path, true, folder, 'linked'),
};

/** Those that never follow a link at the end of a path. */
const unfollowing: Readonly<Record<string, (path: string) => unknown>> = {
  'status of a link': (path) => folder.statusOf(path, false),
  'open no link': (path) => folder.open(path, { ...request, follow: false }),
  'create anew': (path) => folder.open(path, { ...creating, exclusive: true }),
  'times of a link': (path) => folder.setTimesOf(path, false, noTimes),
  'make a folder': (path) => folder.createFolder(path),
  'remove a folder': (path) => folder.removeFolder(path),
  unlink: (path) => folder.unlink(path),
  'rename from': (path) => folder.rename(path, folder, 'moved'),
  'rename to': (path) => folder.rename('a.txt', folder, path),
  'read a link': (path) => folder.readLink(path),
  'make a link': (path) => folder.symbolicLink('a.txt', path),
  'link from': (path) => folder.link(path, false, folder, 'linked'),
  'link to': (path) => folder.link('a.txt', false, folder, path),
};

describe('paths that lead out of the folder', () => {
  const outside = ['secret.txt', 'empty', 'missing', '../other/secret.txt'];
  const ways = [
    '../other',
    'out',
    'outabsolute',
    'up/other',
    'sub/up/other',
    'sub/../../other',
    'around/../other',
  ];
  const through = [
    ...ways.flatMap((way) => outside.map((name) => `${way}/${name}`)),
    'in/../../other/secret.txt',
  ];
  const ends = [
    'outfile',
    'outfileabsolute',
    'out',
    'up',
    'top',
    '..',
    '/',
    '/etc/passwd',
    'danglingout',
    'around',
  ];

  it.each([...Object.keys(operations), ...Object.keys(unfollowing)])('%s', (name) => {
    const before = everything(join(root, 'other'));
    const operation = operations[name] ?? unfollowing[name]!;
    // A link to be made, removed or renamed may be spelt with a slash, and then is no folder.
    for (const path of [...through, 'top/etc/passwd', '/', '..', 'out/', 'up/.', 'top/'])
      expect([path, errorOf(() => operation(path))]).toEqual([
        path,
        unfollowing[name] && /^(?:out|top|up)\/\.?$/.test(path)
          ? expect.stringMatching(/^not|exists|noEntry|loop|invalid|busy/)
          : 'notCapable',
      ]);
    if (operations[name])
      for (const path of ends) expect([path, errorOf(() => operation(path))]).toEqual([path, 'notCapable']);
    expect(everything(join(root, 'other'))).toEqual(before);
  });

  it('go back from folders that have been removed', () => {
    // A C library keeps the way to its current folder: `chdir("sub/gone"); chdir("../..");`
    folder.createFolder('sub/gone');
    folder.removeFolder('sub/gone');
    expect(read(folder, 'sub/gone/../../a.txt')).toBe('inside');
    expect(read(folder, 'sub/gone/../b.txt')).toBe('deeper');
    expect(errorOf(() => read(folder, 'sub/gone/a.txt'))).toBe('noEntry');
    expect(read(folder, 'gone/gone/../../a.txt')).toBe('inside');
    expect(errorOf(() => read(folder, 'gone/gone/../a.txt'))).toBe('noEntry');
    expect(errorOf(() => read(folder, 'gone/../../other/secret.txt'))).toBe('notCapable');
    expect(errorOf(() => read(folder, 'a.txt/../a.txt'))).toBe('notFolder');
  });

  it('do not do so from a folder that was opened in it', () => {
    const sub = folder.open('sub', { ...request, folder: true }) as OpenFolder;
    expect(errorOf(() => sub.open('../a.txt', request))).toBe('notCapable');
    expect(errorOf(() => sub.open('here/a.txt', request))).toBe('notCapable');
    expect(read(sub, 'b.txt')).toBe('deeper');
    sub.close();
  });

  it('are no texts of links that programs make', () => {
    expect(errorOf(() => folder.symbolicLink('/etc', 'made'))).toBe('notCapable');
    folder.symbolicLink('../other', 'made');
    expect(errorOf(() => folder.statusOf('made/secret.txt', true))).toBe('notCapable');
  });

  it('lead nowhere while somebody changes folders into links', async () => {
    writeFileSync(join(given, 'secret.txt'), 'mine');
    mkdirSync(join(given, 'turn'));
    writeFileSync(join(given, 'turn/secret.txt'), 'mine');
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(
      `const { workerData: [path, stop] } = require('node:worker_threads');
      const { renameSync, symlinkSync } = require('node:fs');
      symlinkSync('../other', path + '/evil');
      for (let turns = 1; Atomics.load(stop, 0) === 0; turns += 1) {
        renameSync(path + '/turn', path + '/aside');
        renameSync(path + '/evil', path + '/turn');
        renameSync(path + '/turn', path + '/evil');
        renameSync(path + '/aside', path + '/turn');
        Atomics.store(stop, 1, turns);
      }`,
      { eval: true, workerData: [given, stop] },
    );
    const found = new Set<string>();
    while (Atomics.load(stop, 1) < 2000) {
      try {
        found.add(read(folder, 'turn/secret.txt'));
      } catch (error) {
        expect(error).toBeInstanceOf(SystemError);
      }
    }
    Atomics.store(stop, 0, 1);
    await new Promise((ended) => worker.once('exit', ended));
    expect(found).toEqual(new Set(['mine']));
  });
});

function read(from: OpenFolder, path: string): string {
  const file = from.open(path, request);
  try {
    return new TextDecoder().decode(file.read(100));
  } finally {
    file.close();
  }
}

describe('paths that stay in the folder', () => {
  const files = [
    'a.txt',
    'in/b.txt',
    'infile',
    'twice',
    'sub/here/a.txt',
    'sub/here/in/deep/../b.txt',
    './sub//b.txt',
  ];

  it.each(files)('%s is what node:fs finds', (path) => {
    expect(read(folder, path)).toBe(readFileSync(join(given, path), 'utf8'));
    const { ino, size } = statSync(join(given, path), { bigint: true });
    expect(folder.statusOf(path, true)).toMatchObject({ number: ino, size, type: fileType.file });
  });

  it('are created through links, and not against them', () => {
    const file = folder.open('dangling', creating) as OpenFile;
    file.write(new TextEncoder().encode('new'));
    file.close();
    expect(readFileSync(join(given, 'sub/new.txt'), 'utf8')).toBe('new');
    expect(errorOf(() => folder.open('infile', { ...creating, exclusive: true }))).toBe('exists');
    expect(errorOf(() => folder.open('infile', { ...request, follow: false }))).toBe('loop');
    expect(errorOf(() => folder.open('loop', request))).toBe('loop');
    expect(errorOf(() => folder.open('loop/a', request))).toBe('loop');
    // Absolute texts mean nothing where the folder has another name.
    expect(errorOf(() => folder.open('absoluteinside', request))).toBe('notCapable');
  });

  it('name links themselves where they should', () => {
    expect(folder.statusOf('out', false).type).toBe(fileType.link);
    expect(folder.readLink('out')).toBe('../other');
    expect(errorOf(() => folder.readLink('a.txt'))).toBe('invalid');
    folder.rename('out', folder, 'sub/renamed');
    expect(readlinkSync(join(given, 'sub/renamed'))).toBe('../other');
    folder.unlink('in/renamed');
    expect(existsSync(join(given, 'sub/renamed'))).toBe(false);
    folder.link('outfile', false, folder, 'linked');
    expect(readlinkSync(join(given, 'linked'))).toBe('../other/secret.txt');
    folder.link('infile', true, folder, 'again');
    expect(statSync(join(given, 'again')).ino).toBe(statSync(join(given, 'sub/b.txt')).ino);
    linkSync(join(given, 'a.txt'), join(given, 'third'));
    expect(folder.statusOf('third', true).links).toBe(2n);
  });

  it('end with a slash where folders are meant', () => {
    expect(folder.statusOf('in/', false)).toMatchObject({ type: fileType.folder });
    expect(errorOf(() => folder.statusOf('a.txt/', true))).toBe('notFolder');
    expect(errorOf(() => folder.open('a.txt/', request))).toBe('notFolder');
    expect(errorOf(() => folder.open('infile/', request))).toBe('notFolder');
    expect(errorOf(() => folder.unlink('a.txt/'))).toBe('notFolder');
    expect(errorOf(() => folder.open('new/', creating))).toMatch(/isFolder|noEntry|invalid|notFolder/);
    folder.createFolder('made/');
    expect(statSync(join(given, 'made')).isDirectory()).toBe(true);
    folder.removeFolder('made/');
    expect(existsSync(join(given, 'made'))).toBe(false);
  });

  it('are listed, and have their times set', () => {
    const sub = folder.open('in', { ...request, folder: true }) as OpenFolder;
    expect([...sub.list()].sort()).toEqual(['.', '..', 'b.txt', 'deep', 'here', 'up']);
    expect(sub.describe('up')).toMatchObject({ type: fileType.link });
    expect(sub.describe('..')!.number).toBe(sub.status().number);
    sub.close();
    folder.setTimesOf('infile', true, { accessed: undefined, modified: 1_500_000_000_000_000_000n });
    expect(statSync(join(given, 'sub/b.txt')).mtimeMs).toBe(1.5e12);
    const { type } = folder.status();
    expect(type).toBe(fileType.folder);
  });
});

describe('a program', () => {
  /** Every function of WASI with a path, on a way out. Prints the error of each. */
  const source = `#include <stdio.h>
    #include <string.h>
    #define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name)))
    typedef unsigned int u32; typedef unsigned long long u64;
    WASI(path_open) u32 w_open(u32, u32, const char *, u32, u32, u64, u64, u32, u32 *);
    WASI(path_filestat_get) u32 w_status(u32, u32, const char *, u32, void *);
    WASI(path_filestat_set_times) u32 w_times(u32, u32, const char *, u32, u64, u64, u32);
    WASI(path_create_directory) u32 w_mkdir(u32, const char *, u32);
    WASI(path_remove_directory) u32 w_rmdir(u32, const char *, u32);
    WASI(path_unlink_file) u32 w_unlink(u32, const char *, u32);
    WASI(path_rename) u32 w_rename(u32, const char *, u32, u32, const char *, u32);
    WASI(path_readlink) u32 w_readlink(u32, const char *, u32, char *, u32, u32 *);
    WASI(path_symlink) u32 w_symlink(const char *, u32, u32, const char *, u32);
    WASI(path_link) u32 w_link(u32, u32, const char *, u32, u32, const char *, u32);
    static void try(const char *p) {
      u32 n = strlen(p), out; u64 status[8]; char text[100];
      u64 all = (1 << 29) - 1;
      printf("%u ", w_open(3, 1, p, n, 0, 2, 2, 0, &out));
      printf("%u ", w_open(3, 1, p, n, 9, all, all, 0, &out));
      printf("%u ", w_status(3, 1, p, n, status));
      printf("%u ", w_times(3, 1, p, n, 0, 0, 10));
      printf("%u ", w_mkdir(3, p, n));
      printf("%u ", w_rmdir(3, p, n));
      printf("%u ", w_unlink(3, p, n));
      printf("%u ", w_rename(3, p, n, 3, "moved", 5));
      printf("%u ", w_rename(3, "a.txt", 5, 3, p, n));
      printf("%u ", w_readlink(3, p, n, text, 100, &out));
      printf("%u ", w_symlink("a.txt", 5, 3, p, n));
      printf("%u ", w_link(3, 0, p, n, 3, "linked", 6));
      printf("%u\\n", w_link(3, 0, "a.txt", 5, 3, p, n));
    }
    int main(void) {
      try("out/secret.txt"); try("outabsolute/secret.txt"); try("sub/up/other/secret.txt");
      FILE *f = fopen("outfile", "r"); printf("%d ", f != 0);
      f = fopen("out/made.txt", "w"); printf("%d ", f != 0);
      f = fopen("in/b.txt", "r"); char text[10] = ""; fread(text, 1, 6, f); printf("%s\\n", text); fclose(f);
      f = fopen("written.txt", "w"); fputs("written", f); fclose(f);
      f = fopen("written.txt", "a"); fputs(" twice", f); fclose(f);
      f = fopen("written.txt", "r+"); fseek(f, 2, SEEK_SET); fputs("X", f); fseek(f, -3, SEEK_END);
      printf("%c ", fgetc(f)); fclose(f); printf("%d\\n", rename("written.txt", "in/moved.txt"));
      return 0;
    }`;

  /** What it prints goes to a file of the folder, as a program in this process shares its standard output. */
  function check(bytes: Uint8Array): void {
    const before = everything(join(root, 'other'));
    expect(runProgram(bytes, { folders: { '.': given } })).toBe(0);
    const refused = `${Array(13).fill(errno.notCapable).join(' ')}\n`;
    expect(readFileSync(join(given, 'printed.txt'), 'utf8')).toBe(`${refused.repeat(3)}0 0 deeper\ni 0\n`);
    expect(readFileSync(join(given, 'sub/moved.txt'), 'utf8')).toBe('wrXtten twice');
    expect(everything(join(root, 'other'))).toEqual(before);
  }
  const redirected = source.replace(
    'int main(void) {',
    'int main(void) { freopen("printed.txt", "w", stdout);',
  );

  it('that Millrace has compiled does not leave its folder', () => {
    const { bytes, log } = compileHost([{ name: 'host.c', text: redirected }]);
    expect(log).toBe('');
    check(bytes!);
  });

  it.skipIf(!hasClang)('that clang has compiled does not leave its folder', () => {
    writeFileSync(join(root, 'host.c'), redirected.replaceAll('try(', 'attempt('));
    compileC(join(root, 'host.c'), join(root, 'host.wasm'));
    check(new Uint8Array(readFileSync(join(root, 'host.wasm'))));
  });
});

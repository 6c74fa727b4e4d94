/** The system in memory, by its functions: what programs of all kinds may ask of it, and what they must not. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryFiles } from '../../src/chost/memory-files.ts';
import { memorySystem } from '../../src/chost/memory-system.ts';
import { errno } from '../../src/chost/wasi.ts';

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const view = new DataView(memory.buffer);
const written: string[] = [];
let files: MemoryFiles;
let call: (name: string, ...args: (number | bigint)[]) => number;

beforeEach(() => {
  new Uint8Array(memory.buffer).fill(0);
  written.length = 0;
  files = new MemoryFiles({ 'a.txt': 'alpha', '/folder/b.txt': 'beta', 'folder/inner/c.txt': '' });
  const take = (bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes));
  const stdin = new TextEncoder().encode('input');
  const system = memorySystem(
    { args: ['p', 'größer'], env: { A: '1' }, files, stdin, stdout: take, stderr: take },
    memory,
    () => {},
  );
  call = (name, ...args) => (system.functions[name] as (...args: (number | bigint)[]) => number)(...args);
});

/** Puts a text into the program's memory: where it is, and its length. */
function text(value: string, at = 1000): [number, number] {
  const bytes = new TextEncoder().encode(value);
  new Uint8Array(memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

function textAt(at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice());
}

const [reading, writing] = [1n << 1n, 1n << 6n];
const [create, folderOnly, exclusive, truncate] = [1, 2, 4, 8];
const root = 3;
const result = 64;

/** Opens a path; its descriptor, or the error with a minus sign. */
function open(path: string, how = 0, rights = reading | writing, flags = 0): number {
  const code = call('path_open', root, 1, ...text(path), how, rights, 0n, flags, result);
  return code === 0 ? view.getUint32(result, true) : -code;
}

/** Reads or writes one piece by descriptor; how many bytes, or the error with a minus sign. */
function transfer(name: 'fd_read' | 'fd_write', descriptor: number, at: number, length: number): number {
  view.setUint32(128, at, true);
  view.setUint32(132, length, true);
  const code = call(name, descriptor, 128, 1, result);
  return code === 0 ? view.getUint32(result, true) : -code;
}

function readText(descriptor: number, length = 100): string {
  return textAt(2000, transfer('fd_read', descriptor, 2000, length));
}

function writeText(descriptor: number, value: string): number {
  return transfer('fd_write', descriptor, ...text(value, 3000));
}

const contents = () =>
  Object.fromEntries([...files.contents()].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));

describe('what the program is told', () => {
  it('are arguments and variables', () => {
    call('args_sizes_get', 0, 4);
    expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([2, 11]);
    call('args_get', 16, 32);
    expect(textAt(view.getUint32(20, true), 9)).toBe('größer\0');
    call('environ_get', 16, 32);
    expect(textAt(view.getUint32(16, true), 4)).toBe('A=1\0');
  });

  it('are times', () => {
    expect(call('clock_time_get', 0, 1n, result)).toBe(0);
    expect(Number(view.getBigUint64(result, true)) / 1e6).toBeCloseTo(Date.now(), -3);
    expect(call('clock_time_get', 9, 1n, result)).toBe(errno.invalid);
  });

  it('is its input, until that ends', () => {
    expect(readText(0, 2)).toBe('in');
    expect(readText(0)).toBe('put');
    expect(readText(0)).toBe('');
    expect(writeText(0, 'x')).toBe(-errno.badFile);
  });

  it('is which folders it has', () => {
    expect(call('fd_prestat_get', 4, result)).toBe(0);
    expect(view.getUint32(result + 4, true)).toBe(1);
    call('fd_prestat_dir_name', 4, result, 1);
    expect(textAt(result, 1)).toBe('/');
    expect(call('fd_prestat_get', 5, result)).toBe(errno.badFile);
  });
});

describe('files', () => {
  it('are read and written where the descriptor stands', () => {
    const file = open('./folder/../a.txt');
    expect(readText(file, 2)).toBe('al');
    expect(writeText(file, 'PHA++')).toBe(5);
    expect(call('fd_seek', file, -3n, 2, result)).toBe(0);
    expect(view.getBigUint64(result, true)).toBe(4n);
    expect(readText(file)).toBe('A++');
    expect(contents()).toMatchObject({ 'a.txt': 'alPHA++' });
    expect(call('fd_close', file)).toBe(0);
    expect(call('fd_close', file)).toBe(errno.badFile);
  });

  it('begin with zeros where nobody wrote', () => {
    const file = open('new', create | exclusive);
    call('fd_seek', file, 2n, 0, result);
    writeText(file, 'x');
    call('fd_filestat_set_size', file, 5n);
    expect(contents()['new']).toBe('\0\0x\0\0');
    call('fd_filestat_set_size', file, 1n);
    call('fd_filestat_set_size', file, 4n);
    expect(contents()['new']).toBe('\0\0\0\0');
  });

  it('are cut off, appended to and protected as they are opened', () => {
    writeText(open('a.txt', truncate), 'one');
    const appending = open('a.txt', 0, reading | writing, 1);
    writeText(appending, ' two');
    expect(contents()['a.txt']).toBe('one two');
    expect(writeText(open('a.txt', 0, reading), 'x')).toBe(-errno.badFile);
    expect(transfer('fd_read', open('a.txt', 0, writing), 2000, 5)).toBe(-errno.badFile);
    expect(open('a.txt', create | exclusive)).toBe(-errno.exists);
    expect(open('none')).toBe(-errno.noEntry);
    expect(open('a.txt/below')).toBe(-errno.notFolder);
    expect(open('a.txt', folderOnly)).toBe(-errno.notFolder);
    expect(open('folder')).toBe(-errno.isFolder);
  });

  it('lie nowhere but below the root', () => {
    expect(open('../a.txt')).toBe(-errno.notCapable);
    expect(open('folder/../../a.txt', create)).toBe(-errno.notCapable);
    expect(readText(open('/folder/inner/../b.txt'))).toBe('beta');
  });

  it('lie where a way leads that goes back from a folder that is gone', () => {
    expect(readText(open('/folder/gone/../b.txt'))).toBe('beta');
    expect(readText(open('gone/gone/../../folder/b.txt'))).toBe('beta');
    expect(open('gone/gone/../b.txt')).toBe(-errno.noEntry);
    expect(open('gone/../../a.txt')).toBe(-errno.notCapable);
    expect(open('folder/gone/b.txt')).toBe(-errno.noEntry);
    expect(open('a.txt/../a.txt')).toBe(-errno.notFolder);
  });

  it('say what they are', () => {
    call('path_filestat_get', root, 1, ...text('folder/b.txt'), result);
    expect([view.getUint8(result + 16), view.getBigUint64(result + 32, true)]).toEqual([4, 4n]);
    call('fd_filestat_get', root, result);
    expect(view.getUint8(result + 16)).toBe(3);
    call('fd_fdstat_get', 1, result);
    expect(view.getUint8(result)).toBe(2);
  });

  it('are renamed and removed', () => {
    const rename = (from: string, to: string) =>
      call('path_rename', root, ...text(from), root, ...text(to, 1500));
    expect(rename('a.txt', 'folder/b.txt')).toBe(0);
    expect(contents()).toEqual({ 'folder/b.txt': 'alpha', 'folder/inner/c.txt': '' });
    expect(rename('folder', 'folder/inner/folder')).toBe(errno.invalid);
    expect(rename('folder/b.txt', 'folder/inner')).toBe(errno.isFolder);
    expect(rename('none', 'some')).toBe(errno.noEntry);
    expect(call('path_remove_directory', root, ...text('folder/inner'))).toBe(errno.notEmpty);
    expect(call('path_unlink_file', root, ...text('folder/inner/c.txt'))).toBe(0);
    expect(call('path_remove_directory', root, ...text('folder/inner/'))).toBe(0);
    expect(call('path_unlink_file', root, ...text('folder'))).toBe(errno.isFolder);
    expect(call('path_create_directory', root, ...text('made'))).toBe(0);
    expect(call('path_create_directory', root, ...text('made'))).toBe(errno.exists);
    expect(contents()).toEqual({ 'folder/b.txt': 'alpha' });
  });

  it('are listed piece by piece', () => {
    const folder = open('folder', folderOnly, reading);
    const names: string[] = [];
    let cookie = 0n;
    // Room for one entry and a part of the next, which is asked for again.
    for (let room = 40; names.length < 4; ) {
      expect(call('fd_readdir', folder, 2000, room, cookie, result)).toBe(0);
      const length = view.getUint32(2016, true);
      if (view.getUint32(result, true) < 24 + length) room += 1;
      names.push(textAt(2024, length));
      cookie = view.getBigUint64(2000, true);
    }
    expect(names).toEqual(['.', '..', 'b.txt', 'inner']);
    call('fd_readdir', folder, 2000, 40, cookie, result);
    expect(view.getUint32(result, true)).toBe(0);
  });
});

describe('wrong calls', () => {
  it('give error codes and change nothing', () => {
    expect(transfer('fd_write', 1, 65530, 100)).toBe(-errno.fault);
    expect(call('fd_write', 1, 65532, 4, result)).toBe(errno.fault);
    expect(call('fd_write', 1, 128, 1e9, result)).toBe(errno.invalid);
    expect(call('fd_seek', open('a.txt'), -1n, 0, result)).toBe(errno.invalid);
    expect(call('fd_seek', 1, 0n, 0, result)).toBe(errno.noSeek);
    expect(call('fd_allocate', open('a.txt'), 1n << 50n, 1n)).toBe(errno.noSpace);
    expect(call('fd_readdir', root, 0, 100, -1n, result)).toBe(errno.invalid);
    expect(call('path_symlink', 0, 0, root, 0, 0)).toBe(errno.notSupported);
    expect(written).toEqual([]);
  });

  it('do not open without end', () => {
    let last = 0;
    for (let count = 0; count < 5000 && last >= 0; count += 1) last = open('a.txt');
    expect(last).toBe(-errno.tooMany);
  });
});

describe('outputs', () => {
  it('get the pieces of a call as one', () => {
    text('onetwo', 3000);
    for (const [index, value] of [3000, 3, 3003, 3].entries()) view.setUint32(128 + index * 4, value, true);
    call('fd_write', 2, 128, 2, result);
    expect(written).toEqual(['onetwo']);
    expect(view.getUint32(result, true)).toBe(6);
  });

  it('are ready when somebody waits for them', () => {
    view.setBigUint64(200, 77n, true);
    view.setUint8(208, 2);
    expect(call('poll_oneoff', 200, 300, 1, result)).toBe(0);
    expect([view.getUint32(result, true), view.getBigUint64(300, true)]).toEqual([1, 77n]);
  });
});

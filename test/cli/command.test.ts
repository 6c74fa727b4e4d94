// The command as a user meets it: its main uses, every exit code, what it says when something is wrong.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devices } from 'millrace';
import { afterAll, describe, expect, test } from 'vitest';
import { readPicture, writePicture } from '../../src/cli/picture.ts';
import { command, type Ended, folderWith, start } from './millrace.ts';
import { WarmCommand } from './warm.ts';

const folder = folderWith({
  'saxpy.cl': `kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
`,
  'many.cl': `typedef struct { float x; int2 n; } S;
kernel void by_value(S s, char c, ulong u, global double *out) {
  out[0] = s.x; out[1] = s.n.y; out[2] = c; out[3] = u;
}
kernel void structs(global S *s) { s[get_global_id(0)].n.x += 1; }
kernel void reversed(local float *t, global float *a) {
  size_t l = get_local_id(0), n = get_local_size(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[n - 1 - l];
}
kernel void endless(global int *a) { while (a[0] == 0) ; }
kernel void outside(global int *a) { a[500000000 + get_global_id(0)] = 1; }
kernel void nothing() {}
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eights(global int *a) { a[0] = 8; }
`,
  'invert.cl': `kernel void invert(global const uchar4 *in, global uchar4 *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  uchar4 p = in[y * width + x];
  out[y * width + x] = (uchar4)((uchar3)(255) - p.xyz, p.w);
}
`,
  'speaks.cl': `kernel void speaks(global int *a) {
  a[0] = printf("%s %.2f %#v2hhx %5d|\\n", "four", 4.0f, (uchar2)(4, 255), 4);
}
`,
  'wrong.cl': 'kernel void k(global int *p) { p[0] = q; }\n',
  'warning.cl': 'kernel void k(global int *p) { p[0] = 1; }\n#warning mind the gap\n',
  'windows.cl': '\ufeffkernel void k(global int *p) {\r\n  p[0] = N;\r\n}\r\n',
  'include.cl': '#include "x.h"\nkernel void k(global int *p) { p[0] = X; }\n',
  'headers/x.h': '#define X 5\n',
  'empty.cl': '',
  'binary.cl': new Uint8Array([1, 2, 0, 3]),
  'broken.mlr': new Uint8Array([1, 2, 0, 3]),
  'host.c': '#include <stdio.h>\nint main(void) { return 0; }\n',
  'host.br': 'kernel void f(float a<>, out float b<>) { b = a; }\nint main(void) { return 0; }\n',
  'three.br': 'kernel void three(float s, float a<>, out float b<>) { b = s * a; }\n',
  'host.wasm': new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
  'folder.cl/x': '',
});
const shared = new WarmCommand(folder);
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

/** In one process with other commands, where the process is nothing to look at. */
const warm = (...args: string[]): Promise<Ended> => shared.run(...args);
const millrace = (...args: string[]): Promise<Ended> => start(folder, args).ended;
/** Times differ from run to run. */
const steady = (text: string): string => text.replace(/\d+\.\d+ m?s/g, '0 ms');

async function expectRun(args: string[], stdout: string, stderr = '', by = millrace): Promise<void> {
  const ended = await by('run', ...args);
  expect({ ...ended, stdout: steady(ended.stdout) }).toEqual({ code: 0, signal: null, stdout, stderr });
}

describe.concurrent('run', () => {
  const native = devices().find(({ id }) => id.startsWith('icd:'));
  test.for(['wasm', 'interpreter', ...(native ? [native.id] : [])])(
    'what a kernel prints on %s',
    async (id) => {
      await expectRun(
        ['speaks.cl', '--global', '1', '--arg', 'a=zeros:1', '--device', id],
        'four 4.00 0x4,0xff     4|\nspeaks: 1 work-item in 0 ms\na: int[1] = 0\n',
      );
    },
  );

  test('numbers and generated data', async () => {
    await expectRun(
      ['saxpy.cl', '--global', '8', '--arg', 'a=2', '--arg', 'x=range', '--arg', 'y=ones'],
      'saxpy: 8 work-items in 0 ms\ny: float[8] = 1, 3, 5, 7, 9, 11, 13, 15   (min 1, max 15)\n',
    );
  });

  test('what is guessed is printed', async () => {
    await expectRun(
      ['saxpy.cl', '-a', '2', '-a', 'x=(1,2)', '--repeat', '3', '-p', '1'],
      'saxpy: 2 work-items, 3 times: median 0 ms, from 0 ms to 0 ms\ny: float[2] = 2, ...   (min 2, max 4)\n',
      'guessed: --arg y=like:x --global 2\n',
    );
  });

  test('every kind of value', async () => {
    await expectRun(
      [
        'many.cl',
        '-k',
        'by_value',
        '-g',
        '1',
        '-a',
        's=(1.5,2,3)',
        '-a',
        'c=-1',
        '-a',
        'u=0xffffffffffff',
        '-a',
        'zeros:4',
      ],
      'by_value: 1 work-item in 0 ms\nout: double[4] = 1.5, 3, -1, 281474976710655\n',
      undefined,
      warm,
    );
  });

  test('buffers of structs', async () => {
    await expectRun(
      ['many.cl', '-k', 'structs', '-a', 's=(0.5,1,2,-1,3,4)'],
      'structs: 2 work-items in 0 ms\ns: S[2] = (0.5 2 2), (-1 4 4)\n',
      'guessed: --global 2\n',
      warm,
    );
  });

  test('local memory, work-group size, on the interpreter', async () => {
    await expectRun(
      ['many.cl', '-k', 'reversed', '-a', 't=local:16', '-a', 'a=range:8', '-l', '4', '-d', 'interpreter'],
      'reversed: 8 work-items in 0 ms\na: float[8] = 3, 2, 1, 0, 7, 6, 5, 4   (min 0, max 7)\n',
      'guessed: --global 8\n',
      warm,
    );
  });

  test('a picture to a picture, work-groups that do not fit exactly', async () => {
    const data = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    writePicture(join(folder, 'in.png'), { width: 3, height: 1, data });
    await expectRun(
      ['invert.cl', '-i', 'in.png', '-o', 'out.png', '-s', 'out=out.txt', '-l', '2,2', '-p', '0'],
      'invert: 4 x 2 work-items in 0 ms\nout saved to out.png\nout saved to out.txt\n',
      'guessed: --arg out=like:in --arg width=width:in --arg height=height:in --global 4,2\n',
    );
    expect([...readPicture(join(folder, 'out.png')).data]).toEqual([
      254, 253, 252, 4, 250, 249, 248, 8, 246, 245, 244, 12,
    ]);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe(
      '(254 253 252 4)\n(250 249 248 8)\n(246 245 244 12)\n',
    );
  });

  test('a PPM to a PPM, and a damaged one', async () => {
    writeFileSync(join(folder, 'in.ppm'), 'P3 # by hand\n2 1\n1000\n0 500 1000  250 0 1\n');
    await expectRun(
      ['invert.cl', '--image', 'in.ppm', '-o', 'out.ppm', '-p', '0'],
      'invert: 2 x 1 work-items in 0 ms\nout saved to out.ppm\n',
      'guessed: --arg out=like:in --arg width=width:in --arg height=height:in --global 2,1\n',
      warm,
    );
    expect(readFileSync(join(folder, 'out.ppm'))).toEqual(
      Buffer.concat([Buffer.from('P6\n2 1\n255\n'), Buffer.of(255, 127, 0, 191, 255, 255)]),
    );
    writeFileSync(join(folder, 'in.ppm'), 'P3\n2 1\n255\n0 500 1000  250 0\n');
    const { code, stderr } = await warm('run', 'invert.cl', '--image', 'in.ppm');
    expect([code, stderr]).toEqual([
      1,
      'millrace: in.ppm is not a picture that can be read: it is damaged: a sample of 500 where 255 is the largest, line 4, column 3\n',
    ]);
  });

  test('a picture in the terminal', async () => {
    const data = new Uint8Array([255, 255, 255, 255, 0, 0, 0, 255]);
    writePicture(join(folder, 'two.png'), { width: 1, height: 2, data });
    const { stdout } = await millrace('run', 'invert.cl', '-i', 'two.png', '--show', '-p', '0');
    expect(stdout).toContain('\x1b[38;2;0;0;0;48;2;255;255;255m▀\x1b[0m\n');
  });

  test('as npx starts it', () => {
    expect(statSync(command).mode & 0o111).not.toBe(0);
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('sources from Windows, macros, included files', async () => {
    const printed = 'k: 1 work-item in 0 ms\np: int[1] = 5\n';
    await expectRun(['windows.cl', '-g', '1', '-a', 'zeros', '-D', 'N=5'], printed, undefined, warm);
    await expectRun(['include.cl', '-g', '1', '-a', 'zeros', '-I', 'headers'], printed, undefined, warm);
    await expectRun(
      ['windows.cl', '-g', '1', '-a', 'zeros', '--options', '-D N=5 -w'],
      printed,
      undefined,
      warm,
    );
  });

  test('warnings do not stop it', async () => {
    const { code, stdout, stderr } = await warm('run', 'warning.cl', '-g', '1');
    expect(code).toBe(0);
    expect(stdout).toContain('p: int[1] = 1\n');
    expect(stderr).toContain('warning.cl:2:2: warning: mind the gap [-W#warnings]\n');
  });
});

describe('compile', () => {
  test('without --emit: a check', async () => {
    expect(await millrace('compile', 'saxpy.cl')).toEqual({
      code: 0,
      signal: null,
      stdout: 'saxpy.cl: no errors, 1 kernel: saxpy\n',
      stderr: '',
    });
    expect((await warm('compile', 'warning.cl')).stdout).toBe(
      'warning.cl: no errors, 1 warning, 1 kernel: k\n',
    );
    expect((await warm('compile', 'empty.cl')).stdout).toBe('empty.cl: no errors, no kernels\n');
  });

  test.each([
    ['tokens', /^kernel void saxpy\(float a/m],
    ['ast', /FunctionDecl saxpy/],
    ['ir', /^kernel @saxpy\(/m],
    ['wat', /^\(module/],
    ['asm', /^kernel 'saxpy', entry:\n(.*\n)*?.*; line \d+\n(.*\n)*?.*v(mulps|fmadd)/m],
  ])('--emit %s', async (stage, expected) => {
    const { code, stdout } = await warm('compile', 'saxpy.cl', '--emit', stage);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  test('several files, one after another', async () => {
    const { code, stdout, stderr } = await warm(
      'compile',
      'wrong.cl',
      'missing.cl',
      'saxpy.cl',
      'warning.cl',
      '-w',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^saxpy\.cl: no errors, 1 kernel: saxpy\nwarning\.cl: no errors, 1 kernel: \w+\n$/,
    );
    expect(stderr).toMatch(/^wrong\.cl:\d+:\d+: error: .*\nmillrace: cannot read missing\.cl: /s);
    expect(await warm('compile', 'saxpy.cl', 'empty.cl', '--emit', 'ir')).toMatchObject({ code: 2 });
    expect((await warm('compile', 'warning.cl', '--Werror')).code).toBe(1);
  });

  test('--json: records', async () => {
    const { code, stdout, stderr } = await warm('compile', '--json', 'saxpy.cl', 'wrong.cl', 'missing.cl');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const [saxpy, wrong, missing] = JSON.parse(stdout);
    expect(saxpy).toEqual({ file: 'saxpy.cl', ok: true, kernels: ['saxpy'], diagnostics: [], log: '' });
    expect(wrong).toMatchObject({ file: 'wrong.cl', ok: false, kernels: [] });
    const place = { file: 'wrong.cl', line: 1, column: 39, endLine: 1, endColumn: 40 };
    const message = "use of undeclared identifier 'q'";
    expect(wrong.diagnostics).toEqual([{ severity: 'error', message, ...place, notes: [] }]);
    expect(missing).toMatchObject({ ok: false, log: 'cannot read missing.cl: no such file or folder' });
  });

  test('standard input', () => {
    const run = spawnSync(process.execPath, [command, 'compile', '-'], {
      input: 'kernel void k(global int *a) { a[0] = b; }',
      encoding: 'utf8',
      env: { NO_COLOR: '1', MILLRACE_CACHE: '0' },
    });
    expect(run.stderr).toMatch(/^<stdin>:1:39: error: use of undeclared identifier 'b'/);
    expect(run.status).toBe(1);
  });

  test('--emit wasm: a module', async () => {
    expect((await millrace('compile', 'saxpy.cl', '--emit', 'wasm', '-o', 'saxpy.wasm')).code).toBe(0);
    await WebAssembly.compile(readFileSync(join(folder, 'saxpy.wasm')));
  });

  test('--emit and --after of a binary; of a library before all passes', async () => {
    expect((await warm('build', 'saxpy.cl', '-o', 'stages.mlr')).code).toBe(0);
    const source = await warm('compile', 'saxpy.cl', '--emit', 'wat');
    expect(await warm('compile', 'stages.mlr', '--emit', 'wat')).toEqual(source);
    const vectors = await warm('compile', 'stages.mlr', '--emit', 'vectors');
    expect(vectors.stdout).toMatch(/^kernel saxpy\n {2}work-items: 16 at once\n/);
    expect(await warm('compile', 'stages.mlr', '--emit', 'ast')).toMatchObject({
      code: 2,
      stderr:
        'millrace: stages.mlr is a binary and holds no source: --emit ir, il, wgsl, plan, vectors, wat, wasm, asm can show it\n',
    });

    expect((await warm('build', '--library', 'saxpy.cl', '-o', 'library.mlr')).code).toBe(0);
    const lowered = await warm('compile', 'library.mlr', '--after', 'lower');
    expect(lowered.stdout).toMatch(/^kernel @saxpy\(/m);
    expect(await warm('compile', 'library.mlr', '--emit', 'wasm')).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        "library.mlr: error: as it is not linked (library), only its IR before all passes can be shown: after 'lower'\n",
    });

    const bytes = readFileSync(join(folder, 'stages.mlr'));
    writeFileSync(join(folder, 'cut.mlr'), bytes.subarray(0, bytes.length - 1));
    expect(await warm('compile', 'cut.mlr', '--emit', 'ir')).toMatchObject({
      code: 1,
      stderr: 'cut.mlr: error: it is damaged: the checksum is wrong\n',
    });
  });

  test('--after a pass', async () => {
    const { stdout } = await warm('compile', 'saxpy.cl', '--after', 'lower');
    expect(stdout).toMatch(/^kernel @saxpy\(/m);
  });

  test('--time-passes: a table, beside what is printed', async () => {
    const alone = await warm('compile', 'saxpy.cl', '--time-passes');
    expect(alone.stdout).toBe('');
    const [head, ...rows] = alone.stderr.trimEnd().split('\n');
    expect(head!.split(/\s+/)).toEqual(['pass', 'ms', 'share', 'runs', 'instructions']);
    const row = (name: string): string[] => rows.find((line) => line.startsWith(`${name} `))!.split(/ {2,}/);
    expect(rows[0]).toMatch(/^front end and linking /);
    // The instructions of the module are those that --after shows.
    const { stdout } = await warm('compile', 'saxpy.cl', '--after', 'form-work-item-loops', '--time-passes');
    const lines = stdout
      .split('\n')
      .filter((line) => /^ +(%\S+ = |store|return|yield|work_item_loop)/.test(line));
    expect(Number(row('form-work-item-loops').at(-1))).toBe(lines.length);
    const total = rows.slice(0, -1).reduce((sum, line) => sum + Number(line.split(/ {2,}/)[1]), 0);
    expect(Number(row('all')[1])).toBeCloseTo(total, 0);
    const two = await warm('compile', 'saxpy.cl', 'wrong.cl', '--time-passes');
    expect([two.code, two.stderr]).toEqual([
      2,
      expect.stringContaining('--time-passes shows one file, not 2'),
    ]);
  });

  test('errors, in colour where that is wanted', async () => {
    const plain = await millrace('compile', 'wrong.cl');
    expect(plain).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `wrong.cl:1:39: error: use of undeclared identifier 'q'
kernel void k(global int *p) { p[0] = q; }
                                      ^
1 error generated.
`,
    });
    const coloured = await start(folder, ['compile', 'wrong.cl'], { NO_COLOR: '', FORCE_COLOR: '1' }).ended;
    expect(coloured.stderr).toContain('\x1b[1;31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked at
    expect(coloured.stderr.replace(/\x1b\[[\d;]*m/g, '')).toBe(plain.stderr);
  });
});

test('devices', async () => {
  const { stdout } = await millrace('devices');
  expect(stdout).toContain('(--device wasm)');
  expect(stdout).toMatch(/local +64 KiB a work-group/);
  const properties = stdout.split('\n').filter((line) => line.startsWith('    '));
  for (const line of properties) expect(line.length, line).toBeLessThanOrEqual(80);
  const { stdout: formats } = await warm('devices', '--formats');
  // OpenCL 1.2, table 5.8: among the formats that every device has.
  expect(formats).toMatch(/images +1D read/);
  expect(formats).toMatch(/RGBA +.*UNORM_INT8/);
  expect(formats).toMatch(/BGRA +.*UNORM_INT8/);
  const list = JSON.parse((await warm('devices', '--json')).stdout) as {
    id: string;
    maxComputeUnits: number;
  }[];
  expect(list.map(({ id }) => id)).toEqual(expect.arrayContaining(['wasm', 'interpreter']));
  expect(list[0]!.maxComputeUnits).toBeGreaterThan(0);
});

test('help and version', async () => {
  const help = await millrace('--help');
  expect(help.code).toBe(0);
  expect(help.stdout).toContain('millrace run saxpy.cl');
  for (const args of [['--help'], ['run', '--help'], ['compile', '--help'], ['devices', '--help']]) {
    const { stdout } = await warm(...args);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(84);
  }
  expect((await millrace('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const none = await millrace();
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toBe(help.stdout);
});

const nothing = ['run', 'many.cl', '-k', 'nothing', '-g'];
const zeros = ['-g', '1', '-a', 'zeros'];

/** Mistakes of which the process itself is looked at: in the words, in files, in what a device says, and while threads run. */
const processes = new Set(['nowhere.cl', 'nowhere', 'endless', 'outside', 'fly', '--fast', 'abacus', 'x=y']);
const mistaken = (args: readonly string[]) =>
  (args.some((word) => processes.has(word)) ? millrace : warm)(...args);

describe.concurrent('what goes wrong: the command has failed', () => {
  test.each<[string[], string]>([
    [['run', 'nowhere.cl'], 'cannot read nowhere.cl: no such file or folder'],
    [['compile', 'folder.cl'], 'cannot read folder.cl: it is a folder'],
    [['compile', 'binary.cl'], 'binary.cl is not a text file: it has zero bytes (UTF-16? Save it as UTF-8)'],
    [['run', 'broken.mlr'], 'broken.mlr is no program binary of millrace build'],
    [['analyze', 'broken.mlr'], 'broken.mlr is no program binary of millrace build'],
    [['run', '--dir', 'nowhere', 'host.c'], "--dir 'nowhere': there is no folder 'nowhere'"],
    [['run', '--dir', 'empty.cl::data', 'host.c'], "--dir 'empty.cl::data': there is no folder 'empty.cl'"],
    [['compile', 'saxpy.cl', '--emit', 'ir', '-o', 'no/x'], 'cannot write no/x: no such file or folder'],
    [
      ['run', 'saxpy.cl', '-a', '1', '-a', 'folder.cl', '-a', 'zeros:1'],
      'cannot read folder.cl: it is a folder',
    ],
    [
      ['run', 'many.cl', '-k', 'endless', ...zeros, '-t', '0.2'],
      'CL_OUT_OF_RESOURCES: the kernel was stopped: it ran longer than the time-out of 200 ms',
    ],
    [
      ['run', 'many.cl', '-k', 'outside', ...zeros],
      "CL_OUT_OF_RESOURCES: kernel 'outside' failed: memory access out of bounds: a store at many.cl:13:38 through argument 0, 'a', which has 4 bytes (millrace check says more)",
    ],
    [
      ['run', 'many.cl', '-k', 'reversed', '-a', 'local:100000', '-a', 'zeros:4'],
      "CL_OUT_OF_RESOURCES: kernel 'reversed' needs 100000 bytes of local memory; the device has 65536",
    ],
  ])('%#', async (args, message) => {
    const { code, stdout, stderr } = await mistaken(args);
    const last = stderr.split('\n').filter((line) => !line.startsWith('guessed: '));
    expect({ code, stdout, stderr: last }).toEqual({
      code: 1,
      stdout: '',
      stderr: [`millrace: ${message}`, ''],
    });
  });
});

test.skipIf(!existsSync('/dev/full'))('a disk that is full', () => {
  const full = openSync('/dev/full', 'w');
  const args = [command, 'compile', 'saxpy.cl', '--emit', 'tokens'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(String(stderr)).toMatch(/millrace:\S* cannot write to the standard output: the disk is full\n$/);
});

test('analyze --occupancy --json gives records', async () => {
  const { code, stdout } = await warm('analyze', 'saxpy.cl', '--local', '128', '--occupancy', '--json');
  expect(code).toBe(0);
  // The newest chip, and what docs/performance-model.md has of it: 32 wavefronts of 64 work-items at most.
  expect(JSON.parse(stdout)).toMatchObject([
    {
      kernel: 'saxpy',
      chip: 'RV770',
      needs: { groupSize: 128 },
      own: { wavefronts: 32, groups: 16, perGroup: 2 },
    },
  ]);
});

test('analyze takes chips in capitals or not, and the numbers of parameters by value', async () => {
  const { code, stdout } = await warm('analyze', 'saxpy.cl', '--chip', 'rv770', '-a', 'a=2');
  expect([code, stdout]).toEqual([0, (await warm('analyze', 'saxpy.cl', '--chip', 'RV770')).stdout]);
  expect((await warm('analyze', 'three.br', '-a', 's=2')).code).toBe(0);
});

test('more work-items than a device can count', async () => {
  const { code, stderr } = await millrace(...nothing, '40000000000');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^millrace: CL_INVALID_GLOBAL_\w+: .*\n$/);
});

describe.concurrent('what goes wrong: the command was asked wrongly', () => {
  test.each<[string[], string]>([
    [['fly'], "unknown command 'fly'"],
    [['help', 'fly'], "unknown command 'fly'"],
    [['profile', 'help', 'fly'], "unknown command 'fly'"],
    [['fly', '--help'], "unknown command 'fly'"],
    [['profile', 'fly', '-h'], "unknown command 'fly'"],
    [['run', 'help', 'fly'], "too many arguments for 'run'. Expected 1 argument but got 2."],
    [['run'], "missing required argument 'file'"],
    [
      ['cache', 'fly'],
      "command-argument value 'fly' is invalid for argument 'action'. Allowed choices are info, clear.",
    ],
    [
      ['compile', 'host.cpp'],
      'host.cpp is a program in C++: millrace run host.cpp runs it, millrace c++ host.cpp -o FILE.wasm compiles it',
    ],
    [['run', 'saxpy.cl', '--fast'], "unknown option '--fast'"],
    [['run', 'saxpy.cl', 'more'], "too many arguments for 'run'. Expected 1 argument but got 2."],
    [
      ['compile', 'saxpy.cl', '--emit', 'elf'],
      "option '--emit <stage>' argument 'elf' is invalid. Allowed choices are tokens, ast, ir, il, wgsl, plan, vectors, wat, wasm, asm.",
    ],
    [
      ['compile', 'saxpy.cl', '--after', 'lunch'],
      "option '--after <pass>' argument 'lunch' is invalid. Allowed choices are lower,",
    ],
    [['compile', 'saxpy.cl', '--emit', 'wat', '--after', 'lower'], '--after goes with --emit ir'],
    [
      ['compile', 'saxpy.cl', '-o', 'x'],
      'say with --emit what to write to x: tokens, ast, ir, il, wgsl, plan, vectors, wat, wasm, asm',
    ],
    [['run', 'many.cl', '-k', 'fly'], "many.cl has no kernel 'fly'; it has by_value, structs,"],
    [['run', 'many.cl'], 'many.cl has several kernels: say --kernel with one of by_value, structs,'],
    [['run', 'empty.cl'], 'empty.cl has no kernel'],
    [['analyze', 'empty.cl'], 'empty.cl has no kernel'],
    [
      ['run', '-k', 'k', 'host.br'],
      'host.br is a program, which has options of its own before its name: see millrace run --help host.br',
    ],
    [['build', 'host.c'], 'host.c is a program, no OpenCL C: see millrace compile'],
    [['build', 'saxpy.cl', 'x.il'], 'x.il is AMD IL, no OpenCL C'],
    [['compile', 'host.wasm'], 'host.wasm is a program that is compiled already: run it'],
    [['analyze', 'host.c'], 'host.c is a program: analyze takes kernels, in .cl, .br or .il files'],
    [['run', 'saxpy.cl', '-d', 'abacus'], "no device is called 'abacus'; there are wasm, interpreter"],
    [['run', 'saxpy.cl', '-d', ''], "no device is called ''; there are wasm, interpreter"],
    [['run', '-'], '<stdin> has no kernel'],
    [['run', '-', '-k', 'fly'], "<stdin> has no kernel 'fly'; it has none"],
    [['analyze', '-'], '<stdin> has no kernel'],
    [['analyze', 'saxpy.cl', '-g', '8,8,8'], '--global 8,8,8: there are at most 2 dimensions here'],
    [['analyze', 'saxpy.cl', '-l', '8,8'], '--local 8,8: write one number'],
    [['analyze', 'saxpy.cl', '-g', '0'], '--global 0: sizes are whole numbers from 1 to 67108864'],
    [['analyze', 'saxpy.cl', '-a', 'zzz=2'], "the kernel has no parameter 'zzz'; it has a, x, y"],
    [
      ['analyze', 'saxpy.cl', '-a', 'x=4'],
      '--arg x: the parameter is not passed by value, and takes no number here',
    ],
    [['analyze', 'three.br', '-a', 'b=4'], '--arg b: the parameter is not passed by value'],
    [['analyze', 'three.br', '-a', 'p_s=4'], "the kernel has no parameter 'p_s'; it has s, a, b"],
    [['analyze', 'saxpy.cl', '--chip', 'rv1'], '--chip rv1: there are RV610, RV630, R600, '],
    [['brcc', '-'], 'say with -o what to write'],
    [['debug', '-'], 'the debugger has standard input for its own commands: name a file'],
    [
      ['run', 'saxpy.cl', '-a', '2', '-a', 'empty.cl'],
      'empty.cl is empty: a buffer has one float element or more',
    ],
    [['run', 'many.cl', '-k', 'nothing'], 'say how many work-items to run, as in --global 1024'],
    [[...nothing, '0'], "--global '0': write one to three whole numbers from 1, such as 640,480"],
    [
      [...nothing, '8', '-l', '3'],
      "CL_INVALID_WORK_GROUP_SIZE: kernel 'nothing': work-group size 3 does not divide global size 8 in x",
    ],
    [
      ['run', 'many.cl', '-k', 'eights', '-g', '16', '-l', '4', '-a', 'zeros'],
      "CL_INVALID_WORK_GROUP_SIZE: kernel 'eights': its source requires work-groups of 8 x 1 x 1, not 4 x 1 x 1",
    ],
    [[...nothing, '8', '-l', '2,2'], '--local 2,2 and --global 8 differ in their dimensions'],
    [
      [...nothing, '8', '--offset', '-1'],
      "--offset '-1': write one to three whole numbers from 0, such as 640,480",
    ],
    [[...nothing, '8', '-p', 'x'], "--print 'x': write a whole number from 0"],
    [[...nothing, '8', '-r', '0'], "--repeat '0': write a whole number from 1"],
    [[...nothing, '8', '-t', '-1'], "--timeout '-1': write seconds, 0 to 86400"],
    [[...nothing, '8', '-o', 'x'], 'the kernel has no result to save: it may write to none of its arguments'],
    [[...nothing, '8', '-s', 'x'], "--save 'x': write NAME=FILE with the name of a parameter"],
    [[...nothing, '8', '-s', 'x=y'], "--save x=y: the kernel has no parameter 'x'"],
    [[...nothing, '8', '-a', '1'], '1 argument was given; the kernel takes none'],
  ])('%#', async (args, message) => {
    const { code, stdout, stderr } = await mistaken(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(`millrace: ${message}`), stderr).toBe(true);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe.concurrent('endings', () => {
  test.each(['wasm', 'interpreter'])('Ctrl-C ends an endless kernel at once: %s', async (device) => {
    const running = start(folder, ['run', 'many.cl', '-k', 'endless', ...zeros, '-d', device]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    running.kill('SIGINT');
    const killed = performance.now();
    const { code, signal, stdout } = await running.ended;
    // A shell gives 130 for a process that SIGINT has ended.
    expect([code, signal, stdout]).toEqual([null, 'SIGINT', '']);
    expect(performance.now() - killed).toBeLessThan(2000);
  });

  test('a reader that stops reading', async () => {
    const running = start(folder, ['compile', 'many.cl', '--emit', 'wat']);
    running.closeOutput();
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, '']);
  });

  test('nothing is written when the arguments are wrong', async () => {
    await millrace('run', 'saxpy.cl', '-a', '1', '-a', 'zeros:4', '-o', 'never.png');
    expect(existsSync(join(folder, 'never.png'))).toBe(false);
  });
});

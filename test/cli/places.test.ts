/** Files that cannot be written are told of before the work, and what is missing is called by the option that named it. */
import { readdirSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, start } from './millrace.ts';
import { WarmCommand } from './warm.ts';

/** The beginning of a binary. */
const binary = Uint8Array.of(0x89, 0x4d, 0x4c, 0x52, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 0);

const folder = folderWith({
  'says.cl': 'kernel void says(global int *p) { p[0] = printf("it runs\\n"); }',
  'invert.cl': 'kernel void invert(global const uchar4 *in, global uchar4 *out) { out[0] = ~in[0]; }',
  'empty.cl': '/* nothing */\n',
  'twice.cl': 'int twice(int x) { return 2 * x; }\n',
  ...Object.fromEntries([8, 9, 13].map((length) => [`${length}.mlr`, binary.slice(0, length)])),
  'fails.c': `#include <CL/cl.h>
int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  const char *text = "kernel void k(global int *p) { p[0] = q; }";
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
  cl_context context = clCreateContext(0, 1, &device, 0, 0, 0);
  clBuildProgram(clCreateProgramWithSource(context, 1, &text, 0, 0), 0, 0, "", 0, 0);
  return 0;
}
`,
  'part.c': 'int part(void) { return 0; }\n',
  'other.c': 'int other(void) { return 0; }\n',
});
const shared = new WarmCommand(folder);
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

describe('a file that cannot be written', () => {
  const says = ['run', 'says.cl', '-g', '1', '-a', 'zeros'];
  it.each([
    [[...says, '-o', 'no/x.npy'], 'no/x.npy: no such file or folder'],
    [[...says, '-s', 'p=no/x.txt'], 'no/x.txt: no such file or folder'],
    [[...says, '-o', 'says.cl/x'], 'says.cl/x: part of the path is not a folder'],
    [[...says, '-o', '.'], '.: it is a folder'],
    [[...says, '--profile=no/a.json'], 'no/a.json: no such file or folder'],
    [['analyze', 'says.cl', '--svg', 'no/a.svg'], 'no/a.svg: no such file or folder'],
  ])('stops %j before the work', async (words, why) => {
    expect(await shared.run(...words)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `millrace: cannot write ${why}\n`,
    });
  });

  it('is written where there is a place', async () => {
    expect((await shared.run(...says, '-o', 'x.npy')).code).toBe(0);
    expect(readdirSync(folder)).toContain('x.npy');
  });
});

describe('messages', () => {
  it('name --image where its file is missing', async () => {
    const { code, stderr } = await shared.run('run', 'invert.cl', '--image', 'nope.png');
    expect([code, stderr]).toEqual([2, 'millrace: --image nope.png: there is no such file\n']);
  });

  it.each([8, 9, 13])('say that a binary ends after %d bytes', async (length) => {
    const { code, stderr } = await shared.run('run', `${length}.mlr`, '-g', '1');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`it ends after ${length} bytes`)]);
  });

  it('have the errors of a build where the debugger finds no launch', async () => {
    const { code, stderr } = await start(folder, ['debug', 'fails.c']).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /made no launches: clBuildProgram gave CL_BUILD_PROGRAM_FAILURE\n.*error: use of undeclared identifier 'q'\n/,
      ),
    ]);
  });

  it('name the files of a program without main', async () => {
    const { code, stderr } = await shared.run('run', 'part.c', 'other.c');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("error: the program has no function 'main': part.c, other.c\n"),
    ]);
  });
});

it.each(['empty.cl', 'twice.cl'])('there is no machine code of %s, which has no kernel', async (file) => {
  const { code, stdout } = await shared.run('compile', file, '--emit', 'asm');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^; target x64: .*\n$/)]);
});

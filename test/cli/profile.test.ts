/** `millrace run --profile`, `millrace profile` and MILLRACE_PROFILE as a user meets them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { profileArguments } from '../../src/cli/given-words.ts';
import { traceProblems } from '../tools/profile/trace-rules.ts';
import { command, folderWith, start } from './millrace.ts';

const folder = folderWith({
  'twice.cl': 'kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }\n',
  'wild.cl': 'kernel void wild(global int *data) { data[500000000 + get_global_id(0)] = 1; }\n',
  'host.c': `#include <CL/cl.h>
#include <stdio.h>
int main(int argc, char **argv) {
  const char *text = "kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }";
  cl_device_id device;
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "twice", NULL);
  int data[256];
  for (int i = 0; i < 256; i++) data[i] = i;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof data, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
  size_t global = 256;
  for (int i = 0; i < 5; i++) clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
  printf("%s %d\\n", argv[1], data[3]);
  return 5;
}
`,
});
afterAll(() => rmSync(folder, { recursive: true }));

const millrace = (...args: string[]) => start(folder, args).ended;
const trace = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
/** The cells of the row that begins with a name. */
const rowOf = (table: string, name: string): string[] | undefined =>
  table
    .split('\n')
    .map((line) => line.split(/ {2,}/))
    .find(([first]) => first === name);

describe('millrace run --profile', () => {
  it('prints where the time of a kernel went, and saves a trace that can be shown and compared', async () => {
    const args = ['--arg', 'range:100', '--repeat', '4', '--print', '0'];
    const { code, stdout, stderr } = await millrace('run', '--profile', 'trace.json', 'twice.cl', ...args);
    expect(code).toBe(0);
    expect(stdout).toContain('twice: 100 work-items, 4 times');
    expect(rowOf(stderr, 'twice')?.[1]).toBe('4');
    expect(stderr).toContain('trace saved to trace.json');
    expect(traceProblems(trace('trace.json'))).toEqual([]);

    const shown = await millrace('profile', 'show', 'trace.json');
    expect(shown.code).toBe(0);
    expect(stderr).toContain(shown.stdout.trimEnd());
    const compared = await millrace('profile', 'compare', 'trace.json', 'trace.json');
    expect(compared.code).toBe(0);
    expect(rowOf(compared.stdout, 'twice')).toEqual(expect.arrayContaining(['4', '1.00x']));
  });

  it('takes a program in C, whose arguments and exit code stay as they are', async () => {
    const { code, stdout, stderr } = await millrace('run', '--profile', 'host.c', '--profile');
    expect(code).toBe(5);
    expect(stdout).toBe('--profile 96\n');
    expect(rowOf(stderr, 'twice')?.[1]).toBe('5');
    expect(rowOf(stderr, 'write buffer')).toContain('1.00 KiB');
    expect(rowOf(stderr, 'read buffer')).toContain('1.00 KiB');
  });

  it('has the launch that failed', async () => {
    const { code, stderr } = await millrace('run', '--profile', 'wild.cl', '--arg', 'range:8');
    expect(code).toBe(1);
    expect(rowOf(stderr, 'wild (1 failed)')?.[1]).toBe('1');
    expect(stderr).toContain('CL_OUT_OF_RESOURCES');
  });

  it('says what is wrong with a file', async () => {
    writeFileSync(join(folder, 'other.json'), '{"traceEvents":[]}');
    const other = await millrace('profile', 'show', 'other.json');
    expect([other.code, other.stderr]).toEqual([
      1,
      'millrace: cannot read other.json: it is no trace of millrace run --profile (otherData.format is not millrace-profile-1)\n',
    ]);
    const unwritable = await millrace('run', '--profile=no/folder.json', 'twice.cl', '--arg', 'range:4');
    expect([unwritable.code, unwritable.stderr]).toEqual([
      1,
      expect.stringContaining('cannot write no/folder.json'),
    ]);
  });

  it('does not take the file to run for the file of the trace', () => {
    const words = (line: string) => profileArguments(line.split(' '), (arg) => arg.endsWith('.c')).join(' ');
    expect(words('run --profile k.cl')).toBe('run --profile= k.cl');
    expect(words('run --profile t.json k.cl')).toBe('run --profile=t.json k.cl');
    expect(words('run k.cl --profile t.json')).toBe('run k.cl --profile=t.json');
    expect(words('run k.cl --profile')).toBe('run k.cl --profile=');
    expect(words('run h.c --profile t.json')).toBe('run h.c --profile t.json');
    expect(words('run --profile=any k.cl')).toBe('run --profile=any k.cl');
    expect(words('compile --profile k.cl')).toBe('compile --profile k.cl');
  });
});

describe('MILLRACE_PROFILE', () => {
  const millraceUrl = pathToFileURL(join(command, '../opencl.js')).href;
  const program = `import { CL, createContext, getPlatforms } from '${millraceUrl}';
const device = getPlatforms()[0].getDevices(CL.DEVICE_TYPE_ALL)[0];
const context = createContext([device]);
const queue = context.createCommandQueue(device, 0);
const buffer = context.createBuffer(CL.MEM_READ_WRITE, 64);
queue.enqueueFillBuffer(buffer, new Uint8Array([1]), 0, 64);
queue.finish();
context.release();
`;

  it('profiles a program that knows nothing of it', () => {
    writeFileSync(join(folder, 'host.mjs'), program);
    const { PATH } = process.env;
    execFileSync(process.execPath, ['host.mjs'], {
      cwd: folder,
      env: { PATH, MILLRACE_PROFILE: 'env.json' },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    expect(existsSync(join(folder, 'env.json'))).toBe(true);
    expect(traceProblems(trace('env.json'))).toEqual([]);
    const events = trace('env.json').traceEvents as {
      name: string;
      cat?: string;
      args?: { bytes?: number };
    }[];
    const ran = events.filter(({ cat }) => cat === 'command');
    expect(ran.map(({ name, args }) => [name, args?.bytes])).toEqual([['fill buffer', 64]]);
  });
});

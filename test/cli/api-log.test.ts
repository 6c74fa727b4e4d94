/** The log of a host program's calls, and stops at them, as a user meets them. The programs print by themselves what they get. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { traceProblems } from '../tools/profile/trace-rules.ts';
import { command, folderWith, start } from './millrace.ts';

const folder = folderWith({
  'host.c': `#include <CL/cl.h>
#include <stdio.h>
#define TELL(name, code) printf("%s %d\\n", name, (int)(code))
static void CL_CALLBACK ended(cl_event event, cl_int status, void *data) {
  cl_int state;
  TELL("clGetEventInfo", clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
}
static cl_int makeQueue(cl_context context, cl_device_id device, cl_command_queue *queue) {
  cl_int code;
  *queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
  return code;
}
int main(void) {
  const char *text = "kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }";
  cl_int code;
  cl_platform_id platform;
  cl_device_id device;
  cl_command_queue queue;
  TELL("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
  TELL("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  TELL("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  TELL("clCreateContext", code);
  code = makeQueue(context, device, &queue);
  TELL("clCreateCommandQueue", code);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  TELL("clCreateProgramWithSource", code);
  TELL("clBuildProgram", clBuildProgram(program, 0, NULL, "-D N=1", NULL, NULL));
  clCreateKernel(program, "thrice", &code);
  TELL("clCreateKernel", code);
  cl_kernel kernel = clCreateKernel(program, "twice", &code);
  TELL("clCreateKernel", code);
  int data[4] = {1, 2, 3, 4};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof data, data, &code);
  TELL("clCreateBuffer", code);
  TELL("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  TELL("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
  size_t global[2] = {4, 1};
  cl_event event;
  TELL("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, &event));
  TELL("clSetEventCallback", clSetEventCallback(event, CL_COMPLETE, ended, NULL));
  TELL("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 1, &event, NULL));
  TELL("clReleaseMemObject", clReleaseMemObject((cl_mem)12345));
  return data[3];
}
`,
  'cal.c': `#include <cal.h>
#include <stdio.h>
int main(void) {
  CALuint count;
  CALdevice device;
  printf("calInit %d\\n", calInit());
  printf("calDeviceGetCount %d\\n", calDeviceGetCount(&count));
  printf("calDeviceOpen %d\\n", calDeviceOpen(&device, 77));
  printf("calDeviceOpen %d\\n", calDeviceOpen(&device, 0));
  printf("calDeviceClose %d\\n", calDeviceClose(device));
  printf("calShutdown %d\\n", calShutdown());
  return 0;
}
`,
  'copy.br': `#include <stdio.h>
kernel void copy(float a<>, out float b<>) { b = a; }
int main(void) {
  float in[4] = {1, 2, 3, 4}, out[4];
  float a<4>, b<4>;
  streamRead(a, in);
  copy(a, b);
  streamWrite(b, out);
  printf("%g\\n", out[3]);
  return 0;
}
`,
  'k.cl': 'kernel void k(global int *p) { p[get_global_id(0)] = 7; }',
  'host.mjs': `import { createContext } from ${JSON.stringify(pathToFileURL(join(command, '../opencl.js')).href)};
function work() {
  const context = createContext();
  try { context.createBuffer(1, 0); } catch (error) { console.log(error.code); }
  context.release();
}
work();
`,
});

const millrace = (...args: string[]) => start(folder, args).ended;
const lines = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** A line of a log, taken apart. */
function parsed(line: string): {
  index: number;
  start: number;
  took: number;
  name: string;
  text: string;
  result: string;
} {
  const match =
    /^ *(\d+) +(\d+) +(\d+\.\d{3}) +(\d+\.\d{3}) {2}((?:[\w+]+: )?([\w.#]+)\(.*?\))(?: = (.*))?$/.exec(line);
  if (!match) throw new Error(`no line of a log: ${line}`);
  const [, index, , begin, took, text, name, result = ''] = match as unknown as string[];
  return { index: Number(index), start: Number(begin), took: Number(took), name: name!, text: text!, result };
}

/** The numbers of OpenCL 1.2's table of errors. */
const codes: Readonly<Record<string, number>> = {
  CL_SUCCESS: 0,
  CL_DEVICE_NOT_FOUND: -1,
  CL_INVALID_MEM_OBJECT: -38,
  CL_INVALID_KERNEL_NAME: -46,
  CL_INVALID_ARG_INDEX: -49,
};

describe('millrace run --api-log', () => {
  it('has every call of a program in C, with what the program got', async () => {
    const { code, stdout } = await millrace('run', '--api-log', 'host.log', 'host.c');
    expect(code).toBe(8);
    const log = lines(readFileSync(join(folder, 'host.log'), 'utf8')).map(parsed);
    const logged = log.map(({ name, result }) => {
      const [word] = /CL_\w+(?=$|:)/.exec(result) ?? [];
      return `${name} ${codes[word!]}`;
    });
    expect(logged).toEqual(lines(stdout));
    // The callback's call is within another, which has begun before: within the one that waits or, if the kernel has ended by then, within
    // the one that hands over the callback.
    const first = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
    expect([
      [...first, 14, 16, 15, 17],
      [...first, 15, 14, 16, 17],
    ]).toContainEqual(log.map(({ index }) => index));
    const texts = log.map(({ text, result }) => `${text} = ${result}`);
    expect(texts).toContainEqual(
      expect.stringMatching(
        /^clEnqueueNDRangeKernel\(command_queue=(cl_command_queue#\d+), kernel=cl_kernel#\d+, work_dim=2, global_work_offset=NULL, global_work_size=\{4, 1\}, local_work_size=NULL, num_events_in_wait_list=0, event_wait_list=NULL, event=0x\w+\) = CL_SUCCESS$/,
      ),
    );
    expect(texts).toContainEqual(
      expect.stringMatching(
        /^clCreateBuffer\(.*flags=CL_MEM_READ_WRITE \| CL_MEM_COPY_HOST_PTR, size=16, .* = cl_mem#\d+, CL_SUCCESS$/,
      ),
    );
    expect(texts).toContainEqual(
      expect.stringMatching(
        /^clCreateKernel\(.*kernel_name="thrice".* = NULL, CL_INVALID_KERNEL_NAME: .*'thrice'/,
      ),
    );
    expect(texts).toContainEqual(expect.stringMatching(/^clBuildProgram\(.*options="-D N=1"/));
    expect(texts).toContainEqual(
      expect.stringMatching(
        /^clEnqueueReadBuffer\(.*blocking_read=CL_TRUE.*event_wait_list=\[cl_event#\d+\]/,
      ),
    );
    for (const [at, { start: begin, took }] of log.slice(0, 14).entries()) {
      expect(begin + took).toBeLessThanOrEqual(log[at + 1]!.start + 0.002 + (at === 13 ? 1e9 : 0));
    }
  });

  it('goes to standard error with -, and is there with a profile’s table and trace', async () => {
    const { stderr } = await millrace('run', '--api-log', '-', '--profile', 'trace.json', 'host.c');
    expect(stderr).toContain('clBuildProgram(program=');
    expect(stderr).toMatch(/^clSetKernelArg +2 .* CL_INVALID_ARG_INDEX$/m);
    expect(stderr).toMatch(/^clGetDeviceIDs +2 .* CL_DEVICE_NOT_FOUND$/m);
    const trace = JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8'));
    expect(traceProblems(trace)).toEqual([]);
    const calls = trace.traceEvents.filter(({ cat }: { cat?: string }) => cat === 'call');
    expect(calls).toHaveLength(17);
    const shown = await millrace('profile', 'show', 'trace.json');
    expect(stderr).toContain(shown.stdout.trimEnd());
  });

  it('has the calls of CAL, of Brook+ and of a kernel on its own', async () => {
    const ofCal = await millrace('run', '--api-log', 'cal.log', 'cal.c');
    expect(ofCal.code).toBe(0);
    // cal.h's numbers.
    const results = ['CAL_RESULT_OK', 'CAL_RESULT_ERROR', 'CAL_RESULT_INVALID_PARAMETER'];
    const calLog = lines(readFileSync(join(folder, 'cal.log'), 'utf8')).map(parsed);
    expect(calLog.map(({ name, result }) => `${name} ${results.indexOf(result.split(':')[0]!)}`)).toEqual(
      lines(ofCal.stdout),
    );
    expect(calLog[2]!.text).toMatch(/^calDeviceOpen\(device=0x\w+, ordinal=77\)$/);

    const ofBrook = await millrace('run', '--api-log', 'brook.log', 'copy.br');
    expect(ofBrook.stdout).toBe('4\n');
    const brookLog = lines(readFileSync(join(folder, 'brook.log'), 'utf8')).map(parsed);
    expect(brookLog.map(({ text }) => text.replace(/\(.*/, ''))).toEqual([
      'Brook+: Stream',
      'Brook+: Stream',
      'Brook+: read',
      'Brook+: copy',
      'Brook+: write',
    ]);

    const ofKernel = await millrace('run', '--api-log', '-', 'k.cl', '-g', '4');
    expect(
      lines(ofKernel.stderr)
        .filter((line) => line.includes('Millrace: '))
        .map((line) => parsed(line).text),
    ).toContainEqual(expect.stringMatching(/^Millrace: k\(\{ global: \[4\]/));
  });

  it('is had of a program of JavaScript by a word in the environment', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['host.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, MILLRACE_API_LOG: '-', MILLRACE_CACHE: '0' },
    });
    const log = lines(stderr).map(parsed);
    expect(log.map(({ name }) => name)).toEqual([
      'createContext',
      'CLContext#1.createBuffer',
      'CLContext#1.release',
    ]);
    // CL_INVALID_BUFFER_SIZE
    expect(stdout).toBe('-61\n');
    expect(log[1]!.result).toMatch(/^CL_INVALID_BUFFER_SIZE: /);
  });

  it('says so where it cannot be written', async () => {
    const { code, stderr } = await millrace('run', '--api-log', 'nowhere/x.log', 'host.c');
    expect(code).not.toBe(0);
    expect(stderr).toContain('--api-log: cannot write nowhere/x.log: no such file or folder\n');
  });
});

describe('millrace debug --break-call', () => {
  const debug = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [command, 'debug', ...args], {
      cwd: folder,
      encoding: 'utf8',
      input,
      env: { PATH: process.env['PATH'], NO_COLOR: '1', MILLRACE_CACHE: '0' },
    });

  it('stops before calls of a function, and says what the program has called so far and from where', () => {
    const { status, stdout } = debug(
      'where\nlog 2\nfinish\ncontinue\ncontinue\nquit\n',
      '--break-call',
      'clCreateCommandQueue',
      '--break-call',
      'clEnqueueR*',
      'host.c',
    );
    expect(status).toBe(0);
    const at = (text: string): number => {
      const place = stdout.indexOf(text);
      expect(place, text).toBeGreaterThanOrEqual(0);
      return place;
    };
    expect(at('before call 5, clCreateCommandQueue(context=')).toBeLessThan(at('    at makeQueue ('));
    expect(at('    at makeQueue (')).toBeLessThan(at('    at main ('));
    expect(stdout).toMatch(/^ +3 .*CL_DEVICE_NOT_FOUND: .*\n +4 .*clCreateContext/m);
    expect(at('behind call 5, clCreateCommandQueue')).toBeLessThan(at('before call 15, clEnqueueReadBuffer'));
    // The program goes on in between, and the launch is debugged behind it.
    expect(at('clCreateCommandQueue 0\n')).toBeLessThan(at('before call 15, '));
    expect(at('clReleaseMemObject -38\n')).toBeLessThan(at('work-item (0, 0) in twice'));
  });

  it('stops behind calls that fail', () => {
    const { stdout } = debug('c\nc\nd error\nc\n', '--break-call', 'error', 'host.c');
    expect(stdout.match(/^behind call \d+, \w+/gm)).toEqual([
      'behind call 3, clGetDeviceIDs',
      'behind call 8, clCreateKernel',
      'behind call 12, clSetKernelArg',
    ]);
    expect(stdout).toContain('there is no argument 1\n');
  });

  it('stops programs of JavaScript, and one that launches nothing ends well', () => {
    const { status, stdout } = debug('where\nnext\nq\n', '--break-call', 'createContext', 'host.mjs');
    expect(status).toBe(0);
    expect(stdout).toMatch(/before call 1, createContext\(\)\n {4}at work \(.*host\.mjs:3:/);
    expect(stdout).toContain('before call 2, CLContext#1.createBuffer(1, 0)');
    const whole = debug('', '--break-call', 'createContext', 'host.mjs');
    expect(whole.status).toBe(0);
    expect(whole.stdout).toContain('made no launches');
  });
});

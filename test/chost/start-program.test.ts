/** Programs on threads of their own, in Node; test/browser/c-programs.test.ts has them in a page. */
import type { Profile } from 'millrace';
import { compileHost, ProgramError, type ProgramReport, runProgram, startProgram } from 'millrace/c-host';
import { expect, it } from 'vitest';

function compile(text: string): Uint8Array {
  const { bytes, log } = compileHost([{ name: 'host.c', text }]);
  if (!bytes) throw new Error(log);
  return bytes;
}

it('run beside the event loop, which hears what they print and why calls fail', async () => {
  const heard: string[] = [];
  const decoder = new TextDecoder();
  const source = `#include <CL/cl.h>
    #include <stdio.h>
    int main(void) {
      cl_uint units;
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
      clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
      printf("%u\\n", units);
      clFinish(NULL);
      fprintf(stderr, "ends\\n");
      return 3;
    }`;
  const { exitCode, stopped, files } = await startProgram(compile(source), {
    threads: 3,
    deviceType: 4,
    stdout: (bytes) => heard.push(decoder.decode(bytes)),
    stderr: (bytes) => heard.push(`error ${decoder.decode(bytes)}`),
    onError: (name, message) => heard.push(`${name}: ${message.split(':')[0]}`),
  }).ended;
  // Line by line, as to a terminal.
  expect(heard).toEqual(['3\n', 'clFinish: CL_INVALID_COMMAND_QUEUE', 'error ends\n']);
  expect({ exitCode, stopped, files }).toEqual({ exitCode: 3, stopped: undefined, files: new Map() });
});

it('run kernels of Brook+, and say what goes wrong with streams', async () => {
  const heard: string[] = [];
  const decoder = new TextDecoder();
  const text = `#include <stdio.h>
    typedef struct pair { float a; float b; } pair;
    kernel void pairs(float a<>, float b<>, out pair c<>) { c.a = a; c.b = b; }
    kernel void twice(float a<>, out float b<>) { b = 2.0f * a; }
    reduce void total(float a<>, reduce float t<>) { t += a; }
    int main(void) {
      float x[3] = {1.0f, 2.0f, 3.0f}, y[3] = {10.0f, 20.0f, 30.0f}, sum = 0.0f;
      pair z[3];
      float a<3>, b<3>;
      pair c<3>;
      streamRead(a, x);
      streamRead(b, y);
      pairs(a, b, c);
      streamWrite(c, z);
      total(b, sum);
      printf("%g %g %g\\n", z[0].b, z[2].a, sum);
      fflush(stdout);
      twice(a, a);
      streamWrite(a, x);
      return 0;
    }`;
  const { bytes, brook, log } = compileHost([{ name: 'main.br', text }]);
  expect(log).toBe('');
  const listen = (to: string) => (piece: Uint8Array) => heard.push(`${to} ${decoder.decode(piece)}`);
  const program = startProgram(bytes!, {
    brook,
    stdout: listen('out'),
    stderr: listen('error'),
    env: { BRT_LOG_FILE: 'logs/brook.log' },
    files: { 'logs/brook.log': 'before\n' },
  });
  const { exitCode, files } = await program.ended;
  expect(exitCode).toBe(0);
  expect(heard[0]).toBe('out 10 3 60\n');
  expect(heard.slice(1).join('')).toMatch(/^error .*Input stream is same as output stream/);
  expect(decoder.decode(files.get('logs/brook.log'))).toMatch(
    /^before\nKernel Execution : Input stream is same as output stream/,
  );
});

it('have their kernels checked', async () => {
  const source = `#include <CL/cl.h>
    const char *text = "kernel void f(global int *a) { a[2 * get_global_id(0)] = 1; }";
    int main(void) {
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
      cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
      cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
      clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      cl_kernel kernel = clCreateKernel(program, "f", NULL);
      cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 24, NULL, NULL);
      clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
      size_t count = 4;
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
      return clFinish(queue);
    }`;
  const reports: ProgramReport[] = [];
  const { exitCode } = await startProgram(compile(source), { onReport: (one) => reports.push(one) }).ended;
  expect(exitCode).toBe(0);
  expect(reports).toMatchObject([
    { kind: 'out-of-bounds', place: { line: 1, column: 32 }, object: { name: 'a', size: 24, offset: 24 } },
  ]);
  expect(reports[0]!.text).toContain("write of 4 bytes at byte 24 of 'a', which has 24");
});

it('have kernels stopped that run too long, and say what failed while it ran', async () => {
  const source = `#include <CL/cl.h>
    #include <stdio.h>
    const char *text = "kernel void spin(global volatile int *a) { while (a[0] == 0) ; }";
    int main(void) {
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
      cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
      cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
      clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      cl_kernel kernel = clCreateKernel(program, "spin", NULL);
      int zero = 0;
      cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &zero, NULL);
      clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
      size_t count = 4;
      cl_event event;
      cl_int status;
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event);
      clFinish(queue);
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
      printf("%d\\n", status);
      return 0;
    }`;
  const failures: string[] = [];
  const profiles: Profile[] = [];
  let printed = '';
  const { exitCode } = await startProgram(compile(source), {
    timeout: 200,
    onFailure: (message) => failures.push(message),
    onProfile: (profile) => profiles.push(profile),
    stdout: (bytes) => {
      printed += new TextDecoder().decode(bytes);
    },
  }).ended;
  // CL_OUT_OF_RESOURCES
  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: '-5\n' });
  expect(failures).toEqual(['the kernel was stopped: it ran longer than the time-out of 200 ms']);
  const [launch] = profiles[0]!.commands.filter(({ kernel }) => kernel !== undefined);
  expect(launch).toMatchObject({ kernel: 'spin', global: [4], status: -5 });
  expect(launch!.ended - launch!.started).toBeGreaterThan(199e6);
  expect(profiles[0]!.builds.map(({ kernels }) => kernels)).toContainEqual(['spin']);
});

it('end when they are told to', async () => {
  const program = startProgram(compile('int main(void) { for (;;); }'));
  await program.end();
  expect(await program.ended).toMatchObject({ exitCode: 137 });
});

it('are refused if they are none', async () => {
  const refusal = async (bytes: Uint8Array, files: Record<string, string>) =>
    startProgram(bytes, { files }).ended.catch((error: unknown) => error);
  expect(await refusal(new Uint8Array(9), {})).toEqual(new ProgramError('it is no module of WebAssembly'));
  expect(await refusal(compile('int main(void) { return 0; }'), { a: '', 'a/b': '' })).toEqual(
    new ProgramError("'a/b': 'a' is a file, not a folder"),
  );

  expect(await refusal(null as never, {})).toEqual(new ProgramError('null is no Uint8Array'));
  expect(() =>
    runProgram(compile('int main(void) { return 0; }'), { folders: { data: '/nowhere/at/all' } }),
  ).toThrow(new ProgramError('it is to find folders that are not all there: /nowhere/at/all'));

  const importing = (module: string, name: string) =>
    compile(`__attribute__((import_module("${module}"), import_name("${name}"))) int f(void *x);
      int main(void) { return f(0); }`);
  expect(await refusal(importing('wasi', 'thread-spawn'), {})).toEqual(
    new ProgramError("it starts threads and exports no function 'wasi_thread_start' for them"),
  );
  expect(await refusal(importing('env', 'unknown'), {})).toEqual(
    new ProgramError('it needs what is not there: env.unknown'),
  );
});

it('that ask for a header that is not there are told why, where there is a reason', () => {
  const log = (header: string) => compileHost([{ name: 'host.c', text: `#include <${header}>\n` }]).log;
  expect(log('omp.h')).toContain(
    "host.c:1:10: error: 'omp.h' file not found: there is no OpenMP; pthread.h and threads.h have threads",
  );
  expect(log('setjmp.h')).toContain("'setjmp.h' file not found: there is no setjmp");
  expect(log('mine.h')).toContain("'mine.h' file not found\n");
});

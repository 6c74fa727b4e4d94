/** `millrace run` for programs in C: arguments, files, exit codes, and what goes wrong. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileC, hasClang } from '../support/clang.ts';
import { start } from './millrace.ts';

const source = `
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(void) {
  const char *text = "kernel void f(int n) { printf(\\"kernel %d\\\\n\\", n); }";
  cl_device_id device;
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "f", NULL);
  for (cl_int n = 1; n <= 2; n++) {
    printf("host %d\\n", n);
    fflush(stdout);
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clEnqueueTask(queue, kernel, 0, NULL, NULL);
    clFinish(queue);
  }
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  if (strcmp(what, "arguments") == 0) {
    for (int i = 0; i < argc; i++) printf("[%s]", argv[i]);
    printf(" %s\\n", getenv("NAME"));
    return 42;
  }
  if (strcmp(what, "files") == 0) {
    char line[64] = "";
    FILE *in = fopen(argv[2], "r");
    if (!in) return 3;
    fgets(line, sizeof line, in);
    FILE *out = fopen(argv[3], "w");
    if (!out) return 4;
    fprintf(out, "read %s", line);
    return fclose(out);
  }
  if (strcmp(what, "print") == 0) print();
  if (strcmp(what, "abort") == 0) abort();
  if (strcmp(what, "devices") == 0) {
    cl_device_id device;
    cl_device_type type = 0;
    cl_int cpu = clGetDeviceIDs(NULL, CL_DEVICE_TYPE_CPU, 1, &device, NULL);
    cl_int gpu = clGetDeviceIDs(NULL, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    printf("cpu %d gpu %d type %d\\n", (int)cpu, (int)gpu, (int)type);
  }
  if (strcmp(what, "error") == 0) return -clFlush(NULL);
  if (strcmp(what, "forever") == 0) {
    puts("begins");
    fflush(stdout);
    for (volatile int i = 0;; i++) continue;
  }
  exit(0);
}
`;

describe.skipIf(!hasClang)('millrace run with a program in C (needs clang for wasm32-wasi)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-program-'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/in.txt'), 'a line\n');
  writeFileSync(join(folder, 'host.c'), source);
  if (hasClang) compileC(join(folder, 'host.c'), join(folder, 'host.wasm'), ['-O1']);
  const run = (...args: string[]) => start(folder, ['run', ...args]).ended;

  it('gives it what follows its name, and ends with its exit code', async () => {
    const { code, stdout, stderr } = await run(
      '--env',
      'NAME=value',
      'host.wasm',
      'arguments',
      '--help',
      '-x',
      '--dir',
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 42,
      stdout: '[host.wasm][arguments][--help][-x][--dir] value\n',
      stderr: '',
    });
  });

  it('shows it the folders that are named, and no others', async () => {
    expect(
      (await run('--dir', 'data', '--dir', '.::/here', 'host.wasm', 'files', 'data/in.txt', '/here/out.txt'))
        .code,
    ).toBe(0);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('read a line\n');
    expect((await run('host.wasm', 'files', 'data/in.txt', 'out.txt')).code).toBe(3);
    expect((await run('--dir', 'data', 'host.wasm', 'files', 'data/in.txt', 'data/../out.txt')).code).toBe(4);
  });

  it('prints what kernels and the program print in its order', async () => {
    const { stdout } = await run('host.wasm', 'print');
    expect(stdout).toBe('host 1\nkernel 1\nhost 2\nkernel 2\n');
  });

  it('shows it devices of the type that it wants', async () => {
    expect((await run('host.wasm', 'devices')).stdout).toBe('cpu 0 gpu -1 type 2\n');
    expect((await run('--device-type', 'gpu', 'host.wasm', 'devices')).stdout).toBe('cpu -1 gpu 0 type 4\n');
  });

  it('says where a program was stopped, and why calls fail', async () => {
    const stopped = await run('host.wasm', 'abort');
    expect(stopped.code).toBe(134);
    expect(stopped.stderr).toMatch(/host\.wasm was stopped: it aborted\n.*abort/);
    const explained = await run('--explain', 'host.wasm', 'error');
    expect(explained.code).toBe(36);
    expect(explained.stderr).toBe('clFlush: CL_INVALID_COMMAND_QUEUE: NULL is no command queue\n');
  });

  it('ends at once on Ctrl-C', async () => {
    const running = start(folder, ['run', 'host.wasm', 'forever']);
    await running.printed;
    running.kill('SIGINT');
    const { signal, stdout } = await running.ended;
    expect(signal).toBe('SIGINT');
    expect(stdout).toBe('begins\n');
  });

  it('refuses what it cannot run', async () => {
    writeFileSync(join(folder, 'text.wasm'), 'this is no module');
    expect((await run('text.wasm')).stderr).toContain(
      'text.wasm is no program that can run here: it is no module',
    );
    writeFileSync(
      join(folder, 'other.c'),
      '__attribute__((import_module("else"), import_name("where"))) void f(void); int main(void) { f(); }',
    );
    compileC(join(folder, 'other.c'), join(folder, 'other.wasm'));
    const { code, stderr } = await run('other.wasm');
    expect(code).toBe(1);
    expect(stderr).toContain('it needs what is not there: else.where');
    expect((await run('--dir', '', 'host.wasm')).code).toBe(2);
    expect((await run('--unknown', 'host.wasm')).code).toBe(2);
  });
});

/** `millrace run` and `millrace compile` with programs in C: exit codes, mistakes in the source, programs that are stopped. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WarmCommand } from '../cli/warm.ts';

let folder: string;
let shared: WarmCommand;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-command-'));
  shared = new WarmCommand(folder);
});
afterAll(() => {
  shared.close();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command in a folder with the file `host.c`. */
function millrace(source: string, args: readonly string[]): Promise<Outcome> {
  writeFileSync(join(folder, 'host.c'), source);
  return new Promise((done) => {
    const command = [resolve('dist/millrace.js'), ...args];
    execFile(process.execPath, command, { cwd: folder }, (error, out, messages) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, error: messages });
    });
  });
}

/** The same in one process with other commands: for what comes to no program of its own. */
async function warm(source: string, args: readonly string[]): Promise<Outcome> {
  writeFileSync(join(folder, 'host.c'), source);
  const { code, stdout, stderr } = await shared.run(...args);
  return { code: code ?? 0, out: stdout, error: stderr };
}

it('gives main its arguments and takes its result', async () => {
  const source = `#include <stdio.h>
int main(int argc, char **argv) { printf("%s %s %d\\n", argv[0], argv[argc - 1], VALUE); return argc + 40; }`;
  expect(await millrace(source, ['run', '-DVALUE=7', 'host.c', '-x', 'b'])).toEqual({
    code: 43,
    out: 'host.c b 7\n',
    error: '',
  });
});

it('keeps what it has read ahead of a pipe that the program flushes', async () => {
  const source = `#include <stdio.h>
int main(void) {
  int number;
  while (scanf("%d", &number) == 1) {
    fflush(stdin);
    printf("%d %d\\n", number, fseek(stdin, 0, SEEK_SET));
  }
}`;
  writeFileSync(join(folder, 'flushes.c'), source);
  const child = spawn(process.execPath, [resolve('dist/millrace.js'), 'run', 'flushes.c'], { cwd: folder });
  child.stdin.end('1\n2\n3\n');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await once(child, 'close');
  expect(text).toBe('1 -1\n2 -1\n3 -1\n');
});

it('ends a program that prints to nobody, if it does not ignore SIGPIPE', async () => {
  const source = `#include <errno.h>
#include <signal.h>
#include <stdio.h>
int main(int argc, char **argv) {
  if (argc > 1) signal(SIGPIPE, SIG_IGN);
  while (puts("again") >= 0) continue;
  for (int i = 0; argc == 1; ++i) puts("and again");
  return errno == EPIPE ? 3 : 4;
}`;
  writeFileSync(join(folder, 'prints.c'), source);
  // A pipe of a shell, as those of Node are sockets, which fail in another way first.
  for (const [argument, code] of [
    ['', 141],
    ['ignore', 3],
  ] as const) {
    const command = `"${process.execPath}" "${resolve('dist/millrace.js')}" run prints.c ${argument}`;
    const shell = spawn('sh', ['-c', `{ ${command}; echo $? >&2; } | head -n 1`], { cwd: folder });
    let error = '';
    shell.stderr.setEncoding('utf8').on('data', (piece: string) => {
      error += piece;
    });
    await once(shell, 'close');
    expect(error).toBe(`${code}\n`);
  }
});

it('leaves file 1 to who reopens standard output', async () => {
  const source = `#include <stdio.h>
#include <unistd.h>
int main(void) {
  freopen("reopened.txt", "w", stdout);
  printf("%d\\n", fileno(stdout));
  fflush(stdout);
  return write(1, "raw\\n", 4) != 4;
}`;
  expect(await millrace(source, ['run', 'host.c'])).toEqual({ code: 0, out: '', error: '' });
  expect(readFileSync(join(folder, 'reopened.txt'), 'utf8')).toBe('1\nraw\n');
});

describe('a reader that is slow loses nothing', () => {
  /** What a program leaves in standard output or standard error, of which nothing is read for two seconds. */
  async function readLate(source: string, args: readonly string[], stream: 'stdout' | 'stderr') {
    writeFileSync(join(folder, 'host.c'), source);
    const child = spawn(process.execPath, [resolve('dist/millrace.js'), 'run', ...args, 'host.c'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    // The pipe is full by then.
    await setTimeout(2000);
    let text = '';
    for await (const piece of child[stream].setEncoding('utf8')) text += piece;
    return { text, ended: await ended };
  }

  it('of what a program prints', async () => {
    const source = `#include <stdio.h>
      int main(void) { for (int i = 0; i < 50000; i++) printf("line %d\\n", i); return ferror(stdout); }`;
    const { text, ended } = await readLate(source, [], 'stdout');
    expect(ended).toEqual([0, null]);
    expect(text).toBe(Array.from({ length: 50000 }, (_, i) => `line ${i}\n`).join(''));
  });

  it('of what is explained', async () => {
    const source = `#include <CL/cl.h>
      int main(void) { for (int i = 0; i < 20000; i++) clFinish((cl_command_queue)0); return 0; }`;
    const { text, ended } = await readLate(source, ['--explain'], 'stderr');
    expect(ended).toEqual([0, null]);
    expect(text.trimEnd().split('\n')).toHaveLength(20000);
  });
});

it('prints what kernels print in its order, to pipes and to files', async () => {
  const source = `#include <CL/cl.h>
    #include <stdio.h>
    const char *text = "kernel void f() { printf(\\"in the kernel\\\\n\\"); }";
    int main(void) {
      cl_device_id device;
      clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
      cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
      cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
      clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
      cl_kernel kernel = clCreateKernel(program, "f", NULL);
      size_t count = 1;
      printf("before\\nand ");
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
      clFinish(queue);
      printf("after\\n");
      return 0;
    }`;
  const inOrder = 'before\nand in the kernel\nafter\n';
  expect(await millrace(source, ['run', 'host.c'])).toEqual({ code: 0, out: inOrder, error: '' });
  const command = `'${process.execPath}' '${resolve('dist/millrace.js')}' run host.c > out.txt`;
  await new Promise((done) => {
    execFile('sh', ['-c', command], { cwd: folder }, done);
  });
  expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe(inOrder);
});

it('takes the options of lines for other compilers', async () => {
  const source = `#include <stdio.h>
int main(int argc, char **argv) { int unused; for (int i = 1; i < argc; i++) printf("%s\\n", argv[i]); return N; }`;
  const usual = ['-O2', '-g', '-Wall', '-Wextra', '-std=c99', '-pedantic'];
  // What follows the sources is the program's.
  const ran = await millrace(source, ['run', ...usual, '-DN=3', 'host.c', '-O2', '-lm']);
  expect(ran).toEqual({ code: 3, out: '-O2\n-lm\n', error: '' });
  const line = [...usual, '-DN=3', '-o', 'host.wasm', 'host.c', '-L.', '-lOpenCL', '-lm', '-W', '-pthread'];
  expect(await warm(source, ['compile', ...line])).toMatchObject({ code: 0, error: '' });
  expect((await millrace('', ['run', 'host.wasm'])).code).toBe(3);
  const apart = ['compile', '-DN=3', '-L', '/usr/lib', 'host.c', '-l', 'OpenCL', '-o', 'apart.wasm'];
  expect(await warm(source, apart)).toMatchObject({ code: 0, error: '' });
  const wrong = await warm('int main(void) { char *p = 3; return !p; }', [
    'run',
    '-Wall',
    '-Werror',
    'host.c',
  ]);
  expect(wrong).toMatchObject({ code: 1, out: '' });
  const object = await warm(source, ['compile', '-c', 'host.c']);
  expect(object.error).toContain('-c: there are no object files');
  expect((await warm(source, ['compile', '-O4', 'host.c'])).error).toContain("unknown option '-O4'");
});

it('says with --check where a null pointer was used', async () => {
  const source = `int *find(int key) { return key ? &(int){3} : 0; }
    int main(int argc, char **argv) { return *find(argc - 1); }`;
  // Without it there is memory at 0, too.
  expect(await millrace(source, ['run', 'host.c'])).toEqual({ code: 0, out: '', error: '' });
  const { code, error } = await millrace(source, ['run', '--check', 'host.c']);
  expect(code).toBe(134);
  expect(error).toMatch(/host\.c was stopped: it used a null pointer[\s\S]*__null_pointer[\s\S]* at main /);
});

it('does not compile C++ itself, and says what does', async () => {
  writeFileSync(join(folder, 'host.cpp'), '#include <CL/opencl.hpp>\n');
  const { code, error } = await warm('', ['compile', 'host.cpp']);
  expect(code).toBe(2);
  expect(error).toContain('host.cpp is a program in C++: millrace run host.cpp runs it');
});

it('shows what is wrong in a source', async () => {
  const { code, out, error } = await millrace('int main(void) {\n  return missing;\n}\n', ['run', 'host.c']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error).toBe(`host.c:2:10: error: use of undeclared identifier 'missing'
  return missing;
         ^~~~~~~
1 error generated.
`);
});

/** The same on a terminal, which the tool `script` of util-linux makes; both streams come together. */
function onTerminal(source: string, args: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'host.c'), source);
  const command = [process.execPath, resolve('dist/millrace.js'), ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  return new Promise((done) => {
    execFile('script', ['-qec', command, '/dev/null'], { cwd: folder }, (_error, out) => done(out));
  });
}

it('says at the end that functions failed, if nobody may have noticed', async () => {
  const program = (type: string, code: string): string => `#include <CL/cl.h>
int main(void) {
  cl_platform_id platform; cl_device_id device = 0; cl_int error;
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_${type}, 1, &device, 0);
  if (device) clCreateBuffer(clCreateContext(0, 1, &device, 0, 0, &error), 0, 0, 0, &error);
  return ${code};
}`;
  const unnoticed = await onTerminal(program('CPU', '0'), ['run', 'host.c']);
  expect(unnoticed).toMatch(
    /millrace: a function failed: clCreateBuffer: CL_INVALID_BUFFER_SIZE: .*\(--explain/,
  );
  expect(await onTerminal(program('GPU', '0'), ['run', 'host.c'])).toBe('');
  // Who reads the error stream by a program finds what the program wrote.
  const piped = await millrace(program('CPU', '0'), ['run', 'host.c']);
  expect(piped).toEqual({ code: 0, out: '', error: '' });
  const failed = await millrace(program('GPU', '3'), ['run', 'host.c']);
  expect(failed.code).toBe(3);
  expect(failed.error).toMatch(/clGetDeviceIDs: CL_DEVICE_NOT_FOUND: .*\(--device-type gpu/);
});

it('refuses the host part of a .br file without its kernels', async () => {
  writeFileSync(
    join(folder, 'twice.br'),
    'kernel void twice(float a<>, out float b<>) { b = a + a; }\nint main(void) { float a<4>, b<4>; twice(a, b); return 0; }\n',
  );
  expect((await warm('', ['compile', 'twice.br', '-o', 'twice.wasm'])).code).toBe(0);
  const { code, error } = await millrace('', ['run', 'twice.wasm']);
  expect(code).toBe(1);
  expect(error).toContain('it was compiled from .br files, whose kernels it does not hold');
});

it('names what no file defines', async () => {
  const source = 'int other(int);\nint main(void) { return other(1); }\n';
  const { code, error } = await warm(source, ['compile', 'host.c']);
  expect(code).toBe(1);
  expect(error).toContain("host.c:2:25: error: function 'other' is called by 'main' but not defined");
});

it('stops a program that fills the stack, and names its functions', async () => {
  const source = `static int deep(volatile int *outer) { volatile int here[1000]; here[0] = *outer; return deep(here) + here[0]; }
int main(void) { volatile int start = 1; return deep(&start); }`;
  const { code, error } = await millrace(source, ['run', '-w', 'host.c']);
  expect(code).toBe(134);
  expect(error).toContain('host.c was stopped: the stack is full');
  expect(error).toMatch(/at deep .*\n[\s\S]*more[\s\S]*at main /);
});

it('stops a program that calls what is no such function, and one that aborts', async () => {
  const source = `#include <stdlib.h>
int main(int argc, char **argv) { int (*f)(double) = (int (*)(double))main; if (argc > 1) abort(); return f(1); }`;
  const wrong = await millrace(source, ['run', '-w', 'host.c']);
  expect(wrong.code).toBe(134);
  expect(wrong.error).toContain('it called through a pointer that leads to no such function');
  const aborted = await millrace(source, ['run', '-w', 'host.c', 'now']);
  expect(aborted.code).toBe(134);
  expect(aborted.error).toContain('it aborted');
});

it('writes a module that runs as others do', async () => {
  const source = '#include <stdio.h>\nint main(void) { puts("compiled"); return 5; }';
  const compiled = await millrace(source, ['compile', 'host.c', '-o', 'host.wasm']);
  expect(compiled).toEqual({ code: 0, out: '', error: '' });
  expect(await WebAssembly.compile(readFileSync(join(folder, 'host.wasm')))).toBeDefined();
  expect(await millrace(source, ['run', 'host.wasm'])).toEqual({ code: 5, out: 'compiled\n', error: '' });
});

const endless = `#include <CL/cl.h>
#include <stdio.h>
int main(void) {
  cl_platform_id p; cl_device_id d; cl_int e, status;
  clGetPlatformIDs(1, &p, 0);
  clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, 0);
  cl_context context = clCreateContext(0, 1, &d, 0, 0, &e);
  cl_command_queue queue = clCreateCommandQueue(context, d, 0, &e);
  const char *text = "kernel void k(volatile global int *x) { while (x[0] == 0); }";
  cl_program program = clCreateProgramWithSource(context, 1, &text, 0, &e);
  clBuildProgram(program, 0, 0, "", 0, 0);
  cl_kernel kernel = clCreateKernel(program, "k", &e);
  int zeros[4] = {0};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 16, zeros, &e);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  size_t one = 1;
  cl_event event;
  clEnqueueNDRangeKernel(queue, kernel, 1, 0, &one, 0, 0, 0, &event);
  clFinish(queue);
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, &status, 0);
  printf("%d\\n", status);
  return RESULT;
}`;

it('stops a kernel that runs longer than --timeout, and says so', async () => {
  // CL_OUT_OF_RESOURCES is -5.
  const error = 'millrace: the kernel was stopped: it ran longer than the time-out of 200 ms\n';
  const unnoticed = await millrace(endless, ['run', '--timeout', '0.2', '-DRESULT=0', 'host.c']);
  expect(unnoticed).toEqual({ code: 1, out: '-5\n', error });
  const wrong = await warm(endless, ['run', '-t', 'soon', 'host.c']);
  expect(wrong).toEqual({
    code: 2,
    out: '',
    error: "millrace: --timeout 'soon': write seconds, 0 to 86400\n",
  });
});

it('prints records of C and Brook+ sources with --json', async () => {
  const host = 'int twice(int x);\nint main(void) {\n  return twice(MISSING);\n}\n';
  writeFileSync(join(folder, 'k.br'), 'kernel void up(float a<>, out float b<>) { b = a + 1.0f; }\n');
  const files = ['host.c', 'k.br', 'not.c'];
  const wrong = await warm(host, ['compile', '--json', ...files]);
  expect([wrong.code, wrong.error]).toEqual([1, '']);
  const [first, second, third] = JSON.parse(wrong.out);
  const place = { file: 'host.c', line: 3, column: 16, endLine: 3, endColumn: 23 };
  const message = "use of undeclared identifier 'MISSING'";
  const diagnostics = [{ severity: 'error', message, ...place, notes: [] }];
  expect(first).toMatchObject({ file: 'host.c', ok: false, kernels: [], diagnostics });
  expect(first.log).toContain('host.c:3:16: error: use of undeclared');
  expect(second).toEqual({ file: 'k.br', ok: true, kernels: ['up'], diagnostics: [], log: '' });
  expect(third).toMatchObject({ ok: false, log: 'cannot read not.c: no such file or folder' });

  const unlinked = await warm(host, ['compile', '--json', '-DMISSING=1', 'k.br', 'host.c']);
  expect(unlinked.code).toBe(1);
  expect(JSON.parse(unlinked.out)).toMatchObject([
    { file: 'k.br', ok: true, diagnostics: [] },
    { file: 'host.c', ok: false, diagnostics: [{ line: 3, column: 10 }] },
  ]);
  const whole = await warm(`${host}int twice(int x) { return 2 * x; }`, [
    ...['compile', '--json', '-DMISSING=1', 'host.c', 'k.br', '-o', 'both.wasm'],
  ]);
  expect(whole.code).toBe(0);
  expect(JSON.parse(whole.out).map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
  expect(new WebAssembly.Module(readFileSync(join(folder, 'both.wasm')))).toBeDefined();
});

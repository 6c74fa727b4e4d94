/** `millrace debug`: the real process at its prompt, and as a debug adapter. Values are worked out by hand. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const command = join(import.meta.dirname, '../../dist/millrace.js');
const folder = mkdtempSync(join(tmpdir(), 'millrace-debug-'));
const kernel = join(folder, 'sums.cl');
writeFileSync(
  kernel,
  `int square(int x) {
  int y = x * x;
  return y;
}
kernel void sums(global int *out, global const int *in, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < n; k++) {
    sum += square(in[k]) * i;
  }
  printf("sum %d\\n", sum);
  out[i] = sum;
}
`,
);
const launch = ['--global', '4', '--local', '2', '--arg', 'out=zeros', '--arg', 'in=(1,2,3)', '--arg', 'n=3'];

function start(args: readonly string[]) {
  return spawn(process.execPath, [command, 'debug', ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** What the prompt says to such lines. */
function talk(args: readonly string[], lines: readonly string[]): Promise<string> {
  const debugging = start(args);
  let said = '';
  debugging.stdout.on('data', (chunk) => {
    said += chunk;
  });
  debugging.stdin.end(lines.join('\n'));
  return new Promise((done) => debugging.on('close', () => done(said)));
}

describe.concurrent('the prompt', () => {
  it('moves a launch both ways and shows it', async () => {
    const said = await talk(
      ['sums.cl', ...launch],
      [
        'break 9 item 3 if k == 1',
        'c',
        'info locals',
        'p/x sum * 17',
        's',
        'where',
        'out',
        'back',
        'watch out[3]',
        'c',
        'rc',
        'back',
        'set sum = 5',
        'n',
        'x/2 out+2',
        'items',
        'p sum +',
        'b nowhere',
        'what',
        'c',
      ],
    );
    expect(said).toBe(`work-item (0) in sums at sums.cl:6
 =>   6    int i = get_global_id(0);
breakpoint 1 at sums.cl:9
sum 0
sum 14
sum 28
breakpoint 1, work-item (3) in sums at sums.cl:9
*=>   9      sum += square(in[k]) * i;
i    int  3
sum  int  3
k    int  1
int 0x00000033
work-item (3) in square at sums.cl:2
 =>   2    int y = x * x;
=> #0  square  sums.cl:2
   #1  sums  sums.cl:9
work-item (3) in sums at sums.cl:9
*=>   9      sum += square(in[k]) * i;
work-item (3) in sums at sums.cl:9
*=>   9      sum += square(in[k]) * i;
watch 2: out[3]
sum 42
work-item (3) in sums at sums.cl:13
work-item (3) has written out[3] at sums.cl:12: 0 is 42 now
 =>  13  }
work-item (3) in sums at sums.cl:12
work-item (3) is about to write out[3] at sums.cl:12: 0 becomes 42
 =>  12    out[i] = sum;
work-item (3) in sums at sums.cl:12
 =>  12    out[i] = sum;
5
work-item (3) in sums at sums.cl:13
work-item (3) has written out[3] at sums.cl:12: 0 is 5 now
 =>  13  }
     [0]  28
     [1]  5
ended: 1 work-item (2)
sums.cl:13 ready: 1 work-item (3)
expected expression
sum +
     ^
nothing to stop at: nowhere is neither a line with code nor a function
'what' is no word of the debugger (help lists them)
the launch has ended; back leads into it again
`);
  });

  it('repeats moves, passes breakpoints and refuses what makes no sense', async () => {
    const said = await talk(
      ['sums.cl', ...launch],
      [
        'n 3',
        'b 9',
        'ignore 1 2',
        'c',
        'disable 1',
        'info b',
        'next now',
        'continue 2',
        'b 9 if',
        'p barrier(CLK_LOCAL_MEM_FENCE)',
        'picture in 0',
        'enable 7',
        'set sum = 1 = 2',
        'c',
      ],
    );
    expect(said.split('\n').slice(2)).toEqual([
      'work-item (0) in sums at sums.cl:9',
      ' =>   9      sum += square(in[k]) * i;',
      'breakpoint 1 at sums.cl:9',
      'breakpoint 1 is passed 2 times',
      'sum 0',
      'breakpoint 1, work-item (1) in sums at sums.cl:9',
      '*=>   9      sum += square(in[k]) * i;',
      '  1  sums.cl:9, reached 3 times, disabled',
      "'now' is no number of times",
      "'continue' takes nothing behind it",
      "a condition is missing behind 'if'",
      'the expression waits for other work-items',
      'a picture is at least one pixel wide',
      'there is no breakpoint 7',
      'expression is not assignable',
      'sum = 1 = 2',
      '        ^',
      'sum 14',
      'sum 28',
      'sum 42',
      'the launch has ended; back leads into it again',
      '',
    ]);
  });

  it('takes a launch out of a host program', async () => {
    const host = join(folder, 'host.c');
    writeFileSync(
      host,
      `#include <CL/cl.h>
#include <stdio.h>
const char *source = "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";
int main(void) {
  cl_platform_id platform; cl_device_id device; int data[2] = {3, 4}, error;
  clGetPlatformIDs(1, &platform, 0);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, 0);
  cl_context context = clCreateContext(0, 1, &device, 0, 0, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, 0, &error);
  clBuildProgram(program, 1, &device, "", 0, 0);
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &error);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  size_t size = 2;
  for (int round = 0; round < 3; round += 1) clEnqueueNDRangeKernel(queue, kernel, 1, 0, &size, 0, 0, 0, 0);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, 0, 0);
  printf("%d %d\\n", data[0], data[1]);
  return 3;
}`,
    );
    const said = await talk(['--launch', '2', 'host.c'], ['p x', 'c', 'p x']);
    expect(said.split('\n')[0]).toBe('24 32');
    expect(said).toContain('&x = {6, 8}');
    expect(said).toContain('&x = {12, 16}');
  });

  it('shows kernels of Brook+ by the names of their file, compiled before or not', async () => {
    const file = join(folder, 'twice.br');
    writeFileSync(
      file,
      `#include <stdio.h>
kernel float twice(float x) { return x * 2.0f; }
kernel void add(float a<>, float b[], out float c<>) {
  float t = twice(b[indexof(c).x]);
  c = a + t;
}
reduce void total(float x<>, reduce float r<>) {
  r += x;
}
int main(void) {
  float a[3] = {1, 2, 3}, b[3] = {10, 20, 30}, sum;
  float A<3>, B<3>, C<3>;
  streamRead(A, a);
  streamRead(B, b);
  add(A, B, C);
  total(C, sum);
  printf("%g\\n", sum);
  return 0;
}`,
    );
    const lines = ['break twice item 1', 'c', 'where', 'out', 'n', 'info locals', 'info args', 'p b[2] - c'];
    expect(await talk(['--kernel', 'add', file], lines)).toBe(`126
work-item (0) in add at ${file}:4
 =>   4    float t = twice(b[indexof(c).x]);
breakpoint 1 at ${file}:2
breakpoint 1, work-item (1) in twice at ${file}:2
*=>   2  kernel float twice(float x) { return x * 2.0f; }
=> #0  twice  ${file}:2
   #1  add  ${file}:4
work-item (1) in add at ${file}:4
 =>   4    float t = twice(b[indexof(c).x]);
work-item (1) in add at ${file}:5
 =>   5    c = a + t;
t  float  40
a  float  2
b  const __global float *  &p_b = {10, 20, 30}
c  float  0
float 30
`);
    // From the cache of builds now.
    const said = await talk(['--kernel', 'total', file], ['n', 'n', 'p r', 'set r = 1', 'p r']);
    expect(said).toContain(`work-item (0) in total at ${file}:8`);
    expect(said.trimEnd().split('\n').slice(-1)).toEqual(['float 1']);
  });

  it('steps through programs in IL that CAL launches', async () => {
    const hello = join(import.meta.dirname, '../../samples/cal-hello/hello.c');
    const said = await talk(
      [hello],
      ['b 7 item 3,2', 'c', 'p r0', 'p v0', 'set r0.x = 8', 'n', 'p o0', 'n', 'p o0_memory[2 * 256 + 3]'],
    );
    // Element (3, 2) of rows of 256 is 515; the program halves it.
    expect(said.split('\n').slice(8)).toEqual([
      'work-item (0, 0, 0) in il_main at kernel.il:6',
      ' =>   6  sample_resource(0)_sampler(0) r0, v0.xyxx',
      'breakpoint 1 at kernel.il:7',
      'breakpoint 1, work-item (3, 2, 0) in il_main at kernel.il:7',
      '*=>   7  mul o0, r0, cb0[0].x',
      'float4 (515, 0, 0, 1)',
      'float4 (3.5, 2.5, 0, 1)',
      '8',
      'work-item (3, 2, 0) in il_main at kernel.il:9',
      ' =>   9  end',
      'float4 (4, 0, 0, 0.5)',
      'work-item (4, 2, 0) in il_main at kernel.il:6',
      'work-item (3, 2, 0) has ended',
      ' =>   6  sample_resource(0)_sampler(0) r0, v0.xyxx',
      '__global float 4',
      '',
    ]);
  });

  it('takes a launch out of a program of JavaScript, images too', async () => {
    const host = join(folder, 'host.mjs');
    const main = join(import.meta.dirname, '../../dist/index.js');
    writeFileSync(
      host,
      `import { compile } from ${JSON.stringify(main)};
const program = await compile(\`kernel void invert(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 colour = read_imagef(in, at);
  colour.xyz = 1 - colour.xyz;
  write_imagef(out, at, colour);
}\`);
const picture = (...data) => ({ width: 2, height: 1, data: Uint8ClampedArray.from(data) });
const target = picture(0, 0, 0, 0, 0, 0, 0, 0);
await program.kernel('invert')({ global: [2, 1] }, picture(255, 0, 0, 255, 0, 255, 51, 255), target);
console.log(target.data.join());`,
    );
    const lines = [
      'b 5 item 1',
      'c',
      'p colour',
      'p in',
      'p read_imagef(in, (int2)(0, 0)).x',
      'n',
      'p out.x',
    ];
    expect(await talk([host], lines)).toBe(`0,255,255,255,255,0,204,255
work-item (0, 0) in invert at <kernel>:2
 =>   2    int2 at = (int2)(get_global_id(0), get_global_id(1));
breakpoint 1 at <kernel>:5
breakpoint 1, work-item (1, 0) in invert at <kernel>:5
*=>   5    write_imagef(out, at, colour);
float4 (1, 0, 0.8, 1)
__read_only image2d_t image of 2 x 1
float 1
work-item (1, 0) in invert at <kernel>:6
 =>   6  }
member reference base type '__write_only image2d_t' is not a structure or union
out.x
^~~~~
`);
  });

  it('pauses what runs on an interrupt, and goes on with its script', async () => {
    writeFileSync(
      join(folder, 'spin.cl'),
      'kernel void spin(global volatile int *x) {\n  while (*x == 0)\n    ;\n}\n',
    );
    const debugging = start(['spin.cl', '--global', '1', '--arg', 'x=zeros']);
    let said = '';
    debugging.stdout.on('data', (chunk) => {
      if (said === '') setTimeout(() => debugging.kill('SIGINT'), 200);
      said += chunk;
    });
    debugging.stdin.end('c\nset *x = 1\nc\n');
    const code = await new Promise((done) => debugging.on('close', done));
    expect([code, said.split('\n').slice(2)]).toEqual([
      0,
      [
        expect.stringContaining('paused, work-item (0) in spin at spin.cl:'),
        expect.anything(),
        '1',
        expect.stringContaining('ended'),
        '',
      ],
    ]);
  });

  it('says where there is nothing to debug', async () => {
    const host = join(folder, 'idle.mjs');
    writeFileSync(host, 'console.log("nothing");');
    const debugging = start([host]);
    let said = '';
    debugging.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const code = await new Promise((done) => debugging.on('close', done));
    expect([code, said]).toEqual([1, `millrace: ${host} made no launches\n`]);
  });
});

/** An editor, as far as the protocol goes. */
class Editor {
  readonly #adapter = start(['--dap']);
  readonly #events: { event: string; body: unknown }[] = [];
  readonly #answers = new Map<
    number,
    (answer: { success: boolean; message?: string; body: never }) => void
  >();
  #waiting: (() => void) | undefined;
  #number = 0;

  constructor() {
    let buffered = Buffer.alloc(0);
    this.#adapter.stdout.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (;;) {
        const head = /^Content-Length: (\d+)\r\n\r\n/.exec(buffered.toString('latin1'));
        const end = head ? head[0].length + Number(head[1]) : Number.POSITIVE_INFINITY;
        if (!head || buffered.length < end) return;
        const message = JSON.parse(buffered.subarray(head[0].length, end).toString());
        buffered = buffered.subarray(end);
        if (message.type === 'response') this.#answers.get(message.request_seq)?.(message);
        else {
          this.#events.push(message);
          this.#waiting?.();
        }
      }
    });
  }

  async ask<T = unknown>(name: string, args: object = {}): Promise<T> {
    const answer = await this.try<T>(name, args);
    if (!answer.success) throw new Error(`${name}: ${answer.message}`);
    return answer.body;
  }

  try<T = unknown>(name: string, args: object): Promise<{ success: boolean; message?: string; body: T }> {
    this.#number += 1;
    const text = JSON.stringify({ seq: this.#number, type: 'request', command: name, arguments: args });
    this.#adapter.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return new Promise((done) => {
      this.#answers.set(this.#number, done);
    });
  }

  /** The next event of a name; what comes before is passed over. */
  async event<T>(name: string): Promise<T> {
    for (;;) {
      const next = this.#events.shift();
      if (next?.event === name) return next.body as T;
      if (!next) {
        await new Promise<void>((done) => {
          this.#waiting = done;
        });
      }
    }
  }

  end(): Promise<unknown> {
    this.#adapter.stdin.end();
    return new Promise((done) => this.#adapter.on('close', done));
  }
}

interface Stopped {
  readonly reason: string;
  readonly threadId: number;
  readonly text?: string;
}

describe('the debug adapter', () => {
  it('lets an editor debug a kernel', async () => {
    const editor = new Editor();
    const able = await editor.ask<{ supportsStepBack: boolean }>('initialize', {
      adapterID: 'millrace',
      pathFormat: 'path',
    });
    expect(able.supportsStepBack).toBe(true);
    expect(await editor.try('launch', { program: 'missing.cl' })).toMatchObject({
      success: false,
      message: 'cannot read missing.cl: no such file or folder',
    });
    await editor.ask('launch', { program: kernel, args: launch });
    await editor.event('initialized');
    const lines = [
      { line: 9, condition: 'i == 1 && k == 2' },
      { line: 10, condition: 'i == q' },
      { line: 50 },
    ];
    const set = await editor.ask<{ breakpoints: object[] }>('setBreakpoints', {
      source: { path: kernel },
      breakpoints: lines,
    });
    expect(set.breakpoints).toMatchObject([
      { verified: true, line: 9 },
      { verified: false },
      { verified: false, message: 'there is no code' },
    ]);
    await editor.ask('configurationDone');
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'entry', threadId: 1 });
    await editor.ask('continue', { threadId: 1 });
    expect(await editor.event<{ output: string }>('output')).toMatchObject({ output: 'sum 0\n' });
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'breakpoint', threadId: 2 });
    const { threads } = await editor.ask<{ threads: { name: string }[] }>('threads');
    expect(threads.map(({ name }) => name)).toEqual(['work-item (0), ended', 'work-item (1)']);

    await editor.ask('stepIn', { threadId: 2 });
    await editor.event('stopped');
    interface Frame {
      readonly id: number;
      readonly name: string;
      readonly line: number;
      readonly source: { readonly path: string };
    }
    const frames = async () => {
      const { stackFrames } = await editor.ask<{ stackFrames: Frame[] }>('stackTrace', { threadId: 2 });
      return stackFrames;
    };
    const stack = await frames();
    expect(stack.map(({ name, line, source }) => [name, line, source.path])).toEqual([
      ['square', 2, kernel],
      ['sums', 9, kernel],
    ]);
    const { scopes } = await editor.ask<{ scopes: { name: string; variablesReference: number }[] }>(
      'scopes',
      {
        frameId: stack[1]!.id,
      },
    );
    expect(scopes.map(({ name }) => name)).toEqual(['Private', 'Arguments']);
    interface Shown {
      readonly name: string;
      readonly value: string;
      readonly type: string;
      readonly variablesReference: number;
    }
    const of = async (variablesReference: number) =>
      (await editor.ask<{ variables: Shown[] }>('variables', { variablesReference })).variables;
    const own = await of(scopes[0]!.variablesReference);
    expect(own.map(({ name, value, type }) => [name, value, type])).toEqual([
      ['i', '1', 'int'],
      ['sum', '5', 'int'],
      ['k', '2', 'int'],
    ]);
    const given = await of(scopes[1]!.variablesReference);
    expect((await of(given[1]!.variablesReference)).map(({ name, value }) => [name, value])).toEqual([
      ['[0]', '1'],
      ['[1]', '2'],
      ['[2]', '3'],
    ]);
    const evaluated = { expression: 'in[k] * x', frameId: stack[1]!.id, context: 'hover' };
    expect((await editor.try('evaluate', evaluated)).message).toContain("undeclared identifier 'x'");
    expect(await editor.ask('evaluate', { ...evaluated, expression: 'in[k] * 2' })).toMatchObject({
      result: '6',
    });

    await editor.ask('stepBack', { threadId: 2 });
    await editor.event('stopped');
    expect((await frames()).map(({ line }) => line)).toEqual([9]);
    const info = await editor.ask<{ dataId: string }>('dataBreakpointInfo', { name: 'out[1]' });
    await editor.ask('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'write' }] });
    await editor.ask('setBreakpoints', { source: { path: kernel }, breakpoints: [] });
    await editor.ask('continue', { threadId: 2 });
    expect(await editor.event<Stopped>('stopped')).toMatchObject({
      reason: 'data breakpoint',
      text: `work-item (1) has written out[1] at ${kernel}:12: 0 is 14 now`,
    });
    await editor.ask('setDataBreakpoints', { breakpoints: [] });
    await editor.ask('continue', { threadId: 2 });
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'end' });
    await editor.ask('reverseContinue', { threadId: 1 });
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'entry', threadId: 1 });
    await editor.ask('disconnect');
    await editor.end();
  });

  it('shows what a host program prints, changes variables of callers, and lets one look at the end', async () => {
    const file = join(folder, 'cells.mjs');
    writeFileSync(
      file,
      `import { compile } from ${JSON.stringify(join(import.meta.dirname, '../../dist/index.js'))};
console.log('begins');
const program = await compile(\`typedef struct { float2 at; int tags[3]; } Cell;
int plus(int a, int b) {
  return a + b;
}
kernel void mark(global Cell *cells) {
  int i = get_global_id(0);
  Cell own = cells[i];
  own.tags[1] = plus(i, 4);
  cells[i] = own;
}\`);
const cells = new Float32Array(12);
await program.kernel('mark')({ global: [2], local: [2] }, cells);
console.error(new Int32Array(cells.buffer)[9]);`,
    );
    const editor = new Editor();
    await editor.ask('initialize', { adapterID: 'millrace', pathFormat: 'path' });
    await editor.ask('launch', { program: file, stopOnEntry: false });
    expect(await editor.event('output')).toMatchObject({ category: 'stdout', output: 'begins\n' });
    await editor.ask('setFunctionBreakpoints', { breakpoints: [{ name: 'plus', hitCondition: '2' }] });
    await editor.ask('configurationDone');
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'breakpoint', threadId: 2 });
    const { stackFrames } = await editor.ask<{ stackFrames: { id: number; source: object }[] }>(
      'stackTrace',
      {
        threadId: 2,
      },
    );
    expect(stackFrames[1]!.source).toMatchObject({ name: '<kernel>', sourceReference: 1 });
    const source = await editor.ask<{ content: string }>('source', { sourceReference: 1 });
    expect(source.content).toMatch(/^typedef struct/);
    const expand = async (variablesReference: number) =>
      (
        await editor.ask<{ variables: { name: string; value: string; variablesReference: number }[] }>(
          'variables',
          { variablesReference },
        )
      ).variables;
    const { scopes } = await editor.ask<{ scopes: { variablesReference: number }[] }>('scopes', {
      frameId: stackFrames[1]!.id,
    });
    const own = (await expand(scopes[0]!.variablesReference)).find(({ name }) => name === 'own')!;
    const [at, tags] = await expand(own.variablesReference);
    expect([at!.value, tags!.value]).toEqual(['(0, 0)', '{0, 0, 0}']);
    expect((await expand(at!.variablesReference)).map(({ name }) => name)).toEqual(['x', 'y']);
    const changed = { variablesReference: tags!.variablesReference, name: '[2]', value: 'i + 8' };
    expect(await editor.ask('setVariable', changed)).toMatchObject({ value: '9' });
    await editor.ask('continue', { threadId: 2 });
    expect(await editor.event<Stopped>('stopped')).toMatchObject({ reason: 'end' });
    const last = await editor.ask<{ stackFrames: { id: number }[] }>('stackTrace', { threadId: 1 });
    const { result } = await editor.ask<{ result: string }>('evaluate', {
      expression: 'cells[1].tags[1] + cells[1].tags[2]',
      frameId: last.stackFrames[0]!.id,
    });
    expect(result).toBe('14');
    await editor.ask('disconnect');
    await editor.end();
  });

  it('ends a host program that never ends with the session', async () => {
    const file = join(folder, 'endless.c');
    writeFileSync(file, 'int main(void) { for (volatile int i = 0;; i++); }\n');
    const editor = new Editor();
    await editor.ask('initialize', { adapterID: 'millrace', pathFormat: 'path' });
    void editor.try('launch', { program: file });
    void editor.try('disconnect', {});
    // Its number is that of a process that somebody has ended.
    expect(await editor.end()).toBe(1);
  });
});

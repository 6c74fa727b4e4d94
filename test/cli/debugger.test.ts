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

  async end(): Promise<void> {
    this.#adapter.stdin.end();
    await new Promise((done) => this.#adapter.on('close', done));
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
      message: 'cannot read missing.cl: there is no such file',
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
});

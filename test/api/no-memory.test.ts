/**
 * Memory, machine code and threads that the system does not give: CL_OUT_OF_HOST_MEMORY with words, on the command line as well. In processes
 * of their own, which are short of them.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

interface Ended {
  readonly code: number;
  readonly out: string;
}

function node(args: readonly string[], kibibytes?: number): Promise<Ended> {
  const own = [process.execPath, ...args];
  const [command, ...rest] =
    kibibytes === undefined ? own : ['sh', '-c', `ulimit -v ${kibibytes}; exec "$@"`, 'sh', ...own];
  return new Promise((resolve) => {
    execFile(command!, rest, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, out: `${stdout}${stderr}` });
    });
  });
}

/** What `action` comes to in a process whose `WebAssembly.Memory` gives `count` memories and refuses growth beyond them. */
function withMemories(count: number, action: string): Promise<Ended> {
  const text = `
    const { Memory } = WebAssembly;
    let left = ${count};
    WebAssembly.Memory = class extends Memory {
      constructor(given) {
        if (left === 0) throw new RangeError('could not allocate memory');
        super(given);
        left -= 1;
      }
      grow() { throw new RangeError('Maximum memory size exceeded'); }
    };
    const { CL, createContext } = await import('millrace/opencl');
    const said = (error) => console.log(error.constructor.name.replace('_', ''), error.name, error.message);
    try { ${action} } catch (error) { said(error); }`;
  return node(['--input-type=module', '-e', text]);
}

it.each([0, 1])('a context with %d memories to be had', async (count) => {
  const { out } = await withMemories(count, 'createContext()');
  expect(out).toMatch(/^OpenCLError CL_OUT_OF_HOST_MEMORY no address space for/);
});

it('control memory that cannot grow', async () => {
  const { out } = await withMemories(
    2,
    'const context = createContext(); const queues = []; for (;;) queues.push(context.createCommandQueue());',
  );
  expect(out).toMatch(/^OpenCLError CL_OUT_OF_HOST_MEMORY the runtime's own memory cannot grow to \d+ bytes/);
});

it('machine code for which there is no room', async () => {
  const { out } = await withMemories(
    2,
    `const context = createContext();
     const program = context.createProgram('kernel void f(global int *x) { x[0] = 1; }');
     program.build();
     WebAssembly.Module = class { constructor() { throw new RangeError('WebAssembly.Module(): Out of memory'); } };
     const kernel = program.createKernel('f');
     kernel.setArg(0, context.createBuffer(0, 4));
     context.createCommandQueue().enqueueTask(kernel);`,
  );
  expect(out).toMatch(/^OpenCLError CL_OUT_OF_HOST_MEMORY no room for a program's machine code/);
});

it('threads that cannot be started', async () => {
  const { out } = await withMemories(
    2,
    `process.getBuiltinModule('node:worker_threads');
     const context = createContext();
     try { context.createCommandQueue(); } catch (error) { said(error); }
     try { context.createCommandQueue(); } catch (error) { said(error); }`.replace(
      'const context',
      `const { Worker } = process.getBuiltinModule('node:worker_threads');
       Worker.prototype.on = () => { throw new Error('resource temporarily unavailable'); };
       const context`,
    ),
  );
  expect(out).toMatch(
    /^(OpenCLError CL_OUT_OF_HOST_MEMORY no thread can be started: resource temporarily[^\n]*\n){2}$/,
  );
});

/** Node itself gets by with two gibibytes of addresses. */
const limit = 6_000_000;
/** From V8 13 on (Node 24) the engine reserves for a memory what it may become, and before that eight gibibytes more. */
const reservesMore = Number(process.versions.v8.split('.')[0]) < 13;

it.runIf(process.platform === 'linux' && reservesMore)(
  'a process short of addresses, and the command line',
  { timeout: 120_000 },
  async () => {
    const cli = fileURLToPath(new URL('../../dist/millrace.js', import.meta.url));
    const kernel = fileURLToPath(new URL('../execution/barriers.cl', import.meta.url));
    const text = `const { createContext } = await import('millrace/opencl');
    try { createContext(); } catch (error) { console.log(error.name, error.message); }`;
    expect((await node(['--input-type=module', '-e', text], limit)).out).toMatch(
      /^CL_OUT_OF_HOST_MEMORY no address space/,
    );
    const run = await node([cli, 'run', kernel, '--global', '1'], limit);
    expect(run.out).toContain('CL_OUT_OF_HOST_MEMORY');
    expect(run.out).not.toContain('internal error');
    expect(run.code).not.toBe(0);
  },
);

// A thread for which there are no addresses ends such an engine before any code could say so; so there are none here.
it.runIf(process.platform === 'linux' && !reservesMore)(
  'a process short of addresses whose memories are small',
  { timeout: 120_000 },
  async () => {
    const text = `const { createContext } = await import('millrace/opencl');
    try {
      const context = createContext();
      for (let round = 0; round < 200; round += 1) context.createBuffer(0, 1 << 26);
    } catch (error) { console.log(error.name, error.message); }
    process.exit();`;
    const { code, out } = await node(['--input-type=module', '-e', text], limit);
    expect(out).toMatch(/^CL_MEM_OBJECT_ALLOCATION_FAILURE cannot allocate .*\n$/);
    expect(code).toBe(0);
  },
);

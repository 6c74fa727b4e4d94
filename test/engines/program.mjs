/**
 * What Millrace does in an engine other than Node, as JSON. Its files are named by paths, for the engines find packages in ways of
 * their own.
 */
import { readdirSync } from 'node:fs';
import { compileHost, startProgram } from '../../dist/c-host.js';
import { compile, devices } from '../../dist/index.js';
import { CL, CLEvent, createContext } from '../../dist/opencl.js';

const source = `kernel void work(global float *x, int rounds) {
  float v = get_global_id(0);
  for (int i = 0; i < rounds; i++) v = v * 0.5f + 1.0f;
  x[get_global_id(0)] = v;
}`;
const report = { threads: devices()[0].info.maxComputeUnits };

/** Milliseconds on the host's clock, and what the device says of the same launch. */
async function times() {
  const program = await compile(source);
  const x = new Float32Array(1 << 14);
  const work = program.kernel('work');
  await work({ global: [x.length] }, x, 1);
  const before = performance.now();
  const { queued, submitted, started, ended, completed } = await work({ global: [x.length] }, x, 20_000);
  const host = performance.now() - before;
  program.release();
  return {
    value: x[5],
    host,
    device: Number(ended - started) / 1e6,
    whole: Number(completed - queued) / 1e6,
    isOrdered: queued <= submitted && submitted <= started && started < ended && ended <= completed,
  };
}

function blocking() {
  const context = createContext();
  const queue = context.createCommandQueue(null, CL.QUEUE_PROFILING_ENABLE);
  const program = context.createProgram(source);
  program.build();
  const kernel = program.createKernel('work');
  const x = new Float32Array(256);
  const buffer = context.createBuffer(CL.MEM_READ_WRITE, x);
  kernel.setArg(0, buffer);
  kernel.setArg(1, 100_000);
  const event = new CLEvent();
  queue.enqueueNDRangeKernel(kernel, 1, null, [256], null, null, event);
  queue.enqueueReadBuffer(buffer, true, 0, x.byteLength, x);
  const at = (name) => event.getProfilingInfo(name);
  const device = Number(at(CL.PROFILING_COMMAND_END) - at(CL.PROFILING_COMMAND_START)) / 1e6;
  context.releaseAll();
  return { value: x[7], device };
}

async function hostInC() {
  const { bytes } = compileHost([
    {
      name: 'a.c',
      text: '#include <stdio.h>\nint main(int n, char **words) { printf("%s\\n", words[1]); return 3; }',
    },
  ]);
  let out = '';
  const program = startProgram(bytes, {
    args: ['a', 'hello'],
    stdout: (part) => {
      out += new TextDecoder().decode(part);
    },
  });
  return { exitCode: (await program.ended).exitCode, out };
}

report.times = await times();
report.blocking = blocking();
report.hostInC = await hostInC();
report.cached = readdirSync(process.env.MILLRACE_CACHE_DIR, { recursive: true }).length;
console.log(JSON.stringify(report));

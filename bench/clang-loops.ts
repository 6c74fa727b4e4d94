/**
 * Millrace's scalar code against clang's: each kernel of clang/loops.cl on one thread, and its C twin compiled by
 * `clang -O2 --target=wasm32` without SIMD, in one process, alternating. Needs clang and wasm-ld; says so without.
 * Run with MILLRACE_THREADS=1, which bench/run.ts does.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { compile, type DeviceBuffer, type Program } from 'millrace';
import { siblingTool, toolNames } from '../test/support/find-tool.ts';
import { alternate, type Row } from './measure.ts';

/** At least so many rounds, and more for short loops: their medians need them. */
const leastRounds = 9;
const mostRounds = 61;
const millisecondsOfRounds = 300;
const folder = new URL('../../bench/clang/', import.meta.url);

/** One loop: its data, and what both sides are given. Buffers are named by their place in the arguments. */
interface Loop {
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local: readonly number[];
  /** Numbers are passed as they are; arrays as pointers. The last one is the result. */
  readonly arguments: readonly (number | Float32Array | Uint32Array | Int32Array | Uint8Array)[];
}

function fraction(length: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => ((index * 7919) % 1000) / 1000);
}

function words(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, index) => Math.imul(index, 2654435761) ^ (index >>> 3));
}

/** Few different ones, so that some repeat. */
function letters(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => 97 + (Math.imul(index, 2654435761) >>> 30));
}

const loops: readonly Loop[] = [
  {
    kernel: 'saxpy',
    global: [1 << 22],
    local: [256],
    arguments: [1 << 22, 0.5, fraction(1 << 22), fraction(1 << 22)],
  },
  {
    kernel: 'matmul',
    global: [384, 384],
    local: [16, 16],
    arguments: [384, fraction(384 * 384), fraction(384 * 384), new Float32Array(384 * 384)],
  },
  {
    kernel: 'smooth',
    global: [2048, 1024],
    local: [64, 1],
    arguments: [2048, 1024, fraction(2048 * 1024), new Float32Array(2048 * 1024)],
  },
  {
    kernel: 'mandelbrot',
    global: [512, 512],
    local: [64, 1],
    arguments: [512, 512, new Int32Array(512 * 512)],
  },
  {
    kernel: 'mix_words',
    global: [1 << 18],
    local: [256],
    arguments: [1 << 18, words(1 << 18), new Uint32Array(1 << 18)],
  },
  {
    kernel: 'forces',
    global: [2048],
    local: [64],
    arguments: [2048, fraction(2048 * 4), new Float32Array(2048 * 3)],
  },
  {
    kernel: 'convolve',
    global: [1024, 512],
    local: [64, 1],
    arguments: [1024, 512, fraction(1024 * 512), new Float32Array(1024 * 512)],
  },
  {
    kernel: 'common_divisors',
    global: [1 << 19],
    local: [256],
    arguments: [1 << 19, words(1 << 19), new Uint32Array(1 << 19)],
  },
  {
    kernel: 'match',
    global: [1 << 20],
    local: [256],
    arguments: [1 << 20, 16, letters(1 << 20), letters(16), new Int32Array(1 << 20)],
  },
  {
    kernel: 'running_sums',
    global: [1 << 20],
    local: [256],
    arguments: [1 << 20, fraction((1 << 20) + 8), new Float32Array(1 << 20)],
  },
  {
    kernel: 'commonest',
    global: [1 << 16],
    local: [64],
    arguments: [1 << 16, words(1 << 22), new Int32Array(1 << 16)],
  },
  {
    kernel: 'life',
    global: [1024, 1024],
    local: [64, 1],
    arguments: [1024, 1024, letters(1 << 20).map((letter) => letter & 1), new Uint8Array(1 << 20)],
  },
];

/** The C twins as a WebAssembly instance, or the reason why there are none. */
function compileTwins(): WebAssembly.Instance | string {
  const work = mkdtempSync(join(tmpdir(), 'millrace-clang-'));
  const object = join(work, 'loops.o');
  const module = join(work, 'loops.wasm');
  try {
    const source = fileURLToPath(new URL('loops.c', folder));
    const flags = [
      '--target=wasm32',
      '-O2',
      '-mno-simd128',
      '-fno-vectorize',
      '-nostdlib',
      '-c',
      source,
      '-o',
      object,
    ];
    const clang = toolNames('clang')[0] ?? 'clang';
    execFileSync(clang, flags, { stdio: 'pipe' });
    execFileSync(
      siblingTool('wasm-ld', clang),
      ['--no-entry', '--export-all', '--initial-memory=134217728', object, '-o', module],
      {
        stdio: 'pipe',
      },
    );
    return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)));
  } catch (error) {
    return `clang and wasm-ld (Debian packages clang and lld) are needed: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Places a loop's arrays in the twins' memory and gives a function that runs it and returns milliseconds. */
function twinOf(instance: WebAssembly.Instance, loop: Loop): { run: () => number; result: () => Uint8Array } {
  const exports = instance.exports as { memory: WebAssembly.Memory; __heap_base: WebAssembly.Global };
  const run = instance.exports[loop.kernel] as (...values: number[]) => void;
  let next = Math.ceil(exports.__heap_base.value / 128) * 128;
  let last = { address: 0, bytes: 0 };
  const values = loop.arguments.map((argument) => {
    if (typeof argument === 'number') return argument;
    const bytes = new Uint8Array(argument.buffer);
    new Uint8Array(exports.memory.buffer).set(bytes, next);
    last = { address: next, bytes: bytes.length };
    next += Math.ceil(bytes.length / 128) * 128;
    return last.address;
  });
  return {
    run: () => {
      const start = performance.now();
      run(...values);
      return performance.now() - start;
    },
    result: () => new Uint8Array(exports.memory.buffer, last.address, last.bytes).slice(),
  };
}

function kernelOf(
  program: Program,
  loop: Loop,
): { run: () => Promise<number>; result: () => Promise<Uint8Array> } {
  const kernel = program.kernel(loop.kernel);
  let last: DeviceBuffer | undefined;
  const values = loop.arguments.map((argument) => {
    if (typeof argument === 'number') return argument;
    last = program.buffer(argument);
    return last;
  });
  return {
    run: async () => {
      const { started, ended } = await kernel({ global: loop.global, local: loop.local }, ...values);
      return Number(ended - started) / 1e6;
    },
    result: () => last!.read(Uint8Array),
  };
}

/** Measures every loop, or says why it cannot. */
export async function measureClangLoops(): Promise<Row[] | string> {
  const twins = compileTwins();
  if (typeof twins === 'string') return twins;
  const program = await compile(readFileSync(new URL('loops.cl', folder), 'utf8'));
  const rows: Row[] = [];
  for (const loop of loops) {
    const twin = twinOf(twins, loop);
    const kernel = kernelOf(program, loop);
    // Both sides start with the engine's quick first code; let it be replaced before anything counts.
    const [warm] = await alternate(4, kernel.run, twin.run);
    if (!equal(await kernel.result(), twin.result(), loop))
      throw new Error(`${loop.kernel}: the results differ`);
    const [ours, clang] = await alternate(roundsFor(warm!), kernel.run, twin.run);
    rows.push({ name: loop.kernel, value: ours!, unit: 'ms', against: { name: 'clang -O2', value: clang! } });
  }
  program.release();
  return rows;
}

/** Bit for bit: both sides do the same operations in the same order, and neither fuses them. */
function equal(ours: Uint8Array, theirs: Uint8Array, loop: Loop): boolean {
  const difference = ours.findIndex((byte, index) => byte !== theirs[index]);
  if (difference >= 0) console.error(`${loop.kernel}: first difference at byte ${difference}`);
  return difference < 0 && ours.length === theirs.length;
}

/** How often to run a loop that takes so many milliseconds. */
function roundsFor(milliseconds: number): number {
  return Math.min(mostRounds, Math.max(leastRounds, Math.ceil(millisecondsOfRounds / milliseconds)));
}

/**
 * How long from a program to a kernel that can be launched: again and again in one process, and in a new one; from source,
 * from a binary, and from the build cache.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { buildBinary, compile } from 'millrace';
import { CL, type CLProgram, createContext } from 'millrace/opencl';
import { firstDevices, nameOf } from './frame/bench-device.ts';
import { median, type Row, timed } from './measure.ts';

const saxpy = (name: string): string => `
kernel void ${name}(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}`;

/** Run by `node -e` in a process of its own; prints the milliseconds of import and build. */
const newProcess = (program: string): string => `
const { readFileSync } = await import('node:fs');
const start = performance.now();
const { compile } = await import('millrace');
const imported = performance.now();
const program = await compile(${program}, { options: '-millrace-early' });
program.kernel('saxpy');
console.log(JSON.stringify({ imported: imported - start, built: performance.now() - imported }));
program.release();
`;

const binaryOf = (name: string): Uint8Array =>
  buildBinary([{ name: 'saxpy.cl', content: saxpy(name) }]).binary!;

/** Else there is no machine code before the first launch. */
const early = { options: '-millrace-early' };

/** Median milliseconds over builds of programs that differ by a name, after a warm-up. */
async function warm(programOf: (name: string) => string | Uint8Array): Promise<number> {
  const names = Array.from({ length: 120 }, (_, round) => `saxpy_${round}`);
  const programs = names.map(programOf);
  const times: number[] = [];
  for (const [round, name] of names.entries()) {
    times.push(
      await timed(async () => {
        const program = await compile(programs[round]!, early);
        program.kernel(name);
        program.release();
      }),
    );
  }
  return median(times.slice(40));
}

/** Where the new processes find `millrace`, wherever the bench was started. */
const here = fileURLToPath(new URL('.', import.meta.url));

/** Medians over new processes. `cache` is the folder of the build cache, if it is on. */
function cold(program: string, cache?: string): { imported: number; built: number } {
  const env = { ...process.env, ...(cache ? { MILLRACE_CACHE: '1', MILLRACE_CACHE_DIR: cache } : {}) };
  const times = Array.from({ length: 8 }, () => {
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', newProcess(program)], {
      encoding: 'utf8',
      cwd: here,
      env,
    });
    return JSON.parse(text) as { imported: number; built: number };
  }).slice(1);
  return {
    imported: median(times.map((time) => time.imported)),
    built: median(times.map((time) => time.built)),
  };
}

/** A program's ways to a kernel on our device and on the first driver's, through the same calls. */
function againstDriver(): Row[] {
  const [ours, driver] = firstDevices();
  if (!driver) return [];
  const sides = [ours, driver].map((device) => {
    const context = createContext(device);
    const fromText = (text: string): CLProgram => {
      const program = context.createProgram(text);
      program.build();
      for (const kernel of program.createKernelsInProgram()) kernel.release();
      return program;
    };
    const binary = (fromText(saxpy('seen')).getInfo(CL.PROGRAM_BINARIES) as readonly Uint8Array[])[0]!;
    const runs: Record<string, (round: number) => CLProgram> = {
      'saxpy, never seen': (round) => fromText(saxpy(`saxpy_${Date.now()}_${round}`)),
      'saxpy, seen before': () => fromText(saxpy('seen')),
      'saxpy, from its binary': () => {
        const program = context.createProgramWithBinary([device], [binary]);
        program.build();
        for (const kernel of program.createKernelsInProgram()) kernel.release();
        return program;
      },
    };
    return { context, runs };
  });
  const rows = Object.keys(sides[0]!.runs).map((name): Row => {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++) {
      for (const [side, { runs }] of sides.entries()) {
        const start = performance.now();
        const program = runs[name]!(round);
        times[side]!.push(performance.now() - start);
        program.release();
      }
    }
    return {
      name,
      value: median(times[0]),
      unit: 'ms',
      against: { name: nameOf(driver), value: median(times[1]) },
    };
  });
  for (const { context } of sides) context.releaseAll();
  return rows;
}

/** Measures all of it. The build cache is off but where it is measured. */
export async function measureBuildTime(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    process.env['MILLRACE_CACHE_DIR'] = join(folder, 'seen');
    const compared = againstDriver();
    process.env['MILLRACE_CACHE'] = '0';
    const file = join(folder, 'saxpy.mlr');
    writeFileSync(file, binaryOf('saxpy'));
    const source = JSON.stringify(saxpy('saxpy'));
    const fromSource = cold(source);
    const fromBinary = cold(`new Uint8Array(readFileSync(${JSON.stringify(file)}))`);
    const fromCache = cold(source, join(folder, 'cache'));
    return [
      ...compared,
      { name: 'saxpy, warm', value: await warm(saxpy), unit: 'ms', goal: 10 },
      { name: 'saxpy, warm, from binary', value: await warm(binaryOf), unit: 'ms', goal: 2 },
      { name: 'saxpy, new process: import', value: fromSource.imported, unit: 'ms' },
      { name: 'saxpy, new process: build', value: fromSource.built, unit: 'ms' },
      { name: 'saxpy, new process: from binary', value: fromBinary.built, unit: 'ms' },
      { name: 'saxpy, new process: from the build cache', value: fromCache.built, unit: 'ms' },
      {
        name: 'saxpy, new process: import and build',
        value: fromSource.imported + fromSource.built,
        unit: 'ms',
        goal: 100,
      },
    ];
  } finally {
    delete process.env['MILLRACE_CACHE'];
    delete process.env['MILLRACE_CACHE_DIR'];
    rmSync(folder, { recursive: true });
  }
}

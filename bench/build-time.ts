/** How long from source to a kernel that can be launched: again and again in one process, and in a new one. */
import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { compile } from 'millrace';
import { CL, type CLProgram, createContext } from 'millrace/opencl';
import { firstDevices, nameOf } from './frame/bench-device.ts';
import { median, type Row, timed } from './measure.ts';

const saxpy = (name: string): string => `
kernel void ${name}(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}`;

/** Run by `node -e` in a process of its own; prints the milliseconds of import and build. */
const newProcess = `
const start = performance.now();
const { compile } = await import('millrace');
const imported = performance.now();
const program = await compile(${JSON.stringify(saxpy('saxpy'))});
program.kernel('saxpy');
console.log(JSON.stringify({ imported: imported - start, built: performance.now() - imported }));
program.release();
`;

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

/** Measures all; the name changes each time so that no cache can answer. */
export async function measureBuildTime(): Promise<Row[]> {
  const warm: number[] = [];
  for (let round = 0; round < 120; round++) {
    const name = `saxpy_${round}`;
    warm.push(
      await timed(async () => {
        const program = await compile(saxpy(name));
        program.kernel(name);
        program.release();
      }),
    );
  }
  const cold = Array.from({ length: 7 }, () => {
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', newProcess], {
      encoding: 'utf8',
    });
    return JSON.parse(text) as { imported: number; built: number };
  });
  return [
    ...againstDriver(),
    { name: 'saxpy, warm', value: median(warm.slice(40)), unit: 'ms', goal: 10 },
    { name: 'saxpy, new process: import', value: median(cold.map((time) => time.imported)), unit: 'ms' },
    { name: 'saxpy, new process: build', value: median(cold.map((time) => time.built)), unit: 'ms' },
    {
      name: 'saxpy, new process: both',
      value: median(cold.map((time) => time.imported + time.built)),
      unit: 'ms',
      goal: 100,
    },
  ];
}

/** How long from source to a kernel that can be launched: again and again in one process, and in a new one. */
import { execFileSync } from 'node:child_process';
import { compile } from 'millrace';
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

/** Measures both; the name changes each time so that no cache can answer. */
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

/** `npm run bench`: what Millrace costs and gains, each figure measured here and now on this machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { measureBuildTime } from './build-time.ts';
import { measureClangLoops } from './clang-loops.ts';
import { measureLaunchTime } from './launch-time.ts';
import { printTable, type Row } from './measure.ts';
import { measureNative } from './native.ts';
import { measureSamples } from './samples.ts';

interface Part {
  readonly title: string;
  readonly measure: () => Promise<Row[] | string>;
  /** Measured in a process of its own with one compute thread. */
  readonly oneThread?: true;
}

const parts: Readonly<Record<string, Part>> = {
  build: { title: 'Build time: from source to a kernel that can be launched', measure: measureBuildTime },
  launch: { title: 'Launch time: an empty kernel', measure: measureLaunchTime },
  clang: {
    title:
      'Scalar code on one thread against clang -O2 for wasm32 without SIMD (below 1: Millrace is faster)',
    measure: measureClangLoops,
    oneThread: true,
  },
  samples: {
    title: 'Samples against plain JavaScript (below 1: Millrace is faster)',
    measure: measureSamples,
  },
  native: {
    title: 'An OpenCL driver through Millrace against the same driver from C',
    measure: measureNative,
  },
};

const command = new Command('bench')
  .description('Measures Millrace on this machine and prints tables; writes bench/results.json.')
  .option('--only <part>', `one of ${Object.keys(parts).join(', ')}`)
  .option('--json', 'print the rows of --only as JSON and nothing else')
  .parse();
const options = command.opts<{ only?: string; json?: true }>();
if (options.only !== undefined && !parts[options.only]) command.error(`there is no part '${options.only}'`);

/**
 * Runs a part of this program in a process of its own with one compute thread, and on one processor where the system
 * can pin it: both sides of the comparison then feel the same neighbours, whichever thread they run on.
 */
function inOneThread(name: string): Row[] | string {
  const command = [process.execPath, fileURLToPath(import.meta.url), '--only', name, '--json'];
  const pinned =
    spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', '0', ...command] : command;
  const text = execFileSync(pinned[0]!, pinned.slice(1), {
    encoding: 'utf8',
    env: { ...process.env, MILLRACE_THREADS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text) as Row[] | string;
}

const results: Record<string, Row[] | string> = {};
for (const [name, part] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== name) continue;
  const rows = part.oneThread && !options.json ? inOneThread(name) : await part.measure();
  results[name] = rows;
  if (options.json) {
    console.log(JSON.stringify(rows));
  } else if (typeof rows === 'string') {
    console.log(`\n${part.title}\n  skipped: ${rows}`);
  } else {
    printTable(part.title, rows);
  }
}
if (!options.json) {
  const machine = { node: process.version, processor: cpus()[0]?.model ?? '', threads: cpus().length };
  writeFileSync(
    new URL('../../bench/results.json', import.meta.url),
    JSON.stringify({ machine, results }, null, 2),
  );
}

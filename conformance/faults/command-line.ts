/**
 * The command under a shell that does not wait for it: its output is closed, signals come at any time, the program that it runs ends in the
 * middle of a launch. It must end soon, with the exit code or signal that is due, and say nothing of insides.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../test/support/random.ts';
import type { FaultKind } from './fault-kind.ts';

const source = `
kernel void count(global int *p, int rounds) {
  int i = get_global_id(0);
  for (int r = 0; r < rounds; r++) p[i & 255] += r ^ i;
  if (i < 200) printf("work-item %d\\n", i);
}`;

/** Ends itself in the middle of what it has enqueued. */
const program = `
import { createContext } from 'millrace/opencl';
const context = createContext();
const program = context.createProgram(${JSON.stringify(source)});
program.build();
const kernel = program.createKernel('count');
kernel.setArg(0, context.createBuffer(0, 1024));
kernel.setArg(1, 100000);
const queue = context.createCommandQueue();
for (let n = 0; n < 20; n++) queue.enqueueNDRangeKernel(kernel, 1, null, [4096]);
queue.flush();
const how = process.argv[2], after = Number(process.argv[3]);
const end = () => {
  if (how === 'exit') process.exit(7);
  if (how === 'throw') throw new TypeError('of the program');
  if (how === 'reject') Promise.reject(new TypeError('of the program'));
  if (how === 'kill') process.kill(process.pid, 'SIGTERM');
};
if (after === 0) end(); else setTimeout(end, after);
await queue.finished();
end();
`;

let folder = '';

export const commandLineFaults: FaultKind = {
  about: 'commands whose output is closed, that get signals, or whose program ends in a launch',
  start() {
    folder = mkdtempSync(join(tmpdir(), 'millrace-campaign-'));
    writeFileSync(join(folder, 'count.cl'), source);
    // In the checkout, so that it finds the package.
    writeFileSync(programPath(), program);
  },
  async run(random) {
    const commands: readonly (readonly string[])[] = [
      ['compile', 'count.cl', '--emit', random.pick(['wat', 'ir', 'wasm', 'ast', 'tokens', 'plan'])],
      ['run', 'count.cl', '--global', '4096', '--arg', 'rounds=2000'],
      ['devices'],
      ['check', 'count.cl', '--global', '256', '--arg', 'rounds=20'],
      ['--help'],
    ];
    const kind = random.below(3);
    if (kind === 0) return `closed output: ${await closedOutput(random.pick(commands), random)}`;
    if (kind === 1) return `signal: ${await signalled(random.pick(commands), random)}`;
    return `program that ends: ${await endingProgram(random)}`;
  },
};

function programPath(): string {
  return join('dist', `ending-program-${process.pid}.mjs`);
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
}

/** Milliseconds for a command to end, on a machine however busy. */
const longest = 60_000;

function start(
  file: string,
  args: readonly string[],
  then: (child: ReturnType<typeof spawn>) => void,
): Promise<Ended> {
  const millrace = join(process.cwd(), file);
  const cwd = file.startsWith('dist/ending') ? process.cwd() : folder;
  const child = spawn(process.execPath, [millrace, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  then(child);
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${file} ${args.join(' ')} does not end: ${errors}`));
    }, longest);
    child.on('close', (code, signal) => {
      clearTimeout(alarm);
      resolve({ code, signal, errors });
    });
  });
}

function mustBeQuiet({ errors }: Ended, what: string): void {
  if (/\n\s+at |internal error|EPIPE/.test(errors)) throw new Error(`${what} says ${errors.slice(0, 1500)}`);
}

async function closedOutput(args: readonly string[], random: Random): Promise<string> {
  const bytes = random.below(3) === 0 ? 0 : 1 + random.below(5000);
  const ended = await start('dist/millrace.js', args, (child) => {
    let seen = 0;
    if (bytes === 0) child.stdout!.destroy();
    else
      child.stdout!.on('data', (data) => {
        seen += data.length;
        if (seen >= bytes) child.stdout!.destroy();
      });
  });
  mustBeQuiet(ended, `millrace ${args.join(' ')}, its output closed after ${bytes} bytes,`);
  return `${ended.signal ?? ended.code}`;
}

async function signalled(args: readonly string[], random: Random): Promise<string> {
  const signal = random.pick(['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
  const ended = await start('dist/millrace.js', args, (child) => {
    child.stdout!.resume();
    setTimeout(() => child.kill(signal), random.below(1500));
  });
  mustBeQuiet(ended, `millrace ${args.join(' ')}, which got ${signal},`);
  const isDue = ended.signal === signal || ended.code === 0 || (ended.code ?? 0) > 128;
  if (!isDue)
    throw new Error(
      `millrace ${args.join(' ')} ended with ${ended.signal ?? ended.code} after ${signal}: ${ended.errors}`,
    );
  return ended.signal === null ? 'had ended' : 'ended';
}

async function endingProgram(random: Random): Promise<string> {
  const how = random.pick(['exit', 'throw', 'reject', 'kill']);
  const after = random.pick([0, 0, random.below(300)]);
  const ended = await start(programPath(), [how, String(after)], (child) => {
    child.stdout!.resume();
  });
  const due = { exit: 7, throw: 1, reject: 1, kill: 'SIGTERM' }[how];
  if ((ended.signal ?? ended.code) !== due)
    throw new Error(
      `a program that ends by ${how} after ${after} ms ended with ${ended.signal ?? ended.code}: ${ended.errors}`,
    );
  return how;
}

/**
 * An OpenCL driver that fails: a library in front of the system's loader (failing-loader.c) hands every call on, but for one, which it answers
 * with an error code. Each trial is a process of its own, for the loader is found when a process starts.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { driverSignatures } from '../../src/devices/icd/driver.ts';
import { statusCodes } from '../../src/runtime/status.ts';
import { loaderSource } from './failing-loader.ts';
import type { FaultKind } from './fault-kind.ts';

let folder = '';
let loader = '';

/** Where systems keep their loaders. */
const loaders = [
  '/usr/lib/x86_64-linux-gnu/libOpenCL.so.1',
  '/usr/lib64/libOpenCL.so.1',
  '/usr/lib/libOpenCL.so.1',
];

/** Milliseconds for a process with a driver, on a machine however busy. */
const longest = 150_000;

export const driverFaults: FaultKind = {
  about: "an OpenCL driver of which any call fails with any error code, and a driver's events that do",
  start() {
    loader = loaders.find((path) => existsSync(path)) ?? '';
    if (loader === '') return;
    folder = mkdtempSync(join(tmpdir(), 'millrace-campaign-'));
    writeFileSync(join(folder, 'loader.c'), loaderSource(driverSignatures));
    const output = join(folder, 'libOpenCL.so.1');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', output, join(folder, 'loader.c'), '-ldl']);
  },
  async run(random) {
    if (loader === '') return 'no loader here';
    const names = Object.keys(driverSignatures);
    const name = random.pick(names);
    const codes = Object.values(statusCodes).filter((code) => code < 0 && code > -1000);
    const code = random.pick(codes);
    const at = 1 + random.below(random.pick([1, 4, 40]));
    const always = random.below(4) === 0 ? 1 : 0;
    const env = {
      ...process.env,
      LD_LIBRARY_PATH: folder,
      FAILING_LOADER: loader,
      FAILING_CALL: name,
      FAILING_AT: String(at),
      FAILING_CODE: String(code),
      FAILING_ALWAYS: String(always),
      ...(random.below(2) === 0 ? { MILLRACE_ICD_COPIES: '1' } : {}),
    };
    const program = join(dirname(process.argv[1] ?? '.'), 'driver-run.js');
    return await runProcess(program, [String(random.bits())], env, `${name}, call ${at}, ${code}`);
  },
};

function runProcess(program: string, args: string[], env: NodeJS.ProcessEnv, what: string): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    said += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    const alarm = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${what}: the process does not end; ${said} ${errors}`));
    }, longest);
    child.on('close', (status, signal) => {
      clearTimeout(alarm);
      const fate = /^fate: (.*)$/m.exec(said)?.[1];
      if (status === 0 && fate !== undefined) resolve(fate);
      else reject(new Error(`${what}: ended with ${signal ?? status}; ${said} ${errors.slice(0, 2000)}`));
    });
  });
}

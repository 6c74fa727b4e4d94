/**
 * Another build of Millrace beside this one, for `npm run bench -- --against OTHER_CHECKOUT`: both take turns in one process, so
 * that what the machine does to one it does to the other. Each has threads and memories of its own.
 *
 * Example: `git worktree add ../before 2259f31`, there `npm ci && npm run build`, here `npm run bench -- --against ../before --only kernels`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CL } from 'millrace/opencl';
import { BenchDevice, type OpenCL } from './bench-device.ts';

/** The checkout has no build, or is none of Millrace. */
export class NoBuildError extends Error {}

/** The wasm device of the build in a folder's dist/, called by its commit. @throws NoBuildError */
export async function otherCheckout(folder: string): Promise<BenchDevice> {
  const file = join(resolve(folder), 'dist', 'opencl.js');
  if (!existsSync(file))
    throw new NoBuildError(`${file} is not there: run 'npm ci && npm run build' in ${folder}`);
  const api = (await import(pathToFileURL(file).href)) as OpenCL;
  const device = api.getPlatforms()[0]?.getDevices(CL.DEVICE_TYPE_ALL)[0];
  if (!device) throw new NoBuildError(`the build in ${folder} has no device`);
  return new BenchDevice(device, api, commitOf(folder));
}

/** Such as `2259f31`; `other` where git does not know. */
function commitOf(folder: string): string {
  try {
    return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty', '--exclude', '*'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'other';
  }
}

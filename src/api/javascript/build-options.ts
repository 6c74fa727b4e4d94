/** What builds of sources and of binaries have in common. */
import { environment, machineModule } from '../../runtime/host.ts';
import type { CompileOptions } from './compile.ts';

/** Whether Millrace's files lie on a disk: in Node. MILLRACE_REST=apart has tests load what a page does. */
export function filesAreNear(): boolean {
  return machineModule('node:fs') !== undefined && environment('MILLRACE_REST') !== 'apart';
}

/** As clBuildProgram takes them. */
export function buildOptions({ options, strict, check, budget }: CompileOptions): string {
  const words = options ? [options] : [];
  if (strict ?? check) words.push('-millrace-strict');
  if (budget !== undefined) words.push(`-millrace-budget=${budget}`);
  return words.join(' ');
}

/**
 * The system's own numbers of threads, by which one finds out that another has ended while nobody hears of it: a host that sleeps gets no
 * event of a thread. Linux tells them in files; elsewhere, and in a page, they are 0, and nothing is found out.
 */
import { machineModule } from './host.ts';

interface Files {
  readlinkSync(path: string): string;
  existsSync(path: string): boolean;
}

const files = machineModule('node:fs') as Files | undefined;

/** The number of the thread that calls; 0 if it is not known. */
export function systemThread(): number {
  try {
    return Number(files?.readlinkSync('/proc/thread-self').replace(/.*\D/, '') ?? 0);
  } catch {
    return 0;
  }
}

/** Whether a thread of this process is there no more; false of 0. */
export function hasEnded(thread: number): boolean {
  return thread !== 0 && !files?.existsSync(`/proc/self/task/${thread}`);
}

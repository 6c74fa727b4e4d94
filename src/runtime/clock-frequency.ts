/**
 * How fast the machine's processor is clocked (CL_DEVICE_MAX_CLOCK_FREQUENCY). Systems tell it in several places, and virtual machines
 * and processors of ARM in few of them, so all are asked in turn.
 */
import { machineModule } from './host.ts';

/** What is read of the machine: a file's text and a folder's names, or undefined where there is none. */
export interface ClockSources {
  text(path: string): string | undefined;
  names(folder: string): readonly string[];
  /** Megahertz of each processor, as os.cpus() says. */
  speeds(): readonly number[];
}

/** Megahertz, of the fastest processor where they differ; 0 where the system does not tell, as in a page. */
export function clockFrequency(sources: ClockSources = machineSources): number {
  for (const found of [highest(sources), listed(sources), sources.speeds()]) {
    const fastest = Math.max(0, ...found.filter(Number.isFinite));
    if (fastest > 0) return Math.round(fastest);
  }
  return 0;
}

/** What the processors may reach, where Linux scales them; in the files kilohertz. */
function highest({ text, names }: ClockSources): number[] {
  const folder = '/sys/devices/system/cpu/cpufreq';
  return names(folder).map((policy) => Number(text(`${folder}/${policy}/cpuinfo_max_freq`) ?? 0) / 1000);
}

/** What they run at now: all that the guest of a virtual machine is told. */
function listed({ text }: ClockSources): number[] {
  const lines = text('/proc/cpuinfo')?.matchAll(/^(?:cpu MHz|clock)\s*:\s*([\d.]+)/gm) ?? [];
  return [...lines].map(([, megahertz]) => Number(megahertz));
}

const machineSources: ClockSources = {
  text: (path) => attempt(() => files()?.readFileSync(path, 'utf8')),
  names: (folder) => attempt(() => files()?.readdirSync(folder)) ?? [],
  speeds() {
    const os = machineModule('node:os') as { cpus(): readonly { readonly speed: number }[] } | undefined;
    return os?.cpus().map(({ speed }) => speed) ?? [];
  },
};

interface NodeFiles {
  readFileSync(path: string, encoding: 'utf8'): string;
  readdirSync(folder: string): string[];
}

function files(): NodeFiles | undefined {
  return machineModule('node:fs') as NodeFiles | undefined;
}

/** Systems other than Linux have no such files. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

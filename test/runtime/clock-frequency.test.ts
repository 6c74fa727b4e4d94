import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { CL, getPlatforms } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { type ClockSources, clockFrequency } from '../../src/runtime/clock-frequency.ts';

/** What the system's own tools say, in megahertz; nothing where they do not. */
function toldBySystem(): number[] {
  const shell = (line: string): string => {
    try {
      return execFileSync('sh', ['-c', line], { encoding: 'utf8' });
    } catch {
      return '';
    }
  };
  const scaled = shell('cat /sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq 2>/dev/null');
  const kilohertz = scaled.split('\n').map(Number);
  const listed = shell("awk -F: '/^cpu MHz/ { print $2 }' /proc/cpuinfo").split('\n').map(Number);
  return [...kilohertz.map((each) => each / 1000), ...listed, ...cpus().map(({ speed }) => speed)].filter(
    (each) => each > 0,
  );
}

const told = toldBySystem();

function sources(
  files: Readonly<Record<string, string>>,
  speeds: readonly number[] = [],
): Required<ClockSources> {
  return {
    text: (path) => files[path],
    names: (folder) => [
      ...new Set(
        Object.keys(files).flatMap((path) =>
          path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0]!] : [],
        ),
      ),
    ],
    speeds: () => speeds,
  };
}

describe('CL_DEVICE_MAX_CLOCK_FREQUENCY', () => {
  it.skipIf(told.length === 0)('is one that the machine tells', () => {
    const [device] = getPlatforms()[0]!.getDevices(CL.DEVICE_TYPE_CPU);
    const answer = device!.getInfo(CL.DEVICE_MAX_CLOCK_FREQUENCY);
    // Between two questions a processor may be clocked otherwise, but not beyond what it can.
    expect(answer).toBeGreaterThan(0);
    expect(answer).toBeLessThanOrEqual(Math.ceil(Math.max(...told) * 1.5));
    expect(answer).toBeGreaterThanOrEqual(Math.floor(Math.min(...told) / 2));
    if (told.every((each) => each === told[0])) expect(answer).toBe(Math.round(told[0]!));
  });

  it('is that of the fastest processor, as Linux says it where it scales them', () => {
    const cpufreq = '/sys/devices/system/cpu/cpufreq';
    expect(
      clockFrequency(
        sources(
          {
            [`${cpufreq}/policy0/cpuinfo_max_freq`]: '1800000\n',
            [`${cpufreq}/policy4/cpuinfo_max_freq`]: '2400000\n',
            [`${cpufreq}/boost`]: '1\n',
            '/proc/cpuinfo': 'cpu MHz\t\t: 600.000\n',
          },
          [600],
        ),
      ),
    ).toBe(2400);
  });

  it('is what /proc/cpuinfo says in a virtual machine', () => {
    const text = 'processor\t: 0\ncpu MHz\t\t: 2596.138\n\nprocessor\t: 1\ncpu MHz\t\t: 2596.638\n';
    expect(clockFrequency(sources({ '/proc/cpuinfo': text }, [0, 0]))).toBe(2597);
    // POWER's.
    expect(clockFrequency(sources({ '/proc/cpuinfo': 'clock\t\t: 3425.000000MHz\n' }))).toBe(3425);
  });

  it('is what the other systems tell, and 0 where nothing does', () => {
    expect(clockFrequency(sources({}, [2400, 3200]))).toBe(3200);
    expect(clockFrequency(sources({ '/proc/cpuinfo': 'processor : 0\nBogoMIPS : 50.00\n' }, [0]))).toBe(0);
  });
});

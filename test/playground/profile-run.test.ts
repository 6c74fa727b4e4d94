import { startProfiling } from 'millrace';
import { expect, it } from 'vitest';
import { startProfile, tellProfile } from '../../playground/src/run/profile-run.ts';

it('shows of a program that ran very many commands the first, and says how many are missing', () => {
  const end = startProfile(undefined);
  const one = { device: 0, queue: 1, kind: 'kernel', kernel: 'k', bytes: 0, status: 0 };
  const commands = Array.from({ length: 60_000 }, (_, at) => {
    return { ...one, queued: at, submitted: at, started: at, ended: at + 1 };
  });
  const nothing = startProfiling().stop();
  tellProfile({ ...nothing, devices: [{ name: 'some device', units: 1 }], commands, missed: 5 });
  const shown = end()!;
  const { otherData } = JSON.parse(shown.trace);
  expect(otherData).toMatchObject({ missed: 10_005 });
  expect(shown.table).toContain('10005');
});

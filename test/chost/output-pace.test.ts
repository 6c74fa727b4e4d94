import { expect, it, onTestFinished, vi } from 'vitest';
import { countHeard, newPace, OutputPace } from '../../src/chost/output-pace.ts';

it('lets some pieces be on the way, and waits for the listener with more', () => {
  const heard = newPace();
  const waits = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    countHeard(heard);
    return 'ok';
  });
  onTestFinished(() => waits.mockRestore());
  const pace = new OutputPace(heard);
  let sent = 0;
  while (waits.mock.calls.length === 0 && sent < 1000) {
    pace.sent();
    sent += 1;
  }
  expect(sent).toBeGreaterThan(1);
  expect(sent).toBeLessThan(1000);
  // From now on each waits for one.
  for (let more = 0; more < 5; more += 1) pace.sent();
  expect(waits.mock.calls.length).toBe(6);
  // And none does while they are heard at once.
  for (let more = 0; more < 100; more += 1) {
    countHeard(heard);
    pace.sent();
  }
  expect(waits.mock.calls.length).toBe(6);
});

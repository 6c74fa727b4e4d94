import { compileHost } from 'millrace/c-host';
import { expect, it, onTestFinished, vi } from 'vitest';
import { countHeard, newPace, OutputPace } from '../../src/chost/output-pace.ts';
import { runProgramThread } from '../../src/chost/program-thread.ts';

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

it('holds for what a program prints, and for calls of it that fail', () => {
  const heard = newPace();
  const waits = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    countHeard(heard);
    return 'ok';
  });
  onTestFinished(() => waits.mockRestore());
  for (const call of ['clFinish(0);', 'puts("x");']) {
    const text = `#include <CL/cl.h>
      #include <stdio.h>
      int main(void) { for (int i = 0; i < 2000; i++) ${call} }`;
    const { bytes } = compileHost([{ name: 'host.c', text }]);
    const kinds: string[] = [];
    waits.mockClear();
    runProgramThread(
      {
        bytes: bytes!,
        stdin: new Uint8Array(0),
        explains: true,
        tellsOfFailures: false,
        checks: false,
        profiles: false,
        heard,
        processor: { name: 'processor.js', url: 'file:///processor.js' },
        worker: { name: 'worker.js', url: 'file:///worker.js' },
        member: { name: 'member.js', url: 'file:///member.js' },
      },
      ({ kind }) => kinds.push(kind),
    );
    expect(kinds.length).toBe(2001);
    expect(waits.mock.calls.length).toBeGreaterThan(1000);
    Atomics.store(heard, 0, 0);
  }
});

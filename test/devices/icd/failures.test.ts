import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeBuffer } from '../../../src/runtime/buffer.ts';
import type { Context } from '../../../src/runtime/context.ts';
import { createUserEvent } from '../../../src/runtime/event.ts';
import { CommandQueue } from '../../../src/runtime/queue.ts';
import { build, buildProgramAsync, launch, native, open, skipped } from './setup.ts';

const source = 'kernel void number(global int *out) { out[get_global_id(0)] = get_global_id(0); }';

describe.skipIf(!native).each([
  ['with an error', './dying-thread.mjs', /made to fail/],
  ['without a word', './vanishing-thread.mjs', /does not answer|exit code 3/],
])(`a native device whose thread dies %s${skipped}`, (_title, file, words) => {
  let context: Context | undefined;
  afterEach(() => context?.close());

  /** A command that waits for the program, one behind it, and a copy over itself, after which the thread dies. */
  function kill() {
    const device = native!.with({ file: new URL(file, import.meta.url) });
    const opened = open(device);
    context = opened.context;
    const { queue } = opened;
    const program = build(context, device, source);
    const out = RuntimeBuffer.create(context, 64);
    const gate = createUserEvent(context, 0);
    const held = launch(queue, program, 'number', [out], { global: [4] }, [gate]);
    const behind = launch(queue, program, 'number', [out], { global: [4] });
    new CommandQueue(context, device).enqueue(
      0,
      {
        kind: 'copy',
        source: { memory: out, offset: 0 },
        target: { memory: out, offset: 4 },
        bytes: 13,
      },
      [],
    );
    return { device, context, queue, program, out, gate, held, behind };
  }

  it('fails what a blocked host waits for, and everything else of the device', () => {
    const { device, context: lost, queue, program, out, gate, held, behind } = kill();
    held.wait();
    expect(held.error).toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect(held.errorMessage).toMatch(words);
    expect(behind.status).toBe(held.status);
    queue.finish();
    // The program's own event is none of the device's.
    expect(gate.status).toBe(2);
    expect(lost.lost).toMatchObject({ name: 'CL_DEVICE_NOT_AVAILABLE' });
    expect(() => launch(queue, program, 'number', [out], { global: [4] })).toThrow(words);
    expect(() => new CommandQueue(lost, device)).toThrow(words);
    expect(() => build(lost, device, source)).toThrow(words);
    // Memory that its commands held can be had again.
    const { used } = lost.memory;
    out.release();
    RuntimeBuffer.create(lost, 1).release();
    expect(lost.memory.used).toBeLessThan(used);
  });

  it('rejects what is awaited', async () => {
    const { device, context: lost, queue, held, behind } = kill();
    const ends = await Promise.allSettled([held.done, behind.done, queue.finished()]);
    expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(held.errorMessage).toMatch(words);
    await expect(buildProgramAsync({ source, options: '' }, lost.opened(device))).rejects.toThrow(words);
  });
});

/** What a context tells of a device that dies, and how it waits for queues with what it has to free. */
import { describe, expect, it } from 'vitest';
import { Context, type QueueMark } from '../../src/runtime/context.ts';
import type { Device, DeviceHost } from '../../src/runtime/device.ts';

import { OpenCLError } from '../../src/runtime/status.ts';

it('tells once that a device has died', () => {
  const hosts: DeviceHost[] = [];
  const device = {
    open(host: DeviceHost) {
      hosts.push(host);
      return { close() {} };
    },
  } as unknown as Device;
  const context = new Context([device], { shared: false });
  const told: string[] = [];
  context.whenFailed((error) => told.push(error.message));
  for (const message of ['first', 'second']) {
    hosts[0]!.lost(new OpenCLError('CL_DEVICE_NOT_AVAILABLE', message));
  }
  expect(told).toEqual(['first']);
  expect(context.lost?.message).toBe('first');
  context.close();
});

describe('tasks that wait for queues', () => {
  const device = { open: () => ({ close() {} }) } as unknown as Device;

  /** A queue that has passed its first `passed` commands, and how often it was asked. */
  function queue() {
    const state = { passed: 0, asked: 0 };
    const hasPassed = (count: number) => {
      state.asked += 1;
      return count <= state.passed;
    };
    const mark = (count: number) => ({ count, queue: { hasPassed } }) as unknown as QueueMark;
    return { state, mark };
  }

  it('are not all looked at for each one more', () => {
    const context = new Context([device], { shared: false });
    const { state, mark } = queue();
    let done = 0;
    for (let count = 1; count <= 5000; count += 1) {
      context.runAfter([mark(count)], () => {
        done += 1;
      });
      context.allocate(16);
    }
    expect(state.asked).toBeLessThan(5000 * 100);
    expect(done).toBe(0);
    state.passed = 4000;
    context.allocate(16);
    expect(done).toBe(4000);
    context.close();
  });

  it('are done although another queue stands still', () => {
    const context = new Context([device], { shared: false });
    const stalled = queue();
    const moving = queue();
    const done: number[] = [];
    for (let count = 1; count <= 200; count += 1) context.runAfter([stalled.mark(count)], () => done.push(0));
    for (let count = 1; count <= 1000; count += 1) {
      context.runAfter([moving.mark(count)], () => done.push(count));
      moving.state.passed = count;
    }
    expect(done.length).toBeGreaterThan(500);
    expect(done).not.toContain(0);
    context.close();
  });

  it('may bring others to wait', () => {
    const context = new Context([device], { shared: false });
    const { state, mark } = queue();
    const done: number[] = [];
    context.runAfter([mark(1)], () => context.runAfter([mark(2)], () => done.push(2)));
    state.passed = 1;
    context.allocate(16);
    expect(done).toEqual([]);
    state.passed = 2;
    context.allocate(16);
    expect(done).toEqual([2]);
    context.close();
  });
});

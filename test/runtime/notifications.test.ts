/** Telling the host of ends, where another thread ends a command in the middle of a question or something throws. */
import { expect, it } from 'vitest';
import { ControlMemory, head } from '../../src/runtime/control-memory.ts';
import { EventTable } from '../../src/runtime/event-table.ts';
import { Notifications } from '../../src/runtime/notifications.ts';
import { executionStatus } from '../../src/runtime/status.ts';

/** Ends the command as soon as the host holds its slot, as a thread might between two looks of the host. */
class EndsEarly extends EventTable {
  override retain(slot: number): void {
    super.retain(slot);
    this.complete(slot, executionStatus.complete);
  }
}

it('a command that ends while the host asks for its start is told of once and keeps nothing alive', () => {
  const control = ControlMemory.create(false);
  const events = new EndsEarly(control, () => {});
  const notifications = new Notifications(control, events);
  const kept: boolean[] = [];
  notifications.addKeepAlive((on) => kept.push(on));
  const slot = events.allocate(1);
  events.submit(slot);
  let told = 0;
  notifications.whenReached(slot, executionStatus.running, () => {
    told += 1;
  });
  notifications.pump();
  expect(told).toBe(1);
  expect(notifications.isAwaited).toBe(false);
  expect(kept).toEqual([true, false]);
  expect(events.isHeldOnce(slot)).toBe(true);
});

it('a host that is thrown out of its sleep does not count as asleep any more', () => {
  const control = ControlMemory.create(true);
  const events = new EventTable(control, () => {});
  const notifications = new Notifications(control, events);
  notifications.addTask(() => {
    if (Atomics.load(control.words, head.hostAsleep) !== 0) throw new Error('from a task');
    return false;
  });
  const slot = events.allocate(1);
  expect(() => notifications.block(slot)).toThrow('from a task');
  expect(Atomics.load(control.words, head.hostAsleep)).toBe(0);
});

/** Where models of a device's launches have its pieces, and the launches that are in them. */
import * as layoutWords from '../../src/devices/wasm/shared-layout.ts';
import type { WatchedWords } from './explore.ts';
import { base, classIn, controlOf, files, type Made, type Module } from './protocol.ts';

export const slots = layoutWords.launchWords;

/** Where the pieces of a device lie in the models of it. */
export const device = {
  processor: base,
  pool: base + 128,
  workers: base + 256,
  launches: base + 512,
  nested: base + 4000,
};

/** A launch in a slot, of so many chunks. */
export function prepared(words: WatchedWords, at: number, chunks: number, event: number): void {
  const { raw } = words;
  const start = device.launches + at * slots.size;
  raw[start + slots.event] = event;
  raw[start + slots.chunks] = chunks;
  raw[start + slots.groups] = chunks;
  raw[start + slots.groupsPerChunk] = 1;
  raw[start + slots.wholeChunks] = chunks;
  raw[start + slots.pending] = 1;
  raw[start + slots.next] = 0;
  raw[start + slots.remaining] = chunks;
  raw[start + slots.successor] = 0;
  raw[start + slots.failed] = 0;
  raw[start + slots.state] = layoutWords.launchState.prepared;
}

/** Events and launches of two workers in control memory; `launchTable` is a thread's view of the launches, with events of its own or those given. */
export function launchesIn(load: (file: string) => Module, words: WatchedWords) {
  const EventTable = classIn(load(files.events), 'EventTable');
  const LaunchTable = classIn(load(files.launches), 'LaunchTable');
  const control = controlOf(words);
  // Blocks of events come behind the device.
  control.next = base + 6000;
  const eventTable = (): Made => new EventTable(control, () => {});
  const layout = { ...device, workerCount: 2, blocks: 0 };
  const launchTable = (events = eventTable()): Made => new LaunchTable(control, events, layout);
  return { control, layout, events: eventTable(), launchTable };
}

// Builds whose device is given up, or fails in a way that nobody foresaw: who waits is answered. Needs no WebGPU.
import { describe, expect, test } from 'vitest';
import { processorWords, requestKind, requestWords } from '../../../src/devices/icd/native-layout.ts';
import { GpuRequests, type RequestsHost } from '../../../src/devices/webgpu/gpu-requests.ts';
import { ControlMemory } from '../../../src/runtime/control-memory.ts';
import { EventTable, pushOnto } from '../../../src/runtime/event-table.ts';

/** Asks for a build of no kernels, with this answer of the shaders, and tells what the host gets. */
async function build(load: () => Promise<number | string>, whyGone?: string) {
  const control = ControlMemory.create(true);
  const events = new EventTable(control, () => {});
  const processor = control.allocate(processorWords.size * 4);
  let tellGone: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve;
  });
  const state: { lost: string | undefined } = { lost: undefined };
  const work: Promise<void>[] = [];
  const host = {
    control,
    events,
    shaders: { load },
    gone,
    get lost() {
      return state.lost;
    },
    begin: (each: () => Promise<void>) => void work.push(each()),
  } as unknown as RequestsHost;
  const text = new TextEncoder().encode('{"kernels":[]}');
  const request = control.allocate(requestWords.data * 4 + text.length);
  const { words, bytes } = control;
  words[request + requestWords.kind] = requestKind.build;
  words[request + requestWords.first] = text.length;
  bytes.set(text, (request + requestWords.data) * 4);
  pushOnto(words, processor + processorWords.requests, request, request + requestWords.link);
  new GpuRequests(host, processor).answer();
  if (whyGone !== undefined) {
    state.lost = whyGone;
    tellGone();
  }
  await Promise.all(work);
  return {
    isAnswered: words[request + requestWords.state],
    status: words[request + requestWords.status],
    message: events.text(words[request + requestWords.message]!),
  };
}

describe('requests to the thread of a WebGPU device', () => {
  test('a build waits no longer than there is a device', async () => {
    expect(await build(() => new Promise(() => {}), 'it took too long')).toEqual({
      isAnswered: 1,
      status: -2,
      message: 'it took too long',
    });
  });

  test('a build that fails unforeseen says why', async () => {
    expect(await build(() => Promise.reject(new Error('out of luck')))).toEqual({
      isAnswered: 1,
      status: -11,
      message: 'out of luck',
    });
  });
});

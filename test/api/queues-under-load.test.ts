/** Queues that share pipes, for some seconds (conformance/stress), and the list of who waits for whom that a time-out prints. */
import { CL, CLEvent, createContext } from 'millrace/opencl';
import { afterAll, describe, expect, it } from 'vitest';
import { runStress } from '../../conformance/stress/stress.ts';
import { WaitGraph } from '../../conformance/stress/wait-graph.ts';

const seconds = 4;

describe('queues under load', () => {
  const context = createContext();
  afterAll(() => context.releaseAll());
  const graph = new WaitGraph();

  it('a time-out tells who waits for whom', async () => {
    const queue = context.createCommandQueue(undefined, CL.QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const gate = context.createUserEvent();
    const [first, second] = [new CLEvent(), new CLEvent()];
    queue.enqueueMarkerWithWaitList([gate], first);
    queue.enqueueMarkerWithWaitList([first], second);
    queue.flush();
    graph.add('the gate', gate);
    graph.add('marker 1', first, [gate]);
    graph.add('marker 2', second, [first]);
    await expect(graph.within(50, 'the second marker', second.done)).rejects.toThrow(
      /^the second marker took more than 50 ms\nthe gate: submitted\nmarker 1: \w+, waits for the gate\nmarker 2: \w+, waits for marker 1$/,
    );
    gate.setStatus(CL.COMPLETE);
    await graph.within(60_000, 'the second marker', second.done);
    expect(graph.report()).toBe('everything has ended');
    graph.sweep();
  });

  it('lose no token, count every hop and end', { timeout: 120_000 }, async () => {
    const result = await runStress({ seconds, seed: 20 });
    expect(result.problems).toEqual([]);
    expect(result.hops).toBeGreaterThan(3000);
    expect(result.nestedItems).toBeGreaterThan(0);
  });
});

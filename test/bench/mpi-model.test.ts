/** The bench's model of a network: its constants from messages of known lines, and times that are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { drawLines } from '../../bench/frame/line-chart.ts';
import {
  broadcastTime,
  efficiency,
  exchangeTime,
  type LocalStep,
  messageTime,
  type Network,
  reductionTime,
  segmentsOf,
  stepTime,
  worstError,
} from '../../bench/mpi/model.ts';
import { mpiChart } from '../../bench/mpi.ts';

/** Short: 2 ms and a byte in 0.01 ms; long: 10 ms and a byte in 0.001 ms. */
const network: Network = {
  name: 'made up',
  segments: [
    { upTo: 1000, latency: 2, perByte: 0.01 },
    { upTo: Number.POSITIVE_INFINITY, latency: 10, perByte: 0.001 },
  ],
  reductions: [{ upTo: Number.POSITIVE_INFINITY, latency: 4, perByte: 0.02 }],
  perMessage: 0.5,
};

const step: LocalStep = {
  sample: 'halo',
  ranks: 5,
  time: 20,
  overlapped: 0,
  sent: [100, 100],
  received: [100, 100],
  reduced: [],
};

describe('the model of a network', () => {
  it('finds the lines that messages lie on, and where one ends', () => {
    const messages = [1, 10, 100, 1000, 4000, 10_000, 100_000].map((bytes) => ({
      bytes,
      time: messageTime(network, bytes),
    }));
    const segments = segmentsOf(messages);
    expect(segments.map(({ upTo }) => upTo)).toEqual([1000, Number.POSITIVE_INFINITY]);
    for (const [index, { latency, perByte }] of segments.entries()) {
      expect(latency).toBeCloseTo(network.segments[index]!.latency, 9);
      expect(perByte).toBeCloseTo(network.segments[index]!.perByte, 9);
    }
    expect(worstError({ ...network, segments }, messages)).toBeLessThan(1e-9);
    expect(worstError(network, [{ bytes: 0, time: 1 }])).toBe(1);
  });

  it('never has a constant below 0', () => {
    const falling = [1, 2, 3].map((bytes) => ({ bytes, time: 4 - bytes }));
    const [only] = segmentsOf(falling);
    expect(only!.perByte).toBe(0);
    const steep = [10, 20, 30].map((bytes) => ({ bytes, time: bytes - 9 }));
    expect(segmentsOf(steep)[0]!.latency).toBe(0);
  });

  it('has messages under way at once: their bytes count all, the latency once, each direction by itself', () => {
    expect(messageTime(network, 100)).toBe(3);
    expect(exchangeTime(network, [], [])).toBe(0);
    // Four messages, a latency, and the 300 bytes of one direction.
    expect(exchangeTime(network, [100, 200], [50, 60])).toBeCloseTo(4 * 0.5 + 2 + 3, 9);
  });

  it('has trees as high as the number of ranks has bits', () => {
    expect([1, 2, 3, 4, 64].map((ranks) => broadcastTime(network, ranks, 100))).toEqual([0, 3, 6, 6, 18]);
    expect([1, 2, 3, 4, 64].map((ranks) => reductionTime(network, ranks, 100))).toEqual([0, 6, 12, 12, 36]);
  });

  it('adds to what a rank does what is not hidden behind it', () => {
    // Own work, four messages, the latency and 200 bytes.
    expect(stepTime(network, step)).toBeCloseTo(20 + 2 + 2 + 2, 9);
    expect(stepTime(network, { ...step, overlapped: 0.9 })).toBeCloseTo(20 + 2, 9);
    expect(stepTime(network, { ...step, overlapped: 0.05 })).toBeCloseTo(20 + 2 + 3, 9);
    expect(stepTime(network, { ...step, reduced: [100, 100] })).toBeCloseTo(26 + 2 * 18, 9);
    // Two ranks a processor: what one does, the other waits for; the way of messages is the same.
    expect(stepTime(network, step, 2)).toBeCloseTo(2 * (20 + 2) + 4, 9);
    expect(efficiency(100, 5, 25)).toBe(0.8);
  });
});

describe('its chart', () => {
  const row = (line: string, x: number, value: number, at: object) => ({
    name: `${line} ${x}`,
    value,
    unit: '%' as const,
    at: { line, x, ...at },
  });

  it('has a line for each program over one network, and circles for what was measured', () => {
    const chart = mpiChart([
      row('halo', 2, 90, { isMeasured: true }),
      row('halo', 2, 95, { network: 'X, TCP' }),
      row('halo', 4, 50, { network: 'X, TCP' }),
      row('halo', 4, 99, { network: 'another' }),
      { name: 'no point', value: 1, unit: 'us' },
    ]);
    expect(chart.lines).toEqual([
      {
        name: 'halo',
        points: [
          [1, 1],
          [2, 0.95],
          [4, 0.5],
        ],
        measured: [[2, 0.9]],
      },
    ]);
    const drawn = drawLines(chart);
    expect(drawn.match(/<polyline/g)).toHaveLength(1);
    expect(drawn.match(/<circle/g)).toHaveLength(1);
    expect(drawn).toContain('prediction');
  });
});

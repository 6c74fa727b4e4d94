// The drawings by themselves: everything inside the frame, nothing that XML would stumble over.
import { describe, expect, it } from 'vitest';
import { histogramChart, scatterChart } from '../../samples/support/charts.ts';

/** The values of an attribute, in the order in which they occur. */
function numbers(svg: string, attribute: string): number[] {
  return [...svg.matchAll(new RegExp(`<circle[^>]* ${attribute}="([^"]*)"`, 'g'))].map((match) =>
    Number(match[1]),
  );
}

describe('scatter chart', () => {
  const svg = scatterChart({
    title: 'a < b & c',
    note: '',
    points: [
      { x: 0, y: 0, kind: 0 },
      { x: 10, y: 5, kind: 1 },
    ],
    marks: [{ x: 5, y: 2.5, kind: 2 }],
    curve: (x) => x / 2,
  });

  it('puts the smallest x left, the smallest y below and the middle in the middle', () => {
    const [left, right, middle] = numbers(svg, 'cx');
    const [bottom, top, centre] = numbers(svg, 'cy');
    expect(left).toBeLessThan(right!);
    expect(bottom).toBeGreaterThan(top!);
    expect(middle).toBe((left! + right!) / 2);
    expect(centre).toBe((bottom! + top!) / 2);
  });

  it('escapes what it is given', () => {
    expect(svg).toContain('a &lt; b &amp; c');
  });

  it('stays finite when all points are one', () => {
    const dot = scatterChart({ title: '', note: '', points: [{ x: 3, y: 3, kind: 0 }] });
    expect(dot).not.toMatch(/NaN|Infinity/);
  });
});

describe('histogram chart', () => {
  it('draws one area for each colour, the highest count to the top of the frame', () => {
    const counts = new Uint32Array(768);
    counts[10] = 100;
    const svg = histogramChart(counts);
    expect(svg.match(/<path d="M64,484 L/g)).toHaveLength(3);
    expect(svg).toMatch(/,56 /);
  });

  it('stays finite when nothing was counted', () => {
    expect(histogramChart(new Uint32Array(768))).not.toMatch(/NaN|Infinity/);
  });
});

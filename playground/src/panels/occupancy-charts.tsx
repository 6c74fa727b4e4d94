/** How many wavefronts of a kernel a SIMD engine has in flight, along each of what decides it; the kernel's own place is marked. */
import type { KernelOccupancy, OccupancyAxis, OccupancyPoint } from 'millrace/analyze';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { colourOf } from '../results/colour-of.ts';

const mostWavefronts = 32;
const height = 190;

const titles: Readonly<Record<OccupancyAxis, string>> = {
  groupSize: 'work-items of a group',
  registers: 'registers',
  localBytes: 'bytes of local memory of a group',
};

export function OccupancyCharts({ found }: { found: KernelOccupancy }) {
  const { chip, own, along, needs, kernel } = found;
  const percent = Math.round(own.fraction * 100);
  return (
    <section aria-label="Occupancy">
      <h2 class="heading">Occupancy</h2>
      <p class="hint">
        {chip} has {own.wavefronts} of {mostWavefronts} wavefronts of <b>{kernel}</b> in flight ({percent}%):{' '}
        {own.groups} groups of {own.perGroup}. No more for{' '}
        {own.limit === 'wavefronts' ? 'the most that a SIMD engine holds' : own.limit}.
      </p>
      <div class="occupancy">
        {(Object.keys(titles) as OccupancyAxis[]).map((axis) => (
          <Chart key={axis} title={titles[axis]} points={along[axis]} own={needs[axis]} />
        ))}
      </div>
    </section>
  );
}

interface ChartProps {
  readonly title: string;
  readonly points: readonly OccupancyPoint[];
  readonly own: number;
}

function Chart({ title, points, own }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const [text, edge, line, mark] = ['--text', '--edge', '--accent', '--wrong'].map((name) =>
      colourOf(element, name),
    );
    const axis = { stroke: text!, grid: { stroke: edge!, width: 1 }, ticks: { stroke: edge!, width: 1 } };
    const places = points.map(({ at }) => at);
    const counts = points.map(({ occupancy }) => occupancy.wavefronts);
    const marks = points.map(({ at, occupancy }) => (at === own ? occupancy.wavefronts : null));
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: [0, mostWavefronts + 1] } },
        axes: [{ ...axis, label: title, labelSize: 20 }, axis],
        series: [
          {},
          { stroke: line!, width: 1.5, points: { show: false } },
          { stroke: mark!, fill: mark!, points: { show: true, size: 9, fill: mark! } },
        ],
      },
      [places, counts, marks],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [points, own, title]);
  const here = points.find(({ at }) => at === own)?.occupancy.wavefronts;
  return <div class="plot" ref={place} role="img" aria-label={`Wavefronts by ${title}: ${here} at ${own}`} />;
}

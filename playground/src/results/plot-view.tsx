/** Numbers as a line over their place in the buffer. Long buffers are thinned to the extremes of each stretch. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { colourOf } from './colour-of.ts';

/** More points than this no screen has columns for. */
const mostPoints = 2000;

const axisFont = '12px system-ui, sans-serif';
/** Pixels from the edge to the plot: as many as the longest number needs, with its tick and the space around; not fewer than that. */
const leastAxis = 50;
const besideLabels = 20;

/** Places and values; of a long buffer, the least and the greatest number of each stretch. */
export function thinned(numbers: ArrayLike<number | bigint>): [number[], number[]] {
  const places: number[] = [];
  const values: number[] = [];
  const step = Math.max(1, Math.ceil((2 * numbers.length) / mostPoints));
  for (let start = 0; start < numbers.length; start += step) {
    const end = Math.min(start + step, numbers.length);
    let [least, greatest] = [start, start];
    for (let at = start; at < end; at++) {
      if (numbers[at]! < numbers[least]!) least = at;
      if (numbers[at]! > numbers[greatest]!) greatest = at;
    }
    for (const at of least === greatest ? [least] : [Math.min(least, greatest), Math.max(least, greatest)]) {
      places.push(at);
      values.push(Number(numbers[at]));
    }
  }
  return [places, values];
}

export function PlotView({ name, numbers }: { name: string; numbers: ArrayLike<number | bigint> }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const [text, edge, line] = ['--text', '--edge', '--accent'].map((name) => colourOf(element, name));
    const axis = { stroke: text!, grid: { stroke: edge!, width: 1 }, ticks: { stroke: edge!, width: 1 } };
    const widthOfNumbers = (plot: uPlot, labels: string[] | null): number => {
      plot.ctx.font = axisFont;
      const widths = (labels ?? []).map((label) => plot.ctx.measureText(label).width);
      return Math.max(leastAxis, Math.ceil(Math.max(0, ...widths)) + besideLabels);
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: 260,
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, font: axisFont },
          { ...axis, font: axisFont, size: widthOfNumbers },
        ],
        series: [{}, { stroke: line!, width: 1.5 }],
      },
      thinned(numbers),
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 260 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [numbers]);
  return <div class="plot" ref={place} role="img" aria-label={`The numbers of ${name}, plotted`} />;
}

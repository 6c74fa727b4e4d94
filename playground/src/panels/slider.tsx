/** A number of a launch that can be dragged. */
import type { ExaminedKernel } from '../compiler/messages.ts';
import { type Directives, readDirectives } from '../live/directives.ts';
import { sliderOf, sliderText } from '../live/slider-range.ts';

type Parameter = ExaminedKernel['parameters'][number];

/** What a source says of sliders; nothing where it cannot be read, which the run tells. */
export function slidersIn(source: string): Directives['sliders'] {
  try {
    return readDirectives(source).sliders;
  } catch {
    return new Map();
  }
}

/** The kernels of its frames, by name. */
export function framesIn(source: string): string[] {
  try {
    const { start, frame } = readDirectives(source);
    return frame.length > 0 ? [...frame, ...start].map(({ kernel }) => kernel) : [];
  } catch {
    return [];
  }
}

export function SliderInput({
  parameter,
  words,
  said,
  change,
}: {
  parameter: Pick<Parameter, 'name' | 'typeName' | 'kind'>;
  words: string;
  said: ReturnType<Directives['sliders']['get']>;
  change: (words: string) => void;
}) {
  const slider = sliderOf(parameter, words, said);
  if (!slider) return null;
  const { low, high, step, value } = slider;
  return (
    <input
      type="range"
      aria-label={`${parameter.name}, from ${low} to ${high}`}
      min={low}
      max={high}
      step={step}
      value={value}
      onInput={({ currentTarget }) => change(sliderText(currentTarget.valueAsNumber, step))}
    />
  );
}

/** Which numbers of a launch have a slider, and from where to where it goes. */
import type { KernelParameter } from 'millrace';
import { firstOf, type SliderRange } from './directives.ts';

/** Sizes are not to be dragged: a kernel that believes a wrong one leaves its buffers. */
const sizes = /^(w|width|cols|columns|h|height|rows|n|nx|ny|count|length|len|size|num|total|stride|pitch)$/;

export interface Slider extends SliderRange {
  readonly step: number;
  readonly value: number;
}

/**
 * The slider of a parameter: as its comment says, or guessed from its name and its value; undefined if it is none for sliders.
 * @param words what the launch form has for it
 */
export function sliderOf(
  { name, typeName, kind }: Pick<KernelParameter, 'name' | 'typeName' | 'kind'>,
  words: string,
  said: SliderRange | undefined,
): Slider | undefined {
  const isFloat = /^(half|float|double)$/.test(typeName);
  const isWhole = /^u?(char|short|int|long)$|^(bool|size_t)$/.test(typeName);
  if (kind !== 'value' || !(isFloat || isWhole)) return undefined;
  const text = words.trim();
  const given = text === '' ? said && firstOf(said) : Number(text);
  if (given !== undefined && !Number.isFinite(given)) return undefined;
  if (given === undefined || (!said && sizes.test(name.toLowerCase()))) return undefined;
  const { low, high } = said ?? guessRange(name.toLowerCase(), given, isWhole, /^u|^size_t/.test(typeName));
  const step = said?.step ?? (isWhole ? 1 : (high - low) / 200);
  return { low, high, step, first: said?.first, value: given };
}

function guessRange(name: string, value: number, isWhole: boolean, isUnsigned: boolean) {
  if (!isWhole && /angle|phase|rotation|theta|phi/.test(name)) {
    const whole = Math.max(6.3, Math.abs(value));
    return { low: value < 0 ? -whole : 0, high: whole };
  }
  const isPart = /mix|opacity|alpha|ratio|amount|weight|damping|fade|threshold/.test(name);
  if (!isWhole && isPart && value >= 0 && value <= 1) return { low: 0, high: 1 };
  // A round number that is at least twice as much.
  const size = Math.abs(value);
  const decade = size === 0 ? 1 : 10 ** Math.floor(Math.log10(2 * size));
  const least =
    size === 0
      ? isWhole
        ? 10
        : 1
      : [1, 2, 5, 10].map((one) => one * decade).find((one) => one >= 2 * size)!;
  const isSigned = !isUnsigned && (value < 0 || (value === 0 && !isWhole));
  return { low: isSigned ? -least : 0, high: isWhole ? Math.ceil(least) : least };
}

/** A number as the form has it: no more digits than the step tells apart. */
export function sliderText(value: number, step: number): string {
  return String(Number(value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(step))))));
}

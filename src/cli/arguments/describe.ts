/** Results in words and as pictures: a line a buffer, an element's text, the pixels of a buffer. */
import { wrapWords } from '../wrap-words.ts';
import { type BoundArgument, elementsOf } from './bind.ts';
import type { Elements } from './elements.ts';
import type { NumberType } from './numbers.ts';
import type { Picture } from './picture.ts';
import { elementsToPicture } from './pixels.ts';

/**
 * A buffer such as `y: float[1000] = 0, 2.5, 5, ...   (min 0, max 2497.5)`: as many elements as fit into one line, or
 * `most` of them on as many lines as they need.
 */
export function describeBuffer(
  name: string,
  elements: Elements,
  width: number,
  most: number | undefined,
): string {
  const { shape, count } = elements;
  const head = `${name}: ${shape.name}[${count}] =`;
  const range = rangeText(elements);
  if (most === undefined) {
    const room = width - head.length - ', ...'.length;
    // All elements, if they fit, say more than the range of some.
    const all = firstElements(elements, room + ', ...'.length);
    if (!all.endsWith('...')) return all.length + range.length <= room ? head + all + range : head + all;
    const withRange = room - range.length >= 20;
    return head + firstElements(elements, withRange ? room - range.length : room) + (withRange ? range : '');
  }
  const texts = Array.from({ length: Math.min(count, most) }, (_, element) => elementText(elements, element));
  const lines = wrapWords(`${head} ${texts.join(', ')}${count > most ? ', ...' : ''}`, width - 2);
  const last = lines[lines.length - 1]!;
  if (last.length + range.length <= width - 2) lines[lines.length - 1] = last + range;
  else lines.push(range.trimStart());
  return lines.join('\n  ').trimEnd();
}

/** As many elements as fit, but at least one. */
function firstElements(elements: Elements, room: number): string {
  let line = '';
  for (let element = 0; element < elements.count; element++) {
    const text = `${element === 0 ? ' ' : ', '}${elementText(elements, element)}`;
    if (element > 0 && line.length + text.length > room) return `${line}, ...`;
    line += text;
  }
  return line;
}

/** An element: a number, or several in parentheses. */
export function elementText(elements: Elements, element: number): string {
  const { places } = elements.shape;
  const texts = places.map(({ type }, at) => numberText(elements.get(element * places.length + at), type));
  return texts.length === 1 ? texts[0]! : `(${texts.join(' ')})`;
}

/** The shortest decimal that is this number of its type. */
function numberText(value: number | bigint, type: NumberType): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint' || !type.floating || type.size === 8 || !Number.isFinite(value)) {
    return String(value);
  }
  for (let digits = type.size === 2 ? 3 : 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** The extremes of a buffer of numbers; looking through still more elements would take seconds. */
function rangeText(elements: Elements): string {
  const { type } = elements.shape;
  if (!type || elements.shape.places.length > 1 || elements.count === 1 || elements.count > 1e8) return '';
  let low: number | bigint | undefined;
  let high: number | bigint | undefined;
  let bad = 0;
  for (let index = 0; index < elements.count; index++) {
    const value = elements.get(index);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      bad += 1;
      continue;
    }
    if (low === undefined || value < low) low = value;
    if (high === undefined || value > high) high = value;
  }
  const note = bad > 0 ? `${bad} not finite` : '';
  if (low === undefined || high === undefined) return `   (${note})`;
  return `   (min ${numberText(low, type)}, max ${numberText(high, type)}${note && `, ${note}`})`;
}

/** The picture a bound buffer holds; the shape comes from the argument or, failing that, from the launch. */
export function pictureOf(argument: BoundArgument, globalSize: readonly number[]): Picture | undefined {
  const size = pictureSize(argument, globalSize);
  const elements = elementsOf(argument);
  return elements && size ? elementsToPicture(elements, size.width, size.height) : undefined;
}

export function pictureSize(
  argument: BoundArgument,
  globalSize: readonly number[],
): { width: number; height: number } | undefined {
  if (argument.picture) return argument.picture;
  return globalSize.length === 2 ? { width: globalSize[0]!, height: globalSize[1]! } : undefined;
}

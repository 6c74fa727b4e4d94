/**
 * The little language of `--arg`: what a person may write for one kernel argument, read into a specification
 * that {@link ./bind.ts} turns into the argument itself once the kernel's parameter is known.
 */
import type { SamplerSettings } from 'millrace';
import { UsageError } from '../errors.ts';
import { isNumber, toNumber } from './numbers.ts';

/** What was asked for one argument. */
export type ArgumentSpecification =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'fill'; readonly count: CountSpecification; readonly value: string }
  | {
      readonly kind: 'range';
      readonly count: CountSpecification;
      readonly start: string;
      readonly step: string;
    }
  | {
      readonly kind: 'random';
      readonly count: CountSpecification;
      readonly low: number | undefined;
      readonly high: number | undefined;
      readonly seed: number;
    }
  | { readonly kind: 'like'; readonly argument: string }
  | { readonly kind: 'dimension'; readonly which: 'width' | 'height' | 'count'; readonly argument: string }
  | { readonly kind: 'local'; readonly bytes: number }
  | { readonly kind: 'sampler'; readonly settings: SamplerSettings }
  | { readonly kind: 'null' };

/** Width and height in elements. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A number of elements, perhaps in rows; undefined means one for each work-item. */
export type CountSpecification =
  | { readonly elements: number; readonly picture: PictureSize | undefined }
  | undefined;

/** `--arg NAME=SPEC` or, by position, `--arg SPEC`. */
export interface NamedSpecification {
  readonly name: string | undefined;
  readonly specification: ArgumentSpecification;
}

/** What `--help` says about arguments. */
export const argumentHelp = `Arguments, as --arg NAME=WHAT or, by position, --arg WHAT:
  2.5  -7  0x1f  true      a number; for a vector parameter, every lane
  (1,2,3,4)                a vector's lanes, a struct's fields, a buffer's elements
  photo.png .jpg .bmp .ppm a picture: uchar4 or uint RGBA; float4 RGBA from 0 to 1;
                           uchar, float: grey
  data.npy                 a NumPy array, converted to the parameter's type
  data.bin                 any other file: its bytes
  zeros[:N]  ones[:N]      a buffer of N elements, or of one for each work-item;
                           640x480 elements are a picture of that size
  fill:VALUE[:N]           all VALUE
  range[:N[:START[:STEP]]] START, START+STEP, ...
  random[:N[:LOW:HIGH[:SEED]]]
                           evenly from LOW up to, not including, HIGH
  like:NAME                zeros, as many as another buffer has elements
  width:NAME  height:NAME  count:NAME
                           a number: the size of another buffer
  local:BYTES              local memory for a local pointer
  sampler[:WORDS]          for a sampler_t: linear or nearest; normalized; and
                           clamp-to-edge, clamp, repeat, mirrored-repeat or none
  null                     a null pointer`;

const identifier = /^[A-Za-z_]\w*$/;

/** Reads one `--arg`. */
export function readNamedSpecification(text: string): NamedSpecification {
  const equals = text.indexOf('=');
  const name = equals > 0 ? text.slice(0, equals) : undefined;
  if (name !== undefined && identifier.test(name)) {
    return { name, specification: readSpecification(text.slice(equals + 1)) };
  }
  return { name: undefined, specification: readSpecification(text) };
}

/** Reads what stands after the `=`. Throws a {@link UsageError} for what has no meaning. */
export function readSpecification(text: string): ArgumentSpecification {
  if (text === '') throw new UsageError('an argument is empty; see --help for the forms it may take');
  if (text === 'null') return { kind: 'null' };
  if (text === 'true' || text === 'false') return { kind: 'number', text: text === 'true' ? '1' : '0' };
  if (isNumber(text)) return { kind: 'number', text };
  if (/^[([{].*[)\]}]$/s.test(text)) {
    const items = text
      .slice(1, -1)
      .split(',')
      .map((item) => item.trim());
    for (const item of items)
      if (!isNumber(item)) throw new UsageError(`'${item}' in '${text}' is not a number`);
    return { kind: 'list', items };
  }
  const [word, ...rest] = text.split(':');
  const generated = readGenerated(word!, rest, text);
  if (generated) return generated;
  return { kind: 'file', path: text };
}

function readGenerated(
  word: string,
  rest: readonly string[],
  text: string,
): ArgumentSpecification | undefined {
  const most = (limit: number): void => {
    if (rest.length > limit) throw new UsageError(`'${text}' has too many parts; see --help for '${word}'`);
  };
  switch (word) {
    case 'zeros':
    case 'ones':
      most(1);
      return { kind: 'fill', value: word === 'ones' ? '1' : '0', count: readCount(rest[0]) };
    case 'fill':
      most(2);
      if (!rest[0] || !isNumber(rest[0]))
        throw new UsageError(`'${text}': fill needs a number, as in fill:0.5`);
      return { kind: 'fill', value: rest[0], count: readCount(rest[1]) };
    case 'range':
      most(3);
      return {
        kind: 'range',
        count: readCount(rest[0]),
        start: readNumber(rest[1], '0'),
        step: readNumber(rest[2], '1'),
      };
    case 'random':
      most(4);
      if (rest.length === 2)
        throw new UsageError(`'${text}': give both LOW and HIGH, as in random:1000:0:255`);
      return readRandom(rest, text);
    case 'like':
    case 'width':
    case 'height':
    case 'count': {
      most(1);
      const argument = rest[0];
      if (argument === undefined) return undefined;
      if (!identifier.test(argument))
        throw new UsageError(`'${text}': '${argument}' is not a parameter's name`);
      return word === 'like' ? { kind: 'like', argument } : { kind: 'dimension', which: word, argument };
    }
    case 'local': {
      most(1);
      const bytes = readCount(rest[0]);
      if (bytes === undefined) throw new UsageError(`'${text}': say how many bytes, as in local:1024`);
      return { kind: 'local', bytes: bytes.elements };
    }
    case 'sampler':
      most(1);
      return { kind: 'sampler', settings: readSampler(rest[0], text) };
    default:
      return undefined;
  }
}

function readRandom(
  [count, lowest, highest, seed]: readonly string[],
  text: string,
): Extract<ArgumentSpecification, { kind: 'random' }> {
  const low = lowest === undefined ? undefined : toNumber(readNumber(lowest, '0'));
  const high = highest === undefined ? undefined : toNumber(readNumber(highest, '1'));
  if (low !== undefined && high !== undefined && !(low < high))
    throw new UsageError(`'${text}': LOW must be less than HIGH, as in random:1000:0:255`);
  return { kind: 'random', count: readCount(count), low, high, seed: toNumber(readNumber(seed, '1')) };
}

const addressings = ['clamp-to-edge', 'clamp', 'repeat', 'mirrored-repeat', 'none'] as const;

/** Reads `linear,repeat,normalized`. Repeating is for normalised coordinates only, so it implies them. */
function readSampler(words: string | undefined, text: string): SamplerSettings {
  let settings: SamplerSettings = {};
  for (const word of words?.split(',') ?? []) {
    const addressing = addressings.find((name) => name === word);
    if (word === 'linear' || word === 'nearest') settings = { ...settings, filter: word };
    else if (word === 'normalized') settings = { ...settings, normalized: true };
    else if (addressing) settings = { ...settings, addressing };
    else {
      throw new UsageError(
        `'${text}': '${word}' is not one of linear, nearest, normalized, ${addressings.join(', ')}`,
      );
    }
  }
  if (settings.addressing?.endsWith('repeat')) settings = { ...settings, normalized: true };
  return settings;
}

function readNumber(text: string | undefined, otherwise: string): string {
  if (text === undefined || text === '') return otherwise;
  if (!isNumber(text)) throw new UsageError(`'${text}' is not a number`);
  return text;
}

/** Reads `1024` or `640x480`; empty or absent means one for each work-item. */
export function readCount(text: string | undefined): CountSpecification {
  if (text === undefined || text === '') return undefined;
  const parts = text.split('x').map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN));
  const elements = parts.reduce((product, part) => product * part, 1);
  if (!Number.isSafeInteger(elements) || elements <= 0) {
    throw new UsageError(
      `'${text}' is not a count; write a whole number such as 1024 or a product such as 640x480`,
    );
  }
  return { elements, picture: parts.length === 2 ? { width: parts[0]!, height: parts[1]! } : undefined };
}

/** Reads `--global 640,480` and its like: one to three whole numbers. */
export function readSizes(text: string, option: string, smallest: number): number[] {
  const sizes = text.split(/[,x]/).map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  if (sizes.length > 3) throw new UsageError(`${option} '${text}': there are at most three dimensions`);
  if (sizes.some((size) => !Number.isSafeInteger(size) || size < smallest)) {
    throw new UsageError(
      `${option} '${text}': write one to three whole numbers from ${smallest}, such as 640,480`,
    );
  }
  return sizes;
}

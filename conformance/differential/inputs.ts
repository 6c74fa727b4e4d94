/** Generated argument values: seeded, by type, with the values among them at which arithmetic goes wrong. */
import type { HostLayout, KernelParameter } from 'millrace';
import { Elements, elementShape, valueBytes } from '../../src/cli/arguments/elements.ts';
import { Random } from '../../test/support/random.ts';
import { type Attempt, likelySize } from './attempts.ts';

/** An argument as every device gets it; buffers are copied for each. */
export type InputArgument =
  | { readonly kind: 'buffer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'value'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'local'; readonly bytes: number };

/** `plain`: numbers of ordinary size; `special`: with zeros, infinities, NaNs, extremes and subnormals among them. */
export type Flavour = 'plain' | 'special';

const specialFloats = [
  0,
  -0,
  1,
  -1,
  Infinity,
  -Infinity,
  Number.NaN,
  0.5,
  2,
  1e-40,
  -1e-40,
  3.4e38,
  1.17549435e-38,
];
const specialDoubles = [...specialFloats, 5e-324, 1.7e308, 2.2250738585072014e-308];

/** The elements of what a parameter points to, or of its value. */
export function shapeOf(parameter: KernelParameter) {
  const isValue = parameter.kind === 'value' || parameter.kind === 'aggregate';
  const name = parameter.typeName.replace(/\s*\*$/, '');
  return elementShape(isValue ? parameter.layout : parameter.pointee, name);
}

/**
 * The arguments of a launch. The same seed, parameters and attempt give the same bytes.
 * @throws Error for a parameter that cannot be made up (an image, a sampler)
 */
export function makeInputs(
  parameters: readonly KernelParameter[],
  attempt: Attempt,
  flavour: Flavour,
  seed: number,
): InputArgument[] {
  const random = new Random(seed);
  return parameters.map((parameter): InputArgument => {
    switch (parameter.kind) {
      case 'local':
        return { kind: 'local', bytes: attempt.localBytes };
      case 'global':
      case 'constant': {
        const elements = Elements.zeros(shapeOf(parameter), attempt.elements);
        fill(elements, random, attempt, flavour);
        return { kind: 'buffer', bytes: elements.bytes };
      }
      case 'value':
      case 'aggregate':
        return { kind: 'value', bytes: byValue(parameter, random, attempt) };
      default:
        throw new Error(`parameter '${parameter.name}' is of type '${parameter.typeName}'`);
    }
  });
}

function byValue(parameter: KernelParameter, random: Random, attempt: Attempt): Uint8Array<ArrayBuffer> {
  const shape = shapeOf(parameter);
  if (isInteger(parameter.layout)) {
    const few = attempt.other === 'few' ? 1 + random.below(4) : attempt.other;
    const number = likelySize(parameter.name, attempt.global) ?? few;
    const limit = 2 ** (8 * shape.size - 1) - 1;
    return valueBytes(shape, [String(Math.min(number, limit))], parameter.name);
  }
  const value = Elements.zeros(shape, 1);
  fill(value, random, { ...attempt, integers: 'small' }, 'plain');
  return value.bytes;
}

function isInteger(layout: HostLayout | undefined): boolean {
  return layout?.kind === 'integer';
}

function fill(elements: Elements, random: Random, attempt: Attempt, flavour: Flavour): void {
  const { places } = elements.shape;
  for (let index = 0; index < elements.numbers; index += 1) {
    const { type } = places[index % places.length]!;
    const isSpecial = flavour === 'special' && random.below(8) === 0;
    if (type.floating) elements.set(index, isSpecial ? specialFloat(random, type.size) : plainFloat(random));
    else if (attempt.integers !== 'any') elements.set(index, smallInteger(random, attempt));
    else elements.set(index, anyInteger(random, type.size, isSpecial));
  }
}

/** Within the range in every dimension, so that it may be an index. */
function smallInteger(random: Random, { global, integers }: Attempt): number {
  const limit = Math.min(127, ...global);
  return integers === 'positive' ? Math.max(1, random.below(limit)) : random.below(limit);
}

function plainFloat(random: Random): number {
  return (random.next() - 0.5) * random.pick([1, 4, 32]);
}

function specialFloat(random: Random, size: number): number {
  return random.pick(size === 8 ? specialDoubles : specialFloats);
}

function anyInteger(random: Random, size: number, isSpecial: boolean): bigint {
  const bits = BigInt(8 * size);
  if (isSpecial) return random.pick([0n, 1n, -1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n]);
  const word = BigInt(random.below(2 ** 32)) | (BigInt(random.below(2 ** 32)) << 32n);
  return BigInt.asIntN(Number(bits), word);
}

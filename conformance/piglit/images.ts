/** Images and samplers as arguments of a test: `image float4 1 2 3 4 image_type 2d image_width 1 image_height 1`. */
import { type Picture, type SamplerSettings, sampler } from 'millrace';
import { encodeValues, readShape, type ValueShape } from './values.ts';

/** An image argument: its pixels are `data`, which the kernel's writes change. */
export interface ImageValues {
  readonly picture: Picture & { readonly data: Uint8Array };
  readonly shape: ValueShape;
  /** The pixels that the test writes down. */
  readonly bytes: Uint8Array;
  /** What follows the values, such as a tolerance. */
  readonly rest: readonly string[];
}

/** Keys of an image argument that hold a size. */
const sizes = {
  image_width: 'width',
  image_height: 'height',
  image_depth: 'depth',
  image_array_size: 'arraySize',
} as const;

/** Which of the sizes each kind has. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  '1d': ['width'],
  '1d_array': ['width', 'arraySize'],
  '2d': ['width', 'height'],
  '2d_array': ['width', 'height', 'arraySize'],
  '3d': ['width', 'height', 'depth'],
};

/** @param words what stands after `image` */
export function readImage([type = '', ...words]: readonly string[]): ImageValues {
  const first = words.findIndex((word) => word.startsWith('image_'));
  const values = words.slice(0, first);
  const settings = new Map<string, string>();
  let at = first;
  for (; words[at]?.startsWith('image_'); at += 2) settings.set(words[at]!, words[at + 1] ?? '');
  const kind = kinds[(settings.get('image_type') ?? '2d').toLowerCase()];
  if (first < 0 || !kind) throw new Error(`an image of type '${settings.get('image_type')}'`);
  const description: Record<string, number> = {};
  for (const [key, name] of Object.entries(sizes)) {
    if (kind.includes(name)) description[name] = Number(settings.get(key) ?? 1);
  }
  const pixels = Object.values(description).reduce((product, size) => product * size, 1);
  const shape = { ...readShape(type), length: pixels };
  const bytes = encodeValues(shape, values);
  const format = {
    order: settings.get('image_channel_order') ?? 'RGBA',
    type: settings.get('image_channel_data_type') ?? 'UNORM_INT8',
  } as Pick<Picture, 'order' | 'type'>;
  const picture = { width: 1, ...description, ...format, data: bytes.slice() };
  return { picture, shape, bytes, rest: words.slice(at) };
}

/** @param words `normalized_coords 0 addressing_mode NONE filter_mode NEAREST`, in any order */
export function readSampler(words: readonly string[]) {
  const settings = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) settings.set(words[at]!, words[at + 1]!);
  const spelt = (key: string) => settings.get(key)?.toLowerCase().replaceAll('_', '-');
  return sampler({
    normalized: Number(settings.get('normalized_coords') ?? 0) !== 0,
    addressing: (spelt('addressing_mode') ?? 'none') as SamplerSettings['addressing'],
    filter: (spelt('filter_mode') ?? 'nearest') as SamplerSettings['filter'],
  });
}

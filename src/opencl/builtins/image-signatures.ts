/**
 * The functions that read, write and query images (OpenCL 1.2, 6.12.14, and the extensions' 9.5.11 for half), as lines of
 * the table in signatures.ts.
 */

type Line = readonly [names: string, patterns: string];

/** Image types by the coordinates of a pixel; the fourth component of four is ignored. */
const imagesByCoordinates = {
  '': ['image1d_t'],
  '2': ['image2d_t', 'image1d_array_t'],
  '4': ['image3d_t', 'image2d_array_t'],
} as const;

const colours = { f: 'float4', h: 'half4', i: 'int4', ui: 'uint4' } as const;

function joined(patterns: readonly string[]): string {
  return patterns.map((pattern) => `-:1 ${pattern}`).join(';');
}

function readLines(): Line[] {
  return Object.entries(colours).map(([letter, colour]) => {
    const patterns: string[] = [];
    for (const [lanes, images] of Object.entries(imagesByCoordinates)) {
      for (const image of images) {
        patterns.push(`${colour}(read_only ${image},sampler_t,int${lanes})`);
        patterns.push(`${colour}(read_only ${image},sampler_t,float${lanes})`);
        patterns.push(`${colour}(read_only ${image},int${lanes})`);
        patterns.push(`${colour}(read_write ${image},int${lanes})`);
      }
    }
    for (const access of ['read_only', 'read_write'])
      patterns.push(`${colour}(${access} image1d_buffer_t,int)`);
    if (letter === 'f') patterns.push(...readsOfDepths());
    return [`read_image${letter}`, joined(patterns)];
  });
}

/** Images of depths (OpenCL 2.0, 6.13.14), with the coordinates of a pixel. */
const depths = [
  ['image2d_depth_t', '2'],
  ['image2d_array_depth_t', '4'],
] as const;

function readsOfDepths(): string[] {
  return depths.flatMap(([image, lanes]) => [
    `float(read_only ${image},sampler_t,int${lanes})`,
    `float(read_only ${image},sampler_t,float${lanes})`,
    `float(read_only ${image},int${lanes})`,
    `float(read_write ${image},int${lanes})`,
  ]);
}

const writable = ['write_only', 'read_write'];

function writeLines(): Line[] {
  return Object.entries(colours).map(([letter, colour]) => {
    const patterns: string[] = [];
    for (const [lanes, images] of Object.entries(imagesByCoordinates)) {
      for (const image of images) {
        for (const access of writable) patterns.push(`v(${access} ${image},int${lanes},${colour})`);
      }
    }
    for (const access of writable) patterns.push(`v(${access} image1d_buffer_t,int,${colour})`);
    if (letter === 'f') {
      for (const [image, lanes] of depths) {
        for (const access of writable) patterns.push(`v(${access} ${image},int${lanes},float)`);
      }
    }
    return [`write_image${letter}`, joined(patterns)];
  });
}

const accesses = ['read_only', 'write_only', 'read_write'];

/** A query of images of these types, whatever may be done with them. */
function query(names: string, result: string, images: readonly string[]): Line {
  const patterns = images.flatMap((image) => accesses.map((access) => `${result}(${access} ${image})`));
  return [names, joined(patterns)];
}

const planar = ['image2d_t', 'image2d_array_t', 'image2d_depth_t', 'image2d_array_depth_t'];
const all = [...planar, 'image3d_t', 'image1d_t', 'image1d_array_t', 'image1d_buffer_t'];

export const imageSignatures: readonly Line[] = [
  ...readLines(),
  ...writeLines(),
  query('get_image_width get_image_channel_data_type get_image_channel_order', 'i', all),
  query('get_image_height', 'i', [...planar, 'image3d_t']),
  query('get_image_depth', 'i', ['image3d_t']),
  [
    'get_image_dim',
    joined([
      ...accesses.flatMap((access) => planar.map((image) => `int2(${access} ${image})`)),
      ...accesses.map((access) => `int4(${access} image3d_t)`),
    ]),
  ],
  query('get_image_array_size', 'z', ['image2d_array_t', 'image1d_array_t', 'image2d_array_depth_t']),
];

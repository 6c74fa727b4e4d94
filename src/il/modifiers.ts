/** What may follow an instruction's name after an underscore, and a source operand's register. */

interface ModifierRule {
  /** how many values stand in parentheses, at least and at most; 0 for none and no parentheses */
  readonly counts: readonly [number, number];
  /** the words that may stand there; undefined for numbers */
  readonly words?: readonly string[];
}

const flag: ModifierRule = { counts: [0, 0] };
const one: ModifierRule = { counts: [1, 1] };
const word = (...words: string[]): ModifierRule => ({ counts: [1, 1], words });
const format = word('unknown', 'snorm', 'unorm', 'sint', 'uint', 'float', 'srgb', 'mixed');

const rules = {
  // of what is written
  x2: flag,
  x4: flag,
  x8: flag,
  d2: flag,
  d4: flag,
  d8: flag,
  sat: flag,
  prec: flag,
  precmask: word('x', 'y', 'z', 'w', 'xy', 'xz', 'xw', 'yz', 'yw', 'zw', 'xyz', 'xyw', 'xzw', 'yzw', 'xyzw'),
  // of arithmetic
  ieee: flag,
  zeroop: word('fltmax', 'zero', 'infinity', 'inf_else_max'),
  relop: word('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
  cmpval: word('0.0', '0.5', '1.0', '-0.5', '-1.0'),
  round: flag,
  centroid: flag,
  fine: flag,
  matrix: word('4x4', '4x3', '3x4', '3x3', '3x2'),
  normalize: flag,
  repeat: flag,
  // of declarations
  usage: word('generic', 'position', 'pos', 'color', 'backcolor', 'fog', 'pointsize', 'wincoord', 'vprim'),
  interp: word(
    'notused',
    'constant',
    'linear',
    'centroid',
    'linear_centroid',
    'linear_noperspective',
    'linear_noperspective_centroid',
    'linear_noper_centroid',
    'linear_sample',
    'linear_noperspective_sample',
  ),
  generic: flag,
  position: flag,
  pos: flag,
  color: flag,
  depth: flag,
  fog: flag,
  wincoord: flag,
  vprim: flag,
  isfrontface: flag,
  vertexid: flag,
  primitiveid: flag,
  instanceid: flag,
  type: {
    counts: [1, 2],
    words: [
      'unknown',
      '1d',
      '2d',
      '3d',
      'cubemap',
      '2dmsaa',
      'buffer',
      '1darray',
      '2darray',
      'cubemaparray',
      'unnorm',
      'perlin1D',
      'perlin2D',
      'perlin3D',
      'perlin4D',
    ],
  },
  fmtx: format,
  fmty: format,
  fmtz: format,
  fmtw: format,
  access: word('read_only', 'write_only', 'read_write', 'private'),
  stride: one,
  length: one,
  wavefrontRel: flag,
  wavefrontAbs: flag,
  // of images and memories
  id: one,
  resource: one,
  sampler: one,
  stage: one,
  sample: word('onlyw', 'onlyx', 'all'),
  coordtype: word('normalized', 'unnormalized', 'unknown'),
  aoffimmi: { counts: [3, 3] },
  compselect: word('x', 'y', 'z', 'w'),
  ext: flag,
  uint: flag,
  cached: flag,
  aligned: flag,
  size: word('dword', 'byte', 'short'),
  elem: one,
  stream: one,
  offset: one,
  lOffset: one,
  neighborExch: flag,
  sharingMode: word('rel', 'abs'),
  // of fence
  threads: flag,
  lds: flag,
  memory: flag,
  sr: flag,
  mem_write_only: flag,
  mem_read_only: flag,
  gds: flag,
  // of macros: the number, and how many registers go out and come in
  '': one,
  out: one,
  in: one,
  outline: flag,
} satisfies Readonly<Record<string, ModifierRule>>;

export type ModifierName = keyof typeof rules;

export const modifierRules: Readonly<Record<ModifierName, ModifierRule>> = rules;

/** Those that every instruction with a destination may have: shifts of the result, clamping to 0..1, precision. */
export const writeModifiers: readonly ModifierName[] = [
  'x2',
  'x4',
  'x8',
  'd2',
  'd4',
  'd8',
  'sat',
  'prec',
  'precmask',
];

/** What stands in the parentheses of a source's modifier. */
interface Components {
  readonly pattern: RegExp;
  readonly what: string;
}

/** Those of source operands; false for those without parentheses. */
export const sourceModifiers: ReadonlyMap<string, Components | false> = new Map<string, Components | false>([
  ['neg', { pattern: /[xyzwrgba]{1,4}(?!\w)/y, what: 'components of xyzw' }],
  ['abs', false],
  ['invert', false],
  ['bias', false],
  ['bx2', false],
  ['x2', false],
  ['sign', false],
  ['sat', false],
  ['divcomp', { pattern: /(?:[xyzwrgba]|unknown)(?!\w)/y, what: 'one of x, y, z, w and unknown' }],
]);

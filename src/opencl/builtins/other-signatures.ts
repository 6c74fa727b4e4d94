/**
 * The functions that are not for plain kernels, as lines of the table that signatures.ts explains: vectors in memory, async copies,
 * atomics, images, printf, what came with OpenCL C 2.0, and what clang has.
 */
import { imageSignatures } from './image-signatures.ts';
import { laterSignatures } from './later-signatures.ts';
import { everything, type SignatureLine, textsOf } from './signatures.ts';

/** The names of a store of half: without a rounding mode, and with each. */
function roundedNames(name: string): string {
  return ['', '_rte', '_rtz', '_rtp', '_rtn'].map((mode) => name + mode).join(' ');
}

const otherSignatures: readonly SignatureLine[] = [
  // 6.12.7 vector loads and stores
  ...[2, 3, 4, 8, 16].map((n) => [`vload${n}`, `${everything}:${n}:plgk T(z,*@c:E)`] satisfies SignatureLine),
  ...[2, 3, 4, 8, 16].map(
    (n) => [`vstore${n}`, `${everything}:${n}:plg v(T,z,*@:E)`] satisfies SignatureLine,
  ),

  // the same with half in memory; the rounding is part of the name
  ['vload_half', 'f:1:plgk T(z,*@c:h)'],
  ...[2, 3, 4, 8, 16].map(
    (n) => [`vload_half${n} vloada_half${n}`, `f:${n}:plgk T(z,*@c:h)`] satisfies SignatureLine,
  ),
  [roundedNames('vstore_half'), 'fd:1:plg v(T,z,*@:h)'],
  ...[2, 3, 4, 8, 16].map(
    (n) =>
      [
        `${roundedNames(`vstore_half${n}`)} ${roundedNames(`vstorea_half${n}`)}`,
        `fd:${n}:plg v(T,z,*@:h)`,
      ] satisfies SignatureLine,
  ),

  // 6.12.10 async copies and prefetch
  ['async_work_group_copy', `${everything}:* e(*l:T,*gc:T,z,e);${everything}:* e(*g:T,*lc:T,z,e)`],
  [
    'async_work_group_strided_copy',
    `${everything}:* e(*l:T,*gc:T,z,z,e);${everything}:* e(*g:T,*lc:T,z,z,e)`,
  ],
  ['wait_group_events', '-:1:p v(i,*@:e)'],
  ['prefetch', `${everything}:* v(*gc:T,z)`],

  // 6.12.11 atomics, and the extensions they come from, of which two are for 64 bits (9.4, 9.5)
  ['atomic_add atomic_sub atomic_min atomic_max atomic_and atomic_or atomic_xor', 'iI:1:gl E(*@v:E,E)'],
  ['atomic_xchg', 'iIf:1:gl E(*@v:E,E)'],
  ['atomic_inc atomic_dec', 'iI:1:gl E(*@v:E)'],
  ['atomic_cmpxchg', 'iI:1:gl E(*@v:E,E,E)'],
  ['atom_add atom_sub atom_min atom_max atom_and atom_or atom_xor atom_xchg', 'iIlL:1:gl E(*@v:E,E)'],
  ['atom_inc atom_dec', 'iIlL:1:gl E(*@v:E)'],
  ['atom_cmpxchg', 'iIlL:1:gl E(*@v:E,E,E)'],

  ...laterSignatures,

  // 6.12.13 printf; its format says what the other arguments are
  ['printf', '-:1 i(*kc:c,...)'],

  // 6.12.12 miscellaneous vector functions
  ['vec_step', '-:1 i(x)'],
  ['shuffle', `${everything}:2 N(T,M)`],
  ['shuffle2', `${everything}:2 N(T,T,M)`],

  // 6.12.14 images
  ...imageSignatures,

  // not of OpenCL but of clang; long is 64 bits wide here
  ['__builtin_expect', 'l:1 T(T,T)'],
  ['__builtin_bswap16', 'S:1 T(T)'],
  ['__builtin_bswap32', 'I:1 T(T)'],
  ['__builtin_bswap64', 'L:1 T(T)'],
  ['__builtin_clz __builtin_ctz __builtin_popcount', 'I:1 i(T)'],
  ['__builtin_ffs', 'i:1 i(T)'],
  [
    '__builtin_clzl __builtin_ctzl __builtin_popcountl __builtin_clzll __builtin_ctzll __builtin_popcountll',
    'L:1 i(T)',
  ],
  ['__builtin_ffsl __builtin_ffsll', 'l:1 i(T)'],
  ['__builtin_sadd_overflow __builtin_ssub_overflow __builtin_smul_overflow', 'i:1:plg i(T,T,*@:T)'],
  ['__builtin_uadd_overflow __builtin_usub_overflow __builtin_umul_overflow', 'I:1:plg i(T,T,*@:T)'],
  [
    '__builtin_saddl_overflow __builtin_ssubl_overflow __builtin_smull_overflow ' +
      '__builtin_saddll_overflow __builtin_ssubll_overflow __builtin_smulll_overflow',
    'l:1:plg i(T,T,*@:T)',
  ],
  [
    '__builtin_uaddl_overflow __builtin_usubl_overflow __builtin_umull_overflow ' +
      '__builtin_uaddll_overflow __builtin_usubll_overflow __builtin_umulll_overflow',
    'L:1:plg i(T,T,*@:T)',
  ],
];

let texts: ReadonlyMap<string, string> | undefined;

/** The patterns of these functions by their names. */
export function otherTexts(): ReadonlyMap<string, string> {
  texts ??= textsOf(otherSignatures);
  return texts;
}

/**
 * The declarations of OpenCL C's built-in functions (OpenCL 1.2, 6.12) as a compact table. One line stands for a
 * whole family of overloads; nothing is instantiated before a program calls the function (see resolve.ts).
 *
 * A line maps names to overload patterns separated by `;`. A pattern is
 *
 *     ELEMENTS:LANES[:SPACES] RESULT(PARAMETER,...)
 *
 * - ELEMENTS: what the generic element may be. `c s i l` char to long, `C S I L` their unsigned forms, `f` float,
 *   `d` double, `h` half; `-` for a function that is not generic.
 * - LANES: `*` scalar and every vector, `+` vectors only, `2` the powers of two from 2, `#` scalar and up to 4, `1` scalar only, or one lane count.
 * - SPACES: the address spaces that `@` may be: `p` private, `l` local, `g` global, `k` constant. Where `p` is among them,
 *   a generic pointer is taken, too.
 *
 * Types: `T` the generic type, `E` its element, `S` and `U` the signed and unsigned integers of the element's size with
 * T's lanes, `I` int with T's lanes, `W` integers of twice the size, `R` what comparisons give (int for scalars, else S),
 * `M` U's element and `N` T's element with the lanes of a shuffle mask; `i` int, `u` uint, `z` size_t, `v` void,
 * `h` half, `e` event_t, `b` bool, `A` an atomic object that holds an E, `F` an atomic_flag, `x` any value at all, `...` at
 * the end any values, or none; or a type by its name: `float4`, `sampler_t`, `read_only image2d_t`. A pointer is `*`, its
 * space (`G` is generic: what converts to that is taken), any of `c` (const) and `v` (volatile), `:`, and what it points
 * to: `*@c:E`; `*G:v` is any.
 */
import { imageSignatures } from './image-signatures.ts';
import { laterSignatures } from './later-signatures.ts';

const integers = 'cCsSiIlL';
const everything = 'cCsSiIlLfdh';

/** The names of a store of half: without a rounding mode, and with each. */
function roundedNames(name: string): string {
  return ['', '_rte', '_rtz', '_rtp', '_rtn'].map((mode) => name + mode).join(' ');
}

export const signatureTable: readonly (readonly [names: string, patterns: string])[] = [
  // 6.12.1 work-item functions
  ['get_work_dim', '-:1 u()'],
  [
    'get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id get_global_offset',
    '-:1 z(u)',
  ],

  // 6.12.2 math functions
  [
    'acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 ' +
      'fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc',
    'fdh:* T(T)',
  ],
  ['atan2 atan2pi copysign fdim fmod hypot maxmag minmag nextafter pow powr remainder', 'fdh:* T(T,T)'],
  ['fmax fmin', 'fdh:* T(T,T);fdh:+ T(T,E)'],
  ['fma mad', 'fdh:* T(T,T,T)'],
  ['ldexp', 'fdh:* T(T,I);fdh:+ T(T,i)'],
  ['pown rootn', 'fdh:* T(T,I)'],
  ['ilogb', 'fdh:* I(T)'],
  ['frexp lgamma_r', 'fdh:*:plg T(T,*@:I)'],
  ['fract modf sincos', 'fdh:*:plg T(T,*@:T)'],
  ['remquo', 'fdh:*:plg T(T,T,*@:I)'],
  ['nan', 'fdh:* T(U)'],
  [
    'half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin ' +
      'half_sqrt half_tan native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 ' +
      'native_recip native_rsqrt native_sin native_sqrt native_tan',
    'f:* T(T)',
  ],
  ['half_divide half_powr native_divide native_powr', 'f:* T(T,T)'],

  // 6.12.3 integer functions
  ['abs', `${integers}:* U(T)`],
  ['abs_diff', `${integers}:* U(T,T)`],
  ['add_sat sub_sat hadd rhadd mul_hi rotate', `${integers}:* T(T,T)`],
  ['clz popcount', `${integers}:* T(T)`],
  ['mad_hi mad_sat', `${integers}:* T(T,T,T)`],
  ['upsample', 'cCsSiI:* W(T,U)'],
  ['mul24', 'iI:* T(T,T)'],
  ['mad24', 'iI:* T(T,T,T)'],

  // 6.12.4 common functions; max, min and clamp are integer functions too
  ['max min', `${everything}:* T(T,T);${everything}:+ T(T,E)`],
  ['clamp', `${everything}:* T(T,T,T);${everything}:+ T(T,E,E)`],
  ['degrees radians sign', 'fdh:* T(T)'],
  ['mix', 'fdh:* T(T,T,T);fdh:+ T(T,T,E)'],
  ['step', 'fdh:* T(T,T);fdh:+ T(E,T)'],
  ['smoothstep', 'fdh:* T(T,T,T);fdh:+ T(E,E,T)'],

  // 6.12.5 geometric functions
  ['cross', 'fdh:3 T(T,T);fdh:4 T(T,T)'],
  ['dot distance', 'fdh:# E(T,T)'],
  ['length', 'fdh:# E(T)'],
  ['normalize', 'fdh:# T(T)'],
  ['fast_distance', 'f:# E(T,T)'],
  ['fast_length', 'f:# E(T)'],
  ['fast_normalize', 'f:# T(T)'],

  // 6.12.6 relational functions
  [
    'isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered',
    'fdh:* R(T,T)',
  ],
  ['isfinite isinf isnan isnormal signbit', 'fdh:* R(T)'],
  ['any all', 'csil:* i(T)'],
  ['bitselect', `${everything}:* T(T,T,T)`],
  ['select', `${everything}:* T(T,T,S);${everything}:* T(T,T,U)`],

  // 6.12.7 vector loads and stores
  ...[2, 3, 4, 8, 16].map(
    (n) =>
      [`vload${n}`, `${everything}:${n}:plgk T(z,*@c:E)`] satisfies readonly [
        names: string,
        patterns: string,
      ],
  ),
  ...[2, 3, 4, 8, 16].map(
    (n) =>
      [`vstore${n}`, `${everything}:${n}:plg v(T,z,*@:E)`] satisfies readonly [
        names: string,
        patterns: string,
      ],
  ),

  // the same with half in memory; the rounding is part of the name
  ['vload_half', 'f:1:plgk T(z,*@c:h)'],
  ...[2, 3, 4, 8, 16].map(
    (n) =>
      [`vload_half${n} vloada_half${n}`, `f:${n}:plgk T(z,*@c:h)`] satisfies readonly [
        names: string,
        patterns: string,
      ],
  ),
  [roundedNames('vstore_half'), 'fd:1:plg v(T,z,*@:h)'],
  ...[2, 3, 4, 8, 16].map(
    (n) =>
      [
        `${roundedNames(`vstore_half${n}`)} ${roundedNames(`vstorea_half${n}`)}`,
        `fd:${n}:plg v(T,z,*@:h)`,
      ] satisfies readonly [names: string, patterns: string],
  ),

  // 6.12.8, 6.12.9 synchronisation
  ['barrier mem_fence read_mem_fence write_mem_fence', '-:1 v(u)'],

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

/** The patterns of `convert_TYPE` (OpenCL 1.2, 6.2.3), whose result resolve.ts takes from the name. */
export const convertElements = everything;

/**
 * The declarations of OpenCL C's built-in functions (OpenCL 1.2, 6.12) as a compact table: here those of plain kernels, in other-signatures.ts all
 * others, which a page need not have loaded before a program calls one. One line stands for a
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
const integers = 'cCsSiIlL';
/** The elements of most functions. */
export const everything = 'cCsSiIlLfdh';

/** One line of the table. */
export type SignatureLine = readonly [names: string, patterns: string];

export const plainSignatures: readonly SignatureLine[] = [
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

  // 6.12.8, 6.12.9 synchronisation
  ['barrier mem_fence read_mem_fence write_mem_fence', '-:1 v(u)'],
];

/** The patterns of `convert_TYPE` (OpenCL 1.2, 6.2.3), whose result resolve.ts takes from the name. */
export const convertElements = everything;

/** The patterns of each name in lines of the table. */
export function textsOf(lines: readonly SignatureLine[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [names, patterns] of lines) for (const name of names.split(' ')) texts.set(name, patterns);
  return texts;
}

let plainTexts: ReadonlyMap<string, string> | undefined;

/** The patterns of a plain function. */
export function plainText(name: string): string | undefined {
  plainTexts ??= textsOf(plainSignatures);
  return plainTexts.get(name);
}

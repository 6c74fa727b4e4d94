/** Identifiers: the source's names where C allows them, each unique in its scope. */

const keywords = `auto bool break case char const constant continue default do double else enum extern false float for
  generic global goto half if image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t inline int
  kernel local long main pipe private quad read_only read_write register restrict return sampler_t short signed sizeof
  static struct switch true typedef uchar uint ulong uniform union unsigned ushort void volatile while write_only
  event_t size_t ptrdiff_t intptr_t uintptr_t complex imaginary NAN INFINITY INT_MIN LONG_MIN M_PI
  CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE`;

/** What the written code calls, which no variable may hide. */
const called = `get_work_dim get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id
  get_global_offset barrier mem_fence read_mem_fence write_mem_fence min max clz popcount rotate mul_hi fabs sqrt floor
  ceil trunc rint fmin fmax copysign fma select`;

/** Functions that every OpenCL compiler knows: a function of the program may not be called so. */
const builtin = `abs abs_diff acos acosh acospi add_sat all any asin asinh asinpi atan atan2 atan2pi atanh atanpi
  bitselect cbrt clamp cos cosh cospi cross ctz degrees distance dot erf erfc exp exp10 exp2 expm1 fast_distance
  fast_length fast_normalize fdim fmod fract frexp hadd hypot ilogb isequal isfinite isgreater isinf isless isnan
  isnormal isnotequal isordered isunordered ldexp length lgamma log log10 log1p log2 logb mad mad24 mad_hi mad_sat mix
  modf mul24 nan nextafter normalize pow powr prefetch printf radians remainder remquo rhadd rootn round rsqrt
  shuffle shuffle2 sign signbit sin sincos sinh sinpi smoothstep step sub_sat tan tanh tanpi tgamma upsample vec_step`;

/** Whether a parameter of that name would hide something that the code needs. */
export function isHiding(word: string): boolean {
  return needed.has(word) || vectorName.test(word) || !/^[A-Za-z_]\w*$/.test(word);
}

const words = (text: string): string[] => text.split(/\s+/);
const needed = new Set([...words(keywords), ...words(called)]);
const reserved = new Set([...words(keywords), ...words(called), ...words(builtin)]);
const reservedStart =
  /^(as_|convert_|vload|vstore|atomic_|atom_|get_|async_|native_|half_|read_image|write_image|__)/;
const vectorName = /^(bool|half|float|double|u?(char|short|int|long))\d*$/;

/** Whether OpenCL C means something by the word. */
export function isReserved(word: string): boolean {
  return reserved.has(word) || reservedStart.test(word) || vectorName.test(word);
}

/** The names of one scope. */
export class NameScope {
  readonly #taken = new Set<string>();
  readonly #outer: NameScope | undefined;
  /** Where to go on counting, so that many values of one name stay cheap. */
  readonly #next = new Map<string, number>();

  constructor(outer?: NameScope) {
    this.#outer = outer;
  }

  has(name: string): boolean {
    return this.#taken.has(name) || (this.#outer?.has(name) ?? false);
  }

  /** A name of its own, as near to the wish as can be. */
  unique(wish: string): string {
    const wished = identifier(wish);
    // `as_1` and all that follow would be words of the language.
    const base = isReserved(`${wished}_`) ? `v_${wished}` : wished;
    let name = isReserved(base) ? `${base}_` : base;
    if (this.has(name)) {
      const start = base.replace(/_\d+$/, '');
      let index = this.#next.get(start) ?? 1;
      do {
        name = `${start}_${index}`;
        index += 1;
      } while (this.has(name) || isReserved(name));
      this.#next.set(start, index);
    }
    this.#taken.add(name);
    return name;
  }

  /** Takes exactly this name. */
  take(name: string): void {
    this.#taken.add(name);
  }
}

function identifier(wish: string): string {
  const cleaned = wish.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+/, '');
  if (cleaned === '') return 'value';
  return /^\d/.test(cleaned) ? `n${cleaned}` : cleaned;
}

/**
 * What the library has: the functions of its files, and the built-in kernels.
 *
 * What reads and writes images takes the address of a descriptor; src/ir/images.ts has the names. A math function
 * `NAME` for float is called `__millrace_NAME_f32` there, for double `__millrace_NAME_f64`. Those for half are the
 * float ones, rounded. Vectors are applied lane by lane by the lowering. What deals with pipes takes the address of one.
 */

/** The names of functions that there are for each kind of image. */
function imageNames(patterns: readonly string[]): string[] {
  const shapes = ['1d', '1d_array', '2d', '2d_array', '3d'];
  return patterns.flatMap((pattern) => shapes.map((shape) => `image_${pattern.replace('*', shape)}`));
}

/** Files with the functions that other files or programs call. */
const contents: Readonly<Record<string, string>> = {
  'image-pixels.cl':
    'image_pixel_f32 image_called_pixel_f32 image_other_pixel_f32 image_pixel_i32 image_other_pixel_i32',
  'image-queries.cl':
    'image_width image_height image_depth image_array_size image_channel_data_type image_channel_order',
  'image-reads.cl': imageNames([
    'sample_*_f32_f32',
    'sample_*_f32_i32',
    'sample_*_i32_f32',
    'sample_*_i32_i32',
  ])
    .concat(imageNames(['read_*_f32', 'read_*_i32']))
    .join(' '),
  'image-writes.cl': imageNames(['write_*_f32', 'write_*_i32']).join(' '),
  'async.cl': 'async_copy async_wait barrier_flags',
  'check.cl':
    'check_read check_write1 check_write2 check_write4 check_write8 check_write_range check_atomic check_atomic_load ' +
    'check_order check_group check_arrive check_fence check_pass check_next check_find check_copy check_wait check_end check_steps ' +
    'check_read_local check_read_global check_write_local check_write_global check_update_local ' +
    'check_atomic_on_local check_learn check_pass_on',
  'double-parts.cl': 'two_sum_f64 two_product_f64 pair_product_f64 pair_sum_f64',
  'erf-double.cl': 'erf_f64 erfc_f64',
  'exp.cl': 'exp_f32 exp2_f32 exp10_f32',
  'exp-double.cl': 'exp_f64 exp2_f64 exp10_f64',
  'float-parts.cl': 'ilogb_f32 frexp_fraction_f32 frexp_exponent_f32 ldexp_f32 fmod_f32',
  'float-parts-double.cl': 'ilogb_f64 frexp_fraction_f64 frexp_exponent_f64 ldexp_f64 fmod_f64',
  'gamma.cl': 'erf_f32 erfc_f32 tgamma_f32 lgamma_f32 lgamma_sign_f32',
  'gamma-double.cl': 'tgamma_f64 lgamma_f64 lgamma_sign_f64',
  'half.cl': 'nextafter_f16',
  'hyperbolic.cl': 'sinh_f32 cosh_f32 tanh_f32',
  'hyperbolic-double.cl': 'sinh_f64 cosh_f64 tanh_f64',
  'inverse-trig.cl': 'asin_f32 acos_f32 atan_f32 atan2_f32',
  'inverse-trig-double.cl': 'asin_f64 acos_f64 atan_f64 atan2_f64',
  'log.cl': 'log_f32 log2_f32 log10_f32',
  'log-double.cl': 'log_f64 log2_f64 log10_f64 log_pair_f64',
  'near-one.cl': 'expm1_f32 log1p_f32 asinh_f32 acosh_f32 atanh_f32',
  'near-one-double.cl': 'expm1_f64 log1p_f64 asinh_f64 acosh_f64 atanh_f64',
  'pipes.cl': 'pipe_take pipe_pass pipe_reserve pipe_slot pipe_commit pipe_packets pipe_slots',
  'pow.cl': 'pow_f32 pown_f32 powr_f32 rootn_f32',
  'pow-double.cl': 'pow_f64 pown_f64 powr_f64 rootn_f64',
  'remainder.cl': 'remainder_f32 remquo_quotient_f32 nextafter_f32 logb_f32',
  'remainder-double.cl': 'remainder_f64 remquo_quotient_f64 nextafter_f64 logb_f64',
  'root.cl': 'cbrt_f32 hypot_f32',
  'root-double.cl': 'cbrt_f64 hypot_f64',
  'trig.cl': 'sin_f32 cos_f32 tan_f32 large_angle_f32 large_quarters_f32',
  'trig-double.cl': 'sin_f64 cos_f64 tan_f64 sin_part_f64 cos_part_f64',
  'trig-pi.cl': 'sinpi_f32 cospi_f32 tanpi_f32 asinpi_f32 acospi_f32 atanpi_f32 atan2pi_f32',
  'trig-pi-double.cl': 'sinpi_f64 cospi_f64 tanpi_f64 asinpi_f64 acospi_f64 atanpi_f64 atan2pi_f64',
};

/**
 * Files with functions of the same names as others have, for machines whose doubles are slow: they compute in float alone, and lose a little
 * more. src/opencl/link-library.ts puts them in the place of the others.
 */
const singles: Readonly<Record<string, string>> = {
  'single/gamma.cl': 'erf_f32 erfc_f32 tgamma_f32 lgamma_f32 lgamma_sign_f32',
  'single/hyperbolic.cl': 'expm1_f32 log1p_f32 sinh_f32 cosh_f32 tanh_f32 asinh_f32 acosh_f32 atanh_f32',
  'single/inverse-trig.cl':
    'asin_f32 acos_f32 atan_f32 atan2_f32 asinpi_f32 acospi_f32 atanpi_f32 atan2pi_f32',
  'single/parts.cl': 'ldexp_f32 fmod_f32 remainder_f32 remquo_quotient_f32',
  'single/pow.cl': 'pow_f32 pown_f32 powr_f32 rootn_f32',
  'single/trig-pi.cl': 'sinpi_f32 cospi_f32 tanpi_f32',
  'single/root.cl': 'cbrt_f32 hypot_f32',
};

/** Files that are written in OpenCL C 2.0, for its atomics. */
const laterFiles: ReadonlySet<string> = new Set(['pipes.cl']);

/** What the functions of a file serve: an attribute of each (`serves` of an ir.Function), if anything. */
export function servedBy(file: string): 'images' | 'pipes' | undefined {
  if (file.startsWith('image-')) return 'images';
  return file === 'pipes.cl' ? 'pipes' : undefined;
}

/** The build options of a file. */
export function libraryOptions(file: string): string {
  return laterFiles.has(file) ? '-cl-std=CL2.0' : '';
}

/** The kernels of kernels.cl, which hosts get by their names (OpenCL 1.2, 5.6.1). */
export const builtInKernelNames: readonly string[] = [
  'millrace_fill',
  'millrace_copy',
  'millrace_reduce_sum',
  'millrace_reduce_min',
  'millrace_reduce_max',
  'millrace_scan_exclusive',
  'millrace_sgemm',
];

/** What every library function's name begins with; programs may not use it. */
export const libraryPrefix = '__millrace_';

/** All functions, or those that compute in float alone. */
export type LibraryKind = 'all' | 'singles';

/** The names of the files with functions. */
export function libraryFiles(kind: LibraryKind = 'all'): readonly string[] {
  return Object.keys(kind === 'all' ? contents : singles);
}

/** The names of all functions that other files or programs call. */
export function libraryFunctions(kind: LibraryKind = 'all'): readonly string[] {
  const lists = Object.values(kind === 'all' ? contents : singles);
  return lists.flatMap((names) => names.split(' ').map((name) => libraryPrefix + name));
}

/** The parts that bodies of functions stand in: those of images, doubles, pipes and the checker are not for every page. */
export const libraryParts = ['basic', 'double', 'images', 'rare', 'checks'] as const;

export type LibraryPart = (typeof libraryParts)[number];

/** The part that has the body of a function. */
export function libraryPartOf(name: string): LibraryPart {
  const short = name.slice(libraryPrefix.length);
  if (short.startsWith('image_')) return 'images';
  if (short.startsWith('check_')) return 'checks';
  if (short.startsWith('pipe_')) return 'rare';
  return short.endsWith('_f64') ? 'double' : 'basic';
}

/**
 * What of the OpenCL-CTS is run: the directories that OpenCL 1.2 asks of a device, and those of OpenCL 2.0, their programs, and
 * what each program is told beside the name of a test.
 */

export interface SuiteProgram {
  /** The target in the suite's CMake files, which is also the file's name without `.wasm`. */
  readonly target: string;
  /** Where CMake puts it, from the build folder. */
  readonly folder: string;
  /** Before a test's name. */
  readonly words?: readonly string[];
  /** What stands in the table for a program that runs with several lists of words. */
  readonly variant?: string;
  /** What makes the program print the names of its tests; `-h` by default. */
  readonly listing?: string;
  /** The names of tests, for programs that cannot list them. */
  readonly tests?: readonly string[];
  /** What the program calls the parts of a test, if it is not one of its own. */
  readonly parts?: (test: string) => readonly string[];
  /** Minutes for one test; 5 by default. */
  readonly minutes?: number;
  /** What is left out against a full run, in a few words. */
  readonly reduced?: string;
}

export interface SuiteDirectory {
  readonly name: string;
  /** The version of OpenCL whose features it is about; its tests skip themselves on devices of earlier ones. */
  readonly version: '1.2' | '2.0';
  readonly programs: readonly SuiteProgram[];
}

/** A directory with one program that is named like it. */
function plain(name: string, rest: Partial<SuiteProgram> = {}): SuiteDirectory {
  return {
    name,
    version: '1.2',
    programs: [{ target: `test_${name}`, folder: `test_conformance/${name}`, ...rest }],
  };
}

/** A directory of OpenCL 2.0. */
function plain2(name: string, rest: Partial<SuiteProgram> = {}): SuiteDirectory {
  return { ...plain(name, rest), version: '2.0' };
}

function image(folder: string, target: string, rest: Partial<SuiteProgram> = {}): SuiteProgram {
  const more = { words: ['small_images'], reduced: 'images of at most 9 by 9 by 9 pixels', ...rest };
  return { target, folder: `test_conformance/images/${folder}`, minutes: 60, ...more };
}

const types = ['uchar', 'char', 'ushort', 'short', 'uint', 'int', 'float', 'double', 'ulong', 'long'];

/** One test is all conversions of a pair of types. */
const conversions = types.flatMap((to) => types.map((from) => `${to}_${from}`));

/** Conversions by the program's names, `destination<_sat><_rounding>_source`; those to floats do not saturate. */
function conversionsOf(pair: string): string[] {
  const [to = '', from = ''] = pair.split('_');
  const saturations = to === 'float' || to === 'double' ? [''] : ['', '_sat'];
  const roundings = ['', '_rte', '_rtp', '_rtn', '_rtz'];
  return saturations.flatMap((sat) => roundings.map((rounding) => `${to}${sat}${rounding}_${from}`));
}

const wimpy = 'wimpy mode: a sample of the values';

export const directories: readonly SuiteDirectory[] = [
  plain('api'),
  plain('basic', { minutes: 15 }),
  plain('buffers'),
  plain('events'),
  plain('compiler'),
  plain('computeinfo'),
  plain('profiling'),
  plain('mem_host_flags'),
  {
    name: 'multiple_device_context',
    version: '1.2',
    programs: [{ target: 'test_multiples', folder: 'test_conformance/multiple_device_context' }],
  },
  plain('allocations', {
    words: ['single', '1', '25%'],
    reduced: 'one allocation of a quarter of the largest size',
  }),
  plain('atomics'),
  plain('thread_dimensions', { minutes: 60 }),
  plain('vectors'),
  plain('printf'),
  plain('relationals'),
  plain('select', { words: ['-w'], reduced: wimpy, minutes: 15 }),
  plain('commonfns'),
  plain('geometrics'),
  plain('integer_ops', { minutes: 60 }),
  {
    name: 'images',
    version: '1.2',
    programs: [
      image('clGetInfo', 'test_cl_get_info'),
      image('clCopyImage', 'test_cl_copy_images'),
      image('clFillImage', 'test_cl_fill_images'),
      image('clReadWriteImage', 'test_cl_read_write_images'),
      image('kernel_image_methods', 'test_kernel_image_methods'),
      image('kernel_read_write', 'test_image_streams', {
        words: ['small_images', 'CL_FILTER_NEAREST'],
        variant: 'nearest',
      }),
      image('kernel_read_write', 'test_image_streams', {
        words: ['small_images', 'CL_FILTER_LINEAR'],
        variant: 'linear',
      }),
      image('samplerlessReads', 'test_samplerless_reads'),
    ],
  },
  plain('conversions', {
    words: ['-w'],
    tests: conversions,
    parts: conversionsOf,
    reduced: wimpy,
    minutes: 10,
  }),
  {
    name: 'math_brute_force',
    version: '1.2',
    programs: [
      {
        target: 'test_bruteforce',
        folder: 'test_conformance/math_brute_force',
        words: ['-w'],
        listing: '-p',
        reduced: wimpy,
        minutes: 15,
      },
    ],
  },
  plain2('SVM', { target: 'test_svm', minutes: 10 }),
  plain2('pipes'),
  plain2('device_execution', { words: ['-w'], reduced: wimpy, minutes: 10 }),
  plain2('workgroups'),
  plain2('subgroups', { minutes: 10 }),
  plain2('generic_address_space'),
  plain2('c11_atomics', { minutes: 30 }),
  plain2('non_uniform_work_group', { minutes: 10 }),
];

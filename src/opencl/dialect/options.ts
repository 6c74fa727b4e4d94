/** What a dialect of OpenCL C is made from. */
import type { BuiltinTable } from '../../c/dialect.ts';

/** `-cl-std`: 100 is CL1.0, 120 is CL1.2. */
export type OpenCLVersion = 100 | 110 | 120 | 200 | 300;

export interface OpenCLDialectOptions {
  /** Default 120. */
  readonly version?: OpenCLVersion;
  /** The width of pointers and size_t. Default 32. */
  readonly addressBits?: 32 | 64;
  /** Extensions that can be turned on; the default is {@link defaultExtensions}. */
  readonly extensions?: ReadonlySet<string>;
  /** `-cl-single-precision-constant`: `1.0` is a float. */
  readonly singlePrecisionConstants?: boolean;
  /** Further macros, or other values for those that are predefined. */
  readonly macros?: Readonly<Record<string, string>>;
  /** The built-in functions; by default those of src/opencl/builtins. For tests. */
  readonly builtins?: BuiltinTable;
}

export const defaultExtensions: ReadonlySet<string> = new Set([
  'cl_khr_fp64',
  'cl_khr_3d_image_writes',
  'cl_khr_fp16',
  'cl_khr_byte_addressable_store',
  'cl_khr_global_int32_base_atomics',
  'cl_khr_global_int32_extended_atomics',
  'cl_khr_local_int32_base_atomics',
  'cl_khr_local_int32_extended_atomics',
  'cl_khr_int64_base_atomics',
  'cl_khr_int64_extended_atomics',
]);

/** OpenCL C as the C core sees it. */
export { openclDialect } from './opencl-dialect.ts';
export { defaultExtensions, type OpenCLDialectOptions, type OpenCLVersion } from './options.ts';

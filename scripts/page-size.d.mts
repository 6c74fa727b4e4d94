/** What a page loads of an application's bundle, in bytes; `files` are without compression. */
export interface PageSize {
  readonly gzip: number;
  readonly brotli: number;
  readonly files: Readonly<Record<string, number>>;
}

export function measurePage(
  application: string,
): Promise<Readonly<Record<'first' | 'binaries' | 'sources' | 'all', PageSize>>>;

export const applications: Readonly<Record<'local' | 'compile' | 'kernels' | 'opencl', string>>;

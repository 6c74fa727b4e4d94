/** What build options say of the arithmetic of floats. */
export interface Precision {
  /** Division and square root are rounded correctly; else they are within OpenCL's bounds. */
  readonly isExact?: boolean | undefined;
  /** Sums and products may be reordered. */
  readonly isRelaxed?: boolean | undefined;
}

export function precisionOf(buildOptions: string): Precision {
  const words = buildOptions.split(/\s+/);
  return {
    isExact: words.includes('-cl-fp32-correctly-rounded-divide-sqrt'),
    isRelaxed: words.includes('-cl-fast-relaxed-math') || words.includes('-cl-unsafe-math-optimizations'),
  };
}

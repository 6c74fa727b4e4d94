/**
 * Functions of the library that WGSL has itself: what OpenCL C calls native, whose error is the machine's affair. Relaxed arithmetic uses
 * them too: what WGSL promises is what OpenCL 3.0 asks for with -cl-fast-relaxed-math (table 7.4 there).
 */
import type * as ir from '../../ir/ir.ts';

const expressions: Readonly<Record<string, (x: string, y: string) => string>> = {
  cos: (x) => `cos(${x})`,
  exp: (x) => `exp(${x})`,
  exp2: (x) => `exp2(${x})`,
  exp10: (x) => `exp2(${x} * 3.3219280948873622f)`,
  log: (x) => `log(${x})`,
  log2: (x) => `log2(${x})`,
  log10: (x) => `(log2(${x}) * 0.30102999566398120f)`,
  powr: (x, y) => `exp2(${y} * log2(${x}))`,
  sin: (x) => `sin(${x})`,
  tan: (x) => `tan(${x})`,
};

const prefix = '__millrace_native_';
const suffix = '_f32';

/** The names in the library: calls of them stay calls. */
export const builtinFunctions: ReadonlySet<string> = new Set(
  Object.keys(expressions).map((name) => `${prefix}${name}${suffix}`),
);

export function isBuiltin(fn: ir.Function): boolean {
  return builtinFunctions.has(fn.name);
}

/** A call of one of them. */
export function builtinText(fn: ir.Function, args: readonly string[]): string {
  return expressions[fn.name.slice(prefix.length, -suffix.length)]!(args[0]!, args[1] ?? '');
}

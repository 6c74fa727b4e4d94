/** For tests that run a kernel in several ways and want the same of all. */
import type { TestArgument } from './run-kernel.ts';

/** The same arguments, with buffers of their own. */
export function copyOf(args: readonly TestArgument[]): TestArgument[] {
  return args.map((argument) => ('buffer' in argument ? { buffer: argument.buffer.slice() } : argument));
}

/** The first difference between two runs' buffers. */
export function difference(
  expected: readonly TestArgument[],
  actual: readonly TestArgument[],
): string | undefined {
  for (const [index, argument] of expected.entries()) {
    const other = actual[index]!;
    if (!('buffer' in argument) || !('buffer' in other)) continue;
    const at = argument.buffer.findIndex((byte, offset) => byte !== other.buffer[offset]);
    if (at >= 0) return `argument ${index} differs at byte ${at}`;
  }
  return undefined;
}

/** Whether two faults are of one kind: the numbers in them may differ. */
export function isAlike(a: string | undefined, b: string): boolean {
  const kind = (text: string): string => text.replaceAll(/%[\w.?]+|\d+/g, '').slice(0, 80);
  return a !== undefined && kind(a) === kind(b);
}

export interface Seeds {
  readonly from: number;
  readonly to: number;
}

/** The seeds that MILLRACE_SEEDS names, as `4711` or `0-10000`, in parts; undefined if it is not set. */
export function seedsFromEnvironment(): Seeds[] | undefined {
  const range = process.env['MILLRACE_SEEDS'];
  if (!range) return undefined;
  const [from = 0, to = from + 1] = range.split('-').map(Number);
  const length = Math.ceil((to - from) / 10);
  return Array.from({ length: 10 }, (_, index) => ({
    from: from + index * length,
    to: Math.min(to, from + (index + 1) * length),
  })).filter((part) => part.from < part.to);
}

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

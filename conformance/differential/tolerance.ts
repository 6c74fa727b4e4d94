/**
 * How far floating-point results may lie apart. Sources are compiled with contraction off, so all that implementations
 * may choose is the error of the built-in functions that are not exact: a kernel without one must agree to the last bit.
 */
import { measuredFunctions } from '../accuracy/functions.ts';

/**
 * Two results may err in opposite directions, and arithmetic after the call carries the errors on: a few times the
 * allowed error of the worst function is what kernels show that use them in expressions.
 */
const carriedOn = 8;
/** For functions whose error the specification leaves to the implementation. */
const ofNative = 8192;

/**
 * Units in the last place for what the kernels of a source compute, from the functions that it calls.
 * @param roundsCorrectly whether all devices round division and square root of float correctly
 */
export function toleranceOf(source: string, roundsCorrectly: boolean): number {
  const called = new Set([...source.matchAll(/\b([a-z_]\w*)\s*\(/g)].map((match) => match[1]!));
  let worst = 0;
  for (const { name, float } of measuredFunctions) {
    if (called.has(name) && !(name === 'sqrt' && roundsCorrectly)) worst = Math.max(worst, float ?? ofNative);
  }
  if (!roundsCorrectly && source.includes('/')) worst = Math.max(worst, 2.5);
  // Half a unit is what correct rounding leaves.
  if (worst <= 0.5) worst = 0;
  // Sums of products in an order that is left open.
  for (const name of ['dot', 'length', 'distance', 'normalize', 'cross', 'mix', 'smoothstep', 'mad']) {
    if (called.has(name)) worst = Math.max(worst, 4);
  }
  for (const name of ['fast_length', 'fast_distance', 'fast_normalize']) {
    if (called.has(name)) worst = Math.max(worst, ofNative);
  }
  return worst * carriedOn;
}

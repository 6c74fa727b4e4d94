/**
 * Tables of the language's rules: for each a program that breaks it, what is said of that, and the nearest program that
 * keeps it, so that a rule which rejects too much fails too. Places and words are those of clang 14 unless it says
 * nothing or points further away.
 */
import { openclDialect } from '../../../src/opencl/dialect/index.ts';
import { diagnose } from '../../c/diagnose.ts';

/** The section of OpenCL 1.2 (or of C99) that has the rule. */
export type Rule = readonly [section: string, wrong: string, said: readonly string[], right: string];

const dialect = openclDialect({ addressBits: 64 });

/** What is said of a whole program, with all built-in functions, on a device with addresses of 64 bits. */
export function diagnoseProgram(source: string): readonly string[] {
  return diagnose(source, dialect);
}

/** What is said of statements: they stand on line 2, in a kernel with the parameters that they use. */
export function diagnoseBody(statements: string): readonly string[] {
  return diagnoseProgram(
    `kernel void k(global float4 *a, global int4 *b, global float *f, int i, float x) {\n${statements}\n}`,
  );
}

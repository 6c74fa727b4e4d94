/**
 * A generated kernel of any kind with its check: what `npm run fuzz` runs in great numbers, and some hundreds of with every test
 * run (test/fuzz).
 */
import type { TestArgument } from '../../test/support/run-kernel.ts';
import { generateKernel, type Size } from '../generator/generate.ts';
import type { IdiomLaunch } from '../generator/idiom-launches.ts';
import { generateIdiom } from '../generator/idioms.ts';
import { generatePointers } from '../generator/pointers.ts';
import { reduce } from '../generator/reduce.ts';
import type { Program } from '../generator/syntax.ts';
import { checkIdiom } from './check-idiom.ts';
import { checkMachineCode, type PlainLaunch } from './check-machine-code.ts';
import { checkPointers } from './check-pointers.ts';
import { checkProgram } from './check-program.ts';
import { failsAlike, type Verdict } from './verdict.ts';

/** Idioms, kernels that move pointers, or the size of a program. */
export type Kind = 'idioms' | 'pointers' | Size;

export const kinds: readonly Kind[] = ['idioms', 'pointers', 'small', 'medium', 'large'];

export interface FuzzCase {
  readonly kind: Kind;
  readonly seed: number;
  /** As it was generated. */
  readonly source: string;
  /** The same as a tree, for `reduce`. */
  readonly program: Program;
  /** How the kernel is launched and built, for people. */
  readonly launch: string;
  /** Runs any source as this kernel. */
  check(source: string): Verdict;
}

/** Every fourth kernel prints. */
const printsOf = (seed: number): boolean => seed % 4 === 1;

/**
 * The same kind and seed make the same case.
 * @param isCompared machine code is compared with WebAssembly where the kernel has one meaning in any case, as idioms have not
 */
export function fuzzCase(kind: Kind, seed: number, isCompared = false): FuzzCase {
  if (kind === 'idioms') {
    const idiom = generateIdiom(seed, { prints: printsOf(seed) });
    const { source, program, launches, buildOptions } = idiom;
    const launch = [...launches.map(launchText), `build options: ${buildOptions || 'none'}`].join('\n');
    return { kind, seed, source, program, launch, check: (text) => checkIdiom(seed, idiom, text) };
  }
  if (kind === 'pointers') {
    const made = generatePointers(seed);
    const { source, program } = made;
    const launch = `${JSON.stringify(made.range)} ${made.arguments.map(argumentText).join(' ')}`;
    const check = (text: string): Verdict => checkPointers(seed, made, text);
    const plain = { ...made, kernel: 'k' };
    return { kind, seed, source, program, launch, check: isCompared ? comparing(seed, plain, check) : check };
  }
  const generated = generateKernel(seed, { size: kind, prints: printsOf(seed) });
  const { source, program, range } = generated;
  const launch = JSON.stringify(range);
  const check = (text: string): Verdict => checkProgram(seed, generated, text);
  return {
    kind,
    seed,
    source,
    program,
    launch,
    check: isCompared ? comparing(seed, generated, check) : check,
  };
}

/** Compares first; where both differ, what the whole check says counts, unless it finds nothing. */
function comparing(
  seed: number,
  launch: PlainLaunch,
  check: (source: string) => Verdict,
): (source: string) => Verdict {
  return (source) => {
    const verdict = checkMachineCode(seed, launch, source);
    if (verdict.status !== 'failed') return verdict;
    const whole = check(source);
    return whole.status === 'failed' ? whole : verdict;
  };
}

function argumentText(argument: TestArgument): string {
  if ('buffer' in argument) return `${argument.buffer.length} bytes`;
  if ('within' in argument) return `from byte ${argument.offset} of argument ${argument.within}`;
  if ('local' in argument) return `${argument.local} local bytes`;
  return 'bytes' in argument ? String(new Int32Array(argument.bytes.buffer)[0]) : '-';
}

/** A launch's range, and the numbers among its arguments. */
function launchText({ range, arguments: args }: IdiomLaunch): string {
  const values = args.map((one) => ('bytes' in one ? new Int32Array(one.bytes.buffer)[0] : '-'));
  return `${JSON.stringify(range)} ${values.join(' ')}`;
}

export interface ReportOptions {
  /** Milliseconds to make the kernel small in; 0 leaves it as it was generated. Default a minute. */
  readonly shrinking?: number;
}

/** A failure for people: the seed, what goes wrong, the launch, and the kernel, made as small as it can be while it fails alike. */
export async function failureReport(
  { kind, seed, source, program, launch, check }: FuzzCase,
  fault: string,
  { shrinking = 60_000 }: ReportOptions = {},
): Promise<string> {
  const smallest =
    shrinking > 0
      ? await reduce(program, (candidate) => failsAlike(check(candidate), fault), shrinking)
      : source;
  const { reason = fault } = smallest === source ? { reason: fault } : check(smallest);
  return `${kind}, seed ${seed}: ${reason}\nlaunched with ${launch}\n${smallest}`;
}

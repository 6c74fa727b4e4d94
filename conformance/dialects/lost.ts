/**
 * A generated program that took its process down, or did not end: which language and device it was on, and its smallest form. Everything that is
 * tried runs in other processes (lost-child.ts).
 */
import { generateKernel, type Size } from '../generator/generate.ts';
import { reduce } from '../generator/reduce.ts';
import { CrashJudge } from '../support/crash-judge.ts';
import { evaluateCommon } from './evaluate.ts';
import { generateCommon } from './generate.ts';
import { languages } from './languages.ts';
import { reduceCommon } from './reduce.ts';
import type { CommonProgram } from './tree.ts';

/** Where a program runs: the name of a language of languages.ts and of a device; some languages run on none. */
export interface Pair {
  readonly language: string;
  readonly device: string | undefined;
}

export type LostTrial =
  | { readonly kind: 'common'; readonly pair: Pair; readonly program: CommonProgram }
  /** A source that is launched as the generated kernel of a seed. */
  | {
      readonly kind: 'generated';
      readonly device: string;
      readonly seed: number;
      readonly size: Size;
      readonly source: string;
    };

/** What a child can be asked for. */
export interface LostChild {
  readonly pairs: readonly Pair[];
  readonly devices: readonly string[];
}

/** Every fourth program of the part `devices` is a kernel of conformance/generator; undefined for the others. */
export function sizeOf(seed: number): Size | undefined {
  if (seed % 4 !== 3) return undefined;
  return seed % 8 === 3 ? 'small' : 'medium';
}

/** Seconds that one program may take on one device, where several are tried. */
const seconds = 20;

/**
 * @param program the file that processes run
 * @returns what is left of the program of a seed, with where it was lost
 */
export async function smallestLost(seed: number, program: string, milliseconds: number): Promise<string> {
  const judge = new CrashJudge<LostTrial, LostChild>(program, seconds);
  try {
    const size = sizeOf(seed);
    const { pairs, devices } = await judge.hello();
    if (size !== undefined) return await smallestKernel(seed, size, devices, judge, milliseconds);
    return await smallestCommon(generateCommon(seed), pairs, judge, milliseconds);
  } catch (error) {
    return `making it small went wrong: ${(error as Error).message}`;
  } finally {
    judge.close();
  }
}

type Judge = Pick<CrashJudge<LostTrial, LostChild>, 'fate'>;

const again = 'alone, in a process of its own, it does not come again';

/** A process that ends in one way and one that does not end are different findings. */
const kind = (fate: string | undefined): string | undefined => fate?.replace(/\d+ seconds/, 'some time');

export async function smallestCommon(
  program: CommonProgram,
  pairs: readonly Pair[],
  judge: Judge,
  milliseconds: number,
): Promise<string> {
  for (const pair of pairs) {
    const fate = await judge.fate({ kind: 'common', pair, program });
    if (fate === undefined) continue;
    const smallest = await reduceCommon(
      program,
      async (candidate) =>
        kind(await judge.fate({ kind: 'common', pair, program: candidate })) === kind(fate),
      milliseconds,
    );
    const language = languages.find(({ name }) => name === pair.language)!;
    return [
      `${pair.language}${pair.device === undefined ? '' : ` on ${pair.device}`}: ${fate}`,
      `// ${language.file}; expected: ${evaluateCommon(smallest).join(', ')}`,
      ...smallest.main.parameters.map((name, index) => `// ${name}: ${smallest.inputs[index]!.join(', ')}`),
      language.source(smallest),
    ].join('\n');
  }
  return again;
}

async function smallestKernel(
  seed: number,
  size: Size,
  devices: readonly string[],
  judge: Judge,
  milliseconds: number,
): Promise<string> {
  const generated = generateKernel(seed, { size, isForPocl: true });
  for (const device of devices) {
    const fateOf = (source: string): Promise<string | undefined> =>
      judge.fate({ kind: 'generated', device, seed, size, source });
    const fate = await fateOf(generated.source);
    if (fate === undefined) continue;
    const smallest = await reduce(
      generated.program,
      async (source) => kind(await fateOf(source)) === kind(fate),
      milliseconds,
    );
    return `on ${device}: ${fate}\n// launched with ${JSON.stringify(generated.range)}\n${smallest}`;
  }
  return again;
}

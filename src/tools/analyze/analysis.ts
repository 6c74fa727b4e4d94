/**
 * What the analyzer finds out about kernels: a record that the command prints and a page can show. The Stream KernelAnalyzer gave
 * listings, registers and a characterisation for each chip (guide, 1.1.4, 1.3.1); this adds the guide's estimate for each
 * card, how many wavefronts there are for each count of registers, and advice.
 */

import type { FileSystem } from '../../c/preprocessor.ts';
import { bitsOfFloat } from '../../codegen/r600/bits.ts';
import { chips } from '../../codegen/r600/chips.ts';
import { compileR600 } from '../../codegen/r600/compile.ts';
import { R600Error } from '../../codegen/r600/error.ts';
import { type ParameterPlace, Parameters } from '../../codegen/r600/parameters.ts';
import { lineOf, listingOf } from '../../codegen/r600/print.ts';
import type { Program } from '../../codegen/r600/program.ts';
import { elementOf } from '../../ir/types.ts';
import { cards } from '../../model/cards.ts';
import { type InstructionMix, instructionMix } from '../../model/counts.ts';
import { wavefronts } from '../../model/occupancy.ts';
import { type ModelledRun, modelRun, type RunOptions, sampleRun } from '../../model/run.ts';
import { type GroupSize, gridOf } from '../../model/work-groups.ts';
import { type Advice, adviceFor } from './advice.ts';
import { type Language, languageOf, type Subject, subjectsOf } from './kernels.ts';

/** The chips, oldest first, by the names that {@link ChipAnalysis} has. */
export const chipNames: readonly string[] = [...chips.keys()];

export interface AnalyzeOptions {
  /** The file's name; its ending says the language unless `language` does. */
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  readonly buildOptions?: string | undefined;
  readonly files?: FileSystem | undefined;
  /** The domain. Default 1024 x 1024. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Work-items of a group. Default what the kernel asks for, else 64. */
  readonly groupSize?: number | undefined;
  /** Numbers for arguments, by their names; others are 256. A loop that cannot be run is taken to turn 16 times. */
  readonly args?: ReadonlyMap<string, number> | undefined;
}

/** A line of a listing and the line of the source that it comes from. */
export interface AnalyzedLine {
  readonly text: string;
  readonly line: number | undefined;
}

/** A kernel on a chip. */
export interface ChipAnalysis {
  readonly chip: string;
  /** Undefined if the chip cannot run it. */
  readonly program: ProgramAnalysis | undefined;
  readonly problem: { readonly message: string; readonly line: number | undefined } | undefined;
}

export interface ProgramAnalysis {
  readonly kind: Program['kind'];
  readonly listing: readonly AnalyzedLine[];
  readonly registers: number;
  readonly temporaries: number;
  readonly localBytes: number;
  readonly scratchBytes: number;
  /** Words that registers had no room for. */
  readonly spilledWords: number;
  /** Instructions of control flow: clauses, writes and branches. */
  readonly clauses: number;
  readonly mix: InstructionMix;
  /** Of a SIMD engine. */
  readonly wavefronts: number;
}

/** A kernel on a card; times in seconds. */
export interface CardAnalysis {
  readonly card: string;
  readonly chip: string;
  readonly run: ModelledRun | undefined;
}

export interface KernelAnalysis {
  readonly name: string;
  /** Of the kernel in the source; those that are passed by value can have numbers in {@link AnalyzeOptions.args}. */
  readonly parameters: readonly { readonly name: string; readonly takesNumber: boolean }[];
  /** Work-items of a group, as the options, the kernel or the default say. */
  readonly groupSize: number;
  readonly chips: readonly ChipAnalysis[];
  readonly cards: readonly CardAnalysis[];
  readonly advice: readonly Advice[];
}

export interface Analysis {
  readonly language: Language;
  readonly width: number;
  readonly height: number;
  readonly kernels: readonly KernelAnalysis[];
  /** Kernels of the file that were left out, and why. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  /** Errors and warnings of the compiler. */
  readonly log: string;
  readonly hasErrors: boolean;
}

/** More than the places of the work-items that are run, so that those are inside of what sizes guard. */
const defaultArgument = 256;
const assumedTurns = 16;

/** Analyses the kernels of a text for all chips and cards. Nothing that a user writes makes this throw but an OptimiseError. */
export function analyze(text: string, options: AnalyzeOptions = {}): Analysis {
  const { name = 'kernel.cl', width = 1024, height = 1024 } = options;
  const language = options.language ?? languageOf(name);
  const found = subjectsOf(text, language, {
    name,
    buildOptions: options.buildOptions,
    files: options.files,
  });
  return {
    language,
    width,
    height,
    kernels: found.kernels.map((subject) => analyzeKernel(subject, { ...options, width, height })),
    left: found.left,
    log: found.log,
    hasErrors: found.hasErrors,
  };
}

type Sized = AnalyzeOptions & { readonly width: number; readonly height: number };

function analyzeKernel(subject: Subject, options: Sized): KernelAnalysis {
  const programs = new Map<string, Program>();
  const analyses = [...chips.values()].map((chip): ChipAnalysis => {
    try {
      const program = compileR600(subject.fn, chip, subject.options);
      programs.set(chip.name, program);
      return { chip: chip.name, program: describe(program), problem: undefined };
    } catch (error) {
      if (!(error instanceof R600Error)) throw error;
      const line = error.span && lineOf(error.span);
      return { chip: chip.name, program: undefined, problem: { message: error.message, line } };
    }
  });
  const launches = new Map(
    [...programs].map(([chip, program]) => {
      const launch = launchOf(program, subject, options);
      return [chip, { program, launch, sample: sampleRun(program, launch) }] as const;
    }),
  );
  const onCards = cards.map((card): CardAnalysis => {
    const known = launches.get(card.chip.name);
    const run = known && modelRun(known.program, card, known.launch, known.sample);
    return { card: card.name, chip: card.chip.name, run };
  });
  // Advice is for the newest chip that can run the kernel.
  const best = [...programs.values()].at(-1);
  const run = onCards.findLast((one) => one.run && one.chip === best?.chip.name)?.run;
  return {
    name: subject.name,
    parameters: parametersOf(subject),
    groupSize: groupSizeOf(subject, options),
    chips: analyses,
    cards: onCards,
    advice: best && run ? adviceFor(subject.fn, best, run, options) : [],
  };
}

function describe(program: Program): ProgramAnalysis {
  const { kind, registers, temporaries, localBytes, scratchBytes, spilledWords, controlFlow } = program;
  return {
    kind,
    listing: listingOf(program).map(({ text, span }) => ({ text, line: span && lineOf(span) })),
    registers,
    temporaries,
    localBytes,
    scratchBytes,
    spilledWords,
    clauses: controlFlow.length,
    mix: instructionMix(program),
    wavefronts: wavefronts(registers),
  };
}

/** How the parameters of the source begin in what Brook+ becomes, which has others besides. */
const brookPrefix = /^p_/;

function parametersOf({ fn, options }: Subject): KernelAnalysis['parameters'] {
  const { places } = new Parameters(fn, options.roles ?? new Map(), false);
  const names = places.map(({ parameter }) => parameter.value.name ?? '');
  const isOpenCL = options.roles === undefined;
  return places.flatMap((place, index) => {
    const name = names[index]!;
    if (name === '' || !(isOpenCL || brookPrefix.test(name))) return [];
    // A stream is its data and its shape.
    const stream = isOpenCL ? undefined : /^p_(.*)_(?:data|shape)$/.exec(name)?.[1];
    const isShape = stream !== undefined && names[index - 1] === `p_${stream}_data`;
    if (isShape) return [];
    const isData = stream !== undefined && names[index + 1] === `p_${stream}_shape`;
    return [{ name: isData ? stream : name.replace(brookPrefix, ''), takesNumber: takesNumber(place) }];
  });
}

function takesNumber({ parameter, constant }: ParameterPlace): boolean {
  const element = elementOf(parameter.value.type);
  return constant >= 0 && element.kind !== 'pointer' && element.kind !== 'opaque';
}

/** The launch of a program as the model runs it. */
function launchOf(program: Program, subject: Subject, sized: Sized): RunOptions {
  const { fn, options } = subject;
  const { width, height, args } = sized;
  const isCompute = program.kind === 'compute';
  const parameters = new Parameters(fn, options.roles ?? new Map(), isCompute);
  const words = argumentWords(parameters, args);
  const required = sized.groupSize === undefined ? fn.attributes?.requiredWorkGroupSize : undefined;
  const group: GroupSize = required ?? [sized.groupSize ?? usualGroup, 1, 1];
  const { groups } = gridOf({ width, height, group });
  const launch = [width, height, 1, 0, ...group, 0, ...groups, 0];
  return {
    width,
    height,
    group,
    turns: assumedTurns,
    constant: (buffer, word) =>
      isCompute && buffer === parameters.launchBuffer
        ? (launch[word] ?? 0)
        : (words.get(word) ?? defaultArgument),
  };
}

const usualGroup = 64;

function groupSizeOf({ fn }: Subject, { groupSize }: Sized): number {
  const required = fn.attributes?.requiredWorkGroupSize;
  return groupSize ?? required?.reduce((product, size) => product * size, 1) ?? usualGroup;
}

/** The words of the constant buffer with the arguments: integers and floats of the numbers that are given or assumed. */
function argumentWords({ places }: Parameters, args: AnalyzeOptions['args']): ReadonlyMap<number, number> {
  const words = new Map<number, number>();
  for (const place of places) {
    if (!takesNumber(place)) continue;
    const { parameter, constant } = place;
    const { type, name = '' } = parameter.value;
    const element = elementOf(type);
    const given = args?.get(name) ?? args?.get(name.replace(brookPrefix, '')) ?? defaultArgument;
    const bits = element.kind === 'float' ? bitsOfFloat(given) : Math.trunc(given) | 0;
    const lanes = type.kind === 'vector' ? type.lanes : 1;
    for (let lane = 0; lane < lanes; lane += 1) words.set(constant * 4 + lane, bits);
  }
  return words;
}

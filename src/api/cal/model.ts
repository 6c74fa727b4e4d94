/**
 * What the performance model says about a run on a card: the program is compiled for the card's chip, and some of its
 * wavefronts are run and counted (docs/performance-model.md). The listings of the compiler show the same program.
 */

import { compileIl } from '../../build/compile-il.ts';
import { ilOptions } from '../../build/il-options.ts';
import { type Chip, type ChipName, chips } from '../../codegen/r600/chips.ts';
import { compileR600 } from '../../codegen/r600/compile.ts';
import { R600Error } from '../../codegen/r600/error.ts';
import { keepHardwareCalls } from '../../codegen/r600/library-calls.ts';
import type { Program } from '../../codegen/r600/program.ts';
import { interfaceOf } from '../../codegen/r600-decompiler/interface.ts';
import { printIsa, readIsa } from '../../codegen/r600-decompiler/isa.ts';
import { type Bindings, bindingsKey, defaultFormat, type ElementFormat } from '../../il/lower/interface.ts';
import { lowerIl } from '../../il/lower/lower.ts';
import { cards, type Card as ModelCard } from '../../model/cards.ts';
import { modelRun } from '../../model/run.ts';
import { optimise } from '../../passes/pipeline.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { SourceFile } from '../../source/source-file.ts';
import { r600 } from '../../target/r600.ts';
import {
  CAL_TARGET_600,
  CAL_TARGET_610,
  CAL_TARGET_630,
  CAL_TARGET_670,
  CAL_TARGET_CYPRESS,
  type CALtarget,
} from './constants.ts';
import type { DeviceKind } from './devices.ts';
import { type Encoding, readText } from './image/encoding.ts';
import type { Run } from './launch.ts';

export interface RunEstimate {
  /** That the card would be busy. */
  readonly seconds: number;
  /** Reads of inputs by all threads, and the part of them that finds its element in the cache. */
  readonly fetches: number;
  readonly hitRate: number;
}

/** By encoding, chip and what is bound, since programs run more than once. */
const programs = new WeakMap<Encoding, Map<string, Compiled>>();

/** A program in clauses, or why the chip has none. */
interface Compiled {
  readonly program: Program | undefined;
  readonly refused: string | undefined;
}

/** The card that stands for devices that are none: the newest of the guide. */
const otherCard = cards.find(({ name }) => name === 'HD 4870')!;

/** Words of constant buffers, by their numbers, as they were when a program was started. */
export type Constants = ReadonlyMap<number, Int32Array>;

/** Those that are bound to a module now. */
export function constantsOf({ names }: Run['module']): Constants {
  const found = new Map<number, Int32Array>();
  for (const { kind, index, bound } of names) {
    const bytes = kind === 'cb' ? bound?.resource.bytesNow : undefined;
    if (bytes) found.set(index, new Int32Array(bytes.slice().buffer));
  }
  return found;
}

export function estimateRun(kind: DeviceKind, run: Run, constants: Constants): RunEstimate {
  const { module, domain, bindings } = run;
  const card = cardOf(kind);
  // Elements that textures do not have here are counted as such of four words.
  const program = programFor(module.encoding, card, bindings) ?? programFor(module.encoding, card, {});
  const { width, height } = domain;
  const depth = run.depth ?? 1;
  if (!program || width * height * depth === 0) return { seconds: 0, fetches: 0, hitRate: 0 };
  const { seconds, cost, cache } = modelRun(program, card, {
    width,
    height,
    depth,
    group: module.lowered.groupSize,
    // Loops that they bound turn as often as they do.
    constant: (buffer, word) => constants.get(buffer)?.[word] ?? 0,
  });
  return { seconds, fetches: cost.fetches * width * height * depth, hitRate: cache.hitRate };
}

/** The card that a device is, or that stands for it. */
export function cardOf(kind: DeviceKind): ModelCard {
  return kind.card?.model ?? otherCard;
}

/** The program of an encoding on a card, for formats and samplers as they are by default; undefined if that cannot run it as it is. */
export function programOnCard(encoding: Encoding, card: ModelCard): Program | undefined {
  return programFor(encoding, card, {});
}

/** A program in clauses as text, or why there is none. */
interface ClausesText {
  readonly text: string | undefined;
  readonly refused: string | undefined;
}

/** An encoding in the clauses of its target. What would not assemble to the same again is refused, as a listing could not say it. */
export function clausesOf(encoding: Encoding): ClausesText {
  const no = (refused: string): ClausesText => ({ text: undefined, refused });
  const diagnostics = new Diagnostics();
  const read = readText(encoding, diagnostics);
  const lowered = read && lowerIl(read.program, diagnostics);
  if (!lowered) return no('the program has mistakes');
  const chip = chipOf(encoding.target);
  if (!chip) return no('the chip is none of the R600 family');
  const compiled = compiledFor(encoding, chip, {});
  if (!compiled.program) return no(compiled.refused ?? 'the chip cannot run it as it is');
  const declared = interfaceOf(lowered, compiled.program);
  if (typeof declared === 'string') return no(declared);
  const text = printIsa(declared, compiled.program);
  const mistakes = new Diagnostics();
  if (readIsa(new SourceFile('', text), mistakes)) return { text, refused: undefined };
  return no(mistakes.list[0]?.message ?? 'a listing cannot say all of it');
}

/** The chip whose programs a target runs; undefined for those of later families, which run others. */
export function chipOf(target: CALtarget): Chip | undefined {
  return target >= CAL_TARGET_CYPRESS ? undefined : chips.get(targetChips.get(target) ?? 'RV770');
}

/** Those of R700 are listed as RV770's. */
const targetChips: ReadonlyMap<CALtarget, ChipName> = new Map([
  [CAL_TARGET_600, 'R600'],
  [CAL_TARGET_610, 'RV610'],
  [CAL_TARGET_630, 'RV630'],
  [CAL_TARGET_670, 'RV670'],
]);

/** The program of an encoding for the chip of a card and what is bound; undefined if the chip cannot run it as it is. */
function programFor(encoding: Encoding, { chip }: ModelCard, bindings: Bindings): Program | undefined {
  return compiledFor(encoding, chip, bindings).program;
}

function compiledFor(encoding: Encoding, chip: Chip, bindings: Bindings): Compiled {
  const known = programs.get(encoding) ?? new Map<string, Compiled>();
  programs.set(encoding, known);
  const key = `${chip.name} ${bindingsKey(bindings)}`;
  let compiled = known.get(key);
  if (!compiled) {
    compiled = compile(encoding, chip, bindings);
    known.set(key, compiled);
  }
  return compiled;
}

function compile(encoding: Encoding, chip: Chip, bindings: Bindings): Compiled {
  const read = readText(encoding, new Diagnostics());
  if (read?.clauses?.chip === chip) return { program: read.clauses, refused: undefined };
  const { program } = compileIl(read?.il ?? '', { bindings });
  if (!program) return { program: undefined, refused: undefined };
  const { roles, kind, groupSize } = ilOptions(program);
  const sized = new Map(roles);
  for (const [index, parameter] of program.parameters.entries()) {
    const role = sized.get(index);
    if (parameter.kind !== 'input' || role?.kind !== 'texture') continue;
    const components = wordsOf(bindings.inputs?.get(parameter.index) ?? defaultFormat);
    if (components === undefined) return { program: undefined, refused: undefined };
    sized.set(index, { ...role, components });
  }
  try {
    keepHardwareCalls(program.module);
    optimise(program.module, { target: r600 });
    const fn = program.module.functions.find((each) => each.kind === 'kernel');
    return { program: fn && compileR600(fn, chip, { roles: sized, kind, groupSize }), refused: undefined };
  } catch (error) {
    if (error instanceof R600Error) return { program: undefined, refused: error.message };
    throw error;
  }
}

/** Words of 32 bits in an element; undefined for smaller components. */
function wordsOf({ type, components }: ElementFormat): 1 | 2 | 4 | undefined {
  if (type === 'float32' || type === 'int32') return components as 1 | 2 | 4;
  return type === 'float64' ? (components === 1 ? 2 : 4) : undefined;
}

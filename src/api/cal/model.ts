/**
 * What the performance model says about a run on a card: the program is compiled for the card's chip, and some of its
 * wavefronts are run and counted (docs/performance-model.md). The listings of the compiler show the same program.
 */
import type { Chip, ChipName } from '../../codegen/r600/chips.ts';
import { compileR600 } from '../../codegen/r600/compile.ts';
import { R600Error } from '../../codegen/r600/error.ts';
import { keepHardwareCalls } from '../../codegen/r600/library-calls.ts';
import { printProgram } from '../../codegen/r600/print.ts';
import type { Program } from '../../codegen/r600/program.ts';
import { type Bindings, bindingsKey, defaultFormat, type ElementFormat } from '../../il/lower/interface.ts';
import { cards, type Card as ModelCard } from '../../model/cards.ts';
import { modelRun } from '../../model/run.ts';
import { optimise } from '../../passes/optimise.ts';
import { ilOptions } from '../analyze/kernels.ts';
import { compileIl } from '../compile-il.ts';
import {
  CAL_TARGET_600,
  CAL_TARGET_610,
  CAL_TARGET_630,
  CAL_TARGET_670,
  type CALtarget,
} from './constants.ts';
import type { DeviceKind } from './devices.ts';
import type { Encoding } from './image/encoding.ts';
import type { Run } from './launch.ts';

export interface RunEstimate {
  /** That the card would be busy. */
  readonly seconds: number;
  /** Reads of inputs by all threads, and the part of them that finds its element in the cache. */
  readonly fetches: number;
  readonly hitRate: number;
}

/** By encoding, chip and what is bound, since programs run more than once. */
const programs = new WeakMap<Encoding, Map<string, Program | undefined>>();

/** The card that stands for devices that are none: the newest of the guide. */
const otherCard = cards.find(({ name }) => name === 'HD 4870')!;

export function estimateRun(kind: DeviceKind, { module, domain, bindings }: Run): RunEstimate {
  const card = kind.card?.model ?? otherCard;
  // Elements that textures do not have here are counted as such of four words.
  const program = programFor(module.encoding, card, bindings) ?? programFor(module.encoding, card, {});
  const { width, height } = domain;
  if (!program || width * height === 0) return { seconds: 0, fetches: 0, hitRate: 0 };
  const groupSize = module.lowered.groupSize?.[0];
  const { seconds, cost, cache } = modelRun(program, card, { width, height, groupSize });
  return { seconds, fetches: cost.fetches * width * height, hitRate: cache.hitRate };
}

/** The clauses of an encoding on the chip of its target; none if that cannot run it as it is. */
export function listingOf(encoding: Encoding): readonly string[] {
  const card = cards.find(({ chip }) => chip.name === (targetChips.get(encoding.target) ?? 'RV770'))!;
  const program = programFor(encoding, card, {});
  return program ? printProgram(program).trimEnd().split('\n') : [];
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
  const known = programs.get(encoding) ?? new Map<string, Program | undefined>();
  programs.set(encoding, known);
  const key = `${chip.name} ${bindingsKey(bindings)}`;
  if (!known.has(key)) known.set(key, compileFor(encoding, chip, bindings));
  return known.get(key);
}

function compileFor({ source }: Encoding, chip: Chip, bindings: Bindings): Program | undefined {
  const { program } = compileIl(source, { bindings });
  if (!program) return undefined;
  const { roles, kind, groupSize } = ilOptions(program);
  const sized = new Map(roles);
  for (const [index, parameter] of program.parameters.entries()) {
    const role = sized.get(index);
    if (parameter.kind !== 'input' || role?.kind !== 'texture') continue;
    const components = wordsOf(bindings.inputs?.get(parameter.index) ?? defaultFormat);
    if (components === undefined) return undefined;
    sized.set(index, { ...role, components });
  }
  try {
    keepHardwareCalls(program.module);
    optimise(program.module, { form: 'work-item', keepImages: true });
    const fn = program.module.functions.find((each) => each.kind === 'kernel');
    return fn && compileR600(fn, chip, { roles: sized, kind, groupSize });
  } catch (error) {
    if (error instanceof R600Error) return undefined;
    throw error;
  }
}

/** Words of 32 bits in an element; undefined for smaller components. */
function wordsOf({ type, components }: ElementFormat): 1 | 2 | 4 | undefined {
  if (type === 'float32' || type === 'int32') return components;
  return type === 'float64' ? (components === 1 ? 2 : 4) : undefined;
}

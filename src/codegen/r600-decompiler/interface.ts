/**
 * What a listing cannot tell of its program: the chip, the kind of program, what is bound to it and how much memory it has. A program as
 * text begins with that, a line each:
 *
 *     .target RV770
 *     .program pixel            or: .program compute 64 1 1, the threads of a group
 *     .resource 0 2d unnorm     i0, of two dimensions, whose coordinates count elements (else: norm, from 0 to 1)
 *     .constants 0 10           cb0, of ten elements
 *     .output 0                 o0
 *     .global                   the global buffer
 *     .local 1024               bytes of group memory
 *     .scratch 4                elements of the thread's own memory
 */

import type { LoweredProgram } from '../../il/lower/interface.ts';
import type { Diagnostics } from '../../source/diagnostics.ts';
import { LineIsLost } from '../../source/line-cursor.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { Cursor } from '../r600/assemble/cursor.ts';
import { type Chip, type ChipName, chips } from '../r600/chips.ts';
import type { Program } from '../r600/program.ts';

export interface IsaResource {
  readonly dimensions: 1 | 2;
  readonly isUnnormalized: boolean;
}

export interface IsaInterface {
  readonly chip: Chip;
  /** Of compute programs. */
  readonly groupSize: readonly [number, number, number] | undefined;
  readonly resources: ReadonlyMap<number, IsaResource>;
  /** Elements of each. */
  readonly constants: ReadonlyMap<number, number>;
  readonly outputs: readonly number[];
  readonly usesGlobal: boolean;
  readonly localBytes: number;
  readonly scratchElements: number;
}

/** Bytes of an element of scratch memory: four words. */
export const scratchElementBytes = 16;

/** What a program in IL says of itself; a text with the reason if that cannot be said in a listing. */
export function interfaceOf(lowered: LoweredProgram, program: Program): IsaInterface | string {
  const resources = new Map<number, IsaResource>();
  const constants = new Map<number, number>();
  const outputs: number[] = [];
  for (const parameter of lowered.parameters) {
    switch (parameter.kind) {
      case 'input':
        if (parameter.samplers.length > 1) return `i${parameter.index} is read with several samplers`;
        resources.set(parameter.index, parameter);
        break;
      case 'constants':
        constants.set(parameter.index, parameter.elements);
        break;
      case 'output':
        outputs.push(parameter.index);
        break;
      case 'uav':
        return `it uses uav${parameter.index}`;
    }
  }
  if (program.kind === 'compute' && outputs.length > 0) return 'it is a compute program with outputs';
  return {
    chip: program.chip,
    groupSize: lowered.groupSize,
    resources,
    constants,
    outputs,
    usesGlobal: lowered.usesGlobal,
    localBytes: program.localBytes,
    scratchElements: program.scratchBytes / scratchElementBytes,
  };
}

export function printInterface(one: IsaInterface): readonly string[] {
  return [
    `.target ${one.chip.name}`,
    one.groupSize ? `.program compute ${one.groupSize.join(' ')}` : '.program pixel',
    ...[...one.resources].map(
      ([index, { dimensions, isUnnormalized }]) =>
        `.resource ${index} ${dimensions}d ${isUnnormalized ? 'unnorm' : 'norm'}`,
    ),
    ...[...one.constants].map(([index, elements]) => `.constants ${index} ${elements}`),
    ...one.outputs.map((index) => `.output ${index}`),
    ...(one.usesGlobal ? ['.global'] : []),
    ...(one.localBytes > 0 ? [`.local ${one.localBytes}`] : []),
    ...(one.scratchElements > 0 ? [`.scratch ${one.scratchElements}`] : []),
  ];
}

/** Whether a text is a program in clauses: those in IL do not begin with a point. */
export const isIsaText = (text: string): boolean =>
  /^(?:[ \t]*(?:;[^\r\n]*)?(?:\r\n|\n|\r))*[ \t]*\./.test(text);

const mostResources = 127;
const mostConstants = 4096;
const mostLocal = 32768;
const mostScratch = 4096;
const mostThreads = 1024;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads it, up to the first line that does not begin with a point; undefined if it has mistakes, which are reported. */
export function readInterface(
  file: SourceFile,
  diagnostics: Diagnostics,
): { readonly declared: IsaInterface; readonly end: number } | undefined {
  const before = diagnostics.errorCount;
  const cursor = new Cursor(file, diagnostics);
  const resources = new Map<number, IsaResource>();
  const constants = new Map<number, number>();
  const outputs: number[] = [];
  const declared: Mutable<Omit<IsaInterface, 'chip'>> & { chip?: Chip | undefined } = {
    groupSize: undefined,
    resources,
    constants,
    outputs,
    usesGlobal: false,
    localBytes: 0,
    scratchElements: 0,
  };
  let hasKind = false;
  const line = (): void => {
    const start = cursor.here();
    switch (cursor.read(/\.\w*/y)) {
      case '.target': {
        const nameAt = cursor.here();
        const chip = chips.get(cursor.read(/\w+/y) as ChipName);
        if (chip === undefined) cursor.fail(nameAt, `expected a chip: ${[...chips.keys()].join(', ')}`);
        declared.chip = chip;
        break;
      }
      case '.program': {
        hasKind = true;
        if (cursor.word(/pixel\b/y) !== '') break;
        if (cursor.word(/compute\b/y) === '') cursor.lost("expected 'pixel' or 'compute'");
        const [x, y, z] = [0, 1, 2].map(() => cursor.number('the threads of a group', mostThreads));
        if (x! * y! * z! < 1 || x! * y! * z! > mostThreads)
          cursor.fail(start, `a group has 1 to ${mostThreads} threads`);
        declared.groupSize = [x!, y!, z!];
        break;
      }
      case '.resource': {
        const index = cursor.number('the number of a resource', mostResources);
        const dimensions = cursor.word(/[12]d\b/y);
        if (dimensions === '') cursor.lost("expected '1d' or '2d'");
        const isUnnormalized = cursor.word(/unnorm\b/y) !== '';
        if (!isUnnormalized && cursor.word(/norm\b/y) === '') cursor.lost("expected 'unnorm' or 'norm'");
        resources.set(index, { dimensions: dimensions === '1d' ? 1 : 2, isUnnormalized });
        break;
      }
      case '.constants': {
        const index = cursor.number('the number of a constant buffer', 15);
        constants.set(index, cursor.number('the elements of a constant buffer', mostConstants));
        break;
      }
      case '.output':
        outputs.push(cursor.number('the number of an output', 7));
        break;
      case '.global':
        declared.usesGlobal = true;
        break;
      case '.local':
        declared.localBytes = cursor.number('the bytes of group memory', mostLocal);
        break;
      case '.scratch':
        declared.scratchElements = cursor.number('the elements of scratch memory', mostScratch);
        break;
      default:
        cursor.fail(
          start,
          `expected one of .target, .program, .resource, .constants, .output, .global, .local and .scratch`,
        );
    }
    if (!cursor.isLineDone) cursor.lost('expected the end of the line');
  };
  while (!cursor.isAtEnd && !diagnostics.isFull) {
    const isDone = cursor.isLineDone;
    if (!isDone && !file.text.startsWith('.', cursor.offset)) break;
    try {
      if (!isDone) line();
    } catch (error) {
      if (!(error instanceof LineIsLost)) throw error;
    }
    cursor.nextLine();
  }
  const { chip } = declared;
  const here = { file, start: cursor.offset, end: cursor.offset };
  if (diagnostics.errorCount === before) {
    if (!chip) diagnostics.error(here, 'a program begins with .target and a chip');
    else if (!hasKind) diagnostics.error(here, 'a program begins with .program and its kind');
    else if (declared.groupSize && !chip.hasCompute)
      diagnostics.error(here, `${chip.name} runs no compute programs`);
    else if (declared.groupSize && outputs.length > 0)
      diagnostics.error(here, 'compute programs have no outputs');
  }
  if (!chip || diagnostics.errorCount > before) return undefined;
  return { declared: { ...declared, chip }, end: cursor.offset };
}

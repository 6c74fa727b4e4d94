/**
 * Random kernels in the forms that people write, which are the forms that passes look for: guards and early returns, clamped
 * subscripts, products of rows and columns, diagonals, tiles in local memory, strides over the range, sums along rows, samples of images.
 * Each comes with several launches: of ranges that vectors and rows do not divide, with bounds below, at and beyond them, none at
 * all or negative, and with arguments that share memory.
 *
 * Unlike `generate.ts` this promises little: a kernel may leave its buffers or race in some launch, which the interpreter must
 * be asked to find (`checkUninitialised`, `checkRaces`); such launches show nothing. Floating-point numbers are small whole
 * ones where sums may be added up in any order, so that they are exact. Some kernels round no product at all, and leave out what
 * would: these do not forbid that products be fused with sums.
 */
import type { KnownHandles } from '../../src/passes/images/known-images.ts';
import { Random } from '../../test/support/random.ts';
import { IdiomBody, type Whole } from './idiom-body.ts';
import {
  elements,
  type IdiomLaunch,
  makeFacts,
  makeLaunch,
  makeNumbers,
  makeRange,
} from './idiom-launches.ts';
import { essential, guard, type Program, printProgram, type Statement } from './syntax.ts';
import { int } from './types.ts';

export interface Idiom {
  /** With a kernel `k`. */
  readonly source: string;
  /** The same as a tree, for `reduce`. */
  readonly program: Program;
  readonly buildOptions: string;
  readonly launches: readonly IdiomLaunch[];
  /** What all launches have in common of the images and samplers that they pass. */
  readonly known: KnownHandles | undefined;
  /** No product of floating-point numbers is rounded: those that the kernel lets be fused with sums change nothing. */
  readonly isExact: boolean;
}

const launchCount = 3;

export interface IdiomOptions {
  /** Statements print, use what atomics give, and load volatile, all under conditions (idiom-effects.ts). Default false. */
  readonly prints?: boolean;
}

/** The same seed and options give the same kernel. */
export function generateIdiom(seed: number, { prints = false }: IdiomOptions = {}): Idiom {
  const random = new Random(seed);
  const facts = makeFacts(random);
  const { dimensions } = facts;
  const ranges = Array.from({ length: launchCount }, () => makeRange(random, facts));
  const numbers = makeNumbers(random, facts, ranges);

  const whole = (text: string, most: number, isUniform: boolean): Whole => ({
    text: guard(int)`${text}`,
    most,
    isUniform,
  });
  const ids = ['x', 'y', 'z'].slice(0, dimensions).map((name, at) => {
    const ends = ranges.map(({ global, offset }) => global[at]! + offset[at]!);
    return whole(name, Math.max(...ends), false);
  });
  const wholes = [
    ...ids,
    whole('lx', Math.max(...ranges.map(({ local }) => local[0]!)), false),
    ...(facts.isAliased ? [whole('at', 600, false), whole('at * 4', 600, false)] : []),
    ...Object.entries(numbers).map(([name, values]) => whole(name, Math.max(...values.map(Math.abs)), true)),
  ];
  const body = new IdiomBody(random, facts, prints);
  const statements = body.statements(wholes);
  const [a, b] = facts.dataTypes;
  const group = facts.group?.map((size, dimension) => (dimension < dimensions ? size : 1));
  const middle = elements / 2;
  const all: Statement[] = [
    essential`int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);`,
    essential`int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);`,
    essential`${group ? `const int width = ${group[0]}, height = ${group[1]}, items = ${group.reduce((p, q) => p * q)};` : 'int width = get_local_size(0), height = get_local_size(1), items = width * height * get_local_size(2);'}`,
    essential`int li = (lz * height + ly) * width + lx;`,
    essential`int row = (z - (int)get_global_offset(2)) * (int)get_global_size(1) + y - (int)get_global_offset(1);`,
    essential`int at = row * (int)get_global_size(0) + x - (int)get_global_offset(0);`,
    essential`${facts.isAliased ? '' : `a += ${middle}; `}b += ${middle};`,
    essential`int s = 1; float f = 0;`,
    ...body.locals,
    ...statements,
    essential`out[at * 4] ${body.chance(50) ? '+' : ''}= s;`,
    essential`${body.chance(20) ? 'if (x < n) ' : ''}result[at] = f;`,
  ];
  const parameters = [
    `global ${facts.isAliased ? 'int' : `const ${a}`} *${facts.isRestrict ? 'restrict ' : ''}a`,
    `${facts.isConstant ? 'constant' : 'global const'} ${b} *b`,
    'global int *out',
    'global float *result',
    'global int *totals',
    ...(facts.own ? [`global ${facts.own} *own`] : []),
    ...Object.keys(numbers).map((name) => `int ${name}`),
  ];
  const handles = facts.format ? ['read_only image2d_t image', 'sampler_t sampler'] : [];
  const program: Program = {
    statements: [
      essential`#pragma OPENCL FP_CONTRACT ${facts.isExact ? 'ON' : 'OFF'}`,
      ...body.structs,
      essential`${group && body.chance(60) ? `kernel __attribute__((reqd_work_group_size(${group.join(', ')})))` : 'kernel'} void k(${[...parameters, ...handles].join(', ')}) ${all}`,
    ],
  };
  const launches = ranges.map((range, index) => makeLaunch(random, facts, range, numbers, index));
  return {
    source: printProgram(program),
    program,
    buildOptions: [
      ...(facts.isNew ? ['-cl-std=CL2.0'] : []),
      ...(facts.isLoose ? ['-cl-unsafe-math-optimizations'] : []),
    ].join(' '),
    launches,
    known: knownOf(launches[0]!, parameters.length),
    isExact: facts.isExact,
  };
}

function knownOf({ arguments: args }: IdiomLaunch, at: number): KnownHandles | undefined {
  const [handle, sampler] = args.slice(at);
  if (!handle || !('image' in handle) || !sampler || !('sampler' in sampler)) return undefined;
  const { channelOrder: order, channelType: type, pixelBytes } = handle.image.shape;
  const known = [
    { kind: 'image', order, type, pixelBytes },
    { kind: 'sampler', bits: sampler.sampler },
  ] as const;
  return [...Array.from({ length: at }, () => undefined), ...known];
}

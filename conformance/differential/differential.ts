/**
 * `npm run differential -- FILES`: every kernel of OpenCL C files on several devices, with the same generated inputs.
 * The interpreter says what is right (judge.ts); a kernel for which nothing is right is skipped with the reason.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { BuildError, type KernelParameter, type Program } from 'millrace';
import { bindArguments } from '../../src/cli/arguments/bind.ts';
import { type NamedSpecification, readNamedSpecification } from '../../src/cli/arguments/specification.ts';
import { argumentsOnDisk } from '../../src/cli/picture.ts';
import type { Module, Parameter } from '../../src/ir/ir.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { filesUnder, folderFiles, parentsOf } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';
import { type Attempt, attemptsFor, type GivenSizes, lonelyAttempts } from './attempts.ts';
import { firstDifference, type Tolerance } from './compare.ts';
import { build, type Contestant, roundsCorrectly, runOn } from './devices.ts';
import { type Flavour, type InputArgument, makeInputs, shapeOf } from './inputs.ts';
import { judge, type LaunchPlan } from './judge.ts';
import { type KernelFacts, kernelFacts } from './kernel-facts.ts';
import { toleranceOf } from './tolerance.ts';

export interface DifferentialOptions extends GivenSizes {
  readonly contestants: readonly Contestant[];
  readonly seed: number;
  /** Undefined: as the built-in functions of each file allow. */
  readonly tolerance?: Tolerance | undefined;
  /** Build options. */
  readonly options: string;
  /** As for `millrace run --arg`, with names: for every kernel that has a parameter of the name. */
  readonly arguments: readonly string[];
  /** Only the kernels of these names; empty for all. */
  readonly kernels: readonly string[];
}

type AddressBits = 32 | 64;

/** So that implementations do the same operations: none may fuse what is written apart. */
const prefix = '#pragma OPENCL FP_CONTRACT OFF\n#line 1\n';

/** One outcome for each kernel of the files under the paths. */
export async function runDifferential(
  paths: readonly string[],
  options: DifferentialOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const path of paths.flatMap((each) => filesUnder(resolve(each), ['.cl']))) {
    const source = readFileSync(path, 'latin1');
    const name = relative(process.cwd(), path) || path;
    outcomes.push(...(await runSource(name, path, source, options)));
  }
  return outcomes;
}

/** The same for one text; `path` says where its includes are looked for. */
export async function runSource(
  name: string,
  path: string,
  source: string,
  options: DifferentialOptions,
): Promise<Outcome[]> {
  const roots = [dirname(path), ...parentsOf(path)];
  const text = prefix + source;
  const lower = (addressBits: AddressBits) =>
    compileOpenCL(text, {
      name,
      addressBits,
      files: folderFiles(roots),
      buildOptions: options.options,
    });
  const { module, diagnostics } = lower(32);
  if (!module) {
    const first = diagnostics.list.find(({ severity }) => severity === 'error')?.message;
    return [{ name, status: 'skipped', reason: `does not compile: ${first}` }];
  }
  const all = kernelFacts(module);
  const kernels = all.filter((each) => options.kernels.length === 0 || options.kernels.includes(each.name));
  const modules = new Map<AddressBits, Module>([[32, module]]);
  for (const { device } of options.contestants) {
    const { addressBits } = device.info;
    if (modules.has(addressBits)) continue;
    const other = lower(addressBits).module;
    if (other) modules.set(addressBits, other);
  }
  const outcomes: Outcome[] = [];
  const programs = new Map<Contestant, Program>();
  try {
    for (const contestant of options.contestants) {
      try {
        programs.set(contestant, await build(contestant, text, options.options, name, roots));
      } catch (error) {
        outcomes.push(refusal(name, contestant, error));
      }
    }
    const tolerance = options.tolerance ?? toleranceOf(source, options.contestants.every(roundsCorrectly));
    for (const facts of kernels) {
      const outcome = await runKernel(facts, modules, programs, { ...options, tolerance });
      outcomes.push({ name: `${name}: ${facts.name}`, ...outcome });
    }
  } finally {
    for (const program of programs.values()) program.release();
  }
  return outcomes;
}

/** A driver that refuses what the others take is a matter of its own, not a wrong result. */
function refusal(name: string, contestant: Contestant, error: unknown): Outcome {
  const isBuild = error instanceof BuildError;
  const text = isBuild ? error.log : String(error);
  const first = text.split('\n').find((line) => line.includes('error')) ?? text;
  const isOurs = contestant.fromIr || !contestant.device.id.startsWith('icd:');
  return {
    name: `${name} on ${contestant.name}`,
    status: isOurs ? 'failed' : 'skipped',
    reason: `does not build on ${contestant.name}: ${first.trim()}`,
  };
}

type Result = Omit<Outcome, 'name'>;
type Buffers = ReadonlyMap<number, Uint8Array<ArrayBuffer>>;

/** A launch and what it must leave, by the width of addresses: a program may see how wide they are. */
interface JudgedPlan {
  readonly plan: LaunchPlan;
  readonly expected: ReadonlyMap<AddressBits, Buffers>;
}

async function runKernel(
  facts: KernelFacts,
  modules: ReadonlyMap<AddressBits, Module>,
  programs: ReadonlyMap<Contestant, Program>,
  options: DifferentialOptions & { readonly tolerance: Tolerance },
): Promise<Result> {
  const parameters = parametersOf(modules.get(32)!, facts.name);
  const given = options.arguments
    .map(readNamedSpecification)
    .filter(({ name }) => parameters.some((parameter) => parameter.name === name));
  let reason: string | undefined;
  let passes = 0;
  // Where ordinary numbers do not do, special ones will not either.
  for (const flavour of ['plain', 'special'] as const) {
    const found = findPlan(facts, modules, parameters, given, flavour, options);
    if ('reason' in found) {
      reason = found.reason;
      break;
    }
    const failure = await compareOn(found, programs, parameters, options.tolerance);
    if (failure !== undefined)
      return { status: 'failed', reason: `${failure}; ${describe(found.plan, flavour, options)}` };
    passes += 1;
  }
  if (passes > 0 && programs.size > 0) return { status: 'passed' };
  return { status: 'skipped', reason: reason ?? 'no device can build it' };
}

/** The first attempt that has a right result; else why the most telling one has none. */
function findPlan(
  facts: KernelFacts,
  modules: ReadonlyMap<AddressBits, Module>,
  parameters: readonly KernelParameter[],
  given: readonly NamedSpecification[],
  flavour: Flavour,
  options: DifferentialOptions,
): JudgedPlan | { readonly reason: string } {
  const reasons: string[] = [];
  const has = (pattern: RegExp): number => reasons.filter((reason) => pattern.test(reason)).length;
  const tryAll = (attempts: readonly Attempt[]): JudgedPlan | undefined => {
    for (const attempt of attempts) {
      // Each takes seconds.
      if (has(/^too many steps/) >= 2) return undefined;
      const found = tryAttempt(facts.name, attempt, modules, parameters, given, flavour, options.seed);
      if ('plan' in found) return found;
      reasons.push(found.reason);
    }
    return undefined;
  };
  let found = tryAll(attemptsFor(facts, options));
  if (!found && has(/^race|^the order of/) === 0) found = tryAll(lonelyAttempts(facts, options));
  return found ?? { reason: reasons[0] ?? 'nothing is known of how to launch it' };
}

/** Judges one attempt with addresses of every width. */
function tryAttempt(
  kernel: string,
  attempt: Attempt,
  modules: ReadonlyMap<AddressBits, Module>,
  parameters: readonly KernelParameter[],
  given: readonly NamedSpecification[],
  flavour: Flavour,
  seed: number,
): JudgedPlan | { readonly reason: string } {
  try {
    const { global, local } = attempt;
    const inputs = makeInputs(parameters, attempt, flavour, seed);
    const plan = { kernel, global, local, arguments: override(inputs, parameters, given, attempt) };
    const expected = new Map<AddressBits, Buffers>();
    for (const [addressBits, module] of modules) {
      const verdict = judge(
        module,
        plan,
        parameters.map(({ name }) => name),
      );
      if ('reason' in verdict) return verdict;
      expected.set(addressBits, verdict.buffers);
    }
    return { plan, expected };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Puts the arguments that a person gave in the place of the generated ones. */
function override(
  inputs: readonly InputArgument[],
  parameters: readonly KernelParameter[],
  given: readonly NamedSpecification[],
  attempt: Attempt,
): InputArgument[] {
  const asked = parameters.filter(({ name }) => given.some((each) => each.name === name));
  const bound = bindArguments(asked, given, {
    workItems: attempt.elements,
    largestBuffer: 2 ** 28,
    files: argumentsOnDisk,
  });
  return inputs.map((input, index): InputArgument => {
    const value = bound.find(({ parameter }) => parameter === parameters[index])?.value;
    if (!value || value.kind === 'null') return input;
    if (value.kind === 'buffer') return { kind: 'buffer', bytes: value.elements.bytes };
    if (value.kind === 'bytes') return { kind: 'value', bytes: value.bytes };
    if (value.kind === 'local') return value;
    throw new Error(`parameter '${parameters[index]!.name}' cannot be given here`);
  });
}

/** The first difference between the judge and a device, in words. */
async function compareOn(
  { plan, expected: verdicts }: JudgedPlan,
  programs: ReadonlyMap<Contestant, Program>,
  parameters: readonly KernelParameter[],
  tolerance: Tolerance,
): Promise<string | undefined> {
  for (const [contestant, program] of programs) {
    const { addressBits } = contestant.device.info;
    const expected = verdicts.get(addressBits);
    if (!expected) return `our front end refuses it with addresses of ${addressBits} bits`;
    let found: Buffers;
    try {
      found = await runOn(program, plan);
    } catch (error) {
      return `on ${contestant.name}: ${error instanceof Error ? error.message : String(error)}`;
    }
    for (const [index, right] of expected) {
      const parameter = parameters[index]!;
      const difference = firstDifference(shapeOf(parameter), found.get(index)!, right, tolerance);
      if (difference !== undefined) return `on ${contestant.name}, '${parameter.name}': ${difference}`;
    }
  }
  return undefined;
}

/** How to see the failure again. */
function describe(plan: LaunchPlan, flavour: Flavour, { seed }: DifferentialOptions): string {
  return `${flavour} inputs, --seed ${seed} --global ${plan.global.join(',')} --local ${plan.local.join(',')}`;
}

/** As `Kernel.parameters` of the short form has them. */
function parametersOf(module: Module, kernel: string): KernelParameter[] {
  const fn = module.functions.find(({ name, kind }) => name === kernel && kind === 'kernel')!;
  return fn.parameters.map((parameter: Parameter, index): KernelParameter => {
    const { info, value, aggregate } = parameter;
    const { type } = value;
    const space = type.kind === 'pointer' && !aggregate ? type.space : undefined;
    const kind = info?.handle
      ? info.handle.kind
      : aggregate
        ? 'aggregate'
        : space === undefined
          ? 'value'
          : space === 'local' || space === 'constant'
            ? space
            : 'global';
    return {
      name: info?.name ?? `argument ${index}`,
      typeName: info?.typeName ?? '',
      kind,
      isConst: kind === 'constant' || (info?.typeQualifiers.includes('const') ?? false),
      size: aggregate?.size ?? info?.layout?.size ?? 0,
      layout: info?.layout,
      pointee: info?.pointee,
    };
  });
}

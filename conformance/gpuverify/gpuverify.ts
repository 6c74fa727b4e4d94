/**
 * `npm run conformance -- gpuverify DIR`: the checker on the OpenCL tests of a GPUVerify checkout (testsuite/OpenCL). GPUVerify
 * proves or refutes for all arguments; here each kernel runs on a few. One that it verifies must run without a fault, whatever the
 * arguments that meet its preconditions; one that it refutes must show a fault of the kind that the header names.
 * What no run can show, or what GPUVerify takes for right that OpenCL does not, is skipped: by a rule below, or by name in
 * reasons.json. That also says what the checker misses. A test that it names and that comes out as expected all the same fails.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  BuildError,
  compile,
  type FoundReport,
  local,
  OpenCLError,
  type Program,
  startChecking,
} from 'millrace';
import type { Attempt } from '../differential/attempts.ts';
import { makeInputs } from '../differential/inputs.ts';
import { filesUnder } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';
import { assertion, precondition, withChecks } from './annotations.ts';
import { type Fault, type Header, readHeader } from './header.ts';

/** Work-items of a launch: as many groups as that gives, at least two where the test has them. */
const mostItems = 16384;
const mostItemsOfGroup = 4096;
/** Milliseconds for a work-group. */
const timeout = 10_000;

interface Guess extends Pick<Attempt, 'integers' | 'other'> {
  /** Buffers hold zeros. */
  readonly hasZeros?: true;
}

/** What arguments are, one launch after another. */
const guesses: readonly Guess[] = [
  { integers: 'small', other: 1 },
  { integers: 'small', other: 0, hasZeros: true },
  { integers: 'positive', other: 100 },
  { integers: 'any', other: 'few' },
];
/** If none of these meets the preconditions. */
const furtherGuesses: readonly Guess[] = [
  ...([64, 2, 3, 7, 16, 32, 128, 256, 512, 1024, 4096] as const),
  ...Array.from({ length: 8 }, () => 'few' as const),
].map((other) => ({ integers: 'positive', other }));

/** Why sources do not compile that GPUVerify takes, by the compiler's words. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/is called by '\w+' but not defined/, 'functions without bodies'],
  [/implicit declaration of function '__/, "GPUVerify's functions in the place of values"],
  [/as the type of a kernel parameter|struct kernel parameters/, 'parameters that OpenCL does not allow'],
  [
    /invalid operands to binary expression \('event_t'/,
    'arithmetic with events, which OpenCL does not allow',
  ],
];

/** What a test came to: a fault that was expected or not, or why there is nothing to say. */
type Verdict = { readonly problem?: string; readonly skipped?: string };

/** Why tests come out otherwise, by their folders. */
interface Reasons {
  /** There is nothing that a run could show, or OpenCL says otherwise than GPUVerify. */
  readonly skipped: Readonly<Record<string, string>>;
  /** The checker should see it, and does not. */
  readonly missed: Readonly<Record<string, string>>;
}

/** What a launch reported; `isVoid` if its arguments break a precondition. */
interface Run {
  readonly faults: readonly { readonly fault: Fault; readonly text: string }[];
  readonly isVoid: boolean;
  /** It took too long, and was stopped. */
  readonly isStopped: boolean;
}

export async function runGpuVerify(checkout: string): Promise<Outcome[]> {
  const tests = join(checkout, 'testsuite/OpenCL');
  const reasons: Reasons = JSON.parse(readFileSync('conformance/gpuverify/reasons.json', 'utf8'));
  let found: FoundReport[] = [];
  startChecking({ report: (report) => found.push(report), timeout });
  const takeReports = (): FoundReport[] => {
    const reports = found;
    found = [];
    return reports;
  };
  const outcomes: Outcome[] = [];
  for (const path of filesUnder(tests, ['.cl'])) {
    const name = relative(tests, dirname(path));
    const source = readFileSync(path, 'latin1');
    const header = readHeader(source);
    let { problem, skipped } = await runTest(path, source, header, takeReports);
    const reason = reasons.skipped[name];
    const missed = reasons.missed[name];
    if (problem === undefined && (reason ?? missed) !== undefined)
      problem = 'as expected, but in reasons.json';
    else if (reason !== undefined) [problem, skipped] = [undefined, reason];
    else if (missed !== undefined) problem = `${problem}: ${missed}`;
    const status = skipped !== undefined ? 'skipped' : problem === undefined ? 'passed' : 'failed';
    const why = skipped ?? problem;
    console.log(
      `${status.padEnd(7)} ${header.verdict.padEnd(7)} ${name}${why === undefined ? '' : `: ${why}`}`,
    );
    outcomes.push({ name, status, ...(why === undefined ? {} : { reason: why }) });
  }
  return outcomes;
}

async function runTest(
  path: string,
  source: string,
  header: Header,
  takeReports: () => FoundReport[],
): Promise<Verdict> {
  if (header.verdict === 'tool') return { skipped: "an error in GPUVerify's annotations or command line" };
  if (header.options.has('--warp-sync')) return { skipped: 'work-items of a warp that go in step' };
  if (header.options.has('--boogie-file')) return { skipped: 'functions that Boogie axioms stand for' };
  if (/\b__spec_\w+\s*\(/.test(source))
    return { skipped: 'functions of which only a specification is there' };
  let program: Program;
  try {
    program = await compile(withChecks(source, header.options), { name: path, timeout });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    if (header.verdict === 'refused') return {};
    return refusal(error.message);
  }
  try {
    if (header.verdict === 'refused') return { problem: 'compiles' };
    if (product(header.local) > mostItemsOfGroup) {
      return { skipped: `groups of more than ${mostItemsOfGroup} work-items` };
    }
    return await runKernels(program, header, takeReports);
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    if (/local memory/.test(error.message)) return { skipped: 'more local memory than the device has' };
    return { problem: error.message };
  } finally {
    program.release();
  }
}

/** What it means that a test does not compile which should. */
function refusal(message: string): Verdict {
  const known = refusals.find(([words]) => words.test(message));
  return known ? { skipped: known[1] } : { problem: `does not compile: ${message.split('\n')[0]}` };
}

async function runKernels(
  program: Program,
  header: Header,
  takeReports: () => FoundReport[],
): Promise<Verdict> {
  const seen = new Map<Fault, string>();
  let isSomeVoid = false;
  let isStopped = false;
  for (const name of program.kernelNames) {
    let runs = 0;
    const given: Guess[] =
      header.argument === undefined ? [] : [{ integers: 'small', other: header.argument }];
    const usual = given.length > 0 ? given : guesses;
    const all = given.length > 0 ? given : [...guesses, ...furtherGuesses];
    for (const [index, guess] of all.entries()) {
      if (isStopped || (index >= usual.length && runs > 0)) break;
      const run = await launch(program, name, header, guess, index + 1, takeReports);
      if (run === undefined) return { skipped: 'images among the arguments' };
      if (run.isVoid) continue;
      runs += 1;
      isStopped ||= run.isStopped;
      for (const { fault, text } of run.faults) if (!seen.has(fault)) seen.set(fault, text);
    }
    if (runs === 0) isSomeVoid = true;
  }
  if (isStopped && seen.size === 0) return { skipped: `does not end within ${timeout} ms` };
  const texts = [...seen].map(([fault, text]) => `${fault}: ${text}`).join('; ');
  if (header.verdict === 'pass') {
    if (seen.size > 0) return { problem: texts };
    return isSomeVoid ? { problem: 'no arguments are found that meet the preconditions' } : {};
  }
  const wanted = header.faults;
  const isThere = wanted.length === 0 ? seen.size > 0 : wanted.some((fault) => seen.has(fault));
  if (isThere) return {};
  return { problem: `${wanted.join(' or ') || 'a fault'} is not found${texts && `, but ${texts}`}` };
}

/** One launch; undefined for a kernel whose arguments cannot be made up. */
async function launch(
  program: Program,
  name: string,
  header: Header,
  guess: Guess,
  seed: number,
  takeReports: () => FoundReport[],
): Promise<Run | undefined> {
  const kernel = program.kernel(name);
  const groups = fewerGroups(header);
  const global = header.local.map((size, axis) => size * groups[axis]!);
  const locals = kernel.parameters.filter(({ kind }) => kind === 'local').length;
  const attempt: Attempt = {
    ...guess,
    global,
    local: header.local,
    elements: 65536,
    localBytes: Math.floor(32768 / Math.max(locals, 1) / 16) * 16,
  };
  if (kernel.parameters.some(({ kind }) => kind === 'image' || kind === 'sampler')) return undefined;
  const inputs = makeInputs(kernel.parameters, attempt, 'plain', seed);
  if (guess.hasZeros) for (const input of inputs) if (input.kind === 'buffer') input.bytes.fill(0);
  const args = inputs.map((input) =>
    input.kind === 'local'
      ? local(input.bytes)
      : input.kind === 'buffer'
        ? program.buffer(input.bytes)
        : input.bytes,
  );
  const offset = header.offset === undefined ? undefined : [header.offset];
  takeReports();
  let isStopped = false;
  try {
    await kernel({ global, local: header.local, offset }, ...args);
  } catch (error) {
    isStopped = error instanceof OpenCLError && error.message.includes('ran longer');
    if (!isStopped) throw error;
  }
  for (const argument of args) {
    if (typeof argument === 'object' && 'release' in argument) argument.release();
  }
  return judge(takeReports(), header, isStopped);
}

/** What of the reports GPUVerify would have looked for. */
function judge(reports: readonly FoundReport[], header: Header, isStopped: boolean): Run {
  const faults: { fault: Fault; text: string }[] = [];
  let isVoid = false;
  const isTested = header.faults.includes('assertion');
  for (const report of reports) {
    const fault = faultOf(report, header);
    if (fault === 'precondition' && !isTested) isVoid = true;
    else if (fault !== undefined) {
      faults.push({ fault: fault === 'precondition' ? 'assertion' : fault, text: textOf(report) });
    }
  }
  return { faults, isVoid, isStopped };
}

function faultOf(report: FoundReport, { options, faults }: Header): Fault | 'precondition' | undefined {
  const { kind, object, workItem, other } = report;
  if (object?.name === precondition) return 'precondition';
  if (object?.name === assertion) return 'assertion';
  if (options.has('--only-divergence') && kind !== 'barrier-divergence') return undefined;
  switch (kind) {
    case 'data-race': {
      if (options.has('--only-log')) return undefined;
      const isOfOne = workItem?.group.join() === other?.workItem?.group.join();
      return options.has('--only-intra-group') && !isOfOne ? undefined : kind;
    }
    case 'barrier-divergence':
    case 'event-misuse':
    case 'null-pointer':
      return kind;
    case 'out-of-bounds':
      return options.has('--check-array-bounds') ? kind : undefined;
    case 'uninitialised':
      // What is said of a variable that was never set cannot hold of all that it may be.
      return faults.includes('assertion') && object?.space === 'private' ? 'assertion' : undefined;
    default:
      // Divisions by zero and the like are nothing to GPUVerify.
      return undefined;
  }
}

function textOf({ message, place }: FoundReport): string {
  return `${message} at ${place?.line ?? '?'}`;
}

/** The test's groups, or fewer where a launch would take too long. */
function fewerGroups({ local: group, groups }: Header): number[] {
  const fewer = [...groups];
  while (product(fewer) * product(group) > mostItems) {
    const largest = fewer.indexOf(Math.max(...fewer));
    if (fewer[largest]! <= 2) break;
    fewer[largest] = Math.ceil(fewer[largest]! / 2);
  }
  return fewer;
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a * b, 1);
}

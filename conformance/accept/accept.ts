/**
 * `npm run conformance -- accept DIR`: compiles every .cl file under a folder, all the way to what the device runs, and
 * reports the rate of each project and the first error of each file that is refused.
 */
import { BuildError, compile, type Device } from 'millrace';
import { folderFiles } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';
import { ClangJudge } from './clang-judge.ts';
import { type KernelFile, kernelFiles } from './kernel-files.ts';

export interface AcceptOptions {
  readonly device: Device;
  /** Build options of files outside all known projects. */
  readonly options: string;
  /** Only these projects. */
  readonly only?: readonly string[] | undefined;
  /** Only every `of`-th file, from the one at `index` on: for several processes beside one another. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
  /** Leave out what clang refuses. */
  readonly isJudged: boolean;
  /** Where clang's verdicts are kept from run to run. */
  readonly verdicts?: string | undefined;
  /** Print what clang said to each file that it refuses. */
  readonly listRefused?: boolean | undefined;
}

/** A build that takes more processor time is worth a line; time by the clock says as much about the neighbours. */
const slowMilliseconds = 10_000;

/** One outcome a file. */
export async function acceptFolder(folder: string, settings: AcceptOptions): Promise<Outcome[]> {
  const judge = settings.isJudged ? new ClangJudge(settings.verdicts) : undefined;
  const rates = new Map<string, Rate>();
  const outcomes: Outcome[] = [];
  const seen = new Set<string>();
  let count = 0;
  for (const file of kernelFiles(folder, settings.options)) {
    if (settings.only && !settings.only.includes(file.project)) continue;
    count += 1;
    if (settings.part && count % settings.part.of !== settings.part.index) continue;
    let rate = rates.get(file.project);
    if (!rate) {
      rate = { files: 0, judged: 0, passed: 0 };
      rates.set(file.project, rate);
    }
    const isCopy = seen.has(file.source);
    seen.add(file.source);
    const outcome = isCopy ? copyOf(file) : await accept(file, settings, judge);
    rate.files += 1;
    if (outcome.status !== 'skipped') rate.judged += 1;
    if (outcome.status === 'passed') rate.passed += 1;
    outcomes.push(outcome);
  }
  judge?.save();
  printRates(rates);
  return outcomes;
}

/** The same text counts once, however many projects and folders have it. */
function copyOf({ name }: KernelFile): Outcome {
  return { name, status: 'skipped', reason: 'the text of another file again' };
}

async function accept(
  file: KernelFile,
  { device, listRefused }: AcceptOptions,
  judge: ClangJudge | undefined,
): Promise<Outcome> {
  const { name } = file;
  if (file.skip !== undefined) return { name, status: 'skipped', reason: file.skip };
  const refusal = (await judge?.firstError(file)) ?? '';
  if (refusal !== '') {
    if (listRefused) console.log(`refused ${name}: ${refusal}`);
    return { name, status: 'skipped', reason: 'clang refuses it' };
  }
  const started = process.cpuUsage();
  try {
    const paths = file.searchFolders.map((folder) => `-I "${folder}"`);
    const options = [file.options, ...paths].join(' ');
    const files = folderFiles([file.root]);
    const program = await compile(file.source, { device, options, name: file.name, files });
    program.release();
  } catch (error) {
    return { name, status: 'failed', reason: firstError(error) };
  }
  const { user, system } = process.cpuUsage(started);
  const took = (user + system) / 1000;
  const note = took > slowMilliseconds ? { note: `took ${(took / 1000).toFixed(1)} s` } : {};
  return { name, status: 'passed', ...note };
}

function firstError(error: unknown): string {
  if (error instanceof BuildError) {
    const first = error.log.split('\n').find((line) => line.includes('error:'));
    return first ?? error.message;
  }
  // Not an answer to the program but a fault of the compiler, or something else that should not be.
  return error instanceof Error ? `CRASH ${error.name}: ${error.message}` : String(error);
}

interface Rate {
  files: number;
  /** Those that were not skipped. */
  judged: number;
  passed: number;
}

function printRates(rates: ReadonlyMap<string, Rate>): void {
  console.log(`${'project'.padEnd(28)} files  counted  compile`);
  for (const [project, { files, judged, passed }] of rates) {
    const columns = [String(files).padStart(5), String(judged).padStart(8), String(passed).padStart(8)];
    console.log(`${project.padEnd(28)} ${columns.join(' ')}`);
  }
}

/**
 * `npm run conformance -- oclgrind DIR`: the checker on the test kernels of an Oclgrind checkout (tests/kernels). Its .ref files say
 * in Oclgrind's words what is to be found; on which line no file says, so expected.json has the lines, read off the kernels by
 * hand. A kernel passes if each kind that is expected is reported at one of its lines, and no other kind is; what Oclgrind says of
 * values that come from an access it has just refused is not asked for. async_copy_unwaited has a race, too, which Oclgrind, whose copies are made when they are
 * waited for, does not see. reasons.json says why kernels fail that fail.
 *
 * With a device, the kernels in which nothing is to be found run there and on WebAssembly, and must leave the same bytes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError, type Device, devices, type FoundReport, startChecking } from 'millrace';
import { runSimulation } from '../../src/cli/simulation.ts';
import type { Outcome } from '../support/outcome.ts';

type Expected = Readonly<Record<string, readonly number[]>>;

const folder = 'conformance/oclgrind';

/** Kernels without findings, whose results a device must have as WebAssembly has them. */
export async function compareOclgrind(checkout: string, device: Device): Promise<Outcome[]> {
  const kernels = join(checkout, 'tests/kernels');
  const expected = readTable<Expected>('expected.json');
  const outcomes: Outcome[] = [];
  for (const name of testsIn(kernels)) {
    if (Object.keys(expected[name] ?? {}).length > 0) {
      outcomes.push({ name, status: 'skipped', reason: 'a kernel with a fault, whose results mean nothing' });
      continue;
    }
    outcomes.push({ name, ...(await compareOne(join(kernels, `${name}.sim`), device)) });
  }
  return outcomes;
}

async function compareOne(path: string, device: Device): Promise<Omit<Outcome, 'name'>> {
  const wanted = new Map<number, Uint8Array>();
  await runSimulation(path, { device: devices()[0]!, buffers: (index, bytes) => wanted.set(index, bytes) });
  let difference: string | undefined;
  try {
    await runSimulation(path, {
      device,
      buffers: (index, bytes) => {
        const at = bytes.findIndex((byte, offset) => byte !== wanted.get(index)?.[offset]);
        if (at >= 0) difference ??= `argument ${index} differs at byte ${at}`;
      },
    });
  } catch (error) {
    const text = error instanceof BuildError ? error.log : String(error);
    // Of what a device does not have docs/webgpu.md tells.
    return text.includes('cannot run on')
      ? { status: 'skipped', reason: text.split('\n')[0]!.replace(/^.*?error: kernel '\w+' /, '') }
      : { status: 'failed', reason: text };
  }
  return difference === undefined ? { status: 'passed' } : { status: 'failed', reason: difference };
}

function testsIn(kernels: string): string[] {
  return readFileSync(join(kernels, 'TESTS'), 'utf8').split('\n').filter(Boolean);
}

export async function runOclgrind(checkout: string): Promise<Outcome[]> {
  const kernels = join(checkout, 'tests/kernels');
  const expected = readTable<Expected>('expected.json');
  const reasons = readTable<string>('reasons.json');
  let found: FoundReport[] = [];
  startChecking({ report: (report) => found.push(report), timeout: 20_000 });
  const outcomes: Outcome[] = [];
  for (const name of testsIn(kernels)) {
    found = [];
    let problem: string | undefined;
    try {
      await runSimulation(join(kernels, `${name}.sim`));
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    const wanted = expected[name] ?? {};
    const hasErrors = errorsOf(join(kernels, `${name}.ref`)).length > 0;
    if (hasErrors !== Object.keys(wanted).length > 0) problem ??= 'expected.json and the .ref file disagree';
    const ours = found.map(placeText);
    problem ??= compare(wanted, found);
    const line = `${name}: expected ${expectedText(wanted)}, found ${ours.join(', ') || 'nothing'}`;
    console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${line}`);
    const reason = reasons[name] === undefined ? problem : `${problem} (${reasons[name]})`;
    outcomes.push(
      problem === undefined ? { name, status: 'passed' } : { name, status: 'failed', reason: reason! },
    );
  }
  return outcomes;
}

/** What is wrong with the reports, or undefined. */
function compare(wanted: Expected, found: readonly FoundReport[]): string | undefined {
  for (const [kind, lines] of Object.entries(wanted)) {
    const isThere = found.some(
      (report) =>
        report.kind === kind &&
        [report.place, report.other?.place].some((place) => place && lines.includes(place.line)),
    );
    if (!isThere) return `${kind} is not found`;
  }
  const other = found.find(({ kind }) => wanted[kind] === undefined);
  return other && `${other.kind} is reported, which is not expected`;
}

function placeText({ kind, place }: FoundReport): string {
  return `${kind} at ${place?.line ?? '?'}`;
}

function expectedText(wanted: Expected): string {
  const parts = Object.entries(wanted).map(([kind, lines]) => `${kind} at ${lines.join(' or ')}`);
  return parts.join(', ') || 'nothing';
}

function errorsOf(path: string): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('ERROR'));
}

function readTable<T>(name: string): Readonly<Record<string, T>> {
  const path = join(folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

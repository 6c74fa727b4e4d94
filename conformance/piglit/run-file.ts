/** Runs the tests of one file on a device, through the API that any program uses. */
import {
  BuildError,
  compile,
  type Device,
  type Kernel,
  type KernelArgument,
  local,
  type Program,
} from 'millrace';
import { folderFiles } from '../support/folder-files.ts';
import type { Outcome } from '../support/outcome.ts';
import { readImage, readSampler } from './images.ts';
import type { Section, TestFile } from './test-file.ts';
import {
  byteLength,
  compareValues,
  encodeValues,
  readShape,
  type Tolerance,
  type ValueShape,
} from './values.ts';

export interface RunOptions {
  readonly device: Device;
  /** Folders in which includes are looked for, besides the file's own: the tests name them from piglit's root. */
  readonly roots: readonly string[];
}

/** Milliseconds for one launch. */
const timeout = 60_000;

/** In tenths. Files are run in the usual version unless they ask for a later one. */
const usualVersion = 12;
const highestVersion = 20;

/** Why the whole file cannot be run here; undefined if it can. */
function reasonToSkip({ settings }: Section, device: Device): string | undefined {
  const lowest = Number(settings.get('clc_version_min') ?? 10);
  if (lowest > highestVersion) return `needs OpenCL C ${lowest / 10}`;
  const pattern = settings.get('device_regex');
  if (pattern !== undefined && !new RegExp(pattern).test(device.name)) return `is for devices '${pattern}'`;
  const platform = settings.get('platform_regex');
  if (platform !== undefined && !new RegExp(platform).test('Millrace'))
    return `is for platforms '${platform}'`;
  const wanted = settings.get('require_device_extensions')?.split(/\s+/) ?? [];
  const missing = wanted.find((name) => name !== '' && !device.info.extensions.includes(name));
  if (missing !== undefined) return `needs ${missing}`;
  if (settings.get('need_image_support') === 'true' && !device.info.imageSupport) return 'needs images';
  return undefined;
}

/** The newest version of the language that the file is for, up to the usual one. */
function buildOptions({ settings }: Section): string {
  const newest = Math.max(usualVersion, Number(settings.get('clc_version_min') ?? 10));
  const highest = Math.min(Number(settings.get('clc_version_max') ?? newest), newest);
  const options = settings.get('build_options') ?? '';
  return /-cl-std=/.test(options) ? options : `${options} -cl-std=CL${(highest / 10).toFixed(1)}`;
}

/** One outcome for each test; one for the build where a file has no test, or is to be refused. */
export async function runFile(
  path: string,
  file: TestFile,
  source: string,
  options: RunOptions,
): Promise<Outcome[]> {
  const { config, tests } = file;
  const isTrue = (key: string) => config.settings.get(key) === 'true';
  const names = tests.map((test, index) => `${path}: ${test.settings.get('name') ?? index}`);
  if (names.length === 0 || isTrue('expect_build_fail')) names.splice(0, names.length, `${path}: build`);
  const all = (status: Outcome['status'], reason?: string) =>
    names.map((name): Outcome => ({ name, status, ...(reason === undefined ? {} : { reason }) }));

  const skipped = reasonToSkip(config, options.device);
  if (skipped !== undefined) return all('skipped', skipped);
  let program: Program;
  try {
    program = await compile(source, {
      device: options.device,
      options: buildOptions(config),
      name: path,
      files: folderFiles(options.roots),
      timeout,
    });
  } catch (error) {
    if (!(error instanceof BuildError)) {
      // Wrong build options are not the compiler's to report.
      return isTrue('expect_build_fail') ? all('passed') : all('failed', `does not build: ${String(error)}`);
    }
    if (isTrue('expect_build_fail')) return all('passed');
    const first = error.diagnostics.find((each) => each.severity === 'error')?.message ?? error.log;
    return all('failed', `does not build: ${first}`);
  }
  try {
    if (isTrue('expect_build_fail')) return all('failed', 'builds, but should not');
    if (tests.length === 0) return all('passed');
    const outcomes: Outcome[] = [];
    for (const [index, test] of tests.entries()) {
      outcomes.push({ name: names[index]!, ...(await runTest(program, config, test)) });
    }
    return outcomes;
  } finally {
    program.release();
  }
}

/** One argument of the kernel: what it is given, and what is expected back. */
interface Argument {
  given: KernelArgument;
  /** What `given` holds when the kernel has run. */
  bytes?: Uint8Array;
  expected?: { shape: ValueShape; bytes: Uint8Array; tolerance: Tolerance };
}

async function runTest(program: Program, config: Section, test: Section): Promise<Omit<Outcome, 'name'>> {
  const setting = (key: string) => test.settings.get(key) ?? config.settings.get(key);
  let failure: string | undefined;
  let note: string | undefined;
  try {
    const kernel = program.kernel(setting('kernel_name') ?? '');
    const values = readArguments(kernel, test);
    const dimensions = Number(setting('dimensions') ?? 1);
    const sizes = (text: string | undefined) => text?.split(/\s+/).slice(0, dimensions).map(Number);
    const localSizes = sizes(setting('local_size'));
    const offset = sizes(setting('global_offset'));
    await kernel(
      {
        global: sizes(setting('global_size')) ?? [1],
        ...(localSizes ? { local: localSizes } : {}),
        ...(offset ? { offset } : {}),
      },
      ...values.map(({ given }) => given),
    );
    const result = compare(values);
    failure = result.failure;
    note = result.note;
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  if (setting('expect_test_fail') === 'true') {
    return failure === undefined
      ? { status: 'failed', reason: 'passes, but should not' }
      : { status: 'passed' };
  }
  if (failure !== undefined) return { status: 'failed', reason: failure };
  return { status: 'passed', ...(note === undefined ? {} : { note }) };
}

/** Compares all that came back; the first difference is the failure. */
function compare(values: readonly Argument[]): { failure?: string; note?: string } {
  let note: string | undefined;
  for (const [index, { bytes, expected }] of values.entries()) {
    if (!expected || !bytes) continue;
    const found = compareValues(expected.shape, bytes, expected.bytes, expected.tolerance);
    if (found.difference !== undefined) return { failure: `argument ${index}: ${found.difference}` };
    if (found.numberForNaN !== undefined) note ??= `argument ${index}: ${found.numberForNaN}`;
  }
  return note === undefined ? {} : { note };
}

function readArguments(kernel: Kernel, test: Section): Argument[] {
  const list: Argument[] = [];
  for (const line of test.inputs) {
    const [index = '', kind = '', ...rest] = line.split(/\s+/);
    list[Number(index)] = { given: readInput(kernel, Number(index), kind, rest) };
  }
  for (const line of test.outputs) {
    const [index = '', kind = '', type = '', ...words] = line.split(/\s+/);
    if (kind === 'image') {
      const { picture, shape, bytes, rest } = readImage([type, ...words]);
      picture.data.fill(0);
      const { tolerance } = splitTolerance(rest);
      list[Number(index)] = { given: picture, bytes: picture.data, expected: { shape, bytes, tolerance } };
      continue;
    }
    const shape = readShape(type);
    const { values, tolerance } = splitTolerance(words);
    const before = list[Number(index)]?.given;
    const given = before instanceof Uint8Array ? before : new Uint8Array(byteLength(shape));
    list[Number(index)] = {
      given,
      bytes: given,
      expected: { shape, bytes: encodeValues(shape, values), tolerance },
    };
  }
  return list;
}

function readInput(kernel: Kernel, index: number, kind: string, rest: readonly string[]): KernelArgument {
  if (kind === 'image') return readImage(rest).picture;
  if (kind === 'sampler') return readSampler(rest);
  if (kind !== 'buffer') return encodeValues(readShape(kind), splitTolerance(rest).values);
  const shape = readShape(rest[0] ?? '');
  const { values } = splitTolerance(rest.slice(1));
  if (kernel.parameters[index]?.kind === 'local') return local(byteLength(shape));
  if (values[0] === 'NULL') return null;
  // Nothing can depend on random values, so any will do.
  return values[0] === 'random' ? new Uint8Array(byteLength(shape)).fill(0x3f) : encodeValues(shape, values);
}

/** Takes `tolerance 4 ulp` off the end of a list of values. */
function splitTolerance(words: readonly string[]): { values: readonly string[]; tolerance: Tolerance } {
  const at = words.indexOf('tolerance');
  if (at < 0) return { values: words, tolerance: { amount: 0, inUlps: false } };
  return {
    values: words.slice(0, at),
    tolerance: { amount: Number(words[at + 1]), inUlps: words[at + 2] === 'ulp' },
  };
}

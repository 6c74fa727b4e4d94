/**
 * `millrace compile` without `--emit`: files are compiled one after another, all the way, so that what passes here also runs. What
 * one of them lacks does not keep the others from being looked at.
 */
import { BuildError, compile, inspect } from 'millrace';
import { counted } from '../arguments/counted.ts';
import { findDevice } from '../device.ts';
import { FailureError, UsageError } from '../errors.ts';
import { shownName } from '../files.ts';
import { colourMessages, messages } from '../terminal.ts';
import { type FileRecord, recordOf } from './diagnostic-records.ts';
import {
  buildOptionsText,
  isStrict,
  printLog,
  readProgram,
  type SourceOptions,
  sourceFiles,
} from './source.ts';

export interface CheckOptions extends SourceOptions {
  readonly device?: string;
  readonly json?: true;
}

/** Checks files, prints what they hold or, with `--json`, a list of records. Sets the exit code to 1 if one has errors. */
export async function checkSources(files: readonly string[], options: CheckOptions): Promise<void> {
  // A device that is not there is a mistake of the call, and no file's.
  await findDevice(options.device);
  const records: FileRecord[] = [];
  for (const file of files) records.push(await checkFile(file, options));
  if (options.json) console.log(JSON.stringify(records, undefined, 2));
  if (records.some(({ ok }) => !ok)) process.exitCode = 1;
}

async function checkFile(file: string, options: CheckOptions): Promise<FileRecord> {
  const name = shownName(file);
  try {
    return file.endsWith('.il') ? checkIl(file, options) : await checkOpencl(file, name, options);
  } catch (error) {
    if (error instanceof BuildError) {
      const { diagnostics, log } = error;
      if (!options.json) printLog(diagnostics, log);
      return { file: name, ok: false, kernels: [], diagnostics: diagnostics.map(recordOf), log };
    }
    if (!(error instanceof FailureError)) throw error;
    if (!options.json) console.error(`${messages.red('millrace:')} ${error.message}`);
    return { file: name, ok: false, kernels: [], diagnostics: [], log: error.message };
  }
}

async function checkOpencl(file: string, name: string, options: CheckOptions): Promise<FileRecord> {
  process.env['MILLRACE_EARLY'] = '1';
  const program = await compile(readProgram(file), {
    name,
    options: buildOptionsText(options),
    files: sourceFiles(options),
    device: await findDevice(options.device),
    strict: isStrict(options),
  });
  const { kernelNames, diagnostics, log } = program;
  program.release();
  if (!options.json) {
    printLog(diagnostics, log);
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    const parts = [
      'no errors',
      ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
      kernelNames.length === 0
        ? 'no kernels'
        : `${counted(kernelNames.length, 'kernel')}: ${kernelNames.join(', ')}`,
    ];
    console.log(`${name}: ${parts.join(', ')}`);
  }
  return { file: name, ok: true, kernels: kernelNames, diagnostics: diagnostics.map(recordOf), log };
}

/** Compiles a program in AMD IL to the module that the device runs. */
function checkIl(file: string, options: CheckOptions): FileRecord {
  if (options.device !== undefined) throw new UsageError('programs in AMD IL are checked without a device');
  const program = readProgram(file);
  if (typeof program !== 'string') throw new FailureError(`${file} is a binary, not text in AMD IL`);
  const { output, log } = inspect(program, {
    name: file,
    language: 'il',
    emit: 'wasm',
    color: colourMessages && !options.json,
  });
  const ok = output !== undefined;
  if (!options.json) {
    process.stderr.write(log);
    if (ok) console.log(`${file}: no errors`);
  }
  return { file, ok, kernels: [], diagnostics: [], log };
}

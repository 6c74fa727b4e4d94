/**
 * `millrace compile` for a program in C: `millrace compile host.c more.c -o host.wasm`. With `--json` it prints a record for each source,
 * as it does for files in OpenCL C.
 */
import { type Command, Option } from 'commander';
import { type Diagnostic, renderDiagnostics } from 'millrace';
import type { HostSource } from 'millrace/c-host';
import { FailureError, UsageError } from '../errors.ts';
import { writeFile } from '../files.ts';
import { isCSource } from '../program-files.ts';
import {
  addCSourceOptions,
  type CSourceOptions,
  compileCSources,
  compileProgramOf,
  readCSource,
} from './c-sources.ts';
import { type FileRecord, recordOf } from './diagnostic-records.ts';

const stages = ['ir', 'wat', 'wasm'] as const;

interface CompileOptions extends CSourceOptions {
  readonly emit?: (typeof stages)[number];
  readonly output?: string;
  readonly json?: true;
  readonly c?: true;
}

/** Declares the subcommand in its other form. */
export function compileProgramCommand(command: Command): void {
  command
    .description('compile a program in C or Brook+ to WebAssembly: a command for WASI that uses OpenCL')
    .argument('<files...>', '.c and .br sources, which are linked')
    .addOption(new Option('--emit <stage>', 'what to print or write').choices(stages))
    .option('-o, --output <file>', 'the WebAssembly module, or what --emit says')
    .option('--json', 'print kernels, errors and warnings of the files as JSON')
    .addOption(new Option('-c', 'as compilers have it').hideHelp());
  addCSourceOptions(command).action(compileProgram);
}

function compileProgram(files: readonly string[], options: CompileOptions): void {
  if (options.c) {
    throw new UsageError(
      '-c: there are no object files, the sources of a program are compiled together: millrace compile a.c b.c -o program.wasm',
    );
  }
  const strange = files.find((file) => !isCSource(file));
  if (strange !== undefined)
    throw new UsageError(`${strange} is no source of a program, which ends in .c or .br`);
  if (options.json) {
    if (options.emit !== undefined) throw new UsageError('--json goes with a check, not with --emit');
    printRecords(files, options);
    return;
  }
  const emit = options.emit ?? 'wasm';
  if (options.emit === 'wasm' && options.output === undefined && process.stdout.isTTY) {
    throw new UsageError('a WebAssembly module is not for terminals: add -o FILE');
  }
  const result = compileCSources(files, options);
  if (!result.bytes) {
    process.exitCode = 1;
    return;
  }
  const output = emit === 'wasm' ? result.bytes : result.show(emit);
  if (options.output !== undefined) writeFile(options.output, output);
  else if (options.emit !== undefined) process.stdout.write(output);
  else console.log(`${files.join(', ')}: no errors`);
}

/** With `-o` the module is written all the same, if there is one. */
function printRecords(files: readonly string[], options: CompileOptions): void {
  const sources: HostSource[] = [];
  const unread = new Map<string, string>();
  for (const file of files) {
    try {
      sources.push(readCSource(file));
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      unread.set(file, error.message);
    }
  }
  const { sources: results, diagnostics, bytes } = compileProgramOf(sources, options);
  const left = [...diagnostics];
  const own = new Map(results.map((source) => [source.name, left.splice(0, source.diagnosticCount)]));
  // What a program lacks of which not all could be read is no news.
  const ofProgram = unread.size > 0 ? [] : left;
  const records = files.map((file): FileRecord => {
    const source = results.find(({ name }) => name === file);
    if (!source) return { file, ok: false, kernels: [], diagnostics: [], log: unread.get(file) ?? '' };
    const lacks = ofProgram.filter(({ span }) => {
      const { name } = span.file;
      return (files.includes(name) ? name : files[0]) === file;
    });
    const all: Diagnostic[] = [...own.get(file)!, ...lacks];
    const ok = source.ok && lacks.every(({ severity }) => severity !== 'error');
    const kernels = ok ? source.kernels : [];
    return { file, ok, kernels, diagnostics: all.map(recordOf), log: renderDiagnostics(all) };
  });
  console.log(JSON.stringify(records, undefined, 2));
  if (bytes && unread.size === 0) {
    if (options.output !== undefined) writeFile(options.output, bytes);
  } else process.exitCode = 1;
}

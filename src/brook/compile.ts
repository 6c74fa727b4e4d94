/**
 * The front end of Brook+: from the text of a .br file to checked kernels, which `emit` makes OpenCL C of, and to the C of
 * its host part, which src/hosted compiles.
 */
import { type FileSystem, preprocess } from '../c/preprocessor.ts';
import type { Token } from '../c/token.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { SourceFile } from '../source/source-file.ts';
import { isStackFull } from '../source/stack-full.ts';
import { checkKernel } from './check/kernels.ts';
import { Report, type ReportOptions } from './check/report.ts';
import type { CheckedKernel } from './check/tree.ts';
import { definitionProblem, preprocessAsBrcc } from './preprocessor.ts';
import { readUnit, type Unit } from './unit.ts';

export interface BrookOptions extends Partial<ReportOptions> {
  readonly files?: FileSystem | undefined;
  /** Texts that #include finds before all files. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  readonly includePaths?: readonly string[] | undefined;
  /** As behind -D: `NAME` or `NAME=VALUE`. */
  readonly definitions?: readonly string[] | undefined;
  readonly undefinitions?: readonly string[] | undefined;
  /** brcc's `-pp`: its own preprocessor, which has a part of C's; see preprocessor.ts. Default false. */
  readonly brccPreprocessor?: boolean | undefined;
  readonly predefined?: Readonly<Record<string, string>> | undefined;
  /** Headers that the file begins with without saying so. */
  readonly firstIncludes?: readonly string[] | undefined;
  /**
   * Headers that are not found are empty, and what the host part says matters to nobody: for those who want the kernels
   * only. Default false.
   */
  readonly kernelsOnly?: boolean | undefined;
  /** Takes the messages, too. */
  readonly diagnostics?: Diagnostics | undefined;
}

export interface CompiledBrook {
  readonly unit: Unit;
  /** The kernels without mistakes, in the order of the file. */
  readonly kernels: readonly CheckedKernel[];
  readonly report: Report;
  readonly diagnostics: Diagnostics;
  readonly hasErrors: boolean;
  /** What the compiler says, in brcc's form: `file(line) : ERROR--n: ...`. */
  readonly log: string;
}

/** Compiles one .br file. Nothing that a user writes makes this throw. */
export function compileBrook(name: string, text: string, options: BrookOptions = {}): CompiledBrook {
  const settings = {
    strongTypes: options.strongTypes ?? true,
    warningLevel: options.warningLevel ?? 0,
    warningsAreErrors: options.warningsAreErrors ?? false,
    constantBuffers: options.constantBuffers ?? true,
  };
  const report = new Report(settings, options.diagnostics);
  const { diagnostics } = report;
  const unit = readUnit(preprocessed(new SourceFile(name, text), options, report), report);
  const kernels = checkKernels(unit, report);
  return { unit, kernels, report, diagnostics, hasErrors: diagnostics.errorCount > 0, log: report.log };
}

function preprocessed(written: SourceFile, options: BrookOptions, report: Report): readonly Token[] {
  const { files, headers, includePaths = [], definitions = [], undefinitions = [] } = options;
  const { diagnostics } = report;
  const file = options.brccPreprocessor ? processedAsBrcc(written, definitions, report) : written;
  const { predefined, firstIncludes = [] } = options;
  const found = options.kernelsOnly ? withEmptyHeaders(files) : files;
  // What C warns of, brcc's preprocessor has said in its own words.
  const sink = options.brccPreprocessor ? new Diagnostics() : diagnostics;
  const tokens = preprocess(
    file,
    {
      includePaths: options.kernelsOnly ? [...includePaths, emptyHeaders] : includePaths,
      definitions,
      undefinitions,
      firstIncludes,
      ...(found ? { files: found } : {}),
      ...(headers ? { headers } : {}),
      ...(predefined ? { predefined } : {}),
    },
    sink,
  );
  if (sink === diagnostics) return tokens;
  for (const { severity, span, message } of sink.list) {
    if (severity === 'error') report.error(span, '', message);
  }
  return tokens;
}

/** A folder that has every header, with nothing in it. It is looked in last. */
const emptyHeaders = '<no headers>';

function withEmptyHeaders(files: FileSystem | undefined): FileSystem {
  return { read: (path) => (path.startsWith(emptyHeaders) ? '' : files?.read(path)) };
}

function processedAsBrcc(file: SourceFile, definitions: readonly string[], report: Report): SourceFile {
  for (const definition of definitions) {
    const problem = definitionProblem(definition);
    if (problem !== undefined) report.error({ file, start: 0, end: 0 }, '', `-D ${definition}: ${problem}`);
  }
  return new SourceFile(file.name, preprocessAsBrcc(file, definitions, report));
}

/** Checks the kernels of a file, each with those before it. */
function checkKernels(
  { parts, hostFunctions, hostVariables }: Unit,
  report: Report,
): readonly CheckedKernel[] {
  const known = new Map<string, CheckedKernel | undefined>();
  for (const part of parts) {
    if (part.kind !== 'kernel') continue;
    const { kernel } = part;
    if (!kernel.body) {
      if (!known.has(kernel.name)) known.set(kernel.name, undefined);
      continue;
    }
    const isTaken = hostFunctions.has(kernel.name) || hostVariables.has(kernel.name);
    if (isTaken || known.get(kernel.name))
      report.error(kernel.nameSpan, '', `Variable name Duplicated: ${kernel.name}`);
    known.set(kernel.name, checkedWithinStack(kernel, { kernels: known, hostFunctions }, report));
  }
  return [...known.values()].filter((kernel) => kernel !== undefined);
}

/** What nests too deeply for the stack, a sum of ten thousand terms for instance, is the kernel's mistake. */
function checkedWithinStack(
  ...[kernel, known, report]: Parameters<typeof checkKernel>
): CheckedKernel | undefined {
  try {
    return checkKernel(kernel, known, report);
  } catch (error) {
    if (!isStackFull(error)) throw error;
    report.error(kernel.nameSpan, '', `kernel '${kernel.name}' nests too deeply to be compiled`);
    return undefined;
  }
}

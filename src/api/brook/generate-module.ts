/**
 * What `millrace brcc` makes of a .br file: a module whose functions are the kernels, in TypeScript, or in JavaScript with its types
 * beside it. brcc made C++ of it, with the kernels as IL inside; here their own text is inside, without what belongs to the host and
 * with its macros expanded.
 */
import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import { type CompiledBrook, compileBrook } from '../../brook/compile.ts';
import { emitMap } from '../../brook/emit/map.ts';
import { emitReduce } from '../../brook/emit/reduce.ts';
import { emitIl, type IlText } from '../../brook/il/kernel.ts';
import { tokensText, treeText } from '../../brook/syntax/tree-text.ts';
import { typeName } from '../../brook/types.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import type { Token } from '../../c/token.ts';
import { printTokens } from '../../c/token-printer.ts';
import type { Diagnostic } from '../../source/diagnostics.ts';
import { outermostUse, type Span } from '../../source/span.ts';
import { type CppFiles, cppFiles } from './generate-cpp.ts';

export interface BrccOptions {
  /** `-a` turns it off. */
  readonly strongTypes?: boolean | undefined;
  /** `-w` */
  readonly warningLevel?: number | undefined;
  /** `-x` */
  readonly warningsAreErrors?: boolean | undefined;
  /** `-c` turns them off: sizes of arrays are then only warned of. */
  readonly constantBuffers?: boolean | undefined;
  /** `-pp`: brcc's own preprocessor. */
  readonly brccPreprocessor?: boolean | undefined;
  /** `-D` */
  readonly definitions?: readonly string[] | undefined;
  /** `-i` */
  readonly includePaths?: readonly string[] | undefined;
  readonly files?: FileSystem | undefined;
  /** `-l`: the module's source and the OpenCL C say by #line which lines of the .br file theirs come from. */
  readonly lineDirectives?: boolean | undefined;
  /** Asks for a header and a source in C++, too, whose names begin with `prefix`; `externC` is `-e`. */
  readonly cpp?: { readonly prefix: string; readonly externC?: boolean | undefined } | undefined;
}

/** A kernel as the module has it. */
export interface BrookExport {
  /** As Brook+ writes it. */
  readonly signature: string;
  /** What it is exported by, and its type in TypeScript. */
  readonly exported: string;
  readonly type: string;
  /** Its name in the file. */
  readonly span: Span | undefined;
}

export interface BrccResult {
  /** The module in TypeScript; undefined if there were errors. */
  readonly module: string | undefined;
  /** The same in JavaScript, with the types for it; undefined if there were errors. */
  readonly script: string | undefined;
  readonly declarations: string | undefined;
  /** The file for programs in C++, if they were asked for; undefined if there were errors. */
  readonly cpp: CppFiles | undefined;
  /** What the kernels become in OpenCL C, for looking at. */
  readonly openCL: string;
  /** The kernels as programs in IL with brcc's trailer, or why there is none, by their names. */
  readonly il: ReadonlyMap<string, IlText>;
  /** Errors and warnings in brcc's form. */
  readonly log: string;
  /** The same with their places. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the module exports, but for `stream`; empty if there were errors. */
  readonly exports: readonly BrookExport[];
  /** What was read, as text: the tokens of the whole file, the syntax trees of its kernels. */
  readonly tokens: () => string;
  readonly trees: () => string;
}

/** Compiles a .br file as brcc does. */
export function brcc(name: string, text: string, options: BrccOptions = {}): BrccResult {
  const { strongTypes = true, warningLevel = 0, warningsAreErrors = false, constantBuffers = true } = options;
  const compiled = compileBrook(name, text, {
    strongTypes,
    warningLevel,
    warningsAreErrors,
    constantBuffers,
    brccPreprocessor: options.brccPreprocessor,
    definitions: options.definitions,
    includePaths: options.includePaths,
    files: options.files,
    kernelsOnly: true,
  });
  const { log, kernels, diagnostics } = compiled;
  // What the preprocessor says is not brcc's.
  const all = log === '' ? diagnostics.list.map(({ message }) => `${message}\n`).join('') : log;
  const none = { cpp: undefined, module: undefined, script: undefined, declarations: undefined, exports: [] };
  const said = { log: all, diagnostics: diagnostics.list };
  const { parts: read } = compiled.unit;
  const texts = {
    tokens: () => tokensText(read.flatMap(({ tokens }) => tokens)),
    trees: () => read.flatMap((part) => (part.kind === 'kernel' ? treeText(part.kernel) : [])).join('\n'),
  };
  if (compiled.hasErrors) return { ...none, openCL: '', il: new Map(), ...said, ...texts };
  const launched = kernels.filter(({ form }) => form !== 'function');
  const hasLines = options.lineDirectives === true;
  const parts = partsOf(name, compiled, { strongTypes, constantBuffers }, hasLines);
  return {
    module: moduleText(parts),
    script: scriptText(parts),
    declarations: declarationsText(parts),
    il: new Map(launched.map((kernel) => [kernel.name, emitIl(kernel)])),
    cpp:
      options.cpp &&
      cppFiles(name, text, compiled, {
        strongTypes,
        constantBuffers,
        lineDirectives: hasLines,
        externC: options.cpp.externC === true,
        prefix: options.cpp.prefix,
      }),
    openCL: launched.map((kernel) => openCLOf(kernel, hasLines)).join('\n'),
    exports: parts.kernels,
    ...said,
    ...texts,
  };
}

function openCLOf(kernel: CheckedKernel, hasLines: boolean): string {
  const simplest = {
    rank: 2,
    isResized: false,
    isLinear: false,
    isAtOrigin: true,
    isInside: false,
    hasLines,
  };
  const text = kernel.form === 'reduce' ? emitReduce(kernel, hasLines) : emitMap(kernel, simplest);
  return `// ${kernel.name}\n\n${text}`;
}

/** What all forms of the module have. */
interface Parts {
  readonly file: string;
  /** As a template literal. */
  readonly source: string;
  /** Of `brook`, as text. */
  readonly options: string;
  readonly kernels: readonly KernelParts[];
}

interface KernelParts extends BrookExport {
  readonly name: string;
}

interface Settings {
  readonly strongTypes: boolean;
  readonly constantBuffers: boolean;
}

function partsOf(
  name: string,
  { unit, kernels }: CompiledBrook,
  settings: Settings,
  hasLines: boolean,
): Parts {
  const file = name.replace(/^.*[\\/]/, '');
  const kept = unit.parts.flatMap((part) => {
    const [first] = part.tokens;
    return part.kind === 'kernel' || /^(?:typedef|struct)$/.test(first?.text ?? '') ? [part.tokens] : [];
  });
  const texts = hasLines
    ? kept.map((tokens) => `${lineOf(tokens[0]!)}${printTokens([...tokens, unit.end])}`)
    : [printTokens([...kept.flat(), unit.end])];
  const nameSpan = ({ name: kernel }: CheckedKernel): Span | undefined =>
    unit.parts.flatMap((part) =>
      part.kind === 'kernel' && part.kernel.name === kernel && part.kernel.body ? [part.kernel.nameSpan] : [],
    )[0];
  const source = texts.join('').replace(/[`\\]|\$\{/g, '\\$&');
  const off = Object.entries(settings).flatMap(([option, isOn]) => (isOn ? [] : [`${option}: false`]));
  return {
    file,
    source: `\`\n${source}\``,
    options: `{ ${[`name: ${JSON.stringify(file)}`, ...off].join(', ')} }`,
    kernels: kernels
      .filter(({ form }) => form !== 'function')
      .map((kernel) => ({ ...kernelParts(kernel), span: nameSpan(kernel) })),
  };
}

/** A directive that gives the next line the place of a token in its file. */
function lineOf(token: Token): string {
  const { file, start } = outermostUse(token.span);
  const { name, line } = file.presumed(start);
  return `#line ${line} "${name.replace(/[\\"]/g, '\\$&')}"\n`;
}

function kernelParts(kernel: CheckedKernel): Omit<KernelParts, 'span'> {
  const { name, form, formals } = kernel;
  const parameters = formals.map((formal) => `${formal.name}: ${argumentType(kernel, formal)}`);
  return {
    signature: `\`${form === 'reduce' ? 'reduce' : 'kernel'} void ${name}(${formals.map(written).join(', ')})\``,
    name,
    exported: exportedName(name),
    type: `BrookKernelOf<[${parameters.join(', ')}]>`,
  };
}

const fromBrook = "from 'millrace/brook';";
const streamComment =
  '/** A new stream of a type, on the device of the kernels; sizes with x, the fastest, first. */';

function moduleText({ file, source, options, kernels }: Parts): string {
  const each = kernels.map(
    ({ signature, name, exported, type }) =>
      `\n/** ${signature} */\nexport const ${exported} = kernels['${name}'] as ${type};\n`,
  );
  return `// Made by millrace brcc from ${file}.
import { type BrookKernelOf, brook, type Stream } ${fromBrook}

const source = ${source};

const { kernels, stream } = brook(source, ${options});

${streamComment}
export { stream };
${each.join('')}`;
}

function scriptText({ file, source, options, kernels }: Parts): string {
  const each = kernels.map(
    ({ signature, name, exported }) =>
      `\n/** ${signature} */\nexport const ${exported} = kernels['${name}'];\n`,
  );
  return `// Made by Millrace from ${file}.
import { brook } ${fromBrook}

const source = ${source};

const { kernels, stream } = brook(source, ${options});

export { stream };
${each.join('')}`;
}

function declarationsText({ file, kernels }: Parts): string {
  const each = kernels.map(
    ({ signature, exported, type }) => `\n/** ${signature} */\nexport declare const ${exported}: ${type};\n`,
  );
  return `// Made by Millrace from ${file}.
import type { BrookKernelOf, BrookModule, Stream } ${fromBrook}

${streamComment}
export declare const stream: BrookModule['stream'];
${each.join('')}`;
}

/** Kernels may be called what nothing in TypeScript may. */
function exportedName(name: string): string {
  return /^(?:brook|stream|source|kernels|Stream|new|in|delete|class|function|var|let|const|import|export|with|yield|await|default|enum|this|super|null|true|false|try|catch|throw|typeof|package|interface|private|public|protected|implements|static|arguments|eval)$/.test(
    name,
  )
    ? `${name}Kernel`
    : name;
}

function argumentType(kernel: CheckedKernel, { role, type }: Formal): string {
  if (role === 'reduce') return 'Stream | ArrayBufferView';
  if (role !== 'value' || kernel.form === 'reduce') return 'Stream';
  if (type.kind === 'struct') return 'ArrayBufferView';
  return type.width === 1 ? 'number' : 'readonly number[] | ArrayBufferView';
}

/** A parameter as Brook+ writes it. */
function written({ name, role, type, rank, sizes }: Formal): string {
  const brackets = sizes ? sizes.map((size) => `[${size}]`).join('') : '[]'.repeat(rank);
  const prefix = role === 'out' || role === 'scatter' ? 'out ' : role === 'reduce' ? 'reduce ' : '';
  const suffix = role === 'value' ? '' : rank > 0 ? brackets : '<>';
  return `${prefix}${typeName(type)} ${name}${suffix}`;
}

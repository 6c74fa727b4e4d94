/**
 * What `millrace brcc` makes of a .br file: a TypeScript module whose functions are the kernels. brcc made C++ of it, with the
 * kernels as IL inside; here their own text is inside, without what belongs to the host and with its macros expanded.
 */
import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import { type CompiledBrook, compileBrook } from '../../brook/compile.ts';
import { emitMap } from '../../brook/emit/map.ts';
import { emitReduce } from '../../brook/emit/reduce.ts';
import { typeName } from '../../brook/types.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import { printTokens } from '../../c/token-printer.ts';

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
}

export interface BrccResult {
  /** The module in TypeScript; undefined if there were errors. */
  readonly module: string | undefined;
  /** What the kernels become in OpenCL C, for looking at. */
  readonly openCL: string;
  /** Errors and warnings in brcc's form. */
  readonly log: string;
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
  const { log, kernels } = compiled;
  // What the preprocessor says is not brcc's.
  const all = log === '' ? compiled.diagnostics.list.map(({ message }) => `${message}\n`).join('') : log;
  if (compiled.hasErrors) return { module: undefined, openCL: '', log: all };
  const launched = kernels.filter(({ form }) => form !== 'function');
  return {
    module: moduleText(name, compiled, strongTypes),
    openCL: launched.map(openCLOf).join('\n'),
    log: all,
  };
}

function openCLOf(kernel: CheckedKernel): string {
  const simplest = { rank: 2, isResized: false, isLinear: false, isInside: false };
  const text = kernel.form === 'reduce' ? emitReduce(kernel) : emitMap(kernel, simplest);
  return `// ${kernel.name}\n\n${text}`;
}

const importLine = "import { type BrookKernelOf, brook, type Stream } from 'millrace/brook';";

function moduleText(name: string, { unit, kernels }: CompiledBrook, strongTypes: boolean): string {
  const file = name.replace(/^.*[\\/]/, '');
  const kept = unit.parts.flatMap((part) => {
    const [first] = part.tokens;
    return part.kind === 'kernel' || first?.text === 'typedef' || first?.text === 'struct' ? part.tokens : [];
  });
  const source = printTokens([...kept, unit.end]).replace(/[`\\]|\$\{/g, '\\$&');
  const launched = kernels.filter(({ form }) => form !== 'function');
  const options = `{ name: ${JSON.stringify(file)}${strongTypes ? '' : ', strongTypes: false'} }`;
  return `// Made by millrace brcc from ${file}.
${importLine}

const source = \`
${source}\`;

const { kernels, stream } = brook(source, ${options});

/** A new stream of a type, on the device of the kernels; sizes with x, the fastest, first. */
export { stream };
${launched.map(kernelText).join('')}`;
}

function kernelText(kernel: CheckedKernel): string {
  const parameters = kernel.formals.map((formal) => `${formal.name}: ${argumentType(kernel, formal)}`);
  const signature = kernel.formals.map(written).join(', ');
  return `
/** \`${kernel.form === 'reduce' ? 'reduce' : 'kernel'} void ${kernel.name}(${signature})\` */
export const ${exportedName(kernel.name)} = kernels['${kernel.name}'] as BrookKernelOf<[${parameters.join(', ')}]>;
`;
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

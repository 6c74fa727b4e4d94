/**
 * What brcc makes of a .br file for programs in C++ (Stream Computing User Guide, 2.2 and 2.10): a header with the kernels as objects
 * that are called, and a source with what they do and the file's host code. The kernels' text is in the source, without what belongs
 * to the host and with its macros expanded; the program hands it to whoever runs it (include/brook).
 */
import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import type { CompiledBrook } from '../../brook/compile.ts';
import { hostAsCpp } from '../../brook/host/as-cpp.ts';
import { type ElementType, typeName } from '../../brook/types.ts';
import type { UnitPart } from '../../brook/unit.ts';
import type { Token } from '../../c/token.ts';
import { printTokens } from '../../c/token-printer.ts';
import { outermostUse } from '../../source/span.ts';

export interface CppOptions {
  readonly strongTypes: boolean;
  readonly constantBuffers: boolean;
  /** `-l`: #line directives that lead into the .br file. */
  readonly lineDirectives: boolean;
  /** `-e`: functions of the host are declared as C's. */
  readonly externC: boolean;
  /** What the names of the files begin with. */
  readonly prefix: string;
}

export interface CppFiles {
  readonly header: string;
  readonly source: string;
}

/** The two files. `written` is the text of the .br file. */
export function cppFiles(
  name: string,
  written: string,
  compiled: CompiledBrook,
  options: CppOptions,
): CppFiles {
  const { unit, kernels } = compiled;
  const launched = kernels.filter(({ form }) => form !== 'function');
  const file = name.replace(/^.*[\\/]/, '');
  const word = options.prefix.replace(/^.*[\\/]/, '').replace(/\W/g, '_');
  const end = unit.end;
  // What a header of the program's own says stays there, unless kernels are in it, which C++ cannot read.
  const ownFile = (part: UnitPart): boolean => fileOf(part) === name;
  const inlined = new Set(unit.parts.filter((part) => part.kind === 'kernel').map(fileOf));
  const isHere = (part: UnitPart): boolean => ownFile(part) || inlined.has(fileOf(part));
  const host = unit.parts.filter((part) => part.kind === 'host' && isHere(part));
  const isType = ({ tokens }: UnitPart): boolean => /^(?:typedef|struct)$/.test(tokens[0]?.text ?? '');
  const includes = includesOf(written).filter(({ path }) => !hasFile(inlined, path) && !isBrookHeader(path));
  const cpp = (tokens: readonly Token[]): string => printTokens([...hostAsCpp(tokens, unit.types), end]);
  const lines = (part: UnitPart): string => (options.lineDirectives ? lineOf(part.tokens[0]!) : '');
  const types = host.filter(isType).map((part) => cpp(part.tokens));
  const functions = host.filter((part) => !isType(part)).map((part) => lines(part) + cpp(part.tokens));
  const declarations = host.flatMap((part) => declarationOf(part.tokens, (tokens) => cpp(tokens)));
  const structures = structuresOf(launched);
  const text = `__brook_text_${word}`;
  const guard = `BROOK_${word.toUpperCase()}_H`;
  const header = [
    `// Made by millrace brcc from ${file}.\n#ifndef ${guard}\n#define ${guard}\n\n#include "brook/brook.h"\n`,
    ...includes.map(({ line }) => `${line}\n`),
    '\n',
    ...types,
    `\n// The kernels as text: its number for the runtime.\nint ${text}();\n`,
    ...structures.map((type) => elementOf(type, text)),
    ...launched.map((kernel) => classOf(kernel, text)),
    ...wrapped(declarations, options.externC),
    '\n#endif\n',
  ].join('');
  const bits = (options.strongTypes ? 0 : 1) | (options.constantBuffers ? 0 : 2);
  const kept = unit.parts
    .filter((part) => part.kind === 'kernel' || isType(part))
    .flatMap(({ tokens }) => tokens);
  const source = [
    `// Made by millrace brcc from ${file}.\n#include "${options.prefix.replace(/^.*[\\/]/, '')}.h"\n\n`,
    `static const char text[] =\n${literal(printTokens([...kept, end]))};\n\n`,
    `int ${text}() {\n  static const int number = ::brook::runtime::__millrace_brook_load(${JSON.stringify(file)}, text, sizeof text - 1, ${bits});\n  return number;\n}\n`,
    ...launched.map(definitionOf),
    ...(functions.length > 0 ? ['\n', ...functions] : []),
  ].join('');
  return { header, source };
}

function fileOf({ tokens }: UnitPart): string {
  return tokens[0] ? outermostUse(tokens[0].span).file.name : '';
}

/** The directives that include files, where they are not commented out. */
function includesOf(text: string): { readonly line: string; readonly path: string }[] {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''));
  return [...bare.matchAll(/^[ \t]*(#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"])/gm)].map(([, line, path]) => ({
    line: line!,
    path: path!,
  }));
}

function hasFile(files: ReadonlySet<string>, path: string): boolean {
  return [...files].some((file) => file === path || file.endsWith(`/${path}`));
}

function isBrookHeader(path: string): boolean {
  return /^brook(?:\/brook)?\.h(?:pp)?$/.test(path);
}

/** The head of a function that others may call, as a declaration. */
function declarationOf(tokens: readonly Token[], print: (tokens: readonly Token[]) => string): string[] {
  const open = tokens.findIndex((token, index) => token.is('{') && tokens[index - 1]?.is(')'));
  const bracket = tokens.findIndex((token) => token.is('('));
  const isFunction = open > 0 && bracket > 0 && tokens[bracket - 1]?.kind === 'identifier';
  const isOwn = tokens
    .slice(0, Math.max(bracket, 0))
    .some(({ text }) => /^(?:static|inline|main)$/.test(text));
  return isFunction && !isOwn ? [`${print(tokens.slice(0, open)).trimEnd()};\n`] : [];
}

function wrapped(declarations: readonly string[], externC: boolean): string[] {
  if (declarations.length === 0) return [];
  return externC ? ['\nextern "C" {\n', ...declarations, '}\n'] : ['\n', ...declarations];
}

function lineOf(token: Token): string {
  const { file, start } = outermostUse(token.span);
  const { name, line } = file.presumed(start);
  return `#line ${line} "${name.replace(/[\\"]/g, '\\$&')}"\n`;
}

/** Structures that streams are made of. */
function structuresOf(kernels: readonly CheckedKernel[]): readonly ElementType[] {
  const found = new Map<string, ElementType>();
  for (const { formals } of kernels) {
    for (const { type } of formals) if (type.kind === 'struct') found.set(type.spelling, type);
  }
  return [...found.values()];
}

function spelled(type: ElementType): string {
  return type.kind === 'struct' ? type.spelling : typeName(type);
}

function elementOf(type: ElementType, text: string): string {
  return (
    `\ntemplate <> struct brook::ElementType<${spelled(type)}> {\n` +
    `  static const char *name() {\n    ${text}();\n    return "${spelled(type)}";\n  }\n};\n`
  );
}

/** A text as C++ has it, a line of it on a line. */
function literal(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => `  ${JSON.stringify(index + 1 < lines.length ? `${line}\n` : line)}`)
    .join('\n');
}

/** Whether a reduction's result is a variable, in the second of its two forms. */
type Form = 'stream' | 'variable';

function formsOf(kernel: CheckedKernel): readonly Form[] {
  return kernel.formals.some(({ role }) => role === 'reduce') ? ['stream', 'variable'] : ['stream'];
}

function isVariable(formal: Formal, form: Form): boolean {
  return formal.role === 'reduce' && form === 'variable';
}

function isValue({ form }: CheckedKernel, { role }: Formal): boolean {
  return role === 'value' && form !== 'reduce';
}

function parametersOf(kernel: CheckedKernel, form: Form): string {
  return kernel.formals
    .map((formal) => {
      const type = spelled(formal.type);
      if (isVariable(formal, form)) return `${type} &${formal.name}`;
      if (isValue(kernel, formal)) return `${type} ${formal.name}`;
      if (formal.sizes)
        return `const ::brook::ConstantArray<${[type, ...formal.sizes].join(', ')}> &${formal.name}`;
      return `const ::brook::Stream<${type} > &${formal.name}`;
    })
    .join(', ');
}

function className({ name }: CheckedKernel): string {
  return `__brook_kernel_${name}`;
}

function classOf(kernel: CheckedKernel, text: string): string {
  const name = className(kernel);
  const operators = formsOf(kernel).map(
    (form) => `  void operator()(${parametersOf(kernel, form)}) const;\n`,
  );
  return (
    `\nclass ${name} : public ::brook::KernelInterface {\npublic:\n` +
    `  constexpr ${name}() : KernelInterface(&${text}, "${kernel.name}") {}\n${operators.join('')}};\n` +
    `extern ${name} ${kernel.name};\n`
  );
}

function definitionOf(kernel: CheckedKernel): string {
  const name = className(kernel);
  const bodies = formsOf(kernel).map((form) => {
    const gives = kernel.formals.map((formal) => {
      const give = isVariable(formal, form) ? 'giveResult' : isValue(kernel, formal) ? 'giveValue' : 'give';
      return `  ${give}(${formal.name});\n`;
    });
    return (
      `\nvoid ${name}::operator()(${parametersOf(kernel, form)}) const {\n` +
      `  ::brook::runtime::__millrace_brook_begin(number());\n${gives.join('')}` +
      '  ::brook::runtime::__millrace_brook_run();\n}\n'
    );
  });
  return `\n${name} ${kernel.name};\n${bodies.join('')}`;
}

/** What something is, in the words of its declaration and in Markdown. */
import type { FunctionDeclaration } from '../../../c/ast.ts';
import type { Binding, Tag } from '../../../c/check/scopes.ts';
import type { Dialect } from '../../../c/dialect.ts';
import type { Macro } from '../../../c/macro.ts';
import { spelling } from '../../../c/token.ts';
import { alignOfObject, isComplete, sizeOf } from '../../../c/type-facts.ts';
import { printDeclaration, printType } from '../../../c/type-printer.ts';
import type { CType, QualifiedType, RecordType } from '../../../c/types.ts';
import { counted } from '../../../source/counted.ts';
import type { Span } from '../../../source/span.ts';

/** Code in OpenCL C. */
export function code(text: string): string {
  return `\`\`\`opencl\n${text}\n\`\`\``;
}

/** A function's head: `__kernel void scale(__global float *x, float a)`. */
export function describeFunction(declaration: FunctionDeclaration, dialect: Dialect): string {
  const { name, isKernel, isInline, storage } = declaration;
  const words = [isKernel ? '__kernel' : '', storage === 'static' ? 'static' : '', isInline ? 'inline' : ''];
  return [...words.filter((word) => word !== ''), headOf(declaration, name, dialect)].join(' ');
}

function headOf(declaration: FunctionDeclaration, name: string, dialect: Dialect): string {
  const { type } = declaration.type;
  const result = type.kind === 'function' ? printType(type.result, dialect) : '';
  return `${result} ${name}(${parametersOf(declaration, dialect).join(', ')})`;
}

/** Its parameters as they are declared. */
export function parametersOf({ parameters, type }: FunctionDeclaration, dialect: Dialect): string[] {
  if (parameters.length === 0 && type.type.kind === 'function') {
    return type.type.parameters.map((parameter) => printType(parameter, dialect));
  }
  return parameters.map((parameter) => printDeclaration(parameter.type, parameter.name, dialect));
}

/** A name of the program as its declaration says it. */
export function describeBinding(binding: Binding, dialect: Dialect): string {
  switch (binding.kind) {
    case 'variable': {
      const text = printDeclaration(binding.type, binding.name, dialect);
      return binding.scope === 'parameter' ? `${text}  // parameter` : text;
    }
    case 'functions':
      return binding.overloads.map((one) => describeFunction(one, dialect)).join('\n');
    case 'typedef':
      return `typedef ${printDeclaration({ ...binding.type, alias: undefined }, binding.name, dialect)}`;
    case 'enumerator':
      return `${binding.name} = ${binding.value}`;
    case 'poisoned': {
      // Its declaration is wrong, so all that is known of it is how it is written.
      const { file, start } = binding.span;
      return file.lineText(file.position(start).line).trim();
    }
  }
}

/** A struct with its members and where they lie. */
export function describeTag(tag: Tag, dialect: Dialect): string {
  if (tag.kind === 'enum') return `enum ${tag.tag ?? ''}`;
  return describeRecord(tag, dialect);
}

function describeRecord(record: RecordType, dialect: Dialect): string {
  const head = `${record.union ? 'union' : 'struct'} ${record.tag ?? ''}`.trim();
  if (!record.fields) return `${head};`;
  const lines = record.fields.map(({ name, type, offset }) => {
    return `  ${printDeclaration(type, name ?? '', dialect)};  // at byte ${offset}`;
  });
  return [`${head} {`, ...lines, '}'].join('\n');
}

/** `16 bytes, aligned to 16`; undefined for what has no size. */
export function sizeInWords(qualified: QualifiedType, dialect: Dialect): string | undefined {
  const { type } = qualified;
  if (!hasSize(type)) return undefined;
  const size = sizeOf(type, dialect.addressBytes);
  const bytes = counted(size, 'byte');
  const align = alignOfObject(qualified, dialect.addressBytes);
  return align > 1 ? `${bytes}, aligned to ${align}` : bytes;
}

function hasSize(type: CType): boolean {
  if (type.kind === 'array') return type.count === undefined && isComplete(type);
  return type.kind === 'arithmetic' || type.kind === 'vector' || (type.kind === 'record' && isComplete(type));
}

/** The definition of a macro, shortened where it is long. */
export function describeMacro({ name, parameters, variadic, body }: Macro): string {
  const list = parameters?.map((one, index) =>
    variadic && index === parameters.length - 1 ? (one === '__VA_ARGS__' ? '...' : `${one}...`) : one,
  );
  const head = `#define ${name}${list ? `(${list.join(', ')})` : ''}`;
  const text = body
    .map((token, index) => (index > 0 && token.spaceBefore ? ' ' : '') + spelling(token))
    .join('');
  return shortened(`${head} ${text}`.trimEnd(), 400);
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Characters above a declaration that are looked at. */
const longestComment = 4000;

/** The comment right above a declaration, or behind it on its line, without its marks. */
export function commentAt({ file, start }: Span): string | undefined {
  const { text } = file;
  const line = text.lastIndexOf('\n', start - 1) + 1;
  // What stands above is about what the line begins with.
  if (/[;{}]/.test(text.slice(line, start))) return undefined;
  const near = text.slice(Math.max(0, line - longestComment), line);
  const before = near.trimEnd();
  if (before.endsWith('*/')) {
    const opening = before.lastIndexOf('/*');
    const gap = near.slice(before.length);
    if (opening < 0 || gap.split('\n').length > 2) return undefined;
    const ownLine = before.slice(before.lastIndexOf('\n', opening) + 1, opening).trim() === '';
    return ownLine ? plain(before.slice(opening + 2, -2)) : undefined;
  }
  const lines: string[] = [];
  const above = near.split('\n').slice(0, -1);
  for (let index = above.length - 1; index >= 0 && lines.length < 20; index -= 1) {
    const match = /^\s*\/\/+[/!]?\s?(.*)$/.exec(above[index]!);
    if (!match) break;
    lines.unshift(match[1]!);
  }
  return lines.length > 0 ? lines.join('\n').trim() : undefined;
}

function plain(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd())
    .join('\n')
    .replace(/^[*!]\s*/, '')
    .trim();
}

/** What can stand at a place of an OpenCL C text: names in scope, parts of an object, words of the preprocessor. */
import type { Binding } from '../../../c/check/scopes.ts';
import { printDeclaration, printType } from '../../../c/type-printer.ts';
import { type QualifiedType, type RecordType, unqualified, vectorType } from '../../../c/types.ts';
import { knownExtensions } from '../../../opencl/dialect/pragmas.ts';
import type { Completion, CompletionKind, Completions } from '../reading.ts';
import { wordBefore } from '../words.ts';
import { describeFunction, describeMacro, shortened } from './describe.ts';
import { type OpenCLProgram, pointed } from './program.ts';
import type { Scope } from './recording.ts';

const directiveNames = 'define undef include if ifdef ifndef elif else endif pragma error warning line'.split(
  ' ',
);
const attributeNames =
  'reqd_work_group_size work_group_size_hint vec_type_hint aligned packed endian opencl_unroll_hint overloadable always_inline noinline unused'.split(
    ' ',
  );

export function completionsAt(program: OpenCLProgram, offset: number): Completions {
  const range = wordBefore(program.text, offset);
  // What begins with a digit is a number.
  if (/\d/.test(program.text.charAt(range.start)) && range.end > range.start) return { range, items: [] };
  if (isHidden(program, range.start)) return { range, items: [] };
  const items = itemsAt(program, range.start);
  const prefix = program.text.slice(range.start, range.end).toLowerCase();
  return { range, items: prefix === '' ? items : items.filter(({ label }) => isSubsequence(prefix, label)) };
}

/** Editors match letters in order, so what cannot match need not be sent. */
function isSubsequence(prefix: string, label: string): boolean {
  let at = 0;
  for (const letter of label.toLowerCase()) if (letter === prefix.charAt(at)) at += 1;
  return at >= prefix.length;
}

function itemsAt(program: OpenCLProgram, start: number): readonly Completion[] {
  const line = program.text.slice(program.text.lastIndexOf('\n', start - 1) + 1, start);
  if (/^\s*#\s*$/.test(line)) return plain(directiveNames, 'directive');
  const pragma = /^\s*#\s*pragma\b(.*)$/.exec(line);
  if (pragma) return pragmaItems(pragma[1]!);
  if (/^\s*#\s*include\b/.test(line)) return [];
  if (/^\s*#\s*(ifdef|ifndef|undef|if|elif)\b/.test(line)) return macroItems(program, start);
  if (/__attribute__\s*\(\(([^()]*(\([^()]*\)\s*,\s*)?)*$/.test(line) && /(\(\(|,)\s*$/.test(line)) {
    return plain(attributeNames, 'keyword');
  }
  const index = program.firstFrom(start) - 1;
  const before = program.tokens[index];
  // A number that ends with a dot is one token.
  if (before?.text === '.' || before?.text === '->') return partItems(program, index);
  if (before && before.kind !== 'identifier' && before.end > start) return [];
  if (before?.kind === 'identifier' && before.text === 'goto') return [];
  return generalItems(program, index, start);
}

function pragmaItems(line: string): readonly Completion[] {
  const text = line.trimStart();
  if (text === '') return plain(['OPENCL', 'unroll', 'once'], 'directive');
  if (/^OPENCL\s+$/.test(text)) return plain(['EXTENSION', 'FP_CONTRACT'], 'directive');
  if (/^OPENCL\s+EXTENSION\s+$/.test(text)) return plain([...knownExtensions, 'all'], 'extension');
  if (/^OPENCL\s+EXTENSION\s+\w+\s*:\s*$/.test(text)) return plain(['enable', 'disable'], 'keyword');
  return /FP_CONTRACT\s+$/.test(text) ? plain(['ON', 'OFF', 'DEFAULT'], 'keyword') : [];
}

function plain(labels: Iterable<string>, kind: CompletionKind, rank: 0 | 1 | 2 = 2): Completion[] {
  return Array.from(labels, (label) => ({ label, kind, rank }));
}

// ------------------------------------------------------------------------------------------------- parts of objects

function partItems(program: OpenCLProgram, dot: number): readonly Completion[] {
  const known = program.recording.members.get(program.tokens[dot]!.start) ?? typeEndingAt(program, dot - 1);
  if (!known) return [];
  const { type } = pointed(known);
  if (type.kind === 'record') return fieldItems(program, type);
  if (type.kind !== 'vector') return [];
  const { element, lanes } = type;
  return swizzleNames(lanes).map((label) => {
    const count =
      label.length === 1 || /^s./.test(label) ? 1 : /^[xyzw]+$/.test(label) ? label.length : halfOf(lanes);
    const part = count === 1 ? element : vectorType(element, count as 2);
    return { label, kind: 'field', detail: printType(unqualified(part), program.dialect), rank: 0 };
  });
}

/** Three components are halved as four. */
const halfOf = (lanes: number): number => (lanes === 3 ? 2 : lanes / 2);

/** The names that are offered for a vector: single components, the first few together, halves. */
function swizzleNames(lanes: number): readonly string[] {
  const letters = lanes <= 4 ? 'xyzw'.slice(0, lanes) : '';
  const runs = [2, 3, 4].filter((count) => count <= letters.length).map((count) => letters.slice(0, count));
  const numbered = Array.from({ length: lanes }, (_, lane) => `s${lane.toString(16).toUpperCase()}`);
  return [...letters, ...runs, ...numbered, 'lo', 'hi', 'even', 'odd'];
}

function fieldItems(program: OpenCLProgram, record: RecordType): Completion[] {
  return (record.fields ?? []).flatMap(({ name, type }): Completion[] => {
    if (name === undefined) return type.type.kind === 'record' ? fieldItems(program, type.type) : [];
    return [{ label: name, kind: 'field', detail: printType(type, program.dialect), rank: 0 }];
  });
}

/** The type of the postfix expression that ends with a written token, for where the parser did not come so far. */
function typeEndingAt(program: OpenCLProgram, index: number): QualifiedType | undefined {
  const token = program.tokens[index];
  if (token?.text === ']' || token?.text === ')') {
    const opening = openingOf(program, index);
    const object = typeEndingAt(program, opening - 1);
    if (!object || token.text === ')')
      return object?.type.kind === 'function' ? object.type.result : undefined;
    return pointed(object);
  }
  const meaning = program.meaningOf(index);
  if (meaning?.kind === 'field') return meaning.field.type;
  if (meaning?.kind !== 'binding') return undefined;
  const { binding } = meaning;
  if (binding.kind === 'variable') return binding.type;
  return binding.kind === 'functions' ? binding.overloads[0]?.type : undefined;
}

function openingOf({ tokens }: OpenCLProgram, closing: number): number {
  let depth = 0;
  for (let index = closing; index >= 0; index -= 1) {
    const { text } = tokens[index]!;
    if (text === ']' || text === ')') depth += 1;
    else if (text === '[' || text === '(') depth -= 1;
    if (depth === 0) return index;
  }
  return 0;
}

// ------------------------------------------------------------------------------------------------- names

function generalItems(program: OpenCLProgram, index: number, start: number): readonly Completion[] {
  const { dialect } = program;
  const items = new Map<string, Completion>();
  const offer = (item: Completion): void => {
    if (!items.has(item.label)) items.set(item.label, item);
  };
  const number = program.numberNear(index);
  for (let scope: Scope | undefined = program.recording.scopeAt(number); scope; scope = scope.parent) {
    const rank = scope.parent ? 0 : 1;
    for (const [name, entries] of scope.names) {
      const entry = entries.findLast(({ from }) => from <= number);
      if (entry) offer({ label: name, ...bindingItem(program, entry.meaning), rank });
    }
    for (const name of scope.tags.keys()) offer({ label: name, kind: 'type', detail: 'struct', rank });
  }
  for (const item of macroItems(program, start)) offer(item);
  for (const label of dialect.keywords.keys()) offer({ label, kind: 'keyword', rank: 2 });
  for (const label of dialect.typeNames.keys()) offer({ label, kind: 'type', rank: 2 });
  for (const label of dialect.builtins.builtinNames()) offer({ label, kind: 'builtin', rank: 2 });
  for (const label of conversionNames(program)) offer({ label, kind: 'builtin', rank: 2 });
  return [...items.values()];
}

function bindingItem(
  { dialect }: OpenCLProgram,
  binding: Binding,
): { kind: CompletionKind; detail?: string } {
  switch (binding.kind) {
    case 'variable': {
      const kind = binding.scope === 'parameter' ? 'parameter' : 'variable';
      return { kind, detail: printType(binding.type, dialect) };
    }
    case 'functions': {
      const [first] = binding.overloads;
      if (!first) return { kind: 'function' };
      return { kind: first.isKernel ? 'kernel' : 'function', detail: describeFunction(first, dialect) };
    }
    case 'typedef':
      return { kind: 'type', detail: printDeclaration({ ...binding.type, alias: undefined }, '', dialect) };
    case 'enumerator':
      return { kind: 'constant', detail: String(binding.value) };
    case 'poisoned':
      return { kind: 'variable' };
  }
}

function macroItems(program: OpenCLProgram, start: number): Completion[] {
  const own = Array.from(program.recording.macrosAt(start), (macro): Completion => {
    return { label: macro.name, kind: 'macro', detail: shortened(describeMacro(macro), 80), rank: 1 };
  });
  const given = Object.entries(program.dialect.predefinedMacros).map(([name, value]): Completion => {
    return { label: name.split('(')[0]!, kind: 'constant', detail: value, rank: 2 };
  });
  return [...own, ...given];
}

/** `convert_` and `as_` with every type; the endings of `convert_` are typed behind. */
function conversionNames({ dialect }: OpenCLProgram): string[] {
  const types = [...dialect.typeNames.keys(), 'char', 'short', 'int', 'long', 'float', 'double'];
  return types.flatMap((type) =>
    [`convert_${type}`, `as_${type}`].filter(
      (name) => dialect.builtins.isBuiltinName(name) || dialect.reinterpretTarget(name) !== undefined,
    ),
  );
}

// ------------------------------------------------------------------------------------------------- comments

/** Whether an offset lies in a comment, a string or a number. */
function isHidden(program: OpenCLProgram, offset: number): boolean {
  const index = program.firstFrom(offset) - 1;
  const before = program.tokens[index];
  if (before && offset < before.end) return before.kind !== 'identifier' && before.kind !== 'punctuator';
  if (before && offset === before.end && (before.kind === 'integer' || before.kind === 'float')) return true;
  const gap = program.text.slice(before?.end ?? 0, offset);
  const last = Math.max(gap.lastIndexOf('//'), gap.lastIndexOf('/*'));
  if (last < 0) return false;
  return gap.startsWith('//', last) ? !gap.slice(last).includes('\n') : !gap.includes('*/', last + 2);
}

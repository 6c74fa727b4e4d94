/**
 * A Brook+ text that answers an editor's questions. What the compiler says of it comes from the compiler; names are found by
 * the heads of kernels and the declarations in their bodies as they are written, so that a kernel that is not finished has
 * them, too. Names in the C of the host between kernels are left to C.
 */
import { builtinArities } from '../../../brook/check/builtins.ts';
import { compileBrook } from '../../../brook/compile.ts';
import type { FileSystem } from '../../../c/preprocessor.ts';
import { parseBuildOptions } from '../../../opencl/build-options.ts';
import { SourceFile } from '../../../source/source-file.ts';
import type { Span } from '../../../source/span.ts';
import { commentAt } from '../opencl/describe.ts';
import { documentationOf } from '../opencl/documentation/index.ts';
import type { DocumentSymbol, HostCheck, Reading, TextRange } from '../reading.ts';
import { type Entry, simpleReading } from '../simple-reading.ts';

const hidden = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g;

const ownTexts: Readonly<Record<string, readonly [parameters: string, text: string]>> = {
  frac: ['x', 'The fraction of x: `x - floor(x)`.'],
  lerp: ['x y a', 'x + (y - x) * a: x where a is 0, y where it is 1.'],
  saturate: ['x', 'x held between 0 and 1.'],
  indexof: [
    'stream',
    'Where in the domain this instance of the kernel is: the position of the element of that stream.',
  ],
  instance: ['', 'The number of this instance of the kernel, as an `int4`.'],
  instanceInGroup: ['', 'The number of this instance in its group, as an `int4`.'],
  syncGroup: [
    '',
    'Waits until all instances of the group are here: what they wrote to `shared` arrays can be read then.',
  ],
};

/** What the host part calls (brook.h); streams are declared as `float a<10, 20>`. */
const hostTexts: Readonly<Record<string, readonly [parameters: string, text: string]>> = {
  streamRead: ['stream array', 'Copies an array of the host to a stream.'],
  streamWrite: ['stream array', 'Copies a stream to an array of the host, and waits for the kernels before.'],
};

const keywords: Readonly<Record<string, string>> = {
  kernel: 'A function that runs once for each element of its output streams.',
  reduce: 'A kernel, or a parameter of one, that combines all elements of a stream to fewer.',
  out: 'The kernel writes this parameter: a stream (`<>`), or with `[]` an array that it scatters to.',
  shared: 'An array that the instances of one group share.',
  Attribute: '`Attribute[GroupSize(x, y, z)]` says how many instances make a group.',
  GroupSize: 'How many instances make a group.',
  iter: 'A stream of evenly spaced values (of Brook before Brook+).',
};

const types = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'float', 'double'].flatMap((scalar) =>
  [1, 2, 3, 4]
    .filter((width) => scalar !== 'double' || width <= 2)
    .map((width) => (width === 1 ? scalar : `${scalar}${width}`)),
);

const isLanguage = { type: 'function', modifiers: ['defaultLibrary'] } as const;

function ofLanguage(): Entry[] {
  const functions = [...builtinArities().keys(), 'indexof', 'instance', 'instanceInGroup', 'syncGroup'];
  return [
    ...functions.map((name): Entry => {
      const own = Object.hasOwn(ownTexts, name) ? ownTexts[name] : undefined;
      const parameters = own
        ? own[0].split(' ').filter((one) => one !== '')
        : (documentationOf(name)?.parameters ?? []);
      const label = `${name}(${parameters.join(', ')})`;
      const text = own?.[1] ?? documentationOf(name)?.text ?? '';
      return {
        name,
        kind: 'builtin',
        detail: label,
        parameters,
        look: isLanguage,
        text: `${block(label)}\n\n${text}`,
      };
    }),
    ...Object.entries(hostTexts).map(([name, [names, text]]): Entry => {
      const parameters = names.split(' ');
      const label = `${name}(${parameters.join(', ')})`;
      const detail = { detail: label, text: `${block(label)}\n\n${text}` };
      return { name, kind: 'builtin', ...detail, parameters, look: isLanguage };
    }),
    ...Object.entries(keywords).map(([name, text]): Entry => {
      return { name, kind: 'keyword', detail: '', text, look: { type: 'keyword', modifiers: [] } };
    }),
    ...types.map((name): Entry => {
      const look = { type: 'type', modifiers: ['defaultLibrary'] } as const;
      return { name, kind: 'type', detail: '', text: block(name), look };
    }),
    ...[
      'if',
      'else',
      'for',
      'while',
      'do',
      'return',
      'break',
      'continue',
      'void',
      'const',
      'struct',
      'typedef',
    ].map((name): Entry => ({ name, kind: 'keyword', detail: '', text: '' })),
  ];
}

function block(text: string): string {
  return `\`\`\`c\n${text}\n\`\`\``;
}

interface Head {
  readonly name: TextRange;
  readonly parameters: TextRange;
  /** Of the whole kernel. */
  readonly range: TextRange;
}

export function readBrookText(
  source: string,
  {
    name,
    buildOptions,
    files,
    checkHost,
  }: {
    readonly name: string;
    readonly buildOptions: string;
    readonly files: FileSystem | undefined;
    readonly checkHost?: HostCheck | undefined;
  },
): Reading {
  const file = new SourceFile(name, source);
  // Everything keeps its place.
  const plain = source.replace(hidden, (part) => part.replace(/[^\n]/g, ' '));
  const heads = headsIn(plain);
  const entries = [...ofLanguage(), ...heads.flatMap((head) => kernelEntries(plain, head, file))];
  const { definitions, includePaths } = parseBuildOptions(buildOptions).options;
  const settings = { files, definitions, includePaths };
  // A header of kernels is part of files that say the rest.
  const whole = name.endsWith('.br') ? checkHost?.({ name, text: source }, settings) : undefined;
  const ofKernels = () => compileBrook(name, source, { ...settings, kernelsOnly: true }).diagnostics.list;
  return simpleReading({
    text: source,
    hidden: new RegExp(hidden),
    diagnostics: whole ?? ofKernels(),
    entries,
    symbols: heads.map((head) => symbolOf(plain, head)),
    parts: ['x', 'y', 'z', 'w', 'xy', 'xyz', 'xyzw'],
  });
}

function headsIn(plain: string): Head[] {
  const pattern = /\b(?:kernel|reduce)\b[^;{}()]*?\b(\w+)\s*\(/g;
  return Array.from(plain.matchAll(pattern), (match): Head => {
    const end = match.index + match[0].length;
    const start = match.index + match[0].lastIndexOf(match[1]!);
    const closing = closingOf(plain, end - 1);
    const open = /^\s*\{/.exec(plain.slice(closing + 1));
    const last = open ? closingOf(plain, closing + open[0].length) : closing;
    return {
      name: { start, end: start + match[1]!.length },
      parameters: { start: end, end: closing },
      range: { start: match.index, end: last + 1 },
    };
  });
}

/** The bracket that closes one; before the next kernel's head, or at the end, where none does. */
function closingOf(plain: string, opening: number): number {
  let depth = 0;
  const next = plain.slice(opening).search(/\bkernel\b/);
  const limit = next < 0 ? plain.length : opening + next;
  for (let at = opening; at < limit; at += 1) {
    const character = plain.charAt(at);
    if (character === '(' || character === '{') depth += 1;
    else if (character === ')' || character === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return limit - 1;
}

function kernelEntries(plain: string, head: Head, file: SourceFile): Entry[] {
  const name = plain.slice(head.name.start, head.name.end);
  const signature = signatureOf(plain, head);
  const parameters = split(plain, head.parameters);
  const place = (range: TextRange): Span => ({ file, ...range });
  const comment = commentAt(place(head.range));
  const kernel: Entry = {
    name,
    kind: 'kernel',
    detail: signature,
    text: comment ? `${block(signature)}\n\n${comment}` : block(signature),
    parameters: parameters.map((range) => tidy(plain.slice(range.start, range.end))),
    place: place(head.name),
    look: { type: 'function', modifiers: ['kernel'] },
  };
  const inside = (kind: 'parameter' | 'variable', declared: string, range: TextRange): Entry => ({
    name: plain.slice(range.start, range.end),
    kind,
    detail: declared,
    text: block(declared),
    place: place(range),
    scope: head.range,
    look: { type: kind, modifiers: [] },
  });
  const own = parameters.flatMap((range) => {
    const found = /(\w+)\s*(?:<[^>]*>|(?:\[[^\]]*\]\s*)*)\s*$/.exec(plain.slice(range.start, range.end));
    if (!found) return [];
    const start = range.start + found.index;
    return [
      inside('parameter', tidy(plain.slice(range.start, range.end)), {
        start,
        end: start + found[1]!.length,
      }),
    ];
  });
  return [
    kernel,
    ...own,
    ...localsOf(plain, head).map(({ type, range }) =>
      inside('variable', `${type} ${plain.slice(range.start, range.end)}`, range),
    ),
  ];
}

/** Variables of a body: `float4 a = x, b;` */
function localsOf(plain: string, { parameters, range }: Head): { type: string; range: TextRange }[] {
  const found: { type: string; range: TextRange }[] = [];
  const pattern = new RegExp(`\\b(?:shared\\s+|const\\s+)*(${types.join('|')})\\s+(?=[A-Za-z_])`, 'g');
  pattern.lastIndex = parameters.end;
  for (let match = pattern.exec(plain); match && match.index < range.end; match = pattern.exec(plain)) {
    const start = match.index + match[0].length;
    const end = /[;{}]/.exec(plain.slice(start))?.index ?? 0;
    for (const part of split(plain, { start, end: start + end })) {
      const name = /^\s*([A-Za-z_]\w*)/.exec(plain.slice(part.start, part.end));
      if (!name) continue;
      const from = part.start + name[0].length - name[1]!.length;
      found.push({ type: tidy(match[0]), range: { start: from, end: from + name[1]!.length } });
    }
  }
  return found;
}

/** The parts between commas that no bracket holds. */
function split(plain: string, { start, end }: TextRange): TextRange[] {
  const parts: TextRange[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at += 1) {
    const character = plain.charAt(at);
    if ('([<{'.includes(character)) depth += 1;
    else if (')]>}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push({ start: from, end: at });
      from = at + 1;
    }
  }
  if (plain.slice(from, end).trim() !== '') parts.push({ start: from, end });
  return parts;
}

function tidy(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function signatureOf(plain: string, { range, parameters }: Head): string {
  return tidy(plain.slice(range.start, parameters.end + 1));
}

function symbolOf(plain: string, head: Head): DocumentSymbol {
  return {
    name: plain.slice(head.name.start, head.name.end),
    kind: 'kernel',
    detail: signatureOf(plain, head),
    range: head.range,
    nameRange: head.name,
    children: [],
  };
}

/**
 * The signatures of functions and methods of `millrace/opencl`, read from the declarations that are built for users
 * (dist/types). A test has the compiler compare what the page says with those declarations.
 */
import { existsSync, readFileSync } from 'node:fs';
import { filesUnder } from '../support/folder-files.ts';

/** Methods that are the API's. Others are public between its classes only. */
const ofApi =
  /^(?:build|clone|compile|create|enqueue|finish|finished|flush|get|link|ready|release|releaseAll|retain|set|svm|unload|view|waitForEnd)(?![a-z])/;
/** What else programs read. */
const properties: Readonly<Record<string, readonly string[]>> = {
  CLEvent: ['done', 'errorMessage'],
  CLSVMBuffer: ['address', 'size', 'bytes', 'isFreed'],
};

export interface ClassSignatures {
  readonly name: string;
  readonly base: string | undefined;
  /** `createKernel(kernelName: string): CLKernel`, in the order of the declarations. */
  readonly members: readonly string[];
}

export interface Signatures {
  readonly functions: readonly string[];
  readonly classes: readonly ClassSignatures[];
  /** What they name that is no class: `type WaitList = readonly CLEvent[] | null | undefined`. */
  readonly types: readonly string[];
}

/** What all objects have in common. */
const common = 'Handle';
/** Fields that are for Millrace itself. */
const internal: ReadonlySet<string> = new Set(['ContextOptions']);

/** All of them. `root` is the repository's folder. */
export function readSignatures(root: string): Signatures {
  const folder = `${root}/dist/types`;
  if (!existsSync(folder)) throw new Error(`${folder} is not there: npm run build makes it`);
  const files = filesUnder(folder, ['.d.ts']).sort();
  const texts = files.map((path) => ({ path, text: withoutComments(readFileSync(path, 'utf8')) }));
  const statements = texts.flatMap(({ text }) => partsOf(text));
  const own = texts.filter(({ path }) => path.includes('/api/opencl/')).flatMap(({ text }) => partsOf(text));
  const index = withoutComments(readFileSync(`${folder}/api/opencl/index.d.ts`, 'utf8'));
  const exported = new Set([...index.matchAll(/\b\w+\b/g)].map(([name]) => name));

  const all = new Map(own.flatMap(classOf).map((found) => [found.name, found]));
  const composed = new Map(own.flatMap(compositionOf));
  const functions = own.flatMap((each) => {
    const [, signature] = /^export declare function (.*)$/s.exec(each) ?? [];
    return signature !== undefined && exported.has(nameOf(signature)) ? [signature] : [];
  });
  const classes = [...all.values()]
    .filter(({ name }) => exported.has(name) || name === common)
    .map((each) =>
      unfold(each, all, composed.get(each.name) ?? [], (name) => exported.has(name) || name === common),
    )
    .filter(({ members }) => members.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const used = [...functions, ...classes.flatMap(({ members }) => members)];
  return {
    functions: functions.sort(),
    classes,
    types: typesOf(used, [...own, ...statements], new Set(all.keys())),
  };
}

/** The signatures of one place, such as `CLContext.createBuffer` or `getPlatforms`; empty if there are none. */
export function signaturesOf(all: Signatures, place: string): readonly string[] {
  const [owner = '', method] = place.split('.');
  if (method === undefined) return all.functions.filter((each) => nameOf(each) === owner);
  const found = all.classes.find(({ name }) => name === owner);
  if (!found) return [];
  const own = found.members.filter((each) => nameOf(each) === method);
  return own.length > 0 || found.base === undefined ? own : signaturesOf(all, `${found.base}.${method}`);
}

function nameOf(signature: string): string {
  return /^(?:readonly )?(\w+)/.exec(signature)![1]!;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\/\/\/.*$/gm, '');
}

/** Statements, or members of a class, each in one line: what ends with a semicolon, or with a brace that closes a body. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    const isBody =
      letter === '}' &&
      /^\s*(?:export )?(?:declare )?(?:abstract )?(?:class|interface) /.test(text.slice(start, at));
    if (depth > 0 || (letter !== ';' && !isBody)) continue;
    parts.push(
      text
        .slice(start, letter === ';' ? at : at + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    start = at + 1;
  }
  return parts;
}

function classOf(statement: string): ClassSignatures[] {
  const match = /^export declare (?:abstract )?class (\w+)(?: extends (\w+))? \{(.*)\}$/s.exec(statement);
  if (!match) return [];
  const [, name, base, body] = match as unknown as [string, string, string | undefined, string];
  const wanted = properties[name] ?? [];
  const members = partsOf(body).flatMap((member) => {
    const [, property, type] = /^(?:get |readonly )(\w+)(?:\(\))?: (.*)$/.exec(member) ?? [];
    if (property !== undefined) return wanted.includes(property) ? [`readonly ${property}: ${type}`] : [];
    const [method] = /^\w+(?=[<(])/.exec(member) ?? [];
    return method !== undefined && ofApi.test(method) ? [member] : [];
  });
  return [{ name, base, members }];
}

/** A class that is composed of others, with their names: an interface of its name extends them. */
function compositionOf(statement: string): [string, string[]][] {
  const [, name, parts] = /^export interface (\w+) extends ([\w, ]+) \{ ?\}$/.exec(statement) ?? [];
  return name === undefined ? [] : [[name, parts!.split(', ')]];
}

/** A class with what it has from classes that nobody sees: those that it inherits from, and `parts`, of which it is composed. */
function unfold(
  found: ClassSignatures,
  all: ReadonlyMap<string, ClassSignatures>,
  parts: readonly string[],
  isSeen: (name: string) => boolean,
): ClassSignatures {
  const members = [...parts.flatMap((name) => all.get(name)!.members), ...found.members];
  let { base } = found;
  while (base !== undefined && !isSeen(base)) {
    const hidden: ClassSignatures = all.get(base)!;
    members.unshift(...hidden.members);
    base = hidden.base;
  }
  return { name: found.name, base, members };
}

/** The types that texts name, and those that these name. */
function typesOf(
  texts: readonly string[],
  statements: readonly string[],
  classes: ReadonlySet<string>,
): string[] {
  const found = new Map<string, string>();
  const waiting = [...texts];
  for (const text of waiting) {
    const parameters = typeParametersOf(text);
    for (const [name] of text.replace(/'[^']*'/g, '').matchAll(/\b[A-Z]\w+\b/g)) {
      if (found.has(name) || classes.has(name) || parameters.has(name)) continue;
      const declared = declarationOf(name, statements);
      if (declared === undefined) continue;
      found.set(name, declared);
      waiting.push(declared);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}

/** Of `type CLValue<Name extends keyof CL> = ...`: `Name`. */
function typeParametersOf(declaration: string): ReadonlySet<string> {
  const [, list = ''] = /^(?:type|interface) \w+<([^=]*?)>/.exec(declaration) ?? [];
  return new Set(list.split(',').map((each) => each.trim().split(' ')[0]!));
}

function declarationOf(name: string, statements: readonly string[]): string | undefined {
  const pattern = new RegExp(`^(?:export )?(?:declare )?((?:type|interface) ${name}\\b(?! as).*)$`, 's');
  for (const statement of statements) {
    const [, text] = pattern.exec(statement) ?? [];
    if (text === undefined) continue;
    return [...internal].reduce(
      (left, each) => left.replace(new RegExp(` readonly \\w+\\?: [^;]*\\b${each}\\b[^;]*;`), ''),
      text,
    );
  }
  return undefined;
}

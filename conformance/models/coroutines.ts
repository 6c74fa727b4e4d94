/**
 * Loads a source of Millrace so that its functions can be interrupted at every atomic operation: functions become generators that yield what
 * they are about to do to shared memory (`Operation`), and whoever runs them does it when it is their turn. So what is explored (explore.ts) is the
 * code itself, and no drawing of it that could be out of date.
 *
 * What stays as it is, and so happens at once: constructors, getters, generators, default values, and functions given to `filter`, `find`, `some` and `every`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An atomic operation that a thread is about to do. */
export interface Operation {
  readonly name: AtomicName;
  readonly args: readonly [words: Int32Array, index: number, ...values: number[]];
}

export type AtomicName =
  | 'load'
  | 'store'
  | 'add'
  | 'sub'
  | 'and'
  | 'or'
  | 'xor'
  | 'exchange'
  | 'compareExchange'
  | 'wait'
  | 'notify';

/** A thread, between two of its operations. */
// biome-ignore lint/suspicious/noExplicitAny: what it returns is whatever the function returns, or nothing
export type Coroutine = Generator<Operation, any, unknown>;

/** A change to a source: a text that must be there once, and what takes its place. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Gives what a source imports by its specifier. */
export type Imports = (specifier: string) => Readonly<Record<string, unknown>>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Functions given to these run to their end: what they do is one step. */
const unbroken = new Set(['filter', 'find', 'some', 'every', 'findIndex', 'sort']);

/** Turns sources into modules of coroutines. It needs esbuild and vite, which only developers have. */
export class CoroutineLoader {
  readonly #strip: (text: string) => string;
  readonly #parse: (text: string) => unknown;
  readonly #texts = new Map<string, string>();

  private constructor(strip: (text: string) => string, parse: (text: string) => unknown) {
    this.#strip = strip;
    this.#parse = parse;
  }

  static async create(): Promise<CoroutineLoader> {
    const [{ transformSync }, { parseAst }] = await Promise.all([import('esbuild'), import('vite')]);
    const strip = (text: string): string =>
      transformSync(text, { loader: 'ts', target: 'es2022', legalComments: 'none' }).code;
    return new CoroutineLoader(strip, (text) => parseAst(text));
  }

  /**
   * What a file of the checkout exports.
   * @throws Error if a change does not fit
   */
  load(file: string, changes: readonly Change[], imports: Imports): Readonly<Record<string, unknown>> {
    let text = readFileSync(join(file), 'utf8');
    for (const change of changes) {
      if (change.file !== file) continue;
      if (text.split(change.from).length !== 2) throw new Error(`${file} has not once: ${change.from}`);
      text = text.replace(change.from, () => change.to);
    }
    let code = this.#texts.get(text);
    if (code === undefined) {
      const plain = this.#strip(text);
      code = new Rewriter(plain).rewrite(this.#parse(plain) as Node);
      this.#texts.set(text, code);
    }
    const make = new Function('$import', '$run', '$now', '$whole', code) as (
      ...given: unknown[]
    ) => Readonly<Record<string, unknown>>;
    return make(imports, runAny, atOnce, wholly);
  }
}

/** Runs what a call has given, if that is a coroutine, or a list of them, one after the other. */
function* runAny(value: unknown): Generator<Operation, unknown, unknown> {
  if (isCoroutine(value)) return yield* value;
  if (!Array.isArray(value) || !value.some(isCoroutine)) return value;
  const results: unknown[] = [];
  for (const one of value) results.push(isCoroutine(one) ? yield* one : one);
  return results;
}

function isCoroutine(value: unknown): value is Coroutine {
  return Object.prototype.toString.call(value) === '[object Generator]';
}

/** Runs what a call has given to its end, if that is a coroutine, as a part of the step that it is in. */
function wholly(value: unknown): unknown {
  if (!isCoroutine(value)) return value;
  let next = value.next();
  while (!next.done) {
    const [words, index] = next.value.args;
    const result = perform(next.value);
    // So that it is noted.
    const after = words[index]!;
    if (next.value.name !== 'load') words[index] = after;
    next = value.next(result);
  }
  return next.value;
}

/** An operation where nothing can be interrupted. */
function atOnce(name: AtomicName, args: Operation['args']): unknown {
  return perform({ name, args });
}

/** The memory behind what threads see of it. */
const rawOf = new WeakMap<object, Int32Array>();

/** Lets operations on `seen` be those on `raw`. */
export function standsFor(seen: Int32Array, raw: Int32Array): void {
  rawOf.set(seen, raw);
}

/** Does an operation; one that waits has been waited for. */
export function perform({ name, args }: Operation): number | string {
  const [words, index, ...values] = args;
  const raw = rawOf.get(words) ?? words;
  if (name === 'wait' || name === 'notify') return 0;
  const operation = Atomics[name] as (words: Int32Array, index: number, ...values: number[]) => number;
  return operation(raw, index, ...values);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class Rewriter {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #exported: string[] = [];
  /** It is in a function that runs to its end. */
  #isUnbroken = false;

  constructor(text: string) {
    this.#text = text;
  }

  rewrite(program: Node): string {
    for (const statement of program['body'] as Node[]) this.#topLevel(statement);
    // From the end, so that places stay; of those at one place the later one was meant to be inside.
    const edits = this.#edits
      .map((edit, order) => ({ ...edit, order }))
      .sort((a, b) => b.start - a.start || b.end - a.end || b.order - a.order);
    let code = this.#text;
    for (const { start, end, text } of edits) code = code.slice(0, start) + text + code.slice(end);
    return `'use strict';\n${code}\nreturn { ${this.#exported.join(', ')} };`;
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text });
  }

  #source(node: Node): string {
    return this.#text.slice(node.start, node.end);
  }

  #topLevel(statement: Node): void {
    if (statement.type === 'ImportDeclaration') {
      const names = (statement['specifiers'] as Node[]).map((one) => {
        const [own, theirs] = [one['local'] as Node, (one['imported'] ?? one['local']) as Node];
        return own['name'] === theirs['name'] ? own['name'] : `${theirs['name']}: ${own['name']}`;
      });
      const from = (statement['source'] as Node)['value'];
      this.#replace(statement.start, statement.end, `const { ${names.join(', ')} } = $import('${from}');`);
      return;
    }
    if (statement.type === 'ExportNamedDeclaration') {
      const declaration = statement['declaration'] as Node | null;
      if (!declaration) {
        for (const one of statement['specifiers'] as Node[])
          this.#exported.push((one['local'] as Node)['name'] as string);
        this.#replace(statement.start, statement.end, '');
        return;
      }
      this.#replace(statement.start, declaration.start, '');
      if (declaration.type === 'VariableDeclaration')
        for (const one of declaration['declarations'] as Node[])
          this.#exported.push((one['id'] as Node)['name'] as string);
      else this.#exported.push((declaration['id'] as Node)['name'] as string);
      this.#walk(declaration, false);
      return;
    }
    this.#walk(statement, false);
  }

  /** @param canYield whether the code is in a coroutine */
  #walk(node: Node, canYield: boolean): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        this.#function(node, node.type === 'FunctionDeclaration');
        return;
      case 'ArrowFunctionExpression':
        this.#arrow(node);
        return;
      case 'MethodDefinition':
        this.#method(node);
        return;
      case 'ChainExpression': {
        const inner = node['expression'] as Node;
        if (inner.type === 'CallExpression' && (canYield || this.#isUnbroken)) this.#wrap(node);
        this.#children(inner, canYield);
        return;
      }
      case 'CallExpression':
        this.#call(node, canYield);
        return;
      default:
        this.#children(node, canYield);
    }
  }

  #children(node: Node, canYield: boolean): void {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'type' || typeof value !== 'object' || value === null) continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === 'object' && 'type' in child) this.#walk(child as Node, canYield);
    }
  }

  #wrap(node: Node): void {
    this.#replace(node.start, node.start, this.#isUnbroken ? '($whole(' : '(yield* $run(');
    this.#replace(node.end, node.end, '))');
  }

  #call(node: Node, canYield: boolean): void {
    const callee = node['callee'] as Node;
    const args = node['arguments'] as Node[];
    const property = callee.type === 'MemberExpression' ? (callee['property'] as Node) : undefined;
    const word = property?.['name'];
    if (property && (callee['object'] as Node)['name'] === 'Atomics') {
      const [open, close] = canYield
        ? [`(yield { name: '${word}', args: [`, '] })']
        : [`$now('${word}', [`, '])'];
      this.#replace(node.start, args[0]!.start, open);
      this.#replace(args.at(-1)!.end, node.end, close);
      for (const one of args) this.#walk(one, canYield);
      return;
    }
    if (canYield || this.#isUnbroken) this.#wrap(node);
    // The results of one that changes nothing are run one after the other.
    if (property && word === 'forEach') this.#replace(property.start, property.end, 'map');
    this.#walk(callee, canYield);
    for (const one of args) {
      const isFunction = one.type === 'ArrowFunctionExpression';
      if (!isFunction || !unbroken.has(String(word))) {
        this.#walk(one, canYield);
        continue;
      }
      const before = this.#isUnbroken;
      this.#isUnbroken = true;
      this.#children(one, false);
      this.#isUnbroken = before;
    }
  }

  #function(node: Node, isDeclaration: boolean): void {
    for (const one of node['params'] as Node[]) this.#walk(one, false);
    const isOwn = node['generator'] === true;
    if (!isOwn && isDeclaration) {
      const at = this.#text.indexOf('function', node.start) + 'function'.length;
      this.#replace(at, at, '*');
    }
    this.#walk(node['body'] as Node, !isOwn && isDeclaration);
  }

  #method(node: Node): void {
    const value = node['value'] as Node;
    const isPlain = node['kind'] !== 'method' || value['generator'] === true;
    for (const one of value['params'] as Node[]) this.#walk(one, false);
    if (!isPlain) {
      const key = node['key'] as Node;
      this.#replace(key.start, key.start, '*');
    }
    this.#walk(value['body'] as Node, !isPlain);
  }

  /** It keeps its `this`. */
  #arrow(node: Node): void {
    const [params, body] = [node['params'] as Node[], node['body'] as Node];
    for (const one of params) this.#walk(one, false);
    const texts = params.map((one) => this.#source(one)).join(', ');
    const isBlock = body.type === 'BlockStatement';
    this.#replace(node.start, node.start, '(');
    // What is between the arrow and the body goes, brackets around an object among it.
    const inside = isBlock ? '' : '{ return (';
    this.#replace(node.start, body.start, `function* (${texts}) ${inside}`);
    this.#walk(body, true);
    const rest = isBlock ? '' : '); }';
    this.#replace(body.end, node.end, `${rest}.bind(this))`);
  }
}

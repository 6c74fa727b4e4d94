/** The names in a function's body, each kind with its sigil, and what they stand for. */
import type * as ir from '../ir.ts';
import type { Type } from '../types.ts';
import { combineFunctions } from './functions.ts';
import type { Lexer, Token } from './lexer.ts';
import { parseType } from './parse-type.ts';

/** What a body refers to outside itself. Calls may come before their functions, so they are resolved at the end. */
export interface Symbols {
  readonly globals: ReadonlyMap<string, ir.GlobalVariable>;
  readonly calls: { call: { callee: ir.Function }; token: Token }[];
  /** Takes the place of the callee until the call is resolved. */
  readonly placeholder: ir.Function;
}

export class BodyNames {
  readonly #lexer: Lexer;
  readonly #symbols: Symbols;
  readonly #values = new Map<string, ir.Value>();
  readonly #targets = new Map<string, ir.Block | ir.Loop>();
  readonly #contextArrays = new Map<string, ir.ContextArray>();

  constructor(lexer: Lexer, symbols: Symbols) {
    this.#lexer = lexer;
    this.#symbols = symbols;
  }

  /** `%name`, defined here; numbers are not names that people gave. */
  define(token: Token, type: Type): ir.Value {
    const { text } = token;
    if (this.#values.has(text)) this.#lexer.fail(`%${text} is defined twice`, token);
    const value: ir.Value = /^[0-9]/.test(text) ? { type } : { type, name: text };
    this.#values.set(text, value);
    return value;
  }

  /** `%name`, as a token: the type that {@link define} needs comes later. */
  name(): Token {
    const token = this.#lexer.peek;
    this.#lexer.expectKind('value', 'a value');
    return token;
  }

  /** `%name`, of a value that is defined already. */
  value(): ir.Value {
    const token = this.name();
    return this.#values.get(token.text) ?? this.#lexer.fail(`%${token.text} is not defined`, token);
  }

  /** Values with commas between them, on this line; with `more`, a comma may lead to something else. */
  operands(more = false): ir.Value[] {
    const lexer = this.#lexer;
    const values: ir.Value[] = [];
    if (lexer.peek.kind !== 'value' || lexer.peek.startsLine) return values;
    do {
      if (more && lexer.peek.kind !== 'value') return values;
      values.push(this.value());
    } while (lexer.accept(',', true));
    return values;
  }

  /** `@name`, which a block or loop gets. */
  label<T extends ir.Block | ir.Loop>(target: T): T {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a label');
    if (this.#targets.has(name)) this.#lexer.fail(`@${name} is defined twice`, token);
    this.#targets.set(name, target);
    return target;
  }

  /** `@name`, of a block or loop around. */
  target(): ir.Block | ir.Loop {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a label');
    return this.#targets.get(name) ?? this.#lexer.fail(`no block or loop @${name}`, token);
  }

  /** `$name : type`, defined here. */
  contextArrayDefinition(): ir.ContextArray {
    const lexer = this.#lexer;
    const token = lexer.peek;
    const name = lexer.expectKind('contextArray', 'a context array');
    if (this.#contextArrays.has(name)) lexer.fail(`$${name} is defined twice`, token);
    lexer.expect(':');
    const type = parseType(lexer);
    const combine = lexer.accept('combine') ? lexer.oneOf(combineFunctions, 'a way to combine') : undefined;
    const extra = combine ? { combine } : {};
    const contextArray: ir.ContextArray = {
      op: 'context_array',
      name,
      type,
      ...extra,
      operands: [],
      results: [],
      regions: [],
    };
    this.#contextArrays.set(name, contextArray);
    return contextArray;
  }

  /** `$name`, of a context array that is defined already. */
  contextArray(): ir.ContextArray {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('contextArray', 'a context array');
    return this.#contextArrays.get(name) ?? this.#lexer.fail(`no context array $${name}`, token);
  }

  /** `@name`, of a variable of the module. */
  global(): ir.GlobalVariable {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a global');
    return this.#symbols.globals.get(name) ?? this.#lexer.fail(`no global @${name}`, token);
  }

  /** `@name`, of a function, which may come later: `use` is given a stand-in and gets its callee at the end. */
  function<T extends { callee: ir.Function }>(use: (standIn: ir.Function) => T): T {
    const token = this.#lexer.peek;
    this.#lexer.expectKind('symbol', 'a function');
    const call = use(this.#symbols.placeholder);
    this.#symbols.calls.push({ call, token });
    return call;
  }
}

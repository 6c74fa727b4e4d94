/** Translates one function or other declaration of a .br file's host part: see translate.ts. */
import type { Token } from '../../c/token.ts';
import { append } from '../../source/lists.ts';
import type { Report } from '../check/report.ts';
import type { BrookProgram } from '../program.ts';
import type { Kernel, Parameter, TypeTable } from '../syntax/ast.ts';
import { Reader } from '../syntax/reader.ts';
import { readType, startsType, type TypeSpecifier } from '../syntax/type-names.ts';
import { type BrookType, sameElements, typeName, type ValueType, valueTypeNamed } from '../types.ts';
import type { HostFunction } from './parameters.ts';
import { splitAtCommas, tokensOf } from './tokens.ts';
import { declaredAt, type HostVariable, typeOfStreamBehind } from './variables.ts';
import { reducedParameter, takesStream, wrapperName } from './wrappers.ts';

export interface HostContext {
  readonly kernels: ReadonlyMap<string, Kernel>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly program: BrookProgram;
  readonly report: Report;
  readonly types: TypeTable;
  readonly hostFunctions: ReadonlySet<string>;
  /** Those that take streams, by name, as far as they were declared. */
  readonly takingStreams: Map<string, HostFunction>;
  /** Streams that are declared outside of functions. */
  readonly globals: Map<string, HostStream>;
  /** Calls of reductions with a variable for the result, by the kernel's name where it stands. */
  readonly reductions: Token[];
  /** Declarations of streams so far in the file. */
  sites: number;
}

/** Methods of streams that host code may call, beside `domain`. With flags `read` and `write` are others. */
const methods: Readonly<Record<string, string>> = {
  read: 'streamRead',
  write: 'streamWrite',
  setProperty: '__brook_set_property',
  getDevices: '__brook_get_devices',
  assign: '__brook_assign',
  execDomain: '__brook_exec_domain',
  isSync: '__brook_is_sync',
  finish: '__brook_finish',
  error: '__brook_error',
  errorLog: '__brook_error_log',
};

const methodsWithFlags: Readonly<Record<string, string>> = { read: '__brook_read', write: '__brook_write' };

const mostDimensions = 4;

/** What only kernels have, as brcc writes it where others use it. */
const positions: Readonly<Record<string, string>> = {
  indexof: 'Indexof',
  instance: 'Instance',
  instanceInGroup: 'instanceInGroup',
  syncGroup: 'syncGroup',
};

/** What is known of a stream from its declaration. */
export interface HostStream {
  readonly type: BrookType;
  /** Dimensions; undefined for parameters of functions, which take streams of any. */
  readonly rank: number | undefined;
}

export class FunctionTranslator {
  readonly #context: HostContext;
  readonly #tokens: readonly Token[];
  /** Streams and variables of the function by name, parameters among them; a map for each block that is open. */
  readonly #names: Map<string, HostStream | HostVariable>[] = [new Map()];
  readonly #isFunction: boolean;
  #declaresStreams = false;

  constructor(context: HostContext, reader: Reader) {
    this.#context = context;
    this.#tokens = reader.tokens;
    this.#isFunction = this.#tokens.some((token, index) => token.is('{') && this.#tokens[index - 1]?.is(')'));
  }

  translate(): Token[] {
    const tokens = this.#tokens.slice(0, -1);
    const out = this.#rewrite(tokens, 0);
    return this.#declaresStreams ? this.#withEnds(out) : out;
  }

  /** Rewrites a stretch of tokens; `depth` is how many brackets it stands in. */
  #rewrite(tokens: readonly Token[], depth: number): Token[] {
    const end = this.#tokens[this.#tokens.length - 1]!;
    const reader = new Reader([...tokens, end], this.#context.types);
    const out: Token[] = [];
    let brackets = depth;
    while (!reader.atEnd) {
      const { token } = reader;
      const variable = declaredAt(reader);
      if (variable) this.#innermost.set(token.text, variable);
      const made = this.#special(reader, brackets > 0);
      if (made) {
        append(out, made);
        continue;
      }
      if (token.is('(')) brackets += 1;
      else if (token.is(')')) brackets -= 1;
      else if (token.is('{')) this.#names.push(new Map());
      else if (token.is('}') && this.#names.length > 1) this.#names.pop();
      out.push(reader.next());
    }
    return out;
  }

  /** What stands here, if it is no C. */
  #special(reader: Reader, inBrackets: boolean): Token[] | undefined {
    const { token } = reader;
    if (token.is(',') && !inBrackets) return this.#streamsBehind(reader);
    if (token.kind !== 'identifier') return undefined;
    const previous = reader.position > 0 ? reader.peek(-1) : undefined;
    if (previous?.is('.') || previous?.is('->')) return undefined;
    if (startsType(reader)) {
      return this.#declaration(reader, inBrackets) ?? this.#construction(reader);
    }
    // The guide writes `brook::getDevices`.
    if (token.text === 'brook' && reader.at(':', 1) && reader.at(':', 2)) {
      reader.position += 3;
      return [];
    }
    const kernel = this.#context.kernels.get(token.text);
    if (kernel && reader.at('(', 1)) return this.#kernelCall(reader, kernel);
    if (kernel && reader.at('.', 1)) return this.#kernelDomain(reader, kernel);
    const position = Object.hasOwn(positions, token.text) ? positions[token.text] : undefined;
    if (position && reader.at('(', 1) && !this.#context.hostFunctions.has(token.text)) {
      const text = `${position}()operator has no meaning inside Non-kernel functions`;
      this.#context.report.error(token, '', text);
      reader.next();
      this.#rawArguments(reader);
      return tokensOf('0', token);
    }
    const taking = this.#context.takingStreams.get(token.text);
    if (taking && reader.at('(', 1)) this.#checkHostCall(reader, taking);
    if (!this.#streamNamed(token.text)) return undefined;
    const made = reader.at('.', 1) ? this.#method(reader) : undefined;
    return made ?? this.#handle(reader.next());
  }

  get #innermost(): Map<string, HostStream | HostVariable> {
    return this.#names[this.#names.length - 1]!;
  }

  #localNamed(name: string): HostStream | HostVariable | undefined {
    return this.#names.findLast((block) => block.has(name))?.get(name);
  }

  #streamNamed(name: string): HostStream | undefined {
    const local = this.#localNamed(name);
    if (local) return 'type' in local ? local : undefined;
    return this.#context.globals.get(name);
  }

  /** The value of a stream's name: what is declared outside of functions is made when it is first used. */
  #handle(name: Token): Token[] {
    return this.#localNamed(name.text) ? [name] : tokensOf(`${globalName(name.text)}()`, name);
  }

  /** `float a<10>, b<10>;`, or the parameter `float a<>`. */
  #declaration(reader: Reader, inBrackets: boolean): Token[] | undefined {
    const start = reader.position;
    const at = reader.token;
    const specifier = readType(reader);
    const isStream = specifier && reader.token.kind === 'identifier' && reader.at('<', 1);
    if (!isStream) {
      reader.position = start;
      return undefined;
    }
    if (specifier.qualifiers.has('iter')) {
      this.#context.report.error(at, '', 'Iterator not supported');
      return this.#skipStatement(reader);
    }
    if (specifier.unknownType !== undefined || specifier.type.kind === 'void') {
      this.#context.report.error(at, '', 'Stream element type not supported');
      return this.#skipStatement(reader);
    }
    if (inBrackets) {
      const name = reader.next();
      this.#sizes(reader);
      this.#innermost.set(name.text, { type: specifier.type, rank: undefined });
      return [...tokensOf('__brook_stream', at), name];
    }
    const written = reader.tokens.slice(start, reader.position);
    return this.#streamsOf(reader, specifier, written);
  }

  /** Streams of a declaration, with the name of the first as the token; others may stand behind them: `float a<10>, b[10];`. */
  #streamsOf(reader: Reader, specifier: TypeSpecifier, written: readonly Token[]): Token[] {
    const out: Token[] = [];
    do {
      const name = reader.next();
      const sizes = this.#sizes(reader);
      if (this.#isFunction) this.#innermost.set(name.text, { type: specifier.type, rank: sizes.length });
      append(out, this.#creation(specifier, name, sizes));
      if (reader.at('=')) {
        this.#context.report.error(name, '', "Stream can't have an initializer");
        return this.#skipStatement(reader);
      }
      if (!reader.accept(',')) {
        reader.accept(';');
        return out;
      }
    } while (reader.token.kind === 'identifier' && reader.at('<', 1));
    return [...out, ...written];
  }

  /** With a comma as the token: streams of a declaration behind what is none, as in `float a[10], b<10>;`. */
  #streamsBehind(reader: Reader): Token[] | undefined {
    const declared = typeOfStreamBehind(reader);
    if (!declared) return undefined;
    const { specifier, words } = declared;
    if (specifier.unknownType !== undefined || specifier.type.kind === 'void') return undefined;
    const comma = reader.next();
    return [...tokensOf(';', comma), ...this.#streamsOf(reader, specifier, words)];
  }

  #skipStatement(reader: Reader): Token[] {
    while (!reader.atEnd && !reader.at(';') && !reader.at(')')) {
      if (reader.at('(')) reader.position = reader.behindBracket();
      else reader.next();
    }
    return [];
  }

  /** What stands between `<` and `>`, at its commas. */
  #sizes(reader: Reader): Token[][] {
    reader.next();
    const start = reader.position;
    while (!reader.atEnd && !reader.at('>')) {
      if (reader.at('(') || reader.at('[')) reader.position = reader.behindBracket();
      else reader.next();
    }
    const sizes = splitAtCommas(reader.tokens.slice(start, reader.position));
    reader.accept('>');
    return sizes;
  }

  #creation({ type }: TypeSpecifier, name: Token, sizes: readonly Token[][]): Token[] {
    const { program, report } = this.#context;
    if (type.kind === 'void') return [];
    const problem = sizesProblem(sizes);
    if (problem !== undefined) {
      const group = 'Problem with stream declaration';
      if (problem === '') report.error(name, '', group);
      else report.error(name, group, problem);
      return [];
    }
    const isGlobal = !this.#isFunction;
    if (isGlobal) this.#context.globals.set(name.text, { type, rank: sizes.length });
    else {
      this.#declaresStreams = true;
      this.#context.sites += 1;
    }
    const site = isGlobal ? 0 : this.#context.sites;
    const head = `__brook_create(${site}, ${program.typeNumber(type)}, ${sizes.length}`;
    const made = isGlobal
      ? tokensOf(
          `static __brook_stream ${globalName(name.text)}(void) { static __brook_stream it; if (!it) it =`,
          name,
        )
      : [...tokensOf('__brook_stream', name), name, ...tokensOf('=', name)];
    const out = [...made, ...tokensOf(head, name)];
    for (let index = 0; index < mostDimensions; index += 1) {
      const size = sizes[index];
      out.push(
        ...tokensOf(', (', name),
        ...(size ? this.#rewrite(size, 1) : tokensOf('0', name)),
        ...tokensOf(')', name),
      );
    }
    return [...out, ...tokensOf(isGlobal ? '); return it; }' : ');', name)];
  }

  /** `float2(x, y)`: a value in C++ and in Brook+. */
  #construction(reader: Reader): Token[] | undefined {
    const { token } = reader;
    const type = valueTypeNamed(token.text);
    if (!type || type.width === 1 || !reader.at('(', 1)) return undefined;
    reader.next();
    const args = this.#arguments(reader);
    return [...tokensOf(`(${token.text}){`, token), ...joined(args, token), ...tokensOf('}', token)];
  }

  /** With `(` as the token: the arguments, rewritten. */
  #arguments(reader: Reader): Token[][] {
    return this.#rawArguments(reader).map((arg) => this.#rewrite(arg, 1));
  }

  #rawArguments(reader: Reader): Token[][] {
    const start = reader.position + 1;
    reader.position = reader.behindBracket();
    return splitAtCommas(reader.tokens.slice(start, reader.position - 1));
  }

  #kernelCall(reader: Reader, kernel: Kernel): Token[] {
    const name = reader.next();
    const raw = this.#rawArguments(reader);
    if (!kernel.parameters.some(({ qualifiers }) => qualifiers.has('out') || qualifiers.has('reduce'))) {
      const text = `'${kernel.name}' has no output stream: only kernels can call it`;
      this.#context.report.error(name, '', text);
    }
    if (!this.#checkArguments(name, raw, kernel)) return tokensOf('(void)0', name);
    const reduced = reducedParameter(kernel);
    const target = raw[reduced];
    const isVariable = target !== undefined && !this.#isStream(target);
    const args = raw.map((arg, index) => {
      const rewritten = this.#rewrite(arg, 1);
      if (!isVariable || index !== reduced) return rewritten;
      return [...tokensOf('&(', name), ...rewritten, ...tokensOf(')', name)];
    });
    if (isVariable) this.#context.reductions.push(name);
    const head = tokensOf(`${wrapperName(kernel, isVariable)}(`, name);
    return [...head, ...joined(args, name), ...tokensOf(')', name)];
  }

  /** Whether there are as many arguments as the kernel takes, and streams have its elements and the rank of its arrays. */
  #checkArguments(at: Token, args: readonly Token[][], kernel: Kernel): boolean {
    const { report } = this.#context;
    const { parameters } = kernel;
    if (args.length !== parameters.length) {
      report.error(
        at,
        '',
        `incorrect number of parameters expect ${parameters.length} actual ${args.length}`,
      );
      return false;
    }
    const problems = parameters.map((parameter, index) => {
      const stream = this.#streamIn(args[index]!);
      const problem = stream && takesStream(kernel, parameter) && mismatch(stream, parameter, index + 1);
      if (problem) report.error(args[index]![0]!, '', problem);
      return problem;
    });
    return problems.every((problem) => !problem);
  }

  /** Looks at the streams that a function of the host is called with; the call stays where it is. */
  #checkHostCall(reader: Reader, { parameters }: HostFunction): void {
    const start = reader.position;
    reader.next();
    const args = this.#rawArguments(reader);
    reader.position = start;
    for (const [index, arg] of args.entries()) {
      const [stream, type] = [this.#streamIn(arg), parameters[index]];
      const problem = stream && type && typeMismatch(stream, type, index + 1);
      if (problem) this.#context.report.error(arg[0]!, '', problem);
    }
  }

  /** Whether an argument is a stream: the name of one, or a part of one. */
  #isStream(arg: readonly Token[]): boolean {
    return this.#streamIn(arg) !== undefined;
  }

  #streamIn([first, second]: readonly Token[]): HostStream | undefined {
    const isWhole = second === undefined || second.is('.');
    return first && isWhole ? this.#streamNamed(first.text) : undefined;
  }

  /** `f.domainOffset(uint4(...))` and `f.domainSize(...)`. */
  #kernelDomain(reader: Reader, kernel: Kernel): Token[] | undefined {
    const method = reader.peek(2).text;
    if (method !== 'domainOffset' && method !== 'domainSize') return undefined;
    const at = reader.next();
    reader.next();
    reader.next();
    const [arg = []] = this.#rawArguments(reader);
    const fn = method === 'domainOffset' ? '__brook_domain_offset' : '__brook_domain_size';
    const number = this.#context.numbers.get(kernel.name) ?? -1;
    const head = tokensOf(`${fn}(${number}, `, at);
    const rest = method === 'domainSize' ? '1' : '0';
    return [...head, ...this.#point(arg, at, rest).tokens, ...tokensOf(')', at)];
  }

  /** `a.read(data)`, `a.domain(2, 5)`, `a.domain(2, 5).write(data)`, with the stream's name as the token. */
  #method(reader: Reader): Token[] | undefined {
    if (!reader.at('(', 3)) return undefined;
    const name = reader.next();
    let made = this.#handle(name);
    while (reader.at('.') && reader.at('(', 2)) {
      reader.next();
      const method = reader.next();
      const raw = this.#rawArguments(reader);
      const own = Object.hasOwn(methods, method.text) ? methods[method.text] : undefined;
      if (own !== undefined) {
        const args = [made, ...raw.map((arg) => this.#rewrite(arg, 1))];
        const fn = raw.length > 1 ? (methodsWithFlags[method.text] ?? own) : own;
        return [...tokensOf(`${fn}(`, name), ...joined(args, name), ...tokensOf(')', name)];
      }
      if (method.text !== 'domain') {
        const text = `streams have no method '${method.text}' in host code of .br files`;
        this.#context.report.error(method, '', text);
        return tokensOf('0', method);
      }
      const start = this.#point(raw[0] ?? [], name);
      const end = this.#point(raw[1] ?? [], name);
      const rank = tokensOf(String(Math.max(start.rank, end.rank)), name);
      const args = [made, rank, start.tokens, end.tokens];
      made = [...tokensOf('__brook_domain(', name), ...joined(args, name), ...tokensOf(')', name)];
    }
    return made;
  }

  /**
   * A point of one or more coordinates as a pointer to four of them: a vector that is constructed, or one number. `rest` is what
   * those are that are not there.
   */
  #point(arg: readonly Token[], at: Token, rest = '0'): { readonly rank: number; readonly tokens: Token[] } {
    const [only, second] = arg;
    const variable = only && !second ? this.#localNamed(only.text) : undefined;
    if (only && variable && 'width' in variable && variable.width > 1) {
      const lanes = [...'xyzw'].slice(0, variable.width);
      const list = [...lanes.map((lane) => `${only.text}.${lane}`), rest, rest].slice(0, mostDimensions);
      return { rank: variable.width, tokens: tokensOf(`(const int[4]){ ${list.join(', ')} }`, at) };
    }
    const type: ValueType | undefined = arg[0] && valueTypeNamed(arg[0].text);
    const isVector = type !== undefined && type.width > 1 && arg[1]?.is('(');
    const parts = isVector
      ? splitAtCommas(arg.slice(2, -1)).map((part) => this.#rewrite(part, 1))
      : [this.#rewrite(arg, 1)];
    while (parts.length < mostDimensions) parts.push(tokensOf(rest, at));
    const tokens = [...tokensOf('(const int[4]){', at), ...joined(parts, at), ...tokensOf('}', at)];
    return { rank: isVector ? type.width : 1, tokens };
  }

  /** A function that says when it begins and ends. */
  #withEnds(out: readonly Token[]): Token[] {
    const open = out.findIndex((token, index) => token.is('{') && out[index - 1]?.is(')'));
    const name = out.findIndex((token) => token.is('('));
    const skipped = new Set(['static', 'inline', 'extern']);
    const result = out.slice(0, Math.max(name - 1, 0)).filter(({ text }) => !skipped.has(text));
    // What does not end is the C compiler's to say.
    if (!out[out.length - 1]!.is('}')) return [...out];
    const at = out[open]!;
    const body = out.slice(open + 1, -1);
    const made = [...out.slice(0, open + 1), ...tokensOf('int __brook_mark = __brook_enter();', at)];
    const leave = '__brook_leave(__brook_mark);';
    for (let index = 0; index < body.length; index += 1) {
      const token = body[index]!;
      if (token.kind !== 'identifier' || token.text !== 'return') {
        made.push(token);
        continue;
      }
      let end = index + 1;
      while (end < body.length && !body[end]!.is(';')) end += 1;
      const value = body.slice(index + 1, end);
      index = end;
      if (value.length === 0) {
        made.push(...tokensOf(`{ ${leave} return; }`, token));
        continue;
      }
      made.push(...tokensOf('{', token), ...(result.length > 0 ? result : tokensOf('int', token)));
      made.push(...tokensOf('__brook_result =', token), ...value);
      made.push(...tokensOf(`; ${leave} return __brook_result; }`, token));
    }
    const last = out[out.length - 1]!;
    return [...made, ...tokensOf(`${leave} }`, last)];
  }
}

/** What is wrong with the sizes of a stream: undefined if nothing is, and empty where there are none. */
function sizesProblem(sizes: readonly Token[][]): string | undefined {
  if (sizes.length === 0) return '';
  if (sizes.length > mostDimensions) return `dimension == ${sizes.length} not supported`;
  const isNone = ([first, ...rest]: readonly Token[]): boolean =>
    first === undefined || (rest.length === 0 && /^(?:float|string|character)$/.test(first.kind));
  return sizes.some(isNone) ? 'expect int for stream dimension parameter' : undefined;
}

/** What is wrong with a stream as an argument; undefined if nothing is. */
function mismatch(
  stream: HostStream,
  { type, unknownType, sizes }: Parameter,
  place: number,
): string | undefined {
  if (unknownType !== undefined) return undefined;
  const problem = typeMismatch(stream, type, place);
  if (problem !== undefined) return problem;
  const isOtherRank = sizes.length > 0 && stream.rank !== undefined && stream.rank !== sizes.length;
  return isOtherRank
    ? `Mismatched dimensions of formal and actual arguments for argument ${place}`
    : undefined;
}

function typeMismatch({ type: own }: HostStream, type: BrookType, place: number): string | undefined {
  if (type.kind === 'void' || own.kind === 'void' || sameElements(own, type)) return undefined;
  return `Mismatched type for argument ${place}: actual type is "${typeName(own)}" but expected type is "${typeName(type)}"`;
}

/** The function that has a stream which is declared outside of functions. */
function globalName(name: string): string {
  return `__brook_global_${name}`;
}

/** Parts with commas between them. */
function joined(parts: readonly Token[][], at: Token): Token[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [...tokensOf(',', at), ...part]));
}

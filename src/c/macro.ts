/**
 * Macros, and the reading of a `#define` line into one (C99 6.10.3).
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { Token } from './token.ts';

/** The macros whose value the preprocessor makes at each use. */
export type DynamicMacro =
  | '__LINE__'
  | '__FILE__'
  | '__DATE__'
  | '__TIME__'
  | '__COUNTER__'
  | '__INCLUDE_LEVEL__'
  | '__BASE_FILE__'
  | '__TIMESTAMP__';

/** One element of a replacement list; the operators # and ## are marks on their operands. */
export interface MacroElement {
  readonly token: Token;
  /** index of the parameter that the token names, or -1 */
  readonly parameter: number;
  /** the parameter's `#` operator; its token */
  readonly stringize: Token | undefined;
  /** the `##` between the element before and this one */
  readonly paste: Token | undefined;
}

export class Macro {
  readonly name: string;
  /** its name in the #define; undefined for what the preprocessor defines itself */
  readonly definition: Token | undefined;
  /** undefined for a macro that is used without parentheses */
  readonly parameters: readonly string[] | undefined;
  /** the last parameter takes all remaining arguments */
  readonly variadic: boolean;
  /** the replacement list as written */
  readonly body: readonly Token[];
  readonly elements: readonly MacroElement[];
  readonly dynamic: DynamicMacro | undefined;

  constructor(
    name: string,
    definition: Token | undefined,
    parameters: readonly string[] | undefined,
    variadic: boolean,
    body: readonly Token[],
    elements: readonly MacroElement[],
    dynamic?: DynamicMacro,
  ) {
    this.name = name;
    this.definition = definition;
    this.parameters = parameters;
    this.variadic = variadic;
    this.body = body;
    this.elements = elements;
    this.dynamic = dynamic;
  }

  /** Whether a second definition says the same (C99 6.10.3, constraint 2). */
  equals(other: Macro): boolean {
    if (this.dynamic !== other.dynamic || this.variadic !== other.variadic) return false;
    if (this.parameters === undefined || other.parameters === undefined) {
      if (this.parameters !== other.parameters) return false;
    } else {
      if (this.parameters.length !== other.parameters.length) return false;
      if (!this.parameters.every((name, index) => name === other.parameters?.[index])) return false;
    }
    if (this.body.length !== other.body.length) return false;
    return this.body.every((token, index) => {
      const twin = other.body[index] as Token;
      if (token.kind !== twin.kind || token.text !== twin.text) return false;
      return index === 0 || token.spaceBefore === twin.spaceBefore;
    });
  }
}

/** The name that means a variadic macro's remaining arguments. */
const variadicName = '__VA_ARGS__';

/** Whether `token` may name a macro; says so if not. `end` is the token at the end of the line. */
export function checkMacroName(token: Token, diagnostics: Diagnostics): boolean {
  if (token.kind === 'end') diagnostics.error(token, 'macro name missing');
  else if (token.kind !== 'identifier') diagnostics.error(token, 'macro name must be an identifier');
  else if (token.text === 'defined') diagnostics.error(token, "'defined' cannot be used as a macro name");
  else {
    if (token.text === variadicName) warnVariadicName(token, diagnostics);
    return true;
  }
  return false;
}

/** Reads what follows `#define` up to the line's `end` token; undefined if it is no definition. */
export function readDefinition(line: readonly Token[], diagnostics: Diagnostics): Macro | undefined {
  const name = line[0] as Token;
  if (!checkMacroName(name, diagnostics)) return undefined;
  const next = line[1] as Token;
  let bodyStart = 1;
  let parameters: ParameterList | undefined;
  if (next.is('(') && !next.spaceBefore) {
    parameters = readParameters(line, diagnostics);
    if (parameters === undefined) return undefined;
    bodyStart = parameters.end;
  } else if (next.kind !== 'end' && !next.spaceBefore) {
    diagnostics.warning(next, 'c99-extensions', 'ISO C99 requires whitespace after the macro name');
  }
  const body = line.slice(bodyStart, -1);
  const names = parameters?.names;
  const variadic = parameters?.variadic ?? false;
  const elements = readElements(body, names, variadic, diagnostics);
  if (elements === undefined) return undefined;
  return new Macro(name.text, name, names, variadic, body, elements);
}

interface ParameterList {
  readonly names: readonly string[];
  readonly variadic: boolean;
  /** index in the line of what follows the `)` */
  readonly end: number;
}

function readParameters(line: readonly Token[], diagnostics: Diagnostics): ParameterList | undefined {
  const names: string[] = [];
  const seen = new Set<string>();
  const missing = (token: Token): undefined => {
    diagnostics.error(token, "missing ')' in macro parameter list");
    return undefined;
  };
  let index = 2;
  if ((line[index] as Token).is(')')) return { names, variadic: false, end: index + 1 };
  for (;;) {
    const token = line[index] as Token;
    if (token.kind === 'end') return missing(token);
    if (token.is('...')) {
      names.push(variadicName);
      const close = line[index + 1] as Token;
      return close.is(')') ? { names, variadic: true, end: index + 2 } : missing(close);
    }
    if (token.kind !== 'identifier') {
      const isEmpty = token.is(')') || token.is(',');
      const message = isEmpty
        ? 'expected identifier in macro parameter list'
        : 'invalid token in macro parameter list';
      diagnostics.error(token, message);
      return undefined;
    }
    if (token.text === variadicName) warnVariadicName(token, diagnostics);
    if (seen.has(token.text)) {
      diagnostics.error(token, `duplicate macro parameter name '${token.text}'`);
      return undefined;
    }
    seen.add(token.text);
    names.push(token.text);
    const after = line[index + 1] as Token;
    if (after.is(')')) return { names, variadic: false, end: index + 2 };
    if (after.is('...')) {
      const close = line[index + 2] as Token;
      return close.is(')') ? { names, variadic: true, end: index + 3 } : missing(close);
    }
    if (after.kind === 'end') return missing(after);
    if (!after.is(',')) {
      diagnostics.error(after, 'expected comma in macro parameter list');
      return undefined;
    }
    index += 2;
  }
}

/** Turns a replacement list into elements; undefined if an operator lacks an operand. */
function readElements(
  body: readonly Token[],
  parameters: readonly string[] | undefined,
  variadic: boolean,
  diagnostics: Diagnostics,
): MacroElement[] | undefined {
  const indices = new Map<string, number>();
  parameters?.forEach((name, index) => {
    indices.set(name, index);
  });
  const elements: MacroElement[] = [];
  let paste: Token | undefined;
  for (let index = 0; index < body.length; index += 1) {
    let token = body[index] as Token;
    if (token.is('##')) {
      const isFirst = index === 0;
      if (isFirst || index === body.length - 1) {
        diagnostics.error(token, `'##' cannot appear at ${isFirst ? 'start' : 'end'} of macro expansion`);
        return undefined;
      }
      paste = token;
      continue;
    }
    let stringize: Token | undefined;
    if (parameters !== undefined && token.is('#')) {
      const operand = body[index + 1];
      if (operand === undefined || operand.kind !== 'identifier' || !indices.has(operand.text)) {
        diagnostics.error(token, "'#' is not followed by a macro parameter");
        return undefined;
      }
      stringize = token;
      token = operand;
      index += 1;
    }
    const parameter = token.kind === 'identifier' ? (indices.get(token.text) ?? -1) : -1;
    if (token.text === variadicName && !variadic && token.kind === 'identifier') {
      warnVariadicName(token, diagnostics);
    }
    elements.push({ token, parameter, stringize, paste });
    paste = undefined;
  }
  return elements;
}

function warnVariadicName(token: Token, diagnostics: Diagnostics): void {
  diagnostics.warning(
    token,
    'variadic-macros',
    `${variadicName} can only appear in the expansion of a C99 variadic macro`,
  );
}

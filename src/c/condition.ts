/**
 * Evaluates the controlling expression of `#if` and `#elif` (C99 6.10.1): integer arithmetic in 64 bits, signed or
 * unsigned, with every name that is left after expansion being 0.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import { joinSpans, type Span } from '../source/span.ts';
import { readCharacter } from './character-literal.ts';
import { answerQuery, type FeatureQueries, isDefinedName, isQuery } from './feature-queries.ts';
import { readInteger } from './integer-literal.ts';
import { checkMacroName } from './macro.ts';
import type { MacroExpander } from './macro-expander.ts';
import type { Preprocessor } from './preprocessor.ts';
import type { Token } from './token.ts';

interface Value {
  readonly value: bigint;
  readonly unsigned: boolean;
  readonly span: Span;
}

/** how deep parentheses and operators may nest */
const nestingLimit = 256;

/** What an evaluation ends with after it has said what is wrong. */
class ConditionError extends Error {}

/** binary operators by how tightly they bind; `?` and `,` are apart */
const precedences = new Map<string, number>([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
]);

/**
 * Evaluates the line of tokens that ends with its `end` token. A line that is wrong is reported and counts as false.
 */
export function evaluateCondition(line: readonly Token[], preprocessor: Preprocessor): boolean {
  const { expander } = preprocessor;
  const end = line[line.length - 1] as Token;
  return expander.over(line.slice(0, -1), end, () => {
    const evaluation = new Evaluation(preprocessor);
    try {
      return evaluation.run() !== 0n;
    } catch (error) {
      if (error instanceof ConditionError) return false;
      throw error;
    }
  });
}

class Evaluation {
  readonly #preprocessor: Preprocessor;
  readonly #expander: MacroExpander;
  readonly #diagnostics: Diagnostics;
  #token: Token;
  #depth = 0;

  constructor(preprocessor: Preprocessor) {
    this.#preprocessor = preprocessor;
    this.#expander = preprocessor.expander;
    this.#diagnostics = preprocessor.diagnostics;
    this.#token = this.#read();
  }

  run(): bigint {
    const { value } = this.#conditional(true);
    if (this.#token.is(':')) throw this.#error(this.#token, "':' without preceding '?'");
    if (this.#token.is(',')) {
      throw this.#error(this.#token, 'comma operator in operand of #if');
    }
    if (this.#token.kind !== 'end') {
      throw this.#error(this.#token, 'token is not a valid binary operator in a preprocessor subexpression');
    }
    return value;
  }

  /** The next token after expansion. */
  #read(): Token {
    return this.#expander.next();
  }

  #advance(): Token {
    const token = this.#token;
    this.#token = this.#read();
    return token;
  }

  #error(span: Span, message: string, notes: { message: string; span: Span }[] = []): ConditionError {
    if (!this.#expander.isStopped) this.#diagnostics.error(span, message, notes);
    return new ConditionError();
  }

  #nest<Result>(read: () => Result): Result {
    if (this.#depth >= nestingLimit) {
      throw this.#error(
        this.#token,
        `preprocessor expression nested too deeply (more than ${nestingLimit} levels)`,
      );
    }
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** An expression with `?:`; nothing is complained about in parts that are not `live`. */
  #conditional(live: boolean): Value {
    const condition = this.#binary(1, live);
    if (!this.#token.is('?')) return condition;
    const question = this.#advance();
    const holds = condition.value !== 0n;
    const first = this.#nest(() => this.#conditional(live && holds));
    if (!this.#token.is(':')) {
      throw this.#error(this.#token, "expected ':'", [{ message: "to match this '?'", span: question }]);
    }
    this.#advance();
    const second = this.#nest(() => this.#conditional(live && !holds));
    const unsigned = first.unsigned || second.unsigned;
    const span = joinSpans(condition.span, second.span);
    return { value: wrap(holds ? first.value : second.value, unsigned), unsigned, span };
  }

  #binary(least: number, live: boolean): Value {
    let left = this.#unary(live);
    for (;;) {
      const operator = this.#token;
      const precedence = operator.kind === 'punctuator' ? (precedences.get(operator.text) ?? 0) : 0;
      if (precedence < least || precedence === 0) return left;
      this.#advance();
      const isDecided =
        (operator.text === '&&' && left.value === 0n) || (operator.text === '||' && left.value !== 0n);
      const rightLive = live && !isDecided;
      const right = this.#nest(() => this.#binary(precedence + 1, rightLive));
      left = this.#combine(operator, left, right, live);
    }
  }

  #combine(operator: Token, left: Value, right: Value, live: boolean): Value {
    const { text } = operator;
    const span = joinSpans(left.span, right.span);
    const truth = (holds: boolean): Value => ({ value: holds ? 1n : 0n, unsigned: false, span });
    if (text === '&&') return truth(left.value !== 0n && right.value !== 0n);
    if (text === '||') return truth(left.value !== 0n || right.value !== 0n);
    if (text === '<<' || text === '>>') {
      const value = shift(left, text === '<<' ? right : { ...right, value: -right.value, unsigned: false });
      return { value, unsigned: left.unsigned, span };
    }
    const unsigned = left.unsigned || right.unsigned;
    const a = wrap(left.value, unsigned);
    const b = wrap(right.value, unsigned);
    let exact: bigint;
    switch (text) {
      case '==':
        return truth(a === b);
      case '!=':
        return truth(a !== b);
      case '<':
        return truth(a < b);
      case '>':
        return truth(a > b);
      case '<=':
        return truth(a <= b);
      case '>=':
        return truth(a >= b);
      case '|':
        exact = a | b;
        break;
      case '^':
        exact = a ^ b;
        break;
      case '&':
        exact = a & b;
        break;
      case '+':
        exact = a + b;
        break;
      case '-':
        exact = a - b;
        break;
      case '*':
        exact = a * b;
        break;
      default:
        if (b === 0n) {
          if (!live) return { value: 0n, unsigned, span };
          const what = text === '/' ? 'division' : 'remainder';
          throw this.#error(operator, `${what} by zero in preprocessor expression`);
        }
        exact = text === '/' ? a / b : a % b;
    }
    const value = wrap(exact, unsigned);
    if (live && !unsigned && value !== exact) {
      this.#diagnostics.warning(operator, 'integer-overflow', 'integer overflow in preprocessor expression');
    }
    return { value, unsigned, span };
  }

  #unary(live: boolean): Value {
    const token = this.#token;
    if (token.kind === 'punctuator') {
      const { text } = token;
      if (text === '(') return this.#parenthesized(live);
      if (text === '+' || text === '-' || text === '~' || text === '!') {
        this.#advance();
        const operand = this.#nest(() => this.#unary(live));
        const span = joinSpans(token, operand.span);
        const { value, unsigned } = operand;
        if (text === '!') return { value: value === 0n ? 1n : 0n, unsigned: false, span };
        if (text === '+') return { value, unsigned, span };
        return { value: wrap(text === '-' ? -value : ~value, unsigned), unsigned, span };
      }
    }
    return this.#primary(token);
  }

  #parenthesized(live: boolean): Value {
    const open = this.#advance();
    const inner = this.#nest(() => this.#conditional(live));
    if (!this.#token.is(')')) {
      throw this.#error(this.#token, "expected ')' in preprocessor expression", [
        { message: "to match this '('", span: open },
      ]);
    }
    return { ...inner, span: joinSpans(open, this.#advance()) };
  }

  #primary(token: Token): Value {
    switch (token.kind) {
      case 'integer': {
        const { value, unsigned } = readInteger(token, this.#diagnostics);
        this.#advance();
        return { value: wrap(value, unsigned), unsigned, span: token };
      }
      case 'character': {
        const value = BigInt(readCharacter(token, this.#diagnostics));
        this.#advance();
        return { value, unsigned: false, span: token };
      }
      case 'float':
        throw this.#error(token, 'floating point literal in preprocessor expression');
      case 'end':
        throw this.#error(token, 'expected value in expression');
      case 'identifier':
        if (token.text === 'defined') return this.#defined(token);
        if (isQuery(token.text, this.#preprocessor.options.queries)) return this.#query(token);
        this.#advance();
        if (this.#token.is('(')) {
          throw this.#error(token, `function-like macro '${token.text}' is not defined`);
        }
        return { value: 0n, unsigned: false, span: token };
      default:
        throw this.#error(token, 'invalid token at start of a preprocessor expression');
    }
  }

  /** `__has_include(<name>)` and its like. */
  #query(name: Token): Value {
    const queries = this.#preprocessor.options.queries as FeatureQueries;
    const answer = answerQuery(name, this.#preprocessor, queries);
    if (answer === undefined) throw new ConditionError();
    this.#token = this.#read();
    return { value: answer.holds ? 1n : 0n, unsigned: false, span: answer.span };
  }

  /** `defined X` or `defined(X)`; its operand is not expanded. */
  #defined(operator: Token): Value {
    let name = this.#expander.nextUnexpanded(false);
    const open = name.is('(') ? name : undefined;
    if (open !== undefined) name = this.#expander.nextUnexpanded(false);
    if (!checkMacroName(name, this.#diagnostics)) throw new ConditionError();
    let close: Token = name;
    if (open !== undefined) {
      close = this.#expander.nextUnexpanded(false);
      if (!close.is(')')) {
        throw this.#error(close, "missing ')' after 'defined'", [
          { message: "to match this '('", span: open },
        ]);
      }
    }
    this.#token = this.#read();
    const value = isDefinedName(name.text, this.#preprocessor) ? 1n : 0n;
    return { value, unsigned: false, span: joinSpans(operator, close) };
  }
}

function wrap(value: bigint, unsigned: boolean): bigint {
  return unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
}

/** A shift left by `amount`, right if that is negative; by 64 and more nothing but the sign is left. */
function shift(left: Value, amount: Value): bigint {
  const by = amount.value;
  if (by >= 0n) return by >= 64n ? 0n : wrap(left.value << by, left.unsigned);
  return left.value >> (by <= -64n ? 64n : -by);
}

/**
 * Runs the functions in WGSL that shaders bring along (src/codegen/wgsl/runtime.ts) here, so that their arithmetic can be tried on many
 * numbers, and without what a driver's compiler makes of it. It knows as much of WGSL as these functions use: `u32`, `i32`, `f32`, `bool` and
 * vectors of them, expressions, `let` and `var`, `if`, `for`, `loop`, `while`, `return`.
 *
 * Each function becomes one of JavaScript, in which operators are calls: a `u32` is a number, an `i32` and an `f32` an object that
 * says so, a vector an array.
 */
import { runtimeTexts } from '../../../src/codegen/wgsl/runtime.ts';

export interface Signed {
  readonly i: number;
}
export interface Float {
  readonly f: number;
}
export type Scalar = number | boolean | Signed | Float;
export type Value = Scalar | Value[];

const isSigned = (value: Value): value is Signed => typeof value === 'object' && 'i' in value;
const isFloat = (value: Value): value is Float => typeof value === 'object' && 'f' in value;

const signed = (value: number): Signed => ({ i: value | 0 });
const float = (value: number): Float => ({ f: Math.fround(value) });
const words = new DataView(new ArrayBuffer(4));

function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (isSigned(value)) return value.i;
  if (isFloat(value)) return value.f;
  throw new TypeError(`${JSON.stringify(value)} is no number`);
}

/** As the other operand is. */
function like(model: Value, value: number): Value {
  if (isSigned(model)) return signed(value);
  return isFloat(model) ? float(value) : value >>> 0;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function scalar(op: string, a: Value, b: Value): Value {
  if (typeof a === 'boolean' && typeof b === 'boolean') {
    return { '&': a && b, '|': a || b, '&&': a && b, '||': a || b, '==': a === b, '!=': a !== b }[op]!;
  }
  const [x, y] = [numberOf(a), numberOf(b)];
  const compared = comparisons[op];
  if (compared) return compared(x, y);
  const isShift = op === '<<' || op === '>>';
  if (isShift && (y < 0 || y > 31)) throw new RangeError(`a shift by ${y}`);
  if (!isShift && isSigned(a) !== isSigned(b)) throw new TypeError(`${op} of different types`);
  switch (op) {
    case '+':
      return like(a, x + y);
    case '-':
      return like(a, x - y);
    case '*':
      return isFloat(a) ? float(x * y) : like(a, Math.imul(x, y));
    case '/':
      if (isFloat(a)) return float(x / y);
      return like(a, y === 0 ? x : Math.trunc(x / y));
    case '%':
      return like(a, y === 0 ? 0 : x % y);
    case '&':
      return like(a, x & y);
    case '|':
      return like(a, x | y);
    case '^':
      return like(a, x ^ y);
    case '<<':
      return like(a, x << y);
    case '>>':
      return like(a, isSigned(a) ? x >> y : x >>> y);
  }
  throw new Error(`no operator ${op}`);
}

function binary(op: string, a: Value, b: Value): Value {
  if (Array.isArray(a) || Array.isArray(b)) {
    const size = (Array.isArray(a) ? a : (b as Value[])).length;
    const at = (value: Value, index: number): Value => (Array.isArray(value) ? value[index]! : value);
    return Array.from({ length: size }, (_, index) => binary(op, at(a, index), at(b, index)));
  }
  return scalar(op, a, b);
}

function unary(op: string, a: Value): Value {
  if (Array.isArray(a)) return a.map((each) => unary(op, each));
  if (op === '!') return !a;
  if (op === '~') return like(a, ~numberOf(a));
  return like(a, -numberOf(a));
}

const letters = 'xyzw';

function swizzle(value: Value, name: string): Value {
  const lanes = [...name].map((letter) => (value as Value[])[letters.indexOf(letter)]!);
  return lanes.length === 1 ? lanes[0]! : lanes;
}

function replaced(vector: Value, letter: string, value: Value): Value {
  return (vector as Value[]).with(letters.indexOf(letter), value);
}

const extreme =
  (choose: (a: number, b: number) => number) =>
  (a: Value, b: Value): Value =>
    like(a, choose(numberOf(a), numberOf(b)));

const builtins: Readonly<Record<string, (...values: Value[]) => Value>> = {
  u32: (a) => (typeof a === 'boolean' ? Number(a) : isFloat(a!) ? Math.trunc(a.f) : numberOf(a!) >>> 0),
  i32: (a) => signed(numberOf(a!)),
  f32: (a) => float(numberOf(a!)),
  select: (a, b, which): Value => {
    if (!Array.isArray(which)) return which ? b! : a!;
    return which.map((each, lane) => (each ? (b as Value[])[lane]! : (a as Value[])[lane]!));
  },
  any: (a) => (a as Value[]).some((each) => each === true),
  all: (a) => (a as Value[]).every((each) => each === true),
  countLeadingZeros: (a) => Math.clz32(numberOf(a!)),
  countTrailingZeros: (a) => (a === 0 ? 32 : 31 - Math.clz32(numberOf(a!) & -numberOf(a!))),
  min: extreme(Math.min),
  max: extreme(Math.max),
  clamp: (a, low, high) => like(a!, Math.min(Math.max(numberOf(a!), numberOf(low!)), numberOf(high!))),
  sqrt: (a) => float(Math.sqrt(numberOf(a!))),
  abs: (a) => like(a!, Math.abs(numberOf(a!))),
};

function vector(...parts: Value[]): Value {
  return parts.flat();
}

function bitcast(type: string, value: Value): Value {
  if (isFloat(value)) words.setFloat32(0, value.f);
  else words.setUint32(0, numberOf(value));
  if (type === 'f32') return { f: words.getFloat32(0) };
  return type === 'i32' ? signed(words.getInt32(0)) : words.getUint32(0);
}

const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Writes functions as JavaScript. */
class Translator {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const bare = text.replace(/\/\/.*$/gm, '');
    this.#tokens =
      bare.match(/0x[0-9a-f]+u?|\d+\.\d+f?|\d+u?|\w+|->|<<|>>|<=|>=|==|!=|&&|\|\||[|&^+*/%-]=|\S/g) ?? [];
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(wanted?: string): string {
    const token = this.#peek();
    if (wanted !== undefined && token !== wanted)
      throw new SyntaxError(
        `${wanted} expected, not ${token} at ${this.#tokens.slice(this.#at - 8, this.#at).join(' ')}`,
      );
    this.#at += 1;
    return token;
  }

  #takes(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  program(): string {
    const parts: string[] = [];
    while (this.#peek() !== '') parts.push(this.#declaration());
    return parts.join('\n');
  }

  #declaration(): string {
    if (this.#takes('override')) {
      const name = this.#take();
      while (!this.#takes(';')) this.#at += 1;
      return `const ${name} = false;`;
    }
    this.#take('fn');
    const name = this.#take();
    this.#take('(');
    const parameters: string[] = [];
    while (!this.#takes(')')) {
      parameters.push(this.#take());
      this.#take(':');
      this.#type();
      this.#takes(',');
    }
    if (this.#takes('->')) this.#type();
    return `function ${name}(${parameters.join(', ')}) ${this.#block()}`;
  }

  #type(): string {
    const name = this.#take();
    if (!this.#takes('<')) return name;
    const inner = this.#type();
    this.#take('>');
    return `${name}<${inner}>`;
  }

  #block(): string {
    this.#take('{');
    const lines: string[] = [];
    while (!this.#takes('}')) lines.push(this.#statement());
    return `{ ${lines.join(' ')} }`;
  }

  #statement(): string {
    switch (this.#peek()) {
      case '{':
        return this.#block();
      case 'if': {
        this.#take();
        const then = `if (${this.#expression()}) ${this.#block()}`;
        if (!this.#takes('else')) return then;
        return `${then} else ${this.#peek() === 'if' ? this.#statement() : this.#block()}`;
      }
      case 'while':
        this.#take();
        return `while (${this.#expression()}) ${this.#block()}`;
      case 'loop':
        this.#take();
        return `for (;;) ${this.#block()}`;
      case 'for': {
        this.#take();
        this.#take('(');
        const first = this.#simple();
        this.#take(';');
        const condition = this.#expression();
        this.#take(';');
        const step = this.#simple();
        this.#take(')');
        return `for (${first}; ${condition}; ${step}) ${this.#block()}`;
      }
      case 'return': {
        this.#take();
        const value = this.#peek() === ';' ? '' : this.#expression();
        this.#take(';');
        return `return ${value};`;
      }
      case 'break':
      case 'continue': {
        const word = this.#take();
        this.#take(';');
        return `${word};`;
      }
    }
    const text = this.#simple();
    this.#take(';');
    return `${text};`;
  }

  #simple(): string {
    const isVariable = this.#peek() === 'var';
    if (isVariable || this.#peek() === 'let') {
      this.#take();
      const name = this.#take();
      if (this.#takes(':')) this.#type();
      if (!this.#takes('=')) return `let ${name}`;
      return `${isVariable ? 'let' : 'const'} ${name} = ${this.#expression()}`;
    }
    const name = this.#take();
    const letter = this.#takes('.') ? this.#take() : undefined;
    const target = letter === undefined ? name : `swizzle(${name}, '${letter}')`;
    const op = this.#take();
    const given = this.#expression();
    const value = op === '=' ? given : `binary('${op.slice(0, -1)}', ${target}, ${given})`;
    return letter === undefined ? `${name} = ${value}` : `${name} = replaced(${name}, '${letter}', ${value})`;
  }

  #expression(level = 0): string {
    const operators = levels[level];
    if (!operators) return this.#unary();
    let text = this.#expression(level + 1);
    while (operators.includes(this.#peek())) {
      const op = this.#take();
      text = `binary('${op}', ${text}, ${this.#expression(level + 1)})`;
    }
    return text;
  }

  #unary(): string {
    if (['-', '!', '~'].includes(this.#peek())) return `unary('${this.#take()}', ${this.#unary()})`;
    let text = this.#primary();
    while (this.#takes('.')) text = `swizzle(${text}, '${this.#take()}')`;
    return text;
  }

  #primary(): string {
    const token = this.#take();
    if (token === '(') {
      const text = this.#expression();
      this.#take(')');
      return text;
    }
    if (/^[0-9]/.test(token)) {
      if (token.endsWith('u')) return token.slice(0, -1);
      return /[.f]/.test(token) && !token.startsWith('0x')
        ? `float(${token.replace('f', '')})`
        : `signed(${token})`;
    }
    let type = '';
    if (/^(vec[234]|bitcast)$/.test(token)) {
      this.#take('<');
      type = this.#type();
      this.#take('>');
    }
    if (!this.#takes('(')) return token;
    const operands: string[] = [];
    while (!this.#takes(')')) {
      operands.push(this.#expression());
      this.#takes(',');
    }
    if (token === 'bitcast') return `bitcast('${type}', ${operands[0]})`;
    if (token.startsWith('vec')) return `vector(${operands.join(', ')})`;
    return Object.hasOwn(builtins, token)
      ? `builtins.${token}(${operands.join(', ')})`
      : `${token}(${operands.join(', ')})`;
  }
}

/** The functions of these names. */
export function evaluator<
  Name extends Parameters<typeof runtimeTexts>[0] extends Iterable<infer T> ? T : never,
>(...names: Name[]): Readonly<Record<Name, (...values: Value[]) => Value>> {
  const text = new Translator(runtimeTexts(names).join('\n')).program();
  const helpers = { binary, unary, swizzle, replaced, vector, bitcast, signed, float, builtins };
  const make = new Function(...Object.keys(helpers), `${text}\nreturn { ${names.join(', ')} };`);
  return make(...Object.values(helpers)) as Readonly<Record<Name, (...values: Value[]) => Value>>;
}

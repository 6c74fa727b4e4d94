/**
 * Calls of printf: the format must be known when the program is compiled, and the arguments should be what it asks for
 * (OpenCL 1.2, 6.12.13). What can be printed in spite of a mistake gets a warning, in clang's words where it has any.
 */
import type { BuiltinCall, Expression, StringLiteral } from '../../c/ast.ts';
import type { Reporter } from '../../c/dialect.ts';
import { type ArithmeticName, arithmeticTypes, type CType, unqualified, vectorType } from '../../c/types.ts';
import { type Conversion, type FormatProblem, floatSpecifiers, parseFormat } from '../../ir/printf/format.ts';
import type { Span } from '../../source/span.ts';

/** Reports what is wrong with a call of printf. False if it cannot be compiled. */
export function checkPrintf(call: BuiltinCall, addressBytes: number, report: Reporter): boolean {
  const { diagnostics } = report;
  const [formatArgument, ...values] = call.arguments;
  const literal = formatArgument && stringOf(formatArgument);
  if (!formatArgument || !literal) {
    diagnostics.error(
      formatArgument?.span ?? call.span,
      'the format of printf must be a string literal, or a constant array that one initializes',
    );
    return false;
  }
  const text = formatText(literal);
  const place = (start: number, end: number): Span => spanInLiteral(literal, start, end);
  if (text.length < literal.bytes.length - 1) {
    diagnostics.warning(
      place(text.length, text.length + 1),
      'format',
      "format string contains '\\0' within the string body",
    );
  }
  if (text === '') diagnostics.warning(literal.span, 'format-zero-length', 'format string is empty');
  const { pieces, problems } = parseFormat(text);
  for (const problem of problems) reportProblem(problem, place, report);
  const conversions = pieces.filter((piece) => piece.kind === 'conversion');
  const checked = conversions.map((conversion, index) => {
    const value = values[index];
    if (value) return new Matcher(conversion, value, addressBytes, report).check();
    if (index === values.length) {
      diagnostics.warning(
        place(conversion.start, conversion.end),
        'format-insufficient-args',
        "more '%' conversions than data arguments",
      );
    }
    return true;
  });
  const unused = values[conversions.length];
  if (unused && !problems.some(({ isError }) => isError)) {
    diagnostics.warning(unused.span, 'format-extra-args', 'data argument not used by format string');
  }
  const printable = values.map((value) => checkPrintable(value, report));
  return [...checked, ...printable].every((ok) => ok) && !problems.some(({ isError }) => isError);
}

/** The bytes of a format up to its end, one a character. */
export function formatText({ bytes }: StringLiteral): string {
  let text = '';
  for (const byte of bytes) {
    if (byte === 0) break;
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The literal behind an expression that is one, or that names a constant array initialized with one. */
export function stringOf(expression: Expression): StringLiteral | undefined {
  switch (expression.kind) {
    case 'string-literal':
      return expression;
    case 'cast':
      return stringOf(expression.operand);
    case 'initializer-list': {
      // What the checker makes of `char s[] = "text"`.
      const [entry, ...others] = expression.entries;
      return entry && others.length === 0 ? stringOf(entry.value) : undefined;
    }
    case 'name': {
      const { declaration } = expression;
      if (declaration.kind !== 'variable' || declaration.type.space !== 'constant') return undefined;
      return declaration.initializer && stringOf(declaration.initializer);
    }
    default:
      return undefined;
  }
}

function reportProblem(
  { message, start, end, isError }: FormatProblem,
  place: (start: number, end: number) => Span,
  { diagnostics }: Reporter,
): void {
  const span = place(start, end);
  if (isError) diagnostics.error(span, message);
  else
    diagnostics.warning(span, message.startsWith('invalid') ? 'format-invalid-specifier' : 'format', message);
}

/** Structures and handles have no bytes that could go with the others. */
function checkPrintable(value: Expression, report: Reporter): boolean {
  const { kind } = value.type.type;
  if (kind === 'arithmetic' || kind === 'vector' || kind === 'pointer' || kind === 'enum') return true;
  report.diagnostics.error(value.span, `cannot print a value of type '${report.show(value.type)}'`);
  return false;
}

const integerNames: Readonly<Record<number, readonly [signed: ArithmeticName, unsigned: ArithmeticName]>> = {
  1: ['char', 'uchar'],
  2: ['short', 'ushort'],
  4: ['int', 'uint'],
  8: ['long', 'ulong'],
};
const floatNames: Readonly<Record<number, ArithmeticName>> = { 2: 'half', 4: 'float', 8: 'double' };

/** One conversion and its argument. */
class Matcher {
  readonly #conversion: Conversion;
  readonly #value: Expression;
  readonly #addressBytes: number;
  readonly #report: Reporter;

  constructor(conversion: Conversion, value: Expression, addressBytes: number, report: Reporter) {
    this.#conversion = conversion;
    this.#value = value;
    this.#addressBytes = addressBytes;
    this.#report = report;
  }

  check(): boolean {
    const { specifier } = this.#conversion;
    if (specifier === 's') return this.#checkString();
    const { type } = this.#value.type;
    if (specifier === 'p') {
      if (type.kind !== 'pointer') this.#mismatch("'void *'");
    } else if (specifier === 'c') {
      if (!isScalar(type) || type.floating || type.size !== 4) this.#mismatch("'int'");
    } else this.#checkNumber(type);
    return true;
  }

  #checkString(): boolean {
    const { type } = this.#value.type;
    const pointee = type.kind === 'pointer' ? type.pointee : undefined;
    if (pointee?.space === 'constant' && pointee.type === arithmeticTypes.char) return true;
    const message = `the argument of '%s' must be a string literal or point to constant chars; this has type '${this.#report.show(this.#value.type)}'`;
    if (type.kind === 'pointer') {
      const effect = pointee?.space === 'constant' ? '' : ", so that it prints '(not a string)'";
      this.#report.diagnostics.warning(this.#value.span, 'format', `${message}${effect}`);
      return true;
    }
    this.#report.diagnostics.error(this.#value.span, message);
    return false;
  }

  #checkNumber(given: CType): void {
    const { lanes, specifier } = this.#conversion;
    const isFloat = floatSpecifiers.includes(specifier);
    const type = given.kind === 'enum' ? given.underlying : given;
    const element = type?.kind === 'vector' ? type.element : type;
    const hasLanes = (type?.kind === 'vector' ? type.lanes : 1) === lanes;
    const sizes = this.#sizes(isFloat);
    const fits =
      hasLanes &&
      element?.kind === 'arithmetic' &&
      element.floating === isFloat &&
      sizes.includes(element.size);
    if (fits) return;
    const isSigned = specifier === 'd' || specifier === 'i';
    const size = sizes[0] ?? 4;
    const wanted = arithmeticTypes[isFloat ? floatNames[size]! : integerNames[size]![isSigned ? 0 : 1]];
    const shape = lanes === 1 ? wanted : vectorType(wanted, lanes as 2 | 3 | 4 | 8 | 16);
    this.#mismatch(`'${this.#report.show(unqualified(shape))}'`);
  }

  /** The sizes of what the conversion takes, the one to name first. Small scalars have become ints. */
  #sizes(isFloat: boolean): readonly number[] {
    const { lanes, length } = this.#conversion;
    if (lanes === 1) {
      if (isFloat) return [8, 4, 2];
      if (length === 'l' || length === 'll' || length === 'j') return [8];
      if (length === 'z' || length === 't') return [this.#addressBytes];
      return [4];
    }
    switch (length) {
      case 'hh':
        return [1];
      case 'h':
        return [2];
      case 'hl':
        return [4];
      case '':
        return isFloat ? [8] : [4];
      default:
        return [8];
    }
  }

  #mismatch(wanted: string): void {
    const { diagnostics } = this.#report;
    const shown = this.#report.show(this.#value.type);
    diagnostics.warning(
      this.#value.span,
      'format',
      `format specifies type ${wanted} but the argument has type '${shown}'`,
    );
  }
}

function isScalar(type: CType): type is CType & { kind: 'arithmetic' } {
  return type.kind === 'arithmetic';
}

/** Where some bytes of a string literal stand in the source; the whole literal if that is not plain to see. */
function spanInLiteral({ span }: StringLiteral, start: number, end: number): Span {
  const source = span.file.text.slice(span.start, span.end);
  const starts = byteStarts(source);
  const from = starts?.[start];
  const to = starts?.[end];
  return from === undefined || to === undefined
    ? span
    : { file: span.file, start: span.start + from, end: span.start + to };
}

/** The offset in the source of each byte of a literal and of its end; undefined if it has more than plain text and escapes. */
function byteStarts(source: string): readonly number[] | undefined {
  if (!source.startsWith('"')) return undefined;
  const starts: number[] = [];
  const pattern = /\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|[^\n])|"(\s*")?|[ !#-[\]-~]/y;
  pattern.lastIndex = 1;
  for (;;) {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (!match) return undefined;
    if (match[0] === '"') {
      starts.push(at);
      return starts;
    }
    if (match[1] === undefined) starts.push(at);
  }
}

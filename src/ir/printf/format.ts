/**
 * Reads the format string of printf (OpenCL 1.2, 6.12.13.2). The checker asks what each conversion wants, and
 * `text.ts` writes values by it. A format is a string of bytes: each character is one, 0 to 255.
 */

/** `hl` is before vectors of four-byte elements; the last four are C's, which OpenCL C keeps for itself. */
export type LengthModifier = '' | 'hh' | 'h' | 'hl' | 'l' | 'll' | 'j' | 'z' | 't' | 'L';

/** One conversion: `%-8.3v4hlf`. */
export interface Conversion {
  readonly kind: 'conversion';
  /** Where it is in the format, `%` included. */
  readonly start: number;
  readonly end: number;
  /** Any of `-+ #0`, each once. */
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  /** 1 without a vector specifier. */
  readonly lanes: number;
  readonly length: LengthModifier;
  /** The conversion specifier: one of {@link specifiers}. */
  readonly specifier: string;
}

export interface PlainText {
  readonly kind: 'text';
  readonly text: string;
}

export type FormatPiece = PlainText | Conversion;

/** Something in a format that is not as the specification has it. */
export interface FormatProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** What follows cannot be given a meaning; else the conversion is printed as it is, or nearly so. */
  readonly isError: boolean;
}

export interface Format {
  readonly pieces: readonly FormatPiece[];
  readonly problems: readonly FormatProblem[];
}

export const integerSpecifiers = 'diouxX';
export const floatSpecifiers = 'fFeEgGaA';
/** All that take an argument. */
const specifiers = `${integerSpecifiers}${floatSpecifiers}csp`;

/** The most that C asks of an implementation for one conversion (C99, 7.19.6.1 15), and what wider ones are cut to. */
const widest = 4095;

const conversionPattern =
  /%([-+ #0]*)(\*|\d+)?(?:\.(\*|-?\d+)?)?(?:v(\d*))?(hh|hl|h|ll|l|j|z|t|L)?([\s\S])?/y;

/** Splits a format. Every conversion among the pieces takes one argument. */
export function parseFormat(format: string): Format {
  const pieces: FormatPiece[] = [];
  const problems: FormatProblem[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      text += format.slice(at);
      break;
    }
    text += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      text += '%';
      at = percent + 2;
      continue;
    }
    conversionPattern.lastIndex = percent;
    // The pattern matches a lone '%'.
    const match = conversionPattern.exec(format)!;
    const end = conversionPattern.lastIndex;
    const found = new Reader(match, percent, end, problems).read();
    if (found) {
      endText();
      pieces.push(found);
    } else text += match[0];
    at = end;
  }
  endText();
  return { pieces, problems };
}

/** Makes a conversion of what the pattern has split. */
class Reader {
  readonly #match: RegExpExecArray;
  readonly #start: number;
  readonly #end: number;
  readonly #problems: FormatProblem[];

  constructor(match: RegExpExecArray, start: number, end: number, problems: FormatProblem[]) {
    this.#match = match;
    this.#start = start;
    this.#end = end;
    this.#problems = problems;
  }

  /** Undefined where it is none, and its text is printed as it is. */
  read(): Conversion | undefined {
    const [whole, flags = '', width, precision, lanes, length = '', specifier] = this.#match;
    if (specifier === undefined) return this.#fail('incomplete format specifier');
    if (specifier === 'n') {
      return this.#fail("conversion specifier 'n' is not supported by OpenCL C's printf", true);
    }
    if (!specifiers.includes(specifier)) return this.#fail(`invalid conversion specifier '${specifier}'`);
    if (width === '*' || precision === '*') {
      const what = width === '*' ? 'field width' : 'precision';
      return this.#fail(`OpenCL C's printf takes no '*' as ${what}: write a number`, true);
    }
    const laneCount = this.#lanes(lanes, specifier);
    if (laneCount === undefined) return undefined;
    this.#checkLength(length as LengthModifier, laneCount, specifier);
    this.#checkFlags(flags, precision !== undefined || whole.includes('.'), specifier);
    return {
      kind: 'conversion',
      start: this.#start,
      end: this.#end,
      flags: [...new Set(flags)].join(''),
      width: this.#cut(width, 'field width'),
      precision: whole.includes('.') ? this.#cut(precision, 'precision') : undefined,
      lanes: laneCount,
      length: length as LengthModifier,
      specifier,
    };
  }

  #fail(message: string, isError = false): undefined {
    this.#problems.push({ message, start: this.#start, end: this.#end, isError });
  }

  #cut(digits: string | undefined, what: string): number {
    const value = Number(digits ?? 0);
    if (value < 0) {
      this.#fail(`negative ${what} in format specifier`);
      return 0;
    }
    if (value > widest) this.#fail(`${what} ${value} is cut to ${widest}`);
    return Math.min(value, widest);
  }

  #lanes(digits: string | undefined, specifier: string): number | undefined {
    if (digits === undefined) return 1;
    if (!['2', '3', '4', '8', '16'].includes(digits)) {
      return this.#fail(`invalid vector length '${digits}': it must be 2, 3, 4, 8 or 16`);
    }
    if (!integerSpecifiers.includes(specifier) && !floatSpecifiers.includes(specifier)) {
      return this.#fail(`conversion specifier '${specifier}' takes no vector`);
    }
    return Number(digits);
  }

  #checkLength(length: LengthModifier, lanes: number, specifier: string): void {
    const isFloat = floatSpecifiers.includes(specifier);
    const isPlain = !isFloat && !integerSpecifiers.includes(specifier);
    if (['ll', 'j', 'z', 't', 'L'].includes(length)) {
      this.#fail(`length modifier '${length}' is not supported by OpenCL C; 'l' prints 64 bits`);
    } else if (length === 'hl' && lanes === 1) {
      this.#fail("length modifier 'hl' is for vectors only");
    } else if (
      length !== '' &&
      (isPlain || (isFloat && (length === 'hh' || (lanes === 1 && length === 'h'))))
    ) {
      this.#fail(
        `length modifier '${length}' results in undefined behavior with '${specifier}' conversion specifier`,
      );
    }
  }

  #checkFlags(flags: string, hasPrecision: boolean, specifier: string): void {
    const undefinedFlag = (flag: string): void =>
      this.#fail(`flag '${flag}' results in undefined behavior with '${specifier}' conversion specifier`);
    if (flags.includes('#') && 'diucsp'.includes(specifier)) undefinedFlag('#');
    if (flags.includes('0') && 'csp'.includes(specifier)) undefinedFlag('0');
    if (flags.includes('+') && 'ouxXcsp'.includes(specifier)) undefinedFlag('+');
    if (flags.includes(' ') && 'ouxXcsp'.includes(specifier)) undefinedFlag(' ');
    if (hasPrecision && 'cp'.includes(specifier)) {
      this.#fail(`precision used with '${specifier}' conversion specifier, resulting in undefined behavior`);
    }
  }
}

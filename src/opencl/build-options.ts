/** The options of a program build (OpenCL 1.2, 5.6.4): words of a command line, read into one object. */
import { defaultBudget } from '../source/build-budget.ts';

export interface BuildOptions {
  /** As behind -D: `NAME`, `NAME=VALUE`. */
  readonly definitions: readonly string[];
  readonly includePaths: readonly string[];
  /** -cl-std: 100, 110, 120, 200 or 300. */
  readonly version: number;
  /** Floating-point constants without a suffix are float. */
  readonly singlePrecisionConstant: boolean;
  /** A permission that is not used: subnormal numbers cost nothing here. docs/build-options.md has the others' effects. */
  readonly denormsAreZero: boolean;
  /** No passes run but those that code needs. */
  readonly optDisable: boolean;
  /** A permission that is not used: where it pays, operators may be fused without it. */
  readonly madEnable: boolean;
  readonly noSignedZeros: boolean;
  readonly unsafeMath: boolean;
  /** Defines `__FINITE_MATH_ONLY__`. */
  readonly finiteMathOnly: boolean;
  /** Defines `__FAST_RELAXED_MATH__`. */
  readonly fastRelaxedMath: boolean;
  /** Work-groups at the ends of the range are as large as the others, as in versions before 2.0. */
  readonly uniformWorkGroupSize: boolean;
  /** clGetKernelArgInfo may tell about the arguments. */
  readonly kernelArgInfo: boolean;
  /** -w */
  readonly suppressWarnings: boolean;
  /** -Werror */
  readonly warningsAreErrors: boolean;
  /** -g */
  readonly debug: boolean;
  /** -millrace-strict, or as it was called, -millrace-check: a driver's device, too, gets only what our front end takes. */
  readonly strict: boolean;
  /** -millrace-from-ir: a driver's device gets the program as OpenCL C written from IR. */
  readonly fromIr: boolean;
  /** -millrace-early: all kernels are compiled in the build, and none when it is first launched. */
  readonly early: boolean;
  /** -millrace-budget: the units of work that building may take (src/source/build-budget.ts). */
  readonly budget: number;
}

export interface ParsedBuildOptions {
  readonly options: BuildOptions;
  /** What was wrong: any makes the build fail with CL_INVALID_BUILD_OPTIONS. */
  readonly errors: readonly string[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Flag = {
  [K in keyof BuildOptions]: BuildOptions[K] extends boolean ? K : never;
}[keyof BuildOptions];

/** Options without a value, and everything that each turns on. */
const flags: Readonly<Record<string, readonly Flag[]>> = {
  '-cl-single-precision-constant': ['singlePrecisionConstant'],
  '-cl-denorms-are-zero': ['denormsAreZero'],
  '-cl-fp32-correctly-rounded-divide-sqrt': [],
  '-cl-opt-disable': ['optDisable'],
  '-cl-strict-aliasing': [],
  '-cl-mad-enable': ['madEnable'],
  '-cl-no-signed-zeros': ['noSignedZeros'],
  '-cl-unsafe-math-optimizations': ['unsafeMath', 'noSignedZeros', 'madEnable'],
  '-cl-finite-math-only': ['finiteMathOnly'],
  '-cl-fast-relaxed-math': ['fastRelaxedMath', 'finiteMathOnly', 'unsafeMath', 'noSignedZeros', 'madEnable'],
  '-cl-uniform-work-group-size': ['uniformWorkGroupSize'],
  '-cl-kernel-arg-info': ['kernelArgInfo'],
  '-w': ['suppressWarnings'],
  '-Werror': ['warningsAreErrors'],
  '-g': ['debug'],
  '-millrace-strict': ['strict'],
  '-millrace-check': ['strict'],
  '-millrace-from-ir': ['fromIr'],
  '-millrace-early': ['early'],
  '-millrace-singles': [],
};

/** The text without the options that are Millrace's own: what a driver's compiler gets. */
export function withoutOwnOptions(text: string): string {
  if (!text.includes('-millrace-')) return text.trim();
  return text.replace(/(^|\s)-millrace-[a-z-]+(=\S*)?(?=\s|$)/g, '$1').trim();
}

const versions: Readonly<Record<string, number>> = {
  'CL1.0': 100,
  'CL1.1': 110,
  'CL1.2': 120,
  'CL2.0': 200,
  'CL3.0': 300,
};

/** Reads the text that clBuildProgram gets; words may be quoted as in a shell. */
export function parseBuildOptions(text: string): ParsedBuildOptions {
  const definitions: string[] = [];
  const includePaths: string[] = [];
  const errors: string[] = [];
  const options: Mutable<BuildOptions> = {
    definitions,
    includePaths,
    version: 120,
    singlePrecisionConstant: false,
    denormsAreZero: false,
    optDisable: false,
    madEnable: false,
    noSignedZeros: false,
    unsafeMath: false,
    finiteMathOnly: false,
    fastRelaxedMath: false,
    uniformWorkGroupSize: false,
    kernelArgInfo: false,
    suppressWarnings: false,
    warningsAreErrors: false,
    debug: false,
    strict: false,
    fromIr: false,
    early: false,
    budget: defaultBudget,
  };
  const words = splitWords(text, errors);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    if (word.startsWith('-D') || word.startsWith('-I')) {
      const list = word.startsWith('-D') ? definitions : includePaths;
      const attached = word.slice(2);
      const value = attached === '' ? words[++index] : attached;
      if (value === undefined) errors.push(`build option '${word}' needs a value`);
      else list.push(value);
    } else if (word.startsWith('-cl-std=')) {
      const version = versions[word.slice('-cl-std='.length)];
      if (version === undefined) errors.push(`unknown language version in build option '${word}'`);
      else options.version = version;
    } else if (word.startsWith('-millrace-budget=')) {
      const units = Number(word.slice('-millrace-budget='.length));
      if (Number.isSafeInteger(units) && units > 0) options.budget = units;
      else errors.push(`build option '${word}' takes a whole number of units above 0`);
    } else if (Object.hasOwn(flags, word)) {
      for (const flag of flags[word]!) options[flag] = true;
    } else {
      errors.push(`unknown build option '${word}'`);
    }
  }
  return { options, errors };
}

/** Splits at white space outside quotes; a backslash takes the next character as it is (not in single quotes). */
function splitWords(text: string, errors: string[]): string[] {
  const words: string[] = [];
  let word = '';
  let inWord = false;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== "'" && character === '\\' && index + 1 < text.length) {
      index += 1;
      word += text.charAt(index);
      inWord = true;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      inWord = true;
    } else if (character === ' ' || character === '\t' || character === '\n' || character === '\r') {
      if (inWord) words.push(word);
      word = '';
      inWord = false;
    } else {
      word += character;
      inWord = true;
    }
  }
  if (quote !== '') errors.push('a quotation mark in the build options is not closed');
  if (inWord) words.push(word);
  return words;
}

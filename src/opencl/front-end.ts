/** From the text of an OpenCL C program to its tokens and its checked syntax tree. */
import type { TranslationUnit } from '../c/ast.ts';
import { Checker } from '../c/check/checker.ts';
import type { Dialect } from '../c/dialect.ts';
import type { ReadingObserver } from '../c/observer.ts';
import { parseTranslationUnit } from '../c/parse.ts';
import { type FileSystem, type PreprocessOptions, Preprocessor, preprocess } from '../c/preprocessor.ts';
import type { Token, TokenReader } from '../c/token.ts';
import { BuildBudget } from '../source/build-budget.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { BuildOptions } from './build-options.ts';
import { type OpenCLVersion, openclDialect } from './dialect/index.ts';

export interface FrontEndOptions {
  readonly options: BuildOptions;
  readonly addressBits: 32 | 64;
  /** Where #include finds files. */
  readonly files?: FileSystem | undefined;
  /** Texts that #include finds before all files, by the names it uses. */
  readonly headers?: ReadonlyMap<string, string> | undefined;
  /** Is told what is read, on the way. */
  readonly observer?: ReadingObserver | undefined;
  /** Pays for what is read; default a new one, as large as the options say. */
  readonly budget?: BuildBudget | undefined;
}

/** What the build options make of the language. */
export function dialectOf({ options, addressBits }: FrontEndOptions): Dialect {
  return openclDialect({
    version: options.version as OpenCLVersion,
    addressBits,
    singlePrecisionConstants: options.singlePrecisionConstant,
  });
}

/** Preprocesses a program. The list ends with a token of kind `end`. */
export function readTokens(file: SourceFile, settings: FrontEndOptions, diagnostics: Diagnostics): Token[] {
  return preprocess(file, preprocessOptions(settings), diagnostics);
}

function preprocessOptions(settings: FrontEndOptions): PreprocessOptions {
  const { options, files, headers, observer, budget = new BuildBudget(options.budget) } = settings;
  const usual = dialectOf(settings).predefinedMacros;
  const predefined = options.finiteMathOnly ? { ...usual, ...relaxedMacros(options) } : usual;
  const { definitions, includePaths } = options;
  return {
    definitions,
    includePaths,
    predefined,
    ...(files ? { files } : {}),
    ...(headers ? { headers } : {}),
    ...(observer ? { observer } : {}),
    budget,
  };
}

/** -cl-fast-relaxed-math implies -cl-finite-math-only. */
function relaxedMacros({ fastRelaxedMath }: BuildOptions): Record<string, string> {
  const finite = { __FINITE_MATH_ONLY__: '1' };
  return fastRelaxedMath ? { ...finite, __FAST_RELAXED_MATH__: '1' } : finite;
}

/** A program that was read, and what read it. */
export interface OpenCLReading {
  readonly unit: TranslationUnit;
  readonly preprocessor: Preprocessor;
  readonly checker: Checker;
}

/** Preprocesses, parses and checks a program, all at once: what is said of it comes in the order of its text. */
export function readOpenCL(
  file: SourceFile,
  settings: FrontEndOptions,
  diagnostics: Diagnostics,
): OpenCLReading {
  const preprocessor = new Preprocessor(file, preprocessOptions(settings), diagnostics);
  const { observer } = settings;
  const reader = observer ? observedReader(preprocessor, observer) : preprocessor;
  const dialect = dialectOf(settings);
  const checker = new Checker(dialect, diagnostics, observer);
  return {
    unit: parseTranslationUnit(reader, dialect, diagnostics, checker),
    preprocessor,
    checker,
  };
}

function observedReader(tokens: TokenReader, observer: ReadingObserver): TokenReader {
  return {
    read: () => {
      const token = tokens.read();
      observer.token(token);
      return token;
    },
  };
}

/** .br files among the sources of a host program: their kernels go to the Brook+ program, the rest is C like other files. */
import type { ReportOptions } from '../brook/check/report.ts';
import { compileBrook } from '../brook/compile.ts';
import { translateHost } from '../brook/host/translate.ts';
import type { BrookProgram } from '../brook/program.ts';
import type { PreprocessOptions } from '../c/preprocessor.ts';
import type { Token, TokenReader } from '../c/token.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';

export function isBrookSource({ name }: { readonly name: string }): boolean {
  return name.endsWith('.br');
}

/** The tokens of a .br file's host part in C, which begin with those of <brook.h>. Its kernels are added to the program. */
export function readBrook(
  file: SourceFile,
  preprocessing: PreprocessOptions,
  checking: Partial<ReportOptions> | undefined,
  diagnostics: Diagnostics,
  program: BrookProgram,
): TokenReader {
  const options = { ...preprocessing, ...checking, firstIncludes: ['brook.h'], diagnostics };
  return new TokenList(translateHost(compileBrook(file.name, file.text, options), program));
}

/** Hands out tokens that are there already; the last one is `end`. */
class TokenList implements TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): Token {
    const token = this.#tokens[this.#position]!;
    if (this.#position < this.#tokens.length - 1) this.#position += 1;
    return token;
  }
}

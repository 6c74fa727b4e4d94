/** .br files among the sources of a host program: their kernels go to the Brook+ program, the rest is C like other files. */
import type { ReportOptions } from '../brook/check/report.ts';
import { compileBrook } from '../brook/compile.ts';
import { HostDiagnostics } from '../brook/host/messages.ts';
import { translateHost } from '../brook/host/translate.ts';
import type { BrookProgram } from '../brook/program.ts';
import type { PreprocessOptions } from '../c/preprocessor.ts';
import type { Token, TokenReader } from '../c/token.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';

export function isBrookSource({ name }: { readonly name: string }): boolean {
  return name.endsWith('.br');
}

/** A .br file's host part in C. */
export interface HostPart {
  /** They begin with those of <brook.h>. */
  readonly tokens: TokenReader;
  /** What is said of them goes here. */
  readonly diagnostics: Diagnostics;
}

/** Reads a .br file: its kernels are added to the program. */
export function readBrook(
  file: SourceFile,
  preprocessing: PreprocessOptions,
  checking: Partial<ReportOptions> | undefined,
  diagnostics: Diagnostics,
  program: BrookProgram,
): HostPart {
  const options = { ...preprocessing, ...checking, firstIncludes: ['brook.h'], diagnostics };
  const { tokens, reductions } = translateHost(compileBrook(file.name, file.text, options), program);
  return { tokens: new TokenList(tokens), diagnostics: new HostDiagnostics(diagnostics, reductions) };
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

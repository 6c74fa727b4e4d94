/**
 * `#line` (C99 6.10.4) and the line markers `# 33 "file"` that preprocessors write.
 */
import { readString } from './character-literal.ts';
import { expectLineEnd, readLine } from './directive-line.ts';
import type { Preprocessor } from './preprocessor.ts';
import type { Token } from './token.ts';

const lineLimit = 2 ** 31 - 1;

export function obeyLine(preprocessor: Preprocessor, hash: Token): void {
  const { diagnostics, expander } = preprocessor;
  const written = readLine(preprocessor);
  const end = written[written.length - 1] as Token;
  const line = [...expander.expandAll(written.slice(0, -1), end), end];
  const number = line[0] as Token;
  const value = lineNumber(number);
  if (value === undefined) {
    const isInteger = number.kind === 'integer';
    diagnostics.error(
      number,
      isInteger
        ? '#line directive requires a simple digit sequence'
        : '#line directive requires a positive integer argument',
    );
    return;
  }
  const name = line[1] as Token;
  let file = hash.file.presumed(hash.start).name;
  if (name.kind !== 'end') {
    if (!isPlainString(name)) {
      diagnostics.error(name, 'invalid filename for #line directive');
      return;
    }
    file = fileName(name, preprocessor);
    expectLineEnd(preprocessor, line, 2, 'line');
  }
  hash.file.addLineMarker(end.start, value, file);
}

/** `# number "file" flags`; the flags, which tell about inclusion, change nothing here. */
export function obeyLineMarker(preprocessor: Preprocessor, hash: Token, number: Token): void {
  const { diagnostics } = preprocessor;
  const line = readLine(preprocessor);
  const value = lineNumber(number);
  if (value === undefined) {
    diagnostics.error(number, 'line marker directive requires a simple digit sequence');
    return;
  }
  const name = line[0] as Token;
  let file = hash.file.presumed(hash.start).name;
  if (name.kind !== 'end') {
    if (!isPlainString(name)) {
      diagnostics.error(name, 'invalid filename for line marker directive');
      return;
    }
    file = fileName(name, preprocessor);
    const flag = line.slice(1, -1).find((token) => !['1', '2', '3', '4'].includes(token.text));
    if (flag !== undefined) {
      diagnostics.error(flag, 'invalid flag line marker directive');
      return;
    }
  }
  hash.file.addLineMarker((line[line.length - 1] as Token).start, value, file);
}

/** The value of a token that is decimal digits only and no more than a line number can be. */
function lineNumber(token: Token): number | undefined {
  if (token.kind !== 'integer') return undefined;
  let value = 0;
  for (let index = 0; index < token.text.length; index += 1) {
    const code = token.text.charCodeAt(index);
    if (code < 48 || code > 57) return undefined;
    value = value * 10 + (code - 48);
    if (value > lineLimit) return undefined;
  }
  return value;
}

function isPlainString(token: Token): boolean {
  return token.kind === 'string' && token.text.startsWith('"');
}

function fileName(token: Token, preprocessor: Preprocessor): string {
  return new TextDecoder().decode(readString(token, preprocessor.diagnostics));
}

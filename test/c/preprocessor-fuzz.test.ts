import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readCharacter, readFloat, readInteger, readString } from '../../src/c/literals.ts';
import { printTokens } from '../../src/c/token-printer.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { Random } from '../support/random.ts';
import { filesOf, tokensOf } from './preprocess-text.ts';

const seeds = [
  '#define f(a, b) a ## b #a f(b, a)\n#define g f(\nf(x, y) g 1, 2) f(f(1, 2), g 3, (4,5)))\n',
  '#define v(x, ...) x, ## __VA_ARGS__ #__VA_ARGS__\nv(1) v(1, 2, "a\\"b") v() v\n(\n2)\n',
  "#if defined(X) && (1 << 3) > 2u ? 0 : 'a'\nyes\n#elif !X || 1 / 0\nno\n#else\n#endif\n",
  '#include "a.h"\n#line 10 "x.c"\n__LINE__ __FILE__\n# 5 "y" 1\n#pragma once\n_Pragma("a b") x\n',
  'kernel void k(global float4 *p) { p[0] = (float4)(1.0f, .5e-3, 0x1p-3f, 0xFFul); /* c */ // d\n}\n',
  '#undef f\n#error e\n#warning w\n#\n#foo\n"abc\\n\\x41\\u00e9" \'\\377\' \\\n L"w" ??= %: <:\n',
  '#define A B A\n#define B A B C\n#define C(x) x A(B) C\nA B C(A) C(C)(C)(B)\n',
];
const pieces = [
  '#',
  '##',
  '\n',
  '\\\n',
  '"',
  "'",
  '(',
  ')',
  ',',
  '/*',
  '*/',
  '//',
  '#define ',
  '#if ',
  '#endif\n',
  '#else\n',
  '#elif ',
  '__VA_ARGS__',
  '...',
  'defined',
  'f',
  'f(',
  'A',
  'B',
  '1',
  '0x',
  '1e',
  '.',
  '\\',
  '@',
  '\0',
  '\ud800',
  '\u{1F600}',
  '\t',
  '#include "a.h"\n',
  '_Pragma',
  '_Pragma("x")',
  '__LINE__',
  '?',
  ':',
  '%',
  '-',
  '\r',
  '\u00a0',
  '#pragma x\n',
  '9'.repeat(40),
];

const files = filesOf({ 'a.h': '#define h(x) x\n#include "b.h"\nh(', 'b.h': 'b\n#if 1\n#include "a.h"\n' });

function mutated(random: Random): string {
  let text = seeds[random.below(seeds.length)] ?? '';
  for (let count = 1 + random.below(12); count > 0; count -= 1) {
    const at = random.below(text.length + 1);
    const length = random.below(8);
    const other = seeds[random.below(seeds.length)] ?? '';
    const from = random.below(other.length);
    const insert =
      random.below(3) === 0
        ? other.slice(from, from + random.below(40))
        : (pieces[random.below(pieces.length)] ?? '');
    text = text.slice(0, at) + insert + text.slice(at + (random.below(2) === 0 ? length : 0));
  }
  return text;
}

describe('any text', () => {
  it('gives tokens and diagnostics, and tokens that print as they read', () => {
    for (let seed = 1; seed <= 2000; seed += 1) {
      const text = mutated(new Random(seed));
      const { tokens, diagnostics } = tokensOf(text, { files });
      expect(tokens.filter(({ kind }) => kind === 'end').length, JSON.stringify(text)).toBe(1);
      expect(tokens[tokens.length - 1]?.kind).toBe('end');
      for (const token of tokens) {
        expect(token.start >= 0 && token.start <= token.end && token.end <= token.file.text.length).toBe(
          true,
        );
        if (token.kind === 'integer') readInteger(token, diagnostics);
        else if (token.kind === 'float') readFloat(token, diagnostics);
        else if (token.kind === 'character') readCharacter(token, diagnostics);
        else if (token.kind === 'string') readString(token, diagnostics);
      }
      const { errorCount } = diagnostics;
      if (errorCount > 0) expect(renderDiagnostics(diagnostics.list)).toMatch(/\d+ errors? generated\.\n$/);
      const printed = printTokens(tokens);
      // what cannot read back: _Pragma and # left over, and text that a pragma holds as written
      if (tokens.some(({ kind, text }) => kind === 'pragma' || text === '#' || text === '_Pragma')) continue;
      const again = tokensOf(`#undef __LINE__\n#undef __FILE__\n${printed}`).tokens;
      expect(words(again), JSON.stringify(text)).toEqual(words(tokens));
    }
  });
});

function words(tokens: readonly { kind: string; text: string }[]): string[] {
  return tokens.map(({ kind, text }) => `${kind} ${text}`);
}

function gccOn(text: string): string | undefined {
  try {
    return execFileSync('gcc', ['-E', '-P', '-std=gnu99', '-xc', '-'], {
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const hasGcc = gccOn('') !== undefined;

describe.skipIf(!hasGcc)('beside gcc (skipped where there is none)', () => {
  // macros call one another at random; both must find the same end
  const names = ['P', 'Q', 'R', 'S', 'T'];

  function program(random: Random): string {
    const arity = names.map(() => random.below(3));
    const term = (depth: number, parameters: readonly string[]): string => {
      const choice = random.below(9);
      if (choice < 3 && parameters.length > 0) return parameters[random.below(parameters.length)] ?? '';
      const index = random.below(names.length);
      const name = names[index] ?? '';
      if (choice < 5) return name;
      if (choice < 7 && depth < 3) {
        const count = Math.max(1, arity[index] ?? 0);
        const given = Array.from({ length: count }, () => term(depth + 1, parameters));
        return `${name}(${given.join(',')})`;
      }
      if (choice === 7) return `(${term(depth + 1, parameters)})`;
      return String(random.below(5));
    };
    let text = '';
    for (const [index, name] of names.entries()) {
      const parameters = ['x', 'y'].slice(0, arity[index]);
      const isFunction = parameters.length > 0;
      const body = Array.from({ length: 1 + random.below(4) }, () => term(0, parameters)).join(' ');
      text += `#define ${name}${isFunction ? `(${parameters.join(',')}${random.below(4) === 0 ? ',...' : ''})` : ''} ${body}\n`;
    }
    return `${text}${Array.from({ length: 6 }, () => term(0, [])).join(' ')}\n`;
  }

  it('expands as gcc does', () => {
    let compared = 0;
    for (let seed = 1; seed <= 150; seed += 1) {
      const text = program(new Random(seed));
      const { tokens, diagnostics } = tokensOf(text);
      if (diagnostics.errorCount > 0) continue;
      const expected = gccOn(text);
      if (expected === undefined) continue;
      compared += 1;
      expect(words(tokens), text).toEqual(words(tokensOf(expected).tokens));
    }
    expect(compared).toBeGreaterThan(80);
  });
});

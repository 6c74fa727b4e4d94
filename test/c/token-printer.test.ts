import { describe, expect, it } from 'vitest';
import { printTokens } from '../../src/c/token-printer.ts';
import { expand, tokensOf } from './preprocess-text.ts';

describe('printTokens', () => {
  it('keeps lines, indentation and pragmas', () => {
    const { tokens } = tokensOf(`#define N 4
kernel void f(global int *p) {
  // nothing
#pragma unroll
  for (int i = 0; i < N; i++)
\tp[i] =  i+1;   /* more */ }
`);
    expect(printTokens(tokens)).toMatchInlineSnapshot(`
      "kernel void f(global int *p) {
      #pragma unroll
        for (int i = 0; i < 4; i++)
      	p[i] = i+1; }
      "
    `);
  });

  it('prints nothing for nothing', () => {
    expect(printTokens(tokensOf('').tokens)).toBe('');
  });

  it('puts a space only where tokens would run together', () => {
    const paste = '#define e\n#define id(x) x\n';
    expect(
      expand(`${paste}+id(+) -id(-) id(a)id(b) id(1)x id(1)id(.2) <id(<=) .id(.) a[id(1)] x id(-)y id(/)/ L`),
    ).toBe('+ + - - a b 1 x 1 .2 < <= . . a[1] x -y / / L');
    expect(expand(`${paste}id(L)'x' id(L)"x" .id(.5) &id(&) id(#)# id(1)+ id(-)id(>)`)).toBe(
      'L \'x\' L "x" . .5 & & # # 1 + - >',
    );
  });

  it('reads back as the same tokens for any two beside each other', () => {
    const samples =
      'a L 1 1.5 .5 0x1e 1e "s" \'c\' [ ] ( ) { } . -> ++ -- & * + - ~ ! / % << >> < > <= >= == != ^ | && || ? : ; ... = *= /= %= += -= <<= >>= &= ^= |= , ##'.split(
        ' ',
      );
    for (const left of samples) {
      for (const right of samples) {
        const { tokens } = tokensOf(
          `#define id(x) x\nid(${left === ',' ? '(,)' : left})id(${right === ',' ? '(,)' : right})`
            .replaceAll('id(()', '(')
            .replaceAll('id())', ')'),
        );
        const again = tokensOf(printTokens(tokens)).tokens;
        expect(again.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
          tokens.map(({ kind, text }) => `${kind} ${text}`),
        );
      }
    }
  });

  it('keeps a # that a macro left from becoming a directive', () => {
    const { tokens } = tokensOf('#define e\na\ne # error no\nb');
    expect(printTokens(tokens)).toBe('a # error no\nb\n');
  });
});

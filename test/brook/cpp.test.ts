/** The C++ listings of chapter 2 of the Stream Computing User Guide: programs of their shapes in cpp/, and what the text says they do. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { brcc } from '../../src/api/brook/generate-module.ts';
import { start } from '../cli/millrace.ts';
import { hasCxx } from '../support/cxx.ts';

const sources = fileURLToPath(new URL('cpp', import.meta.url));

describe('brcc writes C++', () => {
  const made = (text: string, options = {}) =>
    brcc('dir/x.br', text, { cpp: { prefix: 'out/x', ...options }, constantBuffers: true }).cpp!;

  it('a header with kernels as objects, and a source with their text', () => {
    const { header, source } = made(
      '#include <stdio.h>\n#define N 2\ntypedef struct { float a; } Item;\n' +
        'kernel void f(Item a<>, float w[N], int n, out Item b<>) { b.a = a.a * w[1] + (float)n; }\n' +
        'reduce void r(float a<>, reduce float s<>) { s += a; }\nint host(int n) { float t<3, N>; return n; }\n',
    );
    expect(header).toContain('#include "brook/brook.h"\n#include <stdio.h>\n');
    expect(header).toContain(
      'void operator()(const ::brook::Stream<Item > &a, const ::brook::ConstantArray<float, 2> &w, int n, const ::brook::Stream<Item > &b) const;',
    );
    expect(header).toMatch(/const ::brook::Stream<float > &s\) const;\n.*float &s\) const;/);
    expect(header).toContain('int host(int n);\n');
    expect(source).toContain('#include "x.h"\n');
    expect(source).toContain('b.a = a.a * w[1] + (float)n;');
    expect(source).toContain('::brook::Stream<float> t(::brook::runtime::DeclaredSizes(3, 2)); return n;');
    expect(source).not.toContain('#define');
  });

  it('declares host functions as those of C with -e, and leads into the file with -l', () => {
    const text =
      'kernel void f(out float a<>) { a = 1.0f; }\nint host(int n) { return n; }\nstatic int own(void) { return 1; }\n';
    expect(made(text, { externC: true }).header).toContain('extern "C" {\nint host(int n);\n}\n');
    expect(made(text).header).not.toContain('own');
    const { cpp } = brcc('x.br', text, { cpp: { prefix: 'x' }, lineDirectives: true });
    expect(cpp!.source).toContain('#line 2 "x.br"\nint host(int n)');
  });

  it('streams and other variables of one declaration as two', () => {
    const text =
      'kernel void f(out float a<>) { a = 1.0f; }\nvoid g(int n) { float h[2] = {1, 2}, a<4>, b<2, n>, s, *p = h; }\n';
    expect(made(text).source.replace(/\s+/g, ' ')).toContain(
      'float h[2] = {1, 2}; ::brook::Stream<float> a(::brook::runtime::DeclaredSizes(4)), b(::brook::runtime::DeclaredSizes(2, n)); float s, *p = h;',
    );
  });

  it('nothing for a file with errors', () => {
    const { cpp, log } = brcc('x.br', 'kernel void f(out float a<>) { a = b; }\n', { cpp: { prefix: 'x' } });
    expect(cpp).toBeUndefined();
    expect(log).toMatch(/ERROR/);
  });
});

describe.skipIf(!hasCxx)('chapter 2 of the guide in C++', () => {
  const program = join(mkdtempSync(join(tmpdir(), 'millrace-brook-cpp-')), 'listings.wasm');

  beforeAll(async () => {
    const files = ['listings.cpp', 'kernels.br', 'legacy.br'];
    const { stderr, code } = await start(sources, ['c++', '-O1', ...files, '-o', program]).ended;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  }, 300_000);

  it.each([
    ['dynamic', '11 22 33 44 55 \n'],
    ['errors', '10\n1\n10\n1\n0 8\n'],
    ['domains', '5 6 9 10\n12 14 20 22 11\n'],
    ['scatter', '8 7 6 -1 -1 -1 -1 -1 | 8 1\n'],
    ['matrix', '3 1 2 6 4 5 9 7 8 \n'],
    ['search', '0 100 -1 999 \n'],
    ['asynchronous', '40 1\n'],
    ['pinned', '2046 0\n'],
    ['devices', '11111\ncal [] 10\n1\n'],
    ['shared', '512\n'],
    ['sharing', '111\n'],
    ['later', '3\n'],
    ['legacy', '0 1 2\n10 11 12\n20 21 22\n30 31 32\n'],
  ])('%s', async (which, expected) => {
    const { stdout, code } = await start(sources, ['run', program, which]).ended;
    expect({ stdout, code }).toEqual({ stdout: expected, code: 0 });
  });

  it('runs in memory alone as in Node', async () => {
    const { startProgram } = await import('millrace/c-host');
    const { readFileSync } = await import('node:fs');
    let text = '';
    const { ended } = startProgram(readFileSync(program), {
      args: ['listings', 'search'],
      stdout: (piece) => {
        text += new TextDecoder().decode(piece);
      },
    });
    expect((await ended).exitCode).toBe(0);
    expect(text).toBe('0 100 -1 999 \n');
  });
});

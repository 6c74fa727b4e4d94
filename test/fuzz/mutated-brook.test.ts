/**
 * Brook+ programs damaged in every way: each is refused with diagnostics that point into the text, or its kernels become OpenCL C
 * that compiles. MILLRACE_MUTATIONS says how many are tried.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CheckedKernel } from '../../src/brook/check/tree.ts';
import { compileBrook } from '../../src/brook/compile.ts';
import { emitMap } from '../../src/brook/emit/map.ts';
import { emitReduce } from '../../src/brook/emit/reduce.ts';
import { compileHost } from '../../src/hosted/compile.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import type { Diagnostic } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { outermostUse } from '../../src/source/span.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';

const count = Number(process.env['MILLRACE_MUTATIONS'] ?? 160);

/** What the other programs have nothing of. */
const kernels = `#define SIZE 4
struct Pair { float4 first; float2 second; };
typedef struct Pair Both;
Attribute[GroupSize(64)]
kernel void group(float4 a<>, int2 where, float b[SIZE][2], out float4 c[][]) {
  shared float4 lds[64];
  int i = 0;
  lds[1 * instanceInGroup().x + 0] = a;
  syncGroup();
  do { i += 2; if (i % 3 == 1) continue; } while (i < 7 && i != where.x || !where.y);
  c[instance().y][instance().x].xz += lds[(i + 1) % 64].yw * b[i & 3][1];
  c[where]++;
}
kernel int2 least(int2 a, int2 b) { return int2(a.x < b.x ? a.x : b.x, min(a.y, b.y)); }
kernel void pairs(Both p<>, int2 g[], uchar3 u, out Both q<>, out int2 r<>) {
  const float k = 2.5f;
  q = p;
  q.second *= dot(p.first, p.first.wzyx) + k;
  r = least(g[instance().x], (int2)p.second) << int2(1, 2);
  r.x ^= ~(int)u.z;
  for (; r.y > 0; r.y--) if (r.y == 5) break; else q.first.x++;
}
reduce void total(double2 a<>, reduce double2 r<>) { r += a; }
`;

const originals = [
  kernels,
  kernels,
  ...['guide.br', 'streams.br'].map((name) => readFileSync(`test/brook/programs/${name}`, 'utf8')),
];

function expectPlaces(list: readonly Diagnostic[], text: string): void {
  for (const { span } of list) {
    const { file, start, end } = outermostUse(span);
    expect(start >= 0 && start <= end && end <= file.text.length, text).toBe(true);
  }
  expect(() => renderDiagnostics(list), text).not.toThrow();
}

function openCLOf(kernel: CheckedKernel, random: Random): string {
  if (kernel.form === 'reduce') return emitReduce(kernel);
  const isSo = (): boolean => random.below(2) === 0;
  const [isResized, isLinear, isAtOrigin, isInside] = [isSo(), isSo(), isSo(), isSo()];
  return emitMap(kernel, { rank: 1 + random.below(4), isResized, isLinear, isAtOrigin, isInside });
}

describe('damaged Brook+', () => {
  it('is refused with a place, or compiles', { timeout: 3_600_000 }, async () => {
    const random = new Random(11);
    let accepted = 0;
    for (let round = 0; round < count; round += 1) {
      // The runner of the tests wants to hear from long ones.
      if (round % 256 === 255) await new Promise((resolve) => setImmediate(resolve));
      const text = mutate(random.pick(originals), originals, random);
      const strongTypes = random.below(2) === 0;
      const brccPreprocessor = random.below(5) === 0;
      const compiled = compileBrook('k.br', text, {
        kernelsOnly: true,
        strongTypes,
        brccPreprocessor,
        warningLevel: 3,
      });
      expectPlaces(compiled.diagnostics.list, text);
      if (round % 16 === 0) {
        const host = compileHost([{ name: 'k.br', text }], { brook: { strongTypes } });
        expect(host.bytes === undefined, text).toBe(
          host.diagnostics.some(({ severity }) => severity === 'error'),
        );
        expectPlaces(host.diagnostics, text);
      }
      if (compiled.hasErrors) continue;
      accepted += 1;
      for (const kernel of compiled.kernels) {
        if (kernel.form === 'function') continue;
        const { module, diagnostics } = compileOpenCL(openCLOf(kernel, random), {});
        expect(module, `${text}\n${renderDiagnostics(diagnostics.list)}`).toBeDefined();
      }
    }
    expect(accepted).toBeGreaterThan(count / 50);
    expect(accepted).toBeLessThan(count / 2);
  });

  it('with a sum of very many terms is refused by its name, and what follows is checked', () => {
    const { diagnostics } = compileBrook(
      'k.br',
      `kernel void sum(float a<>, out float c<>) { c = a${' + a'.repeat(100_000)}; }
kernel void other(float a<>, out float c<>) { c = b; }`,
      { kernelsOnly: true },
    );
    const [first, second] = diagnostics.list;
    expect(first!.message).toContain("kernel 'sum' nests too deeply to be compiled");
    expect(second!.message).toContain('b');
    expect(diagnostics.errorCount).toBe(2);
  });

  it('of great length ends with few messages', () => {
    const many = 20_000;
    for (const part of [
      '(',
      '{',
      '-',
      'a = ',
      'a + ',
      'a[',
      'a.x',
      'if (a) ',
      'float b; ',
      'a ? ',
      '<',
      '[',
      'int4(',
      ',',
    ]) {
      const { diagnostics } = compileBrook(
        'k.br',
        `kernel void f(float a<>, out float c<>) { ${part.repeat(many)}`,
        {
          kernelsOnly: true,
        },
      );
      expect(diagnostics.errorCount, part).toBeGreaterThan(0);
      expect(diagnostics.list.length, part).toBeLessThan(110);
    }
  });
});

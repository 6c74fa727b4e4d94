/** printf keeps its meaning on the way: as it was lowered, after the passes, and written as OpenCL C again. */
import { describe, expect, it } from 'vitest';
import { Interpreter } from '../../src/ir/interpreter.ts';
import type { Module } from '../../src/ir/ir.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { roundTrip, written } from '../codegen/opencl-c/round-trip.ts';
import { compileForTest } from '../support/run-kernel.ts';

/** What a kernel without arguments prints on the interpreter, two groups of two work-items. */
function said(module: Module): string {
  expect(verifyModule(module)).toEqual([]);
  let text = '';
  new Interpreter(module).launch('k', { globalSize: [4], localSize: [2] }, [], (more) => {
    text += more;
    return true;
  });
  return text;
}

const program = (body: string) => `
constant char format[] = "%s|%5s|%-4c|%%\\n";
kernel void k() {
  int i = get_global_id(0);
  local int sum[2];
  ${body}
}`;

const bodies: readonly (readonly [body: string, text: (item: number) => string])[] = [
  [
    'printf(format, "a\\"\\\\?", format + 15, i + 65);',
    (i) => `a"\\?|     |${String.fromCharCode(65 + i)}   |%\n`,
  ],
  [
    'char own[2] = {65, 0}; sum[0] = 1; printf("%s|%16s|%.3s|%s\\n", own, &own[1], sum, "is");',
    () => '(not a string)|  (not a string)|(no|is\n',
  ],
  [
    'printf("%d %u %ld %lu\\n", -i - 1, -1, -i - 1, 4294967295u);',
    (i) => `${-i - 1} 4294967295 ${-i - 1} 4294967295\n`,
  ],
  [
    'printf("%hhd %hu %x %#lo\\n", 255 + i, 65535 + i, i - 1, (long)8);',
    (i) => `${((255 + i) << 24) >> 24} ${(65535 + i) & 0xffff} ${((i - 1) >>> 0).toString(16)} 010\n`,
  ],
  [
    'uchar c = 200 + i; short s = -i; printf("%d %d %i\\n", c, s, (bool)i);',
    (i) => `${200 + i} ${-i || 0} ${i ? 1 : 0}\n`,
  ],
  [
    'printf("%.3f %e %g %a\\n", i * 0.5f, 1.5e10 * i, 0.1, (float)i);',
    (i) =>
      `${(i * 0.5).toFixed(3)} ${['0.000000e+00', '1.500000e+10', '3.000000e+10', '4.500000e+10'][i]} 0.1 ${['0x0p+0', '0x1p+0', '0x1p+1', '0x1.8p+1'][i]}\n`,
  ],
  [
    'float3 v = (float3)(i, 0.5f, -1); printf("%.1v3hlf %v2lf %3v4hhd\\n", v, (double2)(i), (char4)(-1, i, 2, 3));',
    (i) => `${i}.0,0.5,-1.0 ${i}.000000,${i}.000000  -1,  ${i},  2,  3\n`,
  ],
  ['int x = 7; printf("%d %d\\n", x++, 5, x++); printf("x %d\\n", x);', () => '7 5\nx 9\n'],
  [
    'sum[get_local_id(0)] = i; barrier(CLK_LOCAL_MEM_FENCE); printf("%d\\n", sum[0] + sum[1]);',
    (i) => `${i < 2 ? 1 : 5}\n`,
  ],
  [
    'if (printf("%s", "") != 0) printf("never"); for (int n = 0; n < 3; n++) if (n != i) printf("%d ", n); printf("\\n");',
    (i) =>
      `${[0, 1, 2]
        .filter((n) => n !== i)
        .map((n) => `${n} `)
        .join('')}\n`,
  ],
];

describe('printf', () => {
  it.each(bodies)('%s', (body, text) => {
    const expected = [0, 1, 2, 3].map(text).join('');
    const module = compileForTest(program(body));
    expect(said(roundTrip(module, false))).toBe(expected);
    expect(said(roundTrip(module, true))).toBe(expected);
    expect(said(module)).toBe(expected);
    optimise(module);
    // After the passes the items of a group may take turns between barriers.
    expect(said(module).split('\n').sort()).toEqual(expected.split('\n').sort());
  });

  it('is written with the lengths of its operands', () => {
    const module = compileForTest(
      program('printf("%v2f %lld %zu 100%%\\n\\t%s", (float2)(1, 2), (long)i, i, "?");'),
      '-w',
    );
    expect(
      written(module, true)
        .split('\n')
        .find((line) => line.includes('printf'))
        ?.trim(),
    ).toMatchInlineSnapshot(
      `"printf("%v2hlf %ld %u 100%%\\n\\011%s", (float2)(1.0f, 2.0f), (long)(int)i, i, (constant char *)(constant uchar *)string_0);"`,
    );
  });
});

/** The runner of GPUVerify's tests reads what their heads and annotations say. */
import { describe, expect, test } from 'vitest';
import { withChecks } from '../../conformance/gpuverify/annotations.ts';
import { readHeader } from '../../conformance/gpuverify/header.ts';

describe('heads', () => {
  test('verdicts, sizes and what the output must speak of', () => {
    const header = readHeader(
      '//xfail:NOT_ALL_VERIFIED\r\n//--local_size=[8,4] --global_size=[64,64] --no-inline\r\n//possible write-read race on p\r\n\r\n// null pointer\r\n',
    );
    expect(header).toMatchObject({ verdict: 'fault', faults: ['data-race'], local: [8, 4], groups: [8, 16] });
    expect(header.options).toContain('--no-inline');
    expect(readHeader('//PASS\n//--num_groups=5,6 --local_size=2\n')).toMatchObject({
      verdict: 'pass',
      faults: [],
      local: [2, 1],
      groups: [5, 6],
    });
    expect(readHeader('//xfail:CLANG_ERROR\n//--local_size=4\n').verdict).toBe('refused');
    expect(readHeader('//xfail:BUGLE_ERROR\n//--local_size=4\n').verdict).toBe('tool');
    expect(() => readHeader('__kernel void f() {}\n')).toThrow('is no verdict');
  });
});

describe('annotations', () => {
  const rewritten = (source: string, ...options: string[]) =>
    withChecks(source, new Set(options)).split('#line 1\n')[1];

  test('conditions that a run can look at are looked at', () => {
    expect(rewritten('__assert(f(a) == (b));')).toBe('gpuverify_hold((f(a) == (b)), gpuverify_assertion);');
    expect(rewritten('__requires(n > 0);')).toBe('gpuverify_hold((n > 0), gpuverify_precondition);');
    expect(rewritten('while (__invariant(i < 4), i < 4)')).toContain('gpuverify_hold((i < 4)');
  });

  test('others leave a 0 and their lines', () => {
    expect(rewritten('__assert(__write(p) &\n  __read(q));\nx;')).toBe('0\n;\nx;');
    expect(rewritten('__global_invariant(i == 0); __ensures(r);')).toBe('0; 0;');
    expect(rewritten('// __assert(\n__assert(a);')).toMatch(/^ *\ngpuverify_hold/);
  });

  test('options turn them off', () => {
    expect(rewritten('__assert(a); __requires(b);', '--only-requires')).toBe(
      '0; gpuverify_hold((b), gpuverify_precondition);',
    );
    expect(rewritten('__requires(b);', '--no-annotations')).toBe('0;');
  });
});

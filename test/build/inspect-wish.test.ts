/** `inspect` shows the code that the environment's wish for vectors gives (devices/wasm/vector-wish.ts). */
import { inspect } from 'millrace';
import { afterEach, expect, it } from 'vitest';

const source = `
kernel void chase(global const int *at, global const int *from, global int *to) {
  int i = get_global_id(0);
  to[i] = from[from[from[at[i]]]];
}`;

afterEach(() => {
  delete process.env['MILLRACE_VECTORISE'];
});

function under(wish: string, emit: 'plan' | 'ir'): string {
  process.env['MILLRACE_VECTORISE'] = wish;
  const { output, log } = inspect(source, { emit });
  return output === undefined ? log : String(output);
}

it('what the planner leaves one by one is vectorised where that is asked for', () => {
  expect(under('', 'plan')).toMatch(/> scalar/);
  expect(under('', 'ir')).not.toMatch(/vector \d/);
  const plan = under('v', 'plan');
  const [, lanes] = /> vector (\d+)/.exec(plan) ?? [];
  expect(plan).toMatch(/scalar .* vectors are asked for/);
  expect(under('v', 'ir')).toContain(`vector ${lanes}`);
  // Of its own choice it would take as many.
  expect(under('', 'plan')).toContain(`${lanes} work-items at once would take`);
  expect(under('2', 'ir')).toContain('vector 2');
  expect(under('0', 'ir')).not.toMatch(/vector \d/);
});

it('a wish that is none is an error of the build', () => {
  expect(under('many', 'ir')).toMatch(/^error: MILLRACE_VECTORISE=many: write 0, LANES/);
  expect(under('many', 'plan')).toMatch(/^error: MILLRACE_VECTORISE=many/);
});

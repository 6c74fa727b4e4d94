/**
 * Whether a device's compiler leaves sums and products of floats in their order. WGSL allows it not to, so that shaders hide what a sum takes of another
 * one (kept-apart.ts of the back end), which costs an operation each. A compiler that gives the right bits for all forms here is taken to
 * leave alone what has nothing to be made simpler: it may still take `(a + b) - a` for `b`, which is hidden everywhere.
 *
 * Each form is one that some compiler would write in another order: by where its operands come from, so that chains are there in both directions,
 * by what does not change in a loop, by what is computed already, by constants.
 */
import { ordered } from '../../codegen/wgsl/order.ts';
import type { GpuDevice } from './gpu-api.ts';
import { probe, probeItems, randomNumbers } from './probes.ts';
import { isTried } from './tries.ts';

export { ordered };

/** Numbers that a work-item is given; results follow. */
const given = 8;

const f = Math.fround;
type Numbers = readonly [number, number, number, number, number, number, number, number];

/** A form in WGSL over a to h, and all results that it may have: a product and a sum may be fused. */
const forms: readonly { readonly text: string; readonly results: (numbers: Numbers) => readonly number[] }[] =
  [
    {
      text: '(((((((a + b) + c) + d) + e) + g) + h) + i)',
      results: (all) => [all.reduce((sum, each) => f(sum + each))],
    },
    {
      text: '(((((((i + h) + g) + e) + d) + c) + b) + a)',
      results: (all) => [all.reduceRight((sum, each) => f(sum + each))],
    },
    {
      text: '(((((((a * b) * c) * d) * e) * g) * h) * i)',
      results: (all) => [all.reduce((product, each) => f(product * each))],
    },
    {
      text: '(((((((i * h) * g) * e) * d) * c) * b) * a)',
      results: (all) => [all.reduceRight((product, each) => f(product * each))],
    },
    {
      text: '((a - b) + (c - d)) - (e + g)',
      results: ([a, b, c, d, e, g]) => [f(f(f(a - b) + f(c - d)) - f(e + g))],
    },
    { text: '(a - (b - (c - (d - e))))', results: ([a, b, c, d, e]) => [f(a - f(b - f(c - f(d - e))))] },
    { text: '((a + b) * c)', results: ([a, b, c]) => [f(f(a + b) * c)] },
    { text: '((a + b) * (c + d))', results: ([a, b, c, d]) => [f(f(a + b) * f(c + d))] },
    {
      text: '((a * b) * (c * d)) * (e * a)',
      results: ([a, b, c, d, e]) => [f(f(f(a * b) * f(c * d)) * f(e * a))],
    },
    // What is computed already: one form has c + b.
    { text: '(c + b)', results: ([, b, c]) => [f(c + b)] },
    { text: '((a + b) + c) * 3.0', results: ([a, b, c]) => [f(f(f(a + b) + c) * 3)] },
    { text: '((a + 1.7) + b)', results: ([a, b]) => [f(f(a + f(1.7)) + b)] },
    { text: '((1.7 - a) - b)', results: ([a, b]) => [f(f(f(1.7) - a) - b)] },
    { text: '((a * 1.7) * b)', results: ([a, b]) => [f(f(a * f(1.7)) * b)] },
    {
      // A factor of two products.
      text: '((a * b + c) + a * d)',
      results: ([a, b, c, d]) =>
        [f(f(a * b) + c), f(a * b + c)].flatMap((sum) => [f(sum + f(a * d)), f(sum + a * d)]),
    },
    {
      text: '((a * b + c) * b + d)',
      results: ([a, b, c, d]) =>
        [f(f(a * b) + c), f(a * b + c)].flatMap((sum) => [f(f(sum * b) + d), f(sum * b + d)]),
    },
    {
      text: 'sum',
      results: (all) => [all.slice(0, 4).reduce((sum, each) => f(f(sum + each) + all[7]), all[6])],
    },
  ];
const stride = given + forms.length;

const names = [...'abcdeghi'];
const shader = `@group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
@compute @workgroup_size(${probeItems})
fn probe(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = ${stride}u * id.x;
${names.map((name, index) => `  let ${name} = numbers[at + ${index}u];\n`).join('')}  var sum = h;
  for (var k = 0u; k < 4u; k += 1u) {
    sum = (sum + numbers[at + k]) + i;
  }
${forms.map(({ text }, index) => `  numbers[at + ${given + index}u] = ${text};\n`).join('')}}
`;

/** Never rejects: of a device that does not answer it is not known. */
export async function keepsOrder(device: GpuDevice): Promise<boolean> {
  if (isTried('hidden')) return false;
  const random = randomNumbers();
  const numbers = new Float32Array(stride * probeItems);
  const items = Array.from({ length: probeItems }, (_, item): Numbers => {
    const own = names.map(() => f(random() * 2 ** Math.round(random() * 4)));
    numbers.set(own, item * stride);
    return own as unknown as Numbers;
  });
  const results = await probe(device, 'probe of sums', shader, numbers);
  if (!results) return false;
  return items.every((own, item) =>
    forms.every(({ results: expected }, index) =>
      expected(own).includes(results[item * stride + given + index]!),
    ),
  );
}

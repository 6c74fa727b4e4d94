/** Passes know machines as targets only: none is named in src/passes, and nothing but the interface of src/target is imported there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { targetNamed, targets } from '../../src/target/registry.ts';

const files = readdirSync('src/passes', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src/passes', name));

it('no pass names a machine', () => {
  const names = /\bwasm\b|webassembly|\bv8\b|\bx64\b|\bwgsl\b|\bavx/i;
  const found = files.filter((file) => names.test(readFileSync(file, 'utf8')));
  expect(found).toEqual([]);
});

it('passes import what a target is, and no target but the one of which nothing is known', () => {
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '[./]*\/target\/([\w-]+)\.ts'/g)].map((match) => match[1]!),
  );
  expect([...new Set(imported)].sort()).toEqual(['costs', 'scalar', 'target']);
});

it('every target of src/target is in the registry', () => {
  const others = new Set(['target.ts', 'costs.ts', 'registry.ts', 'scalar.ts']);
  const described = readdirSync('src/target').filter((name) => !others.has(name));
  expect(targets.map(({ name }) => `${name}.ts`).sort()).toEqual([...described, 'scalar.ts'].sort());
  expect(() => targetNamed('abacus')).toThrow(/there is no target 'abacus'; there are wasm, opencl-c/);
});

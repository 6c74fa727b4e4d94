/** docs/passes.md shows a kernel after some stages: what it shows is what the passes do. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { printFunction } from '../../src/ir/print.ts';
import { assertValid } from '../../src/ir/verify.ts';
import { optimise, passNames } from '../../src/passes/pipeline.ts';

const text = readFileSync(new URL('../../docs/passes.md', import.meta.url), 'utf8');

it('shows the worked example as it is at each stage', () => {
  const blocks = [...text.matchAll(/```ir(?: after=([a-z-]+):(\d))?\n([\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(3);
  const shown = new Map<string, string>();
  const counts = new Map<string, number>();
  const module = parseModule(`module address=32\n${blocks[0]![3]}`, 'passes.md');
  optimise(module, {
    verify: assertValid,
    after: (name) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      shown.set(`${name}:${count}`, printFunction(module.functions[0]!));
    },
  });
  for (const [, name, count, block] of blocks.slice(1)) {
    expect(block, `after ${name}`).toBe(shown.get(`${name}:${count}`));
  }
});

it('has a paragraph for every pass', () => {
  for (const name of passNames) expect(text).toContain(`**${name}**`);
});

/** docs/testing.md says of each part of the campaign what it tries and what it has done. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parts } from '../../conformance/campaign/parts.ts';

it.each(['Its parts', 'What they have done so far'])('the table of "%s" has every part', (heading) => {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(`\n### ${heading}\n`);
  const rows = section.split(/^##/m)[0]!.matchAll(/^\| (`[^|]*) \|/gm);
  const named = [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([^`]*)`/g)].map(([, name]) => name!));
  expect(named.sort()).toEqual(Object.keys(parts).sort());
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { version } from '../../src/runtime/version.ts';

it('the version is that of the package', () => {
  const { version: published } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(version).toBe(published);
});

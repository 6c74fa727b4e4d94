// What package.json of a new project says of Millrace: what npm can install, wherever the command came from.
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { millraceDependency } from '../../src/cli/new/dependency.ts';
import { folderWith } from './millrace.ts';

const folder = realpathSync(folderWith({ 'millrace-1.2.3.tgz': '', 'waves/x': '' }));
afterAll(() => rmSync(folder, { recursive: true }));

/** A project whose node_modules has the package, with what npm notes of it. */
function installed(name: string, note?: string): string {
  const modules = join(folder, name, 'node_modules');
  mkdirSync(join(modules, 'millrace'), { recursive: true });
  if (note !== undefined) writeFileSync(join(modules, '.package-lock.json'), note);
  return join(modules, 'millrace');
}
const noted = (resolved: string) => JSON.stringify({ packages: { 'node_modules/millrace': { resolved } } });
const of = (from: string) => millraceDependency(join(folder, 'waves'), from, '1.2.3');

test('the file that the package was installed from', () => {
  const from = installed('by-file', noted('file:../millrace-1.2.3.tgz'));
  expect(of(from)).toEqual({ specifier: 'file:../millrace-1.2.3.tgz' });
});

test('a version of the registry', () => {
  const from = installed('by-name', noted('https://registry.npmjs.org/millrace/-/millrace-1.2.3.tgz'));
  expect(of(from)).toEqual({ specifier: '^1.2.3' });
});

test.each([undefined, 'no JSON', '{}'])('a version where npm noted nothing: %s', (note) => {
  expect(of(installed(`unknown-${note}`, note))).toEqual({ specifier: '^1.2.3' });
});

test('the packed file of a clone, which may have to be packed first', () => {
  expect(of(folder)).toEqual({ specifier: 'file:../millrace-1.2.3.tgz' });
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  expect(of(clone)).toEqual({ specifier: 'file:../clone/millrace-1.2.3.tgz', unpacked: clone });
});

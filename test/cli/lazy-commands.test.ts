/** A call of `millrace` loads the module of the command that it names, and no other; the list of commands says what the modules declare. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Help } from 'commander';
import { expect, it } from 'vitest';
import { commandTable } from '../../src/cli/command-table.ts';
import { command, environment } from './millrace.ts';

interface Loaded {
  /** Of all sources that are in the files of dist which were loaded, those of the command, as `commands/run.ts`. */
  readonly cli: readonly string[];
  /** The sources of the library in them. */
  readonly library: readonly string[];
  readonly packages: ReadonlySet<string>;
}

/** What a call loads, by the engine's own list of scripts. */
function loadedBy(...args: string[]): Loaded {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-loaded-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], {
      env: { ...environment, NODE_V8_COVERAGE: folder },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    const urls = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    const paths = urls.map((url) => fileURLToPath(url).replaceAll('\\', '/'));
    const sources = paths
      .filter((path) => /\/dist\/[^/]+\.js$/.test(path) && !path.includes('/node_modules/'))
      .flatMap((path) => (JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }).sources)
      .flatMap((source) => /^\.\.\/src\/(.+)$/.exec(source)?.[1] ?? []);
    const [cli, library] = [true, false].map((own) =>
      sources.flatMap((source) => (source.startsWith('cli/') === own ? source.replace(/^cli\//, '') : [])),
    );
    const packages = paths.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    return { cli: cli!, library: library!, packages: new Set(packages) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const commandModules = ({ cli }: Loaded): readonly string[] =>
  cli.filter((source) => source.startsWith('commands/'));

it.each([['--version'], ['--help'], ['help']])('millrace %s loads no module of a command', (word) => {
  const loaded = loadedBy(word);
  expect(loaded.cli).toContain('main.ts');
  expect(commandModules(loaded)).toEqual([]);
  expect(loaded.library).toEqual([]);
  expect([...loaded.packages].sort()).toEqual(['commander', 'picocolors']);
});

it('loads what is asked for, and what that needs', () => {
  const flags = loadedBy('flags');
  expect(commandModules(flags)).toEqual(['commands/flags.ts']);
  expect(flags.library).toEqual([]);
  expect(commandModules(loadedBy('help', 'new'))).toEqual(['commands/new.ts']);
  const compile = loadedBy('compile', '--help');
  expect(commandModules(compile)).toContain('commands/compile.ts');
  expect(commandModules(compile)).not.toContain('commands/run.ts');
  expect(compile.library).toContain('index.ts');
  expect(compile.library).not.toContain('chost/index.ts');
  // Of pictures there is none.
  const run = loadedBy('run', '--help');
  expect(commandModules(run)).toContain('commands/run.ts');
  expect([...run.packages].sort()).toEqual(['commander', 'picocolors']);
});

it.each(commandTable)('millrace $name is listed as its module declares it', async ({ name, usage, load }) => {
  const declared = new Command(name);
  (await load(false))(declared);
  expect(`${name} ${usage}`.trimEnd()).toBe(new Help().subcommandTerm(declared));
});

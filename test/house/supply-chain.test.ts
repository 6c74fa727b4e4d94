// What comes into a machine with the package, what can change how it works, and who can reach what it serves.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../../conformance/support/folder-files.ts';
import playground from '../../playground/vite.config.ts';

interface Locked {
  readonly dev?: true;
  readonly license?: string;
  readonly hasInstallScript?: true;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};
const own = JSON.parse(readFileSync('package.json', 'utf8')) as Locked & {
  scripts: Readonly<Record<string, string>>;
};

/** What is installed with the package, by its names: of nested versions all are looked at. */
function installed(): Map<string, Locked> {
  const found = new Map<string, Locked>();
  const visit = ({ dependencies, optionalDependencies }: Locked): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      for (const [path, locked] of Object.entries(packages)) {
        if (!path.endsWith(`node_modules/${name}`) || found.has(path)) continue;
        found.set(path, locked);
        visit(locked);
      }
    }
  };
  visit(own);
  return found;
}

describe('what is installed', () => {
  const all = installed();

  test('is little, and each of it locked by its checksum', () => {
    expect(all.size).toBeGreaterThan(8);
    expect(all.size).toBeLessThan(60);
    for (const [path, { integrity, resolved }] of all) {
      expect(integrity, path).toMatch(/^sha512-/);
      // Where the lock says nothing it is the registry's.
      expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  });

  test('may be used as Millrace may', () => {
    const licences = new Set([...all.values()].map(({ license }) => license));
    const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];
    expect([...licences].filter((name) => !permissive.includes(name ?? ''))).toEqual([]);
  });

  test('runs no script, but for the optional package that calls drivers', () => {
    const running = [...all].filter(([, locked]) => locked.hasInstallScript).map(([path]) => path);
    // koffi's looks for its library, and builds it where there is none for the machine; Millrace works without.
    expect(running).toEqual(['node_modules/koffi']);
    expect(Object.keys(own.optionalDependencies!)).toEqual(['koffi']);
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'])
      expect(own.scripts).not.toHaveProperty(name);
  });
});

describe('docs/environment.md', () => {
  const page = readFileSync('docs/environment.md', 'utf8');
  const documented = new Set([...page.matchAll(/`([A-Z][A-Z0-9_]{2,})`/g)].map(([, name]) => name));
  const sources = filesUnder('src', ['.ts']).filter((path) => !/embedded|\.generated/.test(path));
  const texts = sources.map((path) => readFileSync(path, 'utf8'));

  test('has every variable that is looked at', () => {
    const ways = [
      /environment\(\s*'([A-Z][A-Z0-9_]+)'/g,
      /env(?:\?\.)?\[\s*'([A-Z][A-Z0-9_]+)'/g,
      /\benv\.([A-Z][A-Z0-9_]+)/g,
      /variable\('([A-Z][A-Z0-9_]+)'\)/g,
      // Names that stand in constants.
      /'(MILLRACE_[A-Z0-9_]+|BRT_[A-Z0-9_]+)'/g,
    ];
    const used = new Set(
      ways.flatMap((way) => texts.flatMap((text) => [...text.matchAll(way)].map(([, name]) => name!))),
    );
    for (const text of texts)
      for (const [, list] of text.matchAll(/const \{([A-Z0-9_, ='"]+)\} = (?:process\.)?env\b/g))
        for (const name of list!.split(',')) used.add(name.replace(/=.*/, '').trim());
    expect(used.size).toBeGreaterThan(20);
    expect(used).toContain('MILLRACE_CACHE_DIR');
    expect(used).toContain('NO_COLOR');
    expect([...used].filter((name) => !documented.has(name))).toEqual([]);
  });

  test('has no others of ours', () => {
    const ours = [...documented].filter((name) => /^(MILLRACE|BRT)_/.test(name!));
    expect(ours.filter((name) => !texts.some((text) => text.includes(name!)))).toEqual([]);
  });
});

describe('servers for those who work on pages', () => {
  test('are reached from this machine only', () => {
    for (const settings of [playground.server, playground.preview]) {
      expect(settings?.host ?? 'localhost').toBe('localhost');
      expect(settings?.cors ?? false).toBe(false);
    }
    const scripts = Object.values(own.scripts).join('\n');
    expect(scripts).not.toMatch(/--host|0\.0\.0\.0/);
    const listening = ['samples', 'scripts', 'site', 'conformance', 'bench', 'src']
      .flatMap((folder) => filesUnder(folder, ['.ts', '.mjs']))
      .filter((path) => !/embedded|node_modules/.test(path))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\bserver\.listen\(([^)=]*)/gi)].map(
          ([call]) => `${path}: ${call}`,
        ),
      );
    expect(listening.length).toBeGreaterThan(0);
    expect(listening.filter((call) => !/127\.0\.0\.1|localhost/.test(call))).toEqual([]);
  });
});

test("the playground's policy lets in no script but its own, and none of text", () => {
  const policy = new Headers(playground.server?.headers as Record<string, string>).get(
    'Content-Security-Policy',
  )!;
  const directives = new Map(
    policy.split('; ').map((each) => [each.split(' ')[0]!, each.split(' ').slice(1)]),
  );
  expect(directives.get('default-src')).toEqual(["'none'"]);
  expect(directives.get('script-src')).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  expect(directives.get('base-uri')).toEqual(["'none'"]);
  expect(directives.get('connect-src')).toEqual(["'self'"]);
  expect(readFileSync('playground/index.html', 'utf8')).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=/);
});

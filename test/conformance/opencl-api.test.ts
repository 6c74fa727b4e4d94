/** docs/opencl-api.md is what its generator writes, and has no gap. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiPage, gaps } from '../../conformance/opencl-api/page.ts';

describe('docs/opencl-api.md', () => {
  const page = apiPage('.');

  it('is up to date (npm run conformance -- opencl-api writes it)', () => {
    expect(readFileSync('docs/opencl-api.md', 'utf8')).toBe(page);
  });

  it('has every function, implemented and tested, and every query answered', () => {
    expect(gaps(page)).toEqual([]);
    expect(page.match(/^\| `cl[A-Z]/gm)!.length).toBeGreaterThan(100);
  });

  it('has the signatures that the declarations have, as the compiler sees them', () => {
    expect(disagreements(page)).toEqual([]);
    // A word more or less is seen.
    const wrong = page
      .replace('createSubBuffer(memFlags: number, ', 'createSubBuffer(memFlags: string, ')
      .replace(
        'svmFree(svmPointer: SVMPointer | null | undefined): void',
        'svmFree(svmPointer: SVMPointer): void',
      )
      .replace('getPlatforms(): [CLPlatform, ...CLPlatform[]]', 'getPlatforms(): CLPlatform[]');
    expect(disagreements(wrong)).toEqual(['getPlatforms', 'CLBuffer.createSubBuffer', 'CLContext.svmFree']);
  });
});

/** The members whose signatures on the page are not those of the package; texts of the compiler if it cannot tell. */
function disagreements(page: string): string[] {
  const blocks = [
    ...page.matchAll(/^### (?:`(\w+)`.*|(Functions|Types))\n\n```typescript\n([\s\S]*?)^```/gm),
  ];
  const index = readFileSync('dist/types/api/opencl/index.d.ts', 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const exported = [...new Set([...index.matchAll(/\b[A-Z]\w+\b/g)].map(([name]) => name))];
  const lines = [
    `import type { ${exported.join(', ')} } from 'millrace/opencl';`,
    "import type * as api from 'millrace/opencl';",
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
  ];
  const checks: string[] = [];
  let members = 0;
  for (const [, owner, kind, text] of blocks) {
    const signatures = text!.trimEnd().split('\n');
    if (kind === 'Types') {
      const isExported = (line: string): boolean => exported.includes(/^\w+ (\w+)/.exec(line)![1]!);
      lines.push(...signatures.filter((line) => !isExported(line)));
      continue;
    }
    // Handle is not exported; each class has what is its.
    const name = owner === 'Handle' ? 'CLBuffer' : owner;
    lines.push(`interface Page_${owner ?? 'functions'} { ${signatures.join(' ')} }`);
    for (const member of new Set(signatures.map((line) => /^(?:readonly )?(\w+)/.exec(line)![1]!))) {
      const real = name === undefined ? `typeof api.${member}` : `${name}['${member}']`;
      lines.push(
        `export const check${members}: Same<Page_${owner ?? 'functions'}['${member}'], ${real}> = true;`,
      );
      checks.push(owner === undefined ? member : `${owner}.${member}`);
      members += 1;
    }
  }
  expect(members).toBeGreaterThan(100);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-signatures-'));
  try {
    writeFileSync(join(folder, 'page.ts'), `${lines.join('\n')}\n`);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
      types: [],
      module: 'ESNext',
      moduleResolution: 'bundler',
      paths: { 'millrace/opencl': [resolve('dist/types/api/opencl/index.d.ts')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.ts'] }));
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(' '))
      .map((error) => {
        const line = lines[Number(/^page\.ts\((\d+),/.exec(error)?.[1]) - 1] ?? '';
        const [, number] = /^export const check(\d+):/.exec(line) ?? [];
        return number === undefined ? `${error}: ${line}` : checks[Number(number)]!;
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tests find clang under the names that systems give it, and say why they find none. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findClang } from '../support/clang.ts';
import { siblingTool, toolNames } from '../support/find-tool.ts';

const root = mkdtempSync(join(tmpdir(), 'millrace-find-'));

function tool(folder: string, name: string, script = 'exit 0'): string {
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

afterAll(() => rmSync(root, { recursive: true }));

describe('clang', () => {
  it('has versions behind its name, of which the highest comes first', () => {
    for (const name of ['clang-9', 'clang-19', 'clang-format-19', 'clang++-20', 'clang-cpp']) tool('a', name);
    tool('b', 'clang-14');
    const path = [join(root, 'none'), join(root, 'a'), join(root, 'b')].join(delimiter);
    expect(toolNames('clang', path)).toEqual(['clang-19', 'clang-14', 'clang-9']);
    tool('b', 'clang');
    expect(toolNames('clang', path)).toEqual(['clang', 'clang-19', 'clang-14', 'clang-9']);
    expect(toolNames('clang', '')).toEqual([]);
  });

  it('has tools of its version', () => {
    expect([siblingTool('wasm-ld', 'clang-19'), siblingTool('wasm-ld', 'clang')]).toEqual([
      'wasm-ld-19',
      'wasm-ld',
    ]);
  });

  it('is the first that has a C library for WebAssembly; if none has, it is said why of each', () => {
    const poor = tool('c', 'clang', 'echo "error: \'stdio.h\' file not found" >&2; exit 1');
    const good = tool('c', 'clang-19');
    expect(findClang([poor, good])).toEqual({ clang: good, why: '' });
    const { clang, why } = findClang([poor, join(root, 'nowhere')]);
    expect(clang).toBeUndefined();
    expect(why).toContain(`${poor}: error: 'stdio.h' file not found`);
    expect(why).toContain(join(root, 'nowhere'));
    expect(findClang([]).why).toContain('no clang');
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderFiles } from '../../src/chost/folder-files.ts';

const root = mkdtempSync(join(tmpdir(), 'millrace-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('files that kernels of a host program include', () => {
  mkdirSync(join(root, 'data', 'inner'), { recursive: true });
  writeFileSync(join(root, 'data', 'inner', 'a.h'), 'a');
  writeFileSync(join(root, 'secret.h'), 'secret');
  const files = folderFiles({ '/data': join(root, 'data'), '.': join(root, 'data', 'inner') });

  it("are found by the program's names for its folders", () => {
    expect(files.read('/data/inner/a.h')).toBe('a');
    expect(files.read('/data/./inner/../inner/a.h')).toBe('a');
    expect(files.read(join(root, 'data/inner/a.h'))).toBeUndefined();
  });

  it('are found by relative names under each folder', () => {
    expect(files.read('inner/a.h')).toBe('a');
    expect(files.read('a.h')).toBe('a');
    expect(files.read('b.h')).toBeUndefined();
  });

  it('do not lie outside of the folders', () => {
    expect(files.read('/data/../secret.h')).toBeUndefined();
    expect(files.read('../secret.h')).toBeUndefined();
    expect(files.read('/dataother/a.h')).toBeUndefined();
  });
});

/** The words OpenCL C adds to C99 (OpenCL 1.2, 6.1.9), and those it keeps for later. */
import type { Keyword } from '../../c/dialect.ts';
import { c99Keywords } from '../../c/plain-c.ts';
import type { OpenCLVersion } from './options.ts';

/** All words of a version of OpenCL C. */
export function openclKeywords(version: OpenCLVersion): ReadonlyMap<string, Keyword> {
  const words = c99Keywords();
  const both = (word: string, keyword: Keyword): void => {
    words.set(word, keyword);
    words.set(`__${word}`, keyword);
  };
  for (const space of ['private', 'local', 'global', 'constant'] as const)
    both(space, { kind: 'space', space });
  if (version >= 200) both('generic', { kind: 'space', space: 'generic' });
  else {
    const message = `OpenCL C version ${(version / 100).toFixed(1)} does not support the 'generic' type qualifier`;
    both('generic', { kind: 'reserved', message });
  }
  if (version >= 200) words.set('pipe', { kind: 'pipe' });
  if (version >= 200) {
    words.set('__block', { kind: 'reserved', message: 'the __block storage type is not permitted' });
  }
  both('kernel', { kind: 'function', word: 'kernel' });
  both('read_only', { kind: 'access', access: 'read_only' });
  both('write_only', { kind: 'access', access: 'write_only' });
  both('read_write', { kind: 'access', access: 'read_write' });
  words.set('half', { kind: 'specifier', word: 'half' });
  words.set('bool', { kind: 'specifier', word: 'bool' });
  words.set('vec_step', { kind: 'operator', word: 'vec_step' });
  return words;
}

/** What to say of words that only later versions of OpenCL C know, so that whoever forgot -cl-std is told of it. */
import { predefinedMacros } from '../builtins/macros.ts';
import { isBuiltinName } from '../builtins/resolve.ts';
import { isInVersion } from '../builtins/versions.ts';
import type { OpenCLVersion } from './options.ts';
import { openclTypeNames } from './type-names.ts';

const laterVersions: readonly OpenCLVersion[] = [110, 120, 200];

/** What has no name of its own. */
const phrases: ReadonlyMap<string, string> = new Map([
  ['^', 'blocks'],
  ['generic', 'pointers that lead to any address space'],
  ['global', 'variables of the program in global memory'],
]);

/** A remark on a name, on `^` (blocks), `generic` (pointers) or `global` (variables), if a later version than this knows it. */
export function remarkOnLater(word: string, version: OpenCLVersion): string | undefined {
  const phrase = phrases.get(word);
  if (phrase !== undefined) return version < 200 ? needing(phrase, 200) : undefined;
  const first = laterVersions.find((later) => later > version && isNewIn(word, later));
  return first === undefined ? undefined : needing(`'${word}'`, first);
}

function needing(what: string, version: OpenCLVersion): string {
  const name = (version / 100).toFixed(1);
  return `${what} came with OpenCL C ${name}: build with -cl-std=CL${name}`;
}

function isNewIn(name: string, version: OpenCLVersion): boolean {
  if (isBuiltinName(name)) return isInVersion(name, version);
  if (version < 200) return false;
  return (
    name === 'pipe' ||
    openclTypeNames(200, 32).has(name) ||
    Object.hasOwn(predefinedMacros({ version: 200 }), name)
  );
}

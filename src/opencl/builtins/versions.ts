/** Built-in functions that older versions of OpenCL C (-cl-std) do not have, so that their names are free there. */
import { laterNames } from './later-signatures.ts';
import { pipeFunctionNames } from './pipe-functions.ts';
import { plainText } from './signatures.ts';

/** Of the plain functions, those that came after OpenCL C 1.0. */
const plainAdditions: Readonly<Record<string, number>> = {
  get_global_offset: 110,
  minmag: 110,
  maxmag: 110,
  popcount: 120,
};

/** The same of all others. */
function otherAdditions(): ReadonlyMap<string, number> {
  const additions: Readonly<Record<number, string>> = {
    110:
      'async_work_group_strided_copy shuffle shuffle2 atomic_add atomic_sub atomic_xchg ' +
      'atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor',
    120: 'printf get_image_array_size',
    200: [...laterNames, ...pipeFunctionNames].join(' '),
  };
  const found = new Map<string, number>();
  for (const [added, names] of Object.entries(additions)) {
    for (const one of names.split(' ')) found.set(one, Number(added));
  }
  return found;
}

let others: ReadonlyMap<string, number> | undefined;

/** Whether a version (110: OpenCL C 1.1) has the built-in function of that name, if any has. */
export function isInVersion(name: string, version: number): boolean {
  return version >= 200 || versionOf(name) <= version;
}

/** The first version that has the built-in function of that name: 100 is OpenCL C 1.0. */
export function versionOf(name: string): number {
  if (Object.hasOwn(plainAdditions, name)) return plainAdditions[name]!;
  return plainText(name) === undefined ? (otherVersion(name) ?? 100) : 100;
}

function otherVersion(name: string): number | undefined {
  others ??= otherAdditions();
  return others.get(name);
}

/** Built-in functions that older versions of OpenCL C (-cl-std) do not have, so that their names are free there. */
import { laterNames } from './later-signatures.ts';
import { pipeFunctionNames } from './pipe-functions.ts';

const additions: Readonly<Record<number, string>> = {
  110:
    'get_global_offset async_work_group_strided_copy shuffle shuffle2 minmag maxmag atomic_add atomic_sub atomic_xchg ' +
    'atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor',
  120: 'popcount printf get_image_array_size',
  200: [...laterNames, ...pipeFunctionNames].join(' '),
};

let versions: Map<string, number> | undefined;

/** Whether a version (110: OpenCL C 1.1) has the built-in function of that name, if any has. */
export function isInVersion(name: string, version: number): boolean {
  return version >= 200 || versionOf(name) <= version;
}

/** The first version that has the built-in function of that name: 100 is OpenCL C 1.0. */
export function versionOf(name: string): number {
  if (!versions) {
    versions = new Map();
    for (const [added, names] of Object.entries(additions)) {
      for (const one of names.split(' ')) versions.set(one, Number(added));
    }
  }
  return versions.get(name) ?? 100;
}

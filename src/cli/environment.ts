/**
 * Millrace's variables of the environment whose values are words of ours. The library takes a word that it does not know for none, since it
 * may be in anybody's program; the command refuses it, as it does an option.
 */
import { UsageError } from './errors.ts';

interface Accepted {
  readonly values: RegExp;
  /** What messages say can be written. */
  readonly shown: string;
}

const flag: Accepted = { values: /^[01]$/, shown: '0 or 1' };

const accepted: Readonly<Record<string, Accepted>> = {
  MILLRACE_AVX512: flag,
  MILLRACE_CACHE: { values: /^(?:[01]|on|off|true|false)$/, shown: '0 or 1' },
  MILLRACE_CHECK: flag,
  MILLRACE_EARLY: flag,
  MILLRACE_FUSE: flag,
  MILLRACE_ICD_COPIES: flag,
  MILLRACE_REST: { values: /^apart$/, shown: 'apart' },
  MILLRACE_THREADS: {
    values: /^0*(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-6])$/,
    shown: 'a whole number from 1 to 256',
  },
  MILLRACE_TIERS: { values: /^(?:[01]|exact)$/, shown: '0, 1 or exact' },
  // Its older name is left to the library, which refuses wrong values of both when it compiles.
  MILLRACE_VECTORISE: {
    values: /^(?:[01]|(?:2|4|8|16|v)(?:x[1248])?|x[1248])$/,
    shown: '0, 1, LANES, v, xROWS, LANESxROWS or vxROWS',
  },
  MILLRACE_WEBGPU_TRY: {
    values: /^(?:arena|hidden)(?:,(?:arena|hidden))*$/,
    shown: 'arena, hidden or both with a comma between',
  },
};

/** @throws UsageError if a variable has a value that means nothing; one that is empty is none */
export function checkEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, { values, shown }] of Object.entries(accepted)) {
    const value = environment[name] ?? '';
    if (value !== '' && !values.test(value)) throw new UsageError(`${name}=${value}: write ${shown}`);
  }
}

/** OpenBLAS, called through koffi: what routines are compared with. Signatures are those of src/blas, from which C's are made. */
import { createRequire } from 'node:module';
import { numberKinds } from '../../src/blas/number-kinds.ts';
import type { Parameter } from '../../src/blas/read-arguments.ts';
import type { Routine } from '../../src/blas/routine.ts';

/** A function of CBLAS: typed arrays for pointers, two numbers for a complex scalar. */
export type Reference = (
  routine: Routine,
  parameters: readonly Parameter[],
  given: readonly unknown[],
) => unknown;

interface Koffi {
  load(path: string): { func(declaration: string): (...args: unknown[]) => unknown };
}

/** What its function has for a parameter. */
function cType(
  { kind }: Parameter,
  { letter, real }: { letter: string; real: string },
  isReal: boolean,
): string {
  switch (kind) {
    case 'scalar':
      return letter === 's' || letter === 'd' ? real : 'void *';
    case 'real':
      return real;
    case 'matrix':
    case 'vector':
      return 'void *';
    default:
      return isReal ? 'int' : 'int';
  }
}

/** The numbers that a routine returns, if it returns any. */
function resultOf(name: string): 'float' | 'double' | 'size' | 'complex' | undefined {
  if (/^i[sdcz]amax$/.test(name)) return 'size';
  if (/^(sdot|sdsdot|snrm2|scnrm2|sasum|scasum)$/.test(name)) return 'float';
  if (/^(ddot|dsdot|dnrm2|dznrm2|dasum|dzasum)$/.test(name)) return 'double';
  return /dot[uc]$/.test(name) ? 'complex' : undefined;
}

/** Opens the library. @returns why there is none, if there is none */
export function openReference(path = 'libopenblas.so.0'): Reference | string {
  let library: ReturnType<Koffi['load']>;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as Koffi;
    library = koffi.load(path);
  } catch (error) {
    return `no OpenBLAS: ${(error as Error).message.split('\n')[0]}`;
  }
  const functions = new Map<string, (...args: unknown[]) => unknown>();
  return (routine, parameters, given) => {
    const { name, kind } = routine;
    const result = resultOf(name);
    let called = functions.get(name);
    if (!called) {
      const types = parameters.map((parameter) => cType(parameter, kind, false));
      const types2 = result === 'complex' ? [...types, 'void *'] : types;
      const returns = result === 'size' ? 'size_t' : result === 'complex' ? 'void' : (result ?? 'void');
      const cName = result === 'complex' ? `cblas_${name}_sub` : `cblas_${name}`;
      called = library.func(`${returns} ${cName}(${types2.map((type, t) => `${type} p${t}`).join(', ')})`);
      functions.set(name, called);
    }
    const values = given.map((value, index) =>
      parameters[index]!.kind === 'scalar' && kind.isComplex ? kind.array.from(value as number[]) : value,
    );
    if (result !== 'complex') {
      const returned = called(...values);
      return result === undefined ? undefined : Number(returned);
    }
    const out = new kind.array(2);
    called(...values, out);
    return [...out];
  };
}

/** The same routine for double precision, for those that have one. */
export function doubled(name: string): string | undefined {
  const special: Readonly<Record<string, string>> = {
    sdsdot: '',
    // OpenBLAS's own adds some of the products in single precision where strides are 1.
    dsdot: 'ddot',
    csscal: 'zdscal',
    csrot: 'zdrot',
    scnrm2: 'dznrm2',
    scasum: 'dzasum',
    isamax: '',
    icamax: '',
  };
  const found =
    special[name] ??
    (name.startsWith('s') ? `d${name.slice(1)}` : name.startsWith('c') ? `z${name.slice(1)}` : '');
  return found === '' ? undefined : found;
}

/** The routine of real doubles that computes the sum of absolute values where another computes the sum. */
export function gaugeName(name: string): string | undefined {
  const match =
    /^[sdcz](gemv|gbmv|symv|sbmv|spmv|hemv|hbmv|hpmv|trmv|tbmv|tpmv|ger|geru|gerc|syr|spr|her|hpr|syr2|spr2|her2|hpr2|gemm|symm|hemm|syrk|herk|syr2k|her2k|trmm)$/.exec(
      name,
    );
  if (!match) return undefined;
  const own = match[1]!
    .replace(/^he/, 'sy')
    .replace(/^hb/, 'sb')
    .replace(/^hp/, 'sp')
    .replace(/^ger[uc]$/, 'ger');
  return `d${own}`;
}

export const doubleKind = numberKinds.d;

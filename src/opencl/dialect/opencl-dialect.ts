/** OpenCL C as a dialect of the C core: its words, types, spaces and rules, and the built-in functions. */
import type { BuiltinTable, Dialect } from '../../c/dialect.ts';
import { type AddressSpace, arithmeticTypes } from '../../c/types.ts';
import { resolveEnqueue } from '../builtins/enqueue.ts';
import { halfMacros, predefinedMacros } from '../builtins/macros.ts';
import { builtinNames, isBuiltinName, resolveBuiltin } from '../builtins/resolve.ts';
import { isInVersion } from '../builtins/versions.ts';
import { foreignWord } from './foreign-words.ts';
import { isKept, isPipeOfOtherAccess } from './handles.ts';
import { openclKeywords } from './keywords.ts';
import { remarkOnLater } from './later.ts';
import { defaultExtensions, type OpenCLDialectOptions, type OpenCLVersion } from './options.ts';
import { openclRules } from './rules.ts';
import { openclTypeNames, queueTypes, reinterpretTarget } from './type-names.ts';

/** The built-in functions of src/opencl/builtins, in the form the checker takes. */
function builtinTable(addressBits: 32 | 64, version: OpenCLVersion): BuiltinTable {
  const isThere = (name: string): boolean => isInVersion(name, version);
  return {
    resolveBuiltin: (name, types) =>
      isThere(name)
        ? (resolveEnqueue(name, types, addressBits) ?? resolveBuiltin(name, types, { addressBits }))
        : { kind: 'unknown' },
    isBuiltinName: (name) => isBuiltinName(name) && isThere(name),
    builtinNames: () => builtinNames().filter(isThere),
  };
}

const cached = new Map<string, Dialect>();

/**
 * A dialect of OpenCL C. Dialects with the same plain options are made once, so that a build does not pay for the
 * tables again.
 */
export function openclDialect(options: OpenCLDialectOptions = {}): Dialect {
  if (options.extensions || options.macros || options.builtins) return makeDialect(options);
  const key = `${options.version ?? 120} ${options.addressBits ?? 32} ${options.singlePrecisionConstants ?? false}`;
  let dialect = cached.get(key);
  if (dialect === undefined) {
    dialect = makeDialect(options);
    cached.set(key, dialect);
  }
  return dialect;
}

const noDouble = 'double precision constant requires cl_khr_fp64, casting to single precision';

function makeDialect(options: OpenCLDialectOptions): Dialect {
  const version: OpenCLVersion = options.version ?? 120;
  const addressBits = options.addressBits ?? 32;
  const extensions = options.extensions ?? defaultExtensions;
  const typeNames = openclTypeNames(version, addressBits);
  const { int, uint, long, ulong, float, double } = arithmeticTypes;
  const hasDouble = extensions.has('cl_khr_fp64');
  const isSingle = options.singlePrecisionConstants === true || !hasDouble;
  const warning = hasDouble || options.singlePrecisionConstants === true ? undefined : noDouble;
  return {
    name: `OpenCL C version ${Math.floor(version / 100)}.${Math.floor((version % 100) / 10)}`,
    language: 'OpenCL',
    keywords: openclKeywords(version),
    typeNames,
    predefinedMacros: macros(options, version, addressBits, extensions),
    features: {
      functionPointers: false,
      bitFields: false,
      variadicFunctions: false,
      unprototyped: false,
      registerStorage: false,
      promotesFloatArguments: false,
      longDouble: false,
      hostedMain: false,
      shiftsWrap: true,
      floatingConditions: false,
      blocks: version >= 200,
    },
    addressBytes: addressBits === 64 ? 8 : 4,
    sizeType: addressBits === 64 ? ulong : uint,
    differenceType: addressBits === 64 ? long : int,
    longType: long,
    longLongType: long,
    doubleLiteral: { type: isSingle ? float : double, warning },
    builtins: options.builtins ?? builtinTable(addressBits, version),
    foreignWord,
    remarkOnLater: (word) => remarkOnLater(word, version),
    rules: openclRules(version, extensions, addressBits === 64 ? 8 : 4),
    arithmeticName: (name) => name,
    spaceName: (space) => `__${space}`,
    reinterpretTarget: (name) => reinterpretTarget(name, typeNames),
    defaultSpace: (place, type) => {
      switch (place) {
        case 'literal':
          return 'constant';
        case 'program':
        case 'static':
          if (type.kind === 'opaque' || type.kind === 'block') return 'constant';
          return version >= 200 ? 'global' : 'private';
        case 'pointee':
          return version >= 200 && type.kind !== 'function' ? 'generic' : 'private';
        default:
          return 'private';
      }
    },
    spaceConverts: (from, to) => from === to || (version >= 200 && to === 'generic' && from !== 'constant'),
    spaceCasts: (from, to) => from === to || (version >= 200 && isGenericPair(from, to)),
    opaqueConverts: (from, to) => {
      if (to.kind !== 'opaque') return false;
      if (isPipeOfOtherAccess(from, to)) return true;
      // A sampler is made from an integer constant, an event or a reservation from zero.
      return (to.name === 'sampler_t' || isKept(to)) && from.kind === 'arithmetic' && !from.floating;
    },
    opaqueCompares: (type) => type.kind === 'opaque' && queueTypes.includes(type.name),
  };
}

function isGenericPair(from: AddressSpace, to: AddressSpace): boolean {
  return (from === 'generic' && to !== 'constant') || (to === 'generic' && from !== 'constant');
}

function macros(
  options: OpenCLDialectOptions,
  version: OpenCLVersion,
  addressBits: 32 | 64,
  extensions: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const made: Record<string, string> = {
    ...predefinedMacros({ version, addressBits }),
    true: '1',
    false: '0',
    'kernel_exec(X, typen)':
      '__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))',
    '__kernel_exec(X, typen)':
      '__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))',
  };
  if (version >= 200) {
    made['ATOMIC_VAR_INIT(value)'] = '(value)';
    Object.assign(made, { CLK_NULL_QUEUE: '((queue_t)0)', CLK_NULL_EVENT: '((clk_event_t)0)' });
  }
  for (const name of defaultExtensions) if (!extensions.has(name)) delete made[name];
  for (const name of extensions) made[name] = '1';
  if (extensions.has('cl_khr_fp16')) Object.assign(made, halfMacros());
  return { ...made, ...options.macros };
}

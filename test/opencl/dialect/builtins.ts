/** A few built-in functions, so that the dialect's tests do not depend on the whole table. */
import type { BuiltinTable } from '../../../src/c/dialect.ts';
import { arithmeticTypes, type CType, unqualified } from '../../../src/c/types.ts';
import { openclDialect } from '../../../src/opencl/dialect/index.ts';

const { uint, int, float } = arithmeticTypes;
const overloads: Readonly<Record<string, readonly (readonly [result: CType, ...parameters: CType[]])[]>> = {
  get_global_id: [[uint, uint]],
  sin: [[float, float]],
  max: [
    [int, int, int],
    [float, float, float],
  ],
};

const builtins: BuiltinTable = {
  isBuiltinName: (name) => Object.hasOwn(overloads, name),
  builtinNames: () => Object.keys(overloads),
  resolveBuiltin(name, types) {
    const known = overloads[name];
    if (known === undefined) return { kind: 'unknown' };
    const viable = known.filter(
      ([, ...parameters]) =>
        parameters.length === types.length && types.every((type) => type.type.kind === 'arithmetic'),
    );
    const exact = viable.filter(([, ...parameters]) =>
      parameters.every((one, index) => one === types[index]?.type),
    );
    const [only] = exact.length > 0 ? exact : viable;
    if (only === undefined || (exact.length === 0 && viable.length > 1)) {
      return {
        kind: only ? 'ambiguous' : 'no-match',
        candidates: known.map((one) => `${name}/${one.length - 1}`),
      };
    }
    const [result, ...parameters] = only;
    return {
      kind: 'found',
      builtin: { name },
      parameters: parameters.map(unqualified),
      result: unqualified(result),
    };
  },
};

/** Without half arithmetic, whose absence has rules of its own. */
export const dialect = openclDialect({ builtins, extensions: new Set(['cl_khr_fp64']) });

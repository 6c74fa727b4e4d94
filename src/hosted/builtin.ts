/** Built-in functions of programs for the host, which carry how they are compiled. */
import type { Builtin } from '../c/ast.ts';
import type { BuiltinResolution } from '../c/dialect.ts';
import type { FunctionLowering } from '../c/lower/function-lowering.ts';
import type { QualifiedType } from '../c/types.ts';
import type * as ir from '../ir/ir.ts';

/** Makes the instructions of a call from its arguments. */
export type Emit = (fn: FunctionLowering, operands: readonly ir.Value[]) => ir.Value | undefined;

/** The value of a call with constant arguments. */
export type Fold = NonNullable<Builtin['fold']>;

export interface HostBuiltin extends Builtin {
  readonly emit: Emit;
}

/** The function, if there are as many arguments as it has parameters. */
export function found(
  name: string,
  types: readonly QualifiedType[],
  parameters: readonly QualifiedType[],
  result: QualifiedType,
  emit: Emit,
  fold?: Fold,
): BuiltinResolution {
  if (types.length !== parameters.length) {
    const count = `${parameters.length} argument${parameters.length === 1 ? '' : 's'}`;
    return noMatch([
      `'${name}' takes ${count}, but ${types.length} ${types.length === 1 ? 'was' : 'were'} provided`,
    ]);
  }
  const builtin: HostBuiltin = { name, emit, fold };
  return { kind: 'found', builtin, parameters, result };
}

export function noMatch(candidates: readonly string[]): BuiltinResolution {
  return { kind: 'no-match', candidates };
}

/**
 * The functions of pipes (OpenCL 2.0, 6.13.16). They take pipes with packets of any type, so they have no patterns in the
 * table: what their parameters are follows from the pipe that they are given.
 */
import { ordinal, wrongCount } from '../../c/check/candidates.ts';
import { isInteger, sameType } from '../../c/type-facts.ts';
import {
  arithmeticTypes,
  type OpaqueType,
  type QualifiedType,
  unqualified,
  voidType,
} from '../../c/types.ts';
import { reserveIdType } from '../dialect/type-names.ts';
import type { Resolution } from './resolution.ts';

/** What an argument must be: a pipe of some or one access, a pointer to a packet, a reservation, or a number. */
type Parameter = 'pipe' | 'read_only' | 'write_only' | 'pointer' | 'reservation' | 'uint';

interface Signature {
  readonly result: 'int' | 'uint' | 'reservation' | 'void' | 'bool';
  readonly parameters: readonly Parameter[];
}

const accesses = [
  ['read', 'read_only'],
  ['write', 'write_only'],
] as const;

function signatures(): Map<string, readonly Signature[]> {
  const made = new Map<string, readonly Signature[]>();
  for (const [way, access] of accesses) {
    made.set(`${way}_pipe`, [
      { result: 'int', parameters: [access, 'pointer'] },
      { result: 'int', parameters: [access, 'reservation', 'uint', 'pointer'] },
    ]);
    for (const group of ['', 'work_group_', 'sub_group_']) {
      made.set(`${group}reserve_${way}_pipe`, [{ result: 'reservation', parameters: [access, 'uint'] }]);
      made.set(`${group}commit_${way}_pipe`, [{ result: 'void', parameters: [access, 'reservation'] }]);
    }
  }
  made.set('is_valid_reserve_id', [{ result: 'bool', parameters: ['reservation'] }]);
  for (const name of ['get_pipe_num_packets', 'get_pipe_max_packets']) {
    made.set(name, [{ result: 'uint', parameters: ['pipe'] }]);
  }
  return made;
}

const functions = signatures();

/** The names of all of them. */
export const pipeFunctionNames: readonly string[] = [...functions.keys()];

const results: Readonly<Record<Signature['result'], QualifiedType>> = {
  int: unqualified(arithmeticTypes.int),
  uint: unqualified(arithmeticTypes.uint),
  bool: unqualified(arithmeticTypes.bool),
  void: unqualified(voidType),
  reservation: unqualified(reserveIdType),
};

/** The function that a call means; undefined for names of other functions. */
export function resolvePipeFunction(name: string, types: readonly QualifiedType[]): Resolution | undefined {
  const candidates = functions.get(name);
  if (!candidates) return undefined;
  const pipe = types[0]?.type.kind === 'opaque' ? types[0].type : undefined;
  const reasons: string[] = [];
  for (const signature of candidates) {
    const reason = reasonAgainst(signature, types, pipe);
    if (reason === undefined) {
      return {
        kind: 'found',
        builtin: { name },
        parameters: signature.parameters.map((parameter, index) => parameterType(parameter, types[index]!)),
        result: results[signature.result],
      };
    }
    reasons.push(`${describe(name, signature)}: ${reason}`);
  }
  return { kind: 'no-match', candidates: reasons };
}

/** Numbers are converted; everything else is taken as it is given, a pointer in the space it has. */
function parameterType(parameter: Parameter, given: QualifiedType): QualifiedType {
  return parameter === 'uint' ? results.uint : given;
}

function reasonAgainst(
  { parameters }: Signature,
  types: readonly QualifiedType[],
  pipe: OpaqueType | undefined,
): string | undefined {
  const count = wrongCount(parameters.length, false, types.length);
  if (count !== undefined) return count;
  const wrong = parameters.findIndex((parameter, index) => !fits(parameter, types[index]!, pipe));
  if (wrong < 0) return undefined;
  const parameter = parameters[wrong]!;
  if (wrong === 0 && pipe?.packet) return `the pipe is ${pipe.access}`;
  return `the ${ordinal(wrong)} argument must be ${wording[parameter]}`;
}

function fits(parameter: Parameter, { type }: QualifiedType, pipe: OpaqueType | undefined): boolean {
  switch (parameter) {
    case 'pipe':
      return type.kind === 'opaque' && type.packet !== undefined;
    case 'read_only':
    case 'write_only':
      return type.kind === 'opaque' && type.packet !== undefined && type.access === parameter;
    case 'reservation':
      return type.kind === 'opaque' && type.name === reserveIdType.name;
    case 'uint':
      return isInteger(type);
    case 'pointer': {
      if (type.kind !== 'pointer' || !pipe?.packet) return false;
      const { isConst, space, type: pointee } = type.pointee;
      const isWritten = pipe.access === 'read_only';
      return sameType(pointee, pipe.packet.type) && !(isWritten && (isConst || space === 'constant'));
    }
  }
}

const wording: Readonly<Record<Parameter, string>> = {
  pipe: 'a pipe',
  read_only: 'a pipe',
  write_only: 'a pipe',
  pointer: 'a pointer to a packet',
  reservation: 'a reserve_id_t',
  uint: 'a number',
};

const words: Readonly<Record<Parameter, string>> = {
  pipe: 'pipe gentype',
  read_only: 'read_only pipe gentype',
  write_only: 'write_only pipe gentype',
  pointer: 'gentype *',
  reservation: 'reserve_id_t',
  uint: 'uint',
};

function describe(name: string, { result, parameters }: Signature): string {
  const shown = result === 'reservation' ? 'reserve_id_t' : result;
  return `${shown} ${name}(${parameters.map((parameter) => words[parameter]).join(', ')})`;
}

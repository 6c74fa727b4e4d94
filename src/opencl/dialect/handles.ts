/**
 * Where images, samplers, pipes, events and reservations may be used (OpenCL 1.2, 6.9 b, 6.6 and 6.12.14.1; OpenCL 2.0,
 * 6.9 and 6.13.16): types whose values a program can only pass on to functions.
 */
import type { Expression } from '../../c/ast.ts';
import { incompatibleValue } from '../../c/check/assignments.ts';
import { isNullConstant } from '../../c/check/conversions.ts';
import { evaluateConstant } from '../../c/constant.ts';
import type { AccessQualifier, Purpose, Reporter, VariableFacts } from '../../c/dialect.ts';
import { isComplete, sameType, valueType } from '../../c/type-facts.ts';
import { type CType, type OpaqueType, type QualifiedType, unqualified } from '../../c/types.ts';
import type { Span } from '../../source/span.ts';
import type { OpenCLVersion } from './options.ts';
import { opaqueType, pipeType, queueTypes } from './type-names.ts';

/** Those whose values may be kept in variables of a function, and returned. */
const keptTypes: ReadonlySet<string> = new Set(['event_t', 'reserve_id_t', ...queueTypes]);

/** Whether values of an opaque type may be kept in variables, so that there may be pointers to them. */
export function isKept({ name }: OpaqueType): boolean {
  return keptTypes.has(name);
}

/** Images and their like are arguments only; samplers may also be constants. */
export function checkOpaqueVariable(facts: VariableFacts, report: Reporter): boolean {
  const { variable } = facts;
  let { type } = variable.type;
  const isArray = type.kind === 'array';
  while (type.kind === 'array') type = type.element.type;
  if (type.kind !== 'opaque') return true;
  const shown = report.show(unqualified(type));
  const wrong = (message: string): false => {
    report.diagnostics.error(variable.span, message);
    return false;
  };
  if (isArray && !isKept(type)) return wrong(`array of '${shown}' type is invalid in OpenCL`);
  if (type.access !== undefined) {
    return wrong(`type '${shown}' can only be used as a function parameter in OpenCL`);
  }
  if (isKept(type) && variable.scope === 'program') {
    return wrong(`the ${type.name} type cannot be used to declare a program scope variable`);
  }
  if (type.name !== 'sampler_t') return true;
  if (facts.writtenSpace === 'local' || facts.writtenSpace === 'global') {
    return wrong('sampler type cannot be used with the __local and __global address space qualifiers');
  }
  if (variable.scope === 'program' && facts.writtenSpace !== 'constant' && !variable.type.isConst) {
    return wrong('global sampler requires a const or constant address space qualifier');
  }
  if (!facts.hasInitializer) return wrong('sampler variable must be initialized');
  return true;
}

export function checkOpaqueField(type: QualifiedType, span: Span, report: Reporter): boolean {
  let inner = type.type;
  while (inner.kind === 'array') inner = inner.element.type;
  if (inner.kind !== 'opaque' && inner.kind !== 'block') return true;
  report.diagnostics.error(
    span,
    `the '${report.show(unqualified(inner))}' type cannot be used to declare a structure or union field`,
  );
  return false;
}

export function checkOpaquePointer(pointee: QualifiedType, span: Span, report: Reporter): boolean {
  const { type } = pointee;
  if (type.kind !== 'opaque' || isKept(type)) return true;
  report.diagnostics.error(span, `pointer to type '${report.show(unqualified(type))}' is invalid in OpenCL`);
  return false;
}

/** Images and samplers are not what functions return. */
export function checkOpaqueResult(type: CType, span: Span, report: Reporter): void {
  if (type.kind !== 'opaque' || isKept(type)) return;
  const shown = report.show(unqualified(type));
  report.diagnostics.error(span, `declaring function return value of type '${shown}' is not allowed`);
}

/** The image type with the access that is written before it. */
export function accessedType(
  type: QualifiedType,
  access: AccessQualifier,
  span: Span,
  version: OpenCLVersion,
  report: Reporter,
): QualifiedType | undefined {
  const inner = type.type;
  const wrong = (message: string): undefined => {
    report.diagnostics.error(span, message);
    return undefined;
  };
  if (inner.kind !== 'opaque' || inner.access === undefined) {
    return wrong('access qualifier can only be used for pipe and image type');
  }
  if (access === 'read_write' && version < 200) {
    return wrong(
      `access qualifier 'read_write' cannot be used for '${inner.name}' prior to OpenCL C version 2.0`,
    );
  }
  if (inner.packet && access === 'read_write') {
    return wrong("access qualifier 'read_write' cannot be used for 'pipe'");
  }
  // A typedef name has its access, written or not.
  if (type.alias !== undefined && inner.access !== access) return wrong('multiple access qualifiers');
  return { ...type, type: inner.packet ? pipeType(inner.packet, access) : opaqueType(inner.name, access) };
}

/** Packets are what can be copied: numbers, vectors, and structures and arrays of them (OpenCL 2.0, 6.13.16). */
export function pipeOf(packet: QualifiedType, span: Span, report: Reporter): QualifiedType | undefined {
  const { type } = packet;
  const isCopied = type.kind === 'arithmetic' || type.kind === 'vector' || type.kind === 'enum';
  if ((isCopied || type.kind === 'record') && isComplete(type))
    return unqualified(pipeType(valueType(packet)));
  const why = isComplete(type) ? 'cannot be the type of' : 'is incomplete, so it cannot be the type of';
  report.diagnostics.error(span, `'${report.show(valueType(packet))}' ${why} a pipe's packets`);
  return undefined;
}

/** A pipe that is handed on for the other thing to do with it: a program that passes its packets to itself does so. */
export function isPipeOfOtherAccess(from: CType, to: CType): boolean {
  if (from.kind !== 'opaque' || to.kind !== 'opaque' || !from.packet || !to.packet) return false;
  return from.access !== to.access && sameType(from.packet.type, to.packet.type);
}

/** What may become a sampler; and that handles are passed on, not assigned or chosen. */
export function checkOpaqueValue(
  value: Expression,
  target: QualifiedType,
  use: Purpose | 'choosing',
  report: Reporter,
): boolean {
  const { type } = target;
  if (type.kind !== 'opaque') return true;
  if (isKept(type)) return checkKeptValue(value, target, use, report);
  const { diagnostics } = report;
  const shown = report.show(unqualified(type));
  const given = report.show(valueType(value.type));
  const wrong = (message: string): false => {
    diagnostics.error(value.span, message);
    return false;
  };
  if (use === 'passing' && isPipeOfOtherAccess(value.type.type, type)) {
    diagnostics.warning(
      value.span,
      'incompatible-pipe-access',
      `passing '${given}' to a parameter of type '${shown}', whose function does with the pipe what it is not declared for here`,
    );
    return true;
  }
  if (use === 'choosing') return wrong(`incompatible operand types ('${shown}' and '${given}')`);
  if (use === 'assigning') return wrong(`invalid operands to binary expression ('${shown}' and '${given}')`);
  if (value.type.type.kind === 'opaque') return true;
  if (use === 'passing' && evaluateConstant(value, 4) === undefined) {
    return wrong(`sampler_t variable required - got '${given}'`);
  }
  return checkSamplerInitializer(value, report);
}

/** An event or a reservation comes from another, or is none: zero, which cannot be assigned (OpenCL 1.2, 6.12.10). */
function checkKeptValue(
  value: Expression,
  target: QualifiedType,
  use: Purpose | 'choosing',
  report: Reporter,
): boolean {
  if (use === 'choosing' || value.type.type.kind === 'opaque') return true;
  if (use !== 'assigning' && isNullConstant(value)) return true;
  report.diagnostics.error(value.span, incompatibleValue(report, use, value.type, target));
  return false;
}

/** A sampler is made from an integer constant of 32 bits (OpenCL 1.2, 6.12.14.1). */
function checkSamplerInitializer(value: Expression, report: Reporter): boolean {
  const { diagnostics } = report;
  const { type } = value.type;
  const constant = evaluateConstant(value, 4);
  if (constant === undefined) {
    diagnostics.error(value.span, 'sampler_t initialization requires compile time constant');
    return false;
  }
  const integer = type.kind === 'enum' ? type.underlying : type;
  if (constant.kind !== 'integer' || integer?.kind !== 'arithmetic' || integer.size !== 4) {
    const given = report.show(valueType(value.type));
    diagnostics.error(value.span, `sampler_t initialization requires 32-bit integer, not '${given}'`);
    return false;
  }
  return true;
}

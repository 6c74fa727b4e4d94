/** What a kernel function may look like (OpenCL 1.2, 6.7 and 6.9). */
import type { Attribute, FunctionDeclaration, VariableDeclaration } from '../../c/ast.ts';
import { hasAttribute } from '../../c/check/attributes.ts';
import type { Reporter } from '../../c/dialect.ts';
import { findNestedField, sameType, valueType } from '../../c/type-facts.ts';
import type { CType, Field, FunctionType, QualifiedType, RecordType } from '../../c/types.ts';
import { checkOpaqueResult, isKept } from './handles.ts';
import type { OpenCLVersion } from './options.ts';

/** Attributes that say something about the launch of a kernel. */
const kernelAttributes = ['reqd_work_group_size', 'work_group_size_hint', 'vec_type_hint'];

/** `hasHalf`: half is a type like others, not only one in memory. */
export function checkFunction(
  declaration: FunctionDeclaration,
  version: OpenCLVersion,
  hasHalf: boolean,
  report: Reporter,
): void {
  const { diagnostics } = report;
  checkOpaqueResult((declaration.type.type as FunctionType).result.type, declaration.span, report);
  if (!declaration.isKernel) {
    for (const attribute of declaration.attributes) {
      if (!kernelAttributes.includes(attribute.name)) continue;
      diagnostics.error(
        attribute.span,
        `attribute '${attribute.name}' can only be applied to an OpenCL kernel function`,
      );
    }
    return;
  }
  const { result } = declaration.type.type as FunctionType;
  if (result.type.kind !== 'void') diagnostics.error(declaration.span, 'kernel must have void return type');
  if (declaration.storage === 'static') {
    diagnostics.error(declaration.span, 'kernel functions cannot be declared static');
  }
  if (declaration.name === 'main') diagnostics.error(declaration.span, "kernel cannot be called 'main'");
  warnContradictions(declaration, report);
  if (hasAttribute(declaration.attributes, 'overloadable')) {
    diagnostics.error(declaration.span, 'kernel functions cannot be overloadable');
  }
  for (const parameter of declaration.parameters) checkParameter(parameter, version, hasHalf, report);
}

/** The same attribute twice, saying different things. */
function warnContradictions({ attributes }: FunctionDeclaration, { diagnostics }: Reporter): void {
  const known = new Map<string, Attribute>();
  for (const attribute of attributes) {
    const { name, span } = attribute;
    const earlier = known.get(name);
    known.set(name, attribute);
    if (earlier === undefined || !kernelAttributes.includes(name)) continue;
    if (earlier.arguments.every((value, index) => saysSame(value, attribute.arguments[index]))) continue;
    const message = `attribute '${name}' is already applied with different arguments`;
    diagnostics.warning(span, 'ignored-attributes', message);
  }
}

function saysSame(a: Attribute['arguments'][number], b: Attribute['arguments'][number] | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return sameType(a.type, b.type);
}

/** Arithmetic types that have no fixed meaning between host and device. */
const hostDependent = new Set(['size_t', 'ptrdiff_t', 'intptr_t', 'uintptr_t']);

function checkParameter(
  parameter: VariableDeclaration,
  version: OpenCLVersion,
  hasHalf: boolean,
  report: Reporter,
): void {
  const { diagnostics } = report;
  const type = valueType(parameter.type);
  const inner = type.type;
  const wrong = (): void => {
    diagnostics.error(
      parameter.span,
      `'${report.show(type)}' cannot be used as the type of a kernel parameter`,
    );
  };
  if (inner.kind === 'pointer') {
    const { pointee } = inner;
    if (!isKernelPointer(pointee)) {
      diagnostics.error(
        parameter.span,
        "pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space",
      );
    } else if (pointee.type.kind === 'pointer' && version < 200) {
      diagnostics.error(parameter.span, `kernel parameter cannot be declared as a pointer to a pointer`);
    }
    return;
  }
  if (inner.kind === 'atomic' || inner.kind === 'block') wrong();
  if (inner.kind === 'opaque') {
    if (isKept(inner) && inner.name !== 'queue_t') wrong();
    return;
  }
  if (type.alias === 'ndrange_t') {
    wrong();
    return;
  }
  const isHostDependent = type.alias !== undefined && hostDependent.has(type.alias);
  const isUnsized =
    inner.kind === 'arithmetic' && (inner.name === 'bool' || (inner.name === 'half' && !hasHalf));
  if (isHostDependent || isUnsized) wrong();
  else if (inner.kind === 'record') checkRecord(parameter, inner, hasHalf, report);
}

/** Whether pointers to it may be parameters. What they lead to may be pointers in turn, which the host stores there. */
function isKernelPointer({ space, type }: QualifiedType): boolean {
  if (space !== 'global' && space !== 'local' && space !== 'constant') return false;
  return type.kind !== 'pointer' || isKernelPointer(type.pointee);
}

function holdsBool(type: CType): boolean {
  return type.kind === 'arithmetic' && type.name === 'bool';
}

function checkRecord(
  parameter: VariableDeclaration,
  record: RecordType,
  hasHalf: boolean,
  report: Reporter,
): void {
  const { diagnostics } = report;
  const pointer = findNested(record, (type) => type.kind === 'pointer');
  if (pointer !== undefined) {
    diagnostics.error(parameter.span, 'struct kernel parameters may not contain pointers', [
      {
        message: `field of illegal pointer type '${report.show(pointer.type)}' declared here`,
        span: pointer.span,
      },
    ]);
    return;
  }
  const illegal = findNested(
    record,
    (type, field) =>
      holdsBool(type) ||
      (!hasHalf && type.kind === 'arithmetic' && type.name === 'half') ||
      hostDependent.has(field.type.alias ?? ''),
  );
  if (illegal === undefined) return;
  diagnostics.error(
    parameter.span,
    `'${report.show(valueType(parameter.type))}' cannot be used as the type of a kernel parameter`,
    [{ message: `field of illegal type '${report.show(illegal.type)}' declared here`, span: illegal.span }],
  );
}

/** The first field, at any depth, whose type (or whose elements' type) is of a kind. */
function findNested(record: RecordType, isWanted: (type: CType, field: Field) => boolean): Field | undefined {
  const isFound = (field: Field): boolean => {
    let { type } = field.type;
    while (type.kind === 'array') type = type.element.type;
    return isWanted(type, field);
  };
  return findNestedField(record, isFound, true);
}

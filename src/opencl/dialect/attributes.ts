/** The attributes of OpenCL C (OpenCL 1.2, 6.7.2 and 6.11). */
import type { Attribute } from '../../c/ast.ts';
import type { AttributeTarget, Reporter } from '../../c/dialect.ts';

const sizes = new Set(['reqd_work_group_size', 'work_group_size_hint']);

/** Checks one attribute; false where OpenCL has none of that name. */
export function checkAttribute(attribute: Attribute, target: AttributeTarget, report: Reporter): boolean {
  const { name, span } = attribute;
  const { diagnostics } = report;
  if (sizes.has(name)) {
    if (attribute.arguments.length !== 3) {
      diagnostics.error(span, `'${name}' attribute requires exactly 3 arguments`);
    } else if (attribute.arguments.some((value) => typeof value !== 'bigint')) {
      diagnostics.error(span, `'${name}' attribute requires integer constants`);
    } else if (attribute.arguments.some((value) => typeof value === 'bigint' && value <= 0n)) {
      diagnostics.error(span, `'${name}' attribute must be greater than 0`);
    } else if (attribute.arguments.some((value) => typeof value === 'bigint' && value >= 1n << 32n)) {
      diagnostics.error(span, `'${name}' attribute requires integers of 32 bits`);
    } else if (target !== 'function') {
      diagnostics.error(span, `'${name}' attribute only applies to functions`);
    }
    return true;
  }
  switch (name) {
    case 'vec_type_hint': {
      const [type] = attribute.arguments;
      const inner = typeof type === 'object' ? type.type : undefined;
      const isFine = inner?.kind === 'vector' || (inner?.kind === 'arithmetic' && inner.name !== 'bool');
      if (attribute.arguments.length !== 1)
        diagnostics.error(span, "'vec_type_hint' attribute takes one argument");
      else if (!isFine) {
        diagnostics.error(
          span,
          "a non-vector or non-vectorizable scalar type is an invalid argument to attribute 'vec_type_hint'",
        );
      }
      return onFunction(attribute, target, report);
    }
    case 'endian': {
      const [which] = attribute.arguments;
      if (which !== 'host' && which !== 'device') {
        diagnostics.warning(
          span,
          'ignored-attributes',
          "'endian' attribute without 'host' or 'device' ignored",
        );
      }
      return true;
    }
    case 'opencl_unroll_hint': {
      const [count] = attribute.arguments;
      if (attribute.arguments.length > 1) {
        diagnostics.error(span, "'opencl_unroll_hint' attribute takes no more than 1 argument");
      } else if (count !== undefined && (typeof count !== 'bigint' || count <= 0n)) {
        diagnostics.error(
          span,
          "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression",
        );
      }
      if (target !== 'statement') {
        diagnostics.error(
          span,
          "'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements",
        );
      }
      return true;
    }
    default:
      return name === 'nosvm' || name === 'intel_reqd_sub_group_size' || name === 'opencl_global_device';
  }
}

function onFunction(attribute: Attribute, target: AttributeTarget, report: Reporter): true {
  if (target !== 'function') {
    report.diagnostics.warning(
      attribute.span,
      'ignored-attributes',
      `'${attribute.name}' attribute only applies to functions`,
    );
  }
  return true;
}

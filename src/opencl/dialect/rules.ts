/**
 * The rules of OpenCL C that plain C does not have: where variables may live, what opaque types and half are good for,
 * no recursion (OpenCL 1.2, 6.5, 6.6, 6.8, 6.9).
 */

import type { StorageClass, TranslationUnit } from '../../c/ast.ts';
import type { CallSite, DialectRules, ParameterFacts, Reporter, VariableFacts } from '../../c/dialect.ts';
import { type CType, type QualifiedType, unqualified } from '../../c/types.ts';
import type { Span } from '../../source/span.ts';
import { checkAttribute } from './attributes.ts';
import { checkEnqueue } from './enqueue-calls.ts';
import {
  accessedType,
  checkOpaqueField,
  checkOpaquePointer,
  checkOpaqueValue,
  checkOpaqueVariable,
  isKept,
  pipeOf,
} from './handles.ts';
import { checkFunction } from './kernels.ts';
import { remarkOnLater } from './later.ts';
import type { OpenCLVersion } from './options.ts';
import { checkPragma } from './pragmas.ts';
import { checkPrintf } from './printf-calls.ts';
import { findRecursion } from './recursion.ts';
import { mayUseDouble, mayUseHalf } from './switched-extensions.ts';

/** `addressBytes` is the size of a pointer. */
export function openclRules(
  version: OpenCLVersion,
  extensions: ReadonlySet<string>,
  addressBytes: 4 | 8,
): DialectRules {
  const hasHalf = ({ diagnostics }: Reporter): boolean =>
    extensions.has('cl_khr_fp16') && mayUseHalf(diagnostics, version);
  const hasDouble = ({ diagnostics }: Reporter): boolean =>
    extensions.has('cl_khr_fp64') && mayUseDouble(diagnostics, version);
  return {
    variable: (facts, report) => checkVariable(facts, version, report),
    parameter: checkParameter,
    function: (declaration, report) => {
      checkStorageClass(declaration.storage, declaration.span, version, report);
      checkFunction(declaration, version, hasHalf(report), report);
    },
    field: checkField,
    pointer: checkOpaquePointer,
    storageOnly: (type, use, span, report) => hasHalf(report) || checkHalf(type, use, span, report),
    access: (type, access, span, report) => accessedType(type, access, span, version, report),
    pipe: pipeOf,
    opaqueValue: checkOpaqueValue,
    typeName: (type, name, span, report) => {
      const element =
        type.type.kind === 'vector'
          ? type.type.element.name
          : type.type.kind === 'arithmetic'
            ? type.type.name
            : '';
      if (element === 'double' && !hasDouble(report)) {
        report.diagnostics.error(span, `use of type '${name}' requires cl_khr_fp64 support`);
        return false;
      }
      if (element === 'half' && type.type.kind === 'vector' && !hasHalf(report)) {
        report.diagnostics.error(span, `use of type '${name}' requires cl_khr_fp16 support`);
        return false;
      }
      return true;
    },
    attribute: checkAttribute,
    builtinCall: (call, report) =>
      call.builtin.name === 'printf' ? checkPrintf(call, addressBytes, report) : checkEnqueue(call, report),
    pragma: (words, span, report) => checkPragma(words, span, report, extensions),
    unit: checkUnit,
  };
}

/** Storage classes came with OpenCL C 1.2 (OpenCL 1.1, 6.8 g). */
function checkStorageClass(
  storage: StorageClass,
  span: Span,
  version: OpenCLVersion,
  report: Reporter,
): boolean {
  if (version >= 120 || (storage !== 'static' && storage !== 'extern')) return true;
  const name = `${Math.floor(version / 100)}.${Math.floor((version % 100) / 10)}`;
  report.diagnostics.error(
    span,
    `OpenCL C version ${name} does not support the '${storage}' storage class specifier`,
  );
  return false;
}

function checkVariable(facts: VariableFacts, version: OpenCLVersion, report: Reporter): boolean {
  const { variable } = facts;
  const { diagnostics } = report;
  const { type, span } = variable;
  const wrong = (message: string, remark?: string): false => {
    diagnostics.error(span, message, remark === undefined ? [] : [{ message: remark, span }]);
    return false;
  };
  if (!checkOpaqueVariable(facts, report)) return false;
  if (type.type.kind === 'block') {
    const reason =
      variable.storage === 'extern'
        ? "using 'extern' storage class is disallowed"
        : facts.hasInitializer
          ? undefined
          : 'must be initialized';
    if (reason !== undefined) return wrong(`invalid block variable declaration - ${reason}`);
  }
  const { space } = type;
  if (type.type.kind === 'atomic' && facts.hasInitializer && space !== 'global') {
    return wrong('atomic variable can be initialized only in global memory; atomic_init serves the others');
  }
  if (!checkStorageClass(variable.storage, span, version, report)) return false;
  if (variable.scope === 'program') {
    const isSampler = type.type.kind === 'opaque' && type.type.name === 'sampler_t';
    if (space !== 'constant' && !isSampler && (version < 200 || space !== 'global')) {
      const isExtern = variable.storage === 'extern';
      const spaces = version >= 200 ? 'global or constant' : 'constant';
      const remark = space === 'local' ? undefined : remarkOnLater('global', version);
      return wrong(
        `${isExtern ? 'extern' : 'program scope'} variable must reside in ${spaces} address space`,
        remark,
      );
    }
    if (!facts.hasInitializer && variable.storage !== 'extern' && space === 'constant') {
      return wrong('variable in constant address space must be initialized');
    }
    return true;
  }
  if (variable.storage === 'extern') {
    return space === 'constant' ? true : wrong('extern variable must reside in constant address space');
  }
  if (variable.storage === 'static' && version < 200) {
    return wrong('variables in function scope cannot be declared static');
  }
  if (space === 'local' || space === 'constant') {
    if (!facts.inKernel)
      return wrong(`non-kernel function variable cannot be declared in ${space} address space`);
    if (!facts.inOutermostBlock) {
      return wrong(
        `variables in the ${space} address space can only be declared in the outermost scope of a kernel function`,
      );
    }
    if (space === 'local' && facts.hasInitializer)
      return wrong("'__local' variable cannot have an initializer");
    if (space === 'constant' && !facts.hasInitializer) {
      return wrong('variable in constant address space must be initialized');
    }
    return true;
  }
  if (space === 'global' && variable.storage !== 'static') {
    return wrong('function scope variable cannot be declared in global address space');
  }
  return true;
}

function checkParameter(facts: ParameterFacts, report: Reporter): boolean {
  const { type } = facts.type;
  // Pointers to such types have been reported; this one was written as an array.
  if (type.kind === 'pointer' && type.pointee.type.kind === 'opaque' && !isKept(type.pointee.type)) {
    const shown = report.show(unqualified(type.pointee.type));
    report.diagnostics.error(facts.span, `array of '${shown}' type is invalid in OpenCL`);
    return false;
  }
  if (facts.writtenSpace === undefined || facts.writtenSpace === 'private') return true;
  report.diagnostics.error(facts.span, 'parameter may not be qualified with an address space');
  return false;
}

/** Structures end with no unsized array (OpenCL 1.2, 6.9 d); clang takes one, so it is a warning. */
function checkField(type: QualifiedType, span: Span, report: Reporter): boolean {
  if (type.type.kind === 'array' && type.type.length === undefined) {
    const message = 'OpenCL C has no structures with flexible array members (6.9 d)';
    report.diagnostics.warning(span, 'flexible-array-extensions', message);
  }
  return checkOpaqueField(type, span, report);
}

/** Without cl_khr_fp16, half is only something pointers point to (OpenCL 1.2, 6.1.1.1). */
function checkHalf(
  type: CType,
  use: 'load' | 'store' | 'declare' | 'parameter',
  span: Span,
  report: Reporter,
): boolean {
  let inner = type;
  if (use === 'declare') while (inner.kind === 'array') inner = inner.element.type;
  if (inner.kind !== 'arithmetic' || inner.name !== 'half') return true;
  switch (use) {
    case 'load':
      report.diagnostics.error(
        span,
        "loading directly from pointer to type 'half' requires cl_khr_fp16. Use vector data load builtin functions instead",
      );
      return false;
    case 'store':
      report.diagnostics.error(
        span,
        "assigning directly to pointer to type 'half' requires cl_khr_fp16. Use vector data store builtin functions instead",
      );
      return false;
    case 'declare':
      report.diagnostics.error(
        span,
        `declaring variable of type '${report.show(unqualified(type))}' is not allowed`,
      );
      return false;
    case 'parameter':
      report.diagnostics.error(
        span,
        "declaring function parameter of type 'half' is not allowed; did you forget * ?",
      );
      return false;
  }
}

function checkUnit(_unit: TranslationUnit, calls: readonly CallSite[], report: Reporter): void {
  for (const site of findRecursion(calls)) {
    const { callee, caller } = site;
    const message =
      caller === callee
        ? `recursion is not allowed in OpenCL: '${callee.name}' calls itself`
        : `recursion is not allowed in OpenCL: '${caller.name}' calls '${callee.name}', which leads back to it`;
    report.diagnostics.error(site.span, message, [
      { message: `'${callee.name}' declared here`, span: callee.span },
    ]);
  }
}

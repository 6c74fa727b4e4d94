/** Checks a kernel: what it is, its parameters, its body (A.4 of the guide). */
import type { Expression, Kernel, KernelAttribute, Parameter } from '../syntax/ast.ts';
import { voidType } from '../types.ts';
import { groups } from './groups.ts';
import type { Report } from './report.ts';
import { returnsOf } from './returns.ts';
import { Scope } from './scope.ts';
import { checkBody } from './statements.ts';
import type { CheckedKernel, Formal, KernelForm, Role, TypedStatement } from './tree.ts';

/** Outputs that a kernel of IL has at most. */
const mostOutputs = 8;

/** Streams and arrays that can be bound for a kernel to read (A.4.1.1). */
const mostInputs = 128;

/** Constant buffers of a kernel (A.6.3.7). */
const mostConstantBuffers = 10;

/** Elements of a constant buffer (A.6.3.7). */
const largestConstantArray = 4096;

/** What a kernel can name. */
export interface Surroundings {
  /** The kernels before it; those that are only declared are undefined. */
  readonly kernels: ReadonlyMap<string, CheckedKernel | undefined>;
  /** Functions of the file that are no kernels. */
  readonly hostFunctions: ReadonlySet<string>;
}

/**
 * Checks one kernel after those that stand before it in the file. Undefined if it is wrong, which has been reported.
 */
export function checkKernel(
  kernel: Kernel,
  { kernels, hostFunctions }: Surroundings,
  report: Report,
): CheckedKernel | undefined {
  const before = report.errorCount;
  const groupSize = checkAttributes(kernel.attributes, report);
  const formals = kernel.parameters.flatMap((parameter) => checkParameter(parameter, report) ?? []);
  const hasReduction = formals.some(({ role }) => role === 'reduce');
  if (!kernel.result && !kernel.isReduce)
    report.error(kernel.nameSpan, groups.none, 'unspecified kernel return type');
  if (kernel.isReduce && !hasReduction && formals.length === kernel.parameters.length)
    report.error(kernel.nameSpan, groups.none, 'Specify reduce qualifier for kernel');
  // Of a kernel whose parameters are wrong all that is said of its body would be about them again.
  if (formals.length < kernel.parameters.length) return undefined;
  const form = formOf(kernel, formals, hasReduction);
  checkInputs(kernel, formals, report);
  checkOutputs(kernel, formals, form, groupSize, report);
  const scope = new Scope(report, kernel, kernels, {
    hostFunctions,
    isReduction: form === 'reduce',
    isFunction: form === 'function',
    groupSize,
  });
  for (const [index, formal] of formals.entries()) {
    if (scope.declare(formal.name, formal)) continue;
    const { span } = kernel.parameters[index]!;
    report.error(span, groups.none, `Variable name Duplicated: ${formal.name}`);
  }
  const body = checkBody(scope, kernel.body ?? []);
  checkReturns(kernel, body, before, report);
  if (report.errorCount > before) return undefined;
  return {
    name: kernel.name,
    form,
    formals,
    result: kernel.result ?? voidType,
    groupSize,
    shared: scope.shared,
    body,
    reduceOperator: form === 'reduce' ? scope.reduceOperator : undefined,
  };
}

/** A kernel with a result returns one on every way through its body. */
function checkReturns(
  { result, nameSpan }: Kernel,
  body: readonly TypedStatement[],
  errorsBefore: number,
  report: Report,
): void {
  // What is wrong may have been a `return`.
  if (!result || result.kind === 'void' || report.errorCount > errorsBefore) return;
  const returns = returnsOf(body);
  const words = 'Must return a value';
  if (returns === 'none') report.error(nameSpan, groups.none, words);
  else if (returns === 'some') report.warning(nameSpan, groups.none, words);
}

function formOf({ result }: Kernel, formals: readonly Formal[], hasReduction: boolean): KernelForm {
  if (hasReduction) return 'reduce';
  if (formals.some(({ role }) => role === 'scatter')) return 'scatter';
  const isVoid = !result || result.kind === 'void';
  return isVoid && formals.some(({ role }) => role === 'out') ? 'map' : 'function';
}

/** The size of thread groups that attributes give (2.14). */
function checkAttributes(attributes: readonly KernelAttribute[], report: Report): number | undefined {
  let size: number | undefined;
  for (const { name, values, span } of attributes) {
    const refuse = (text: string): void => report.error(span, groups.none, text);
    if (name !== 'GroupSize') {
      refuse('Unsupported kernel Attribute');
      continue;
    }
    if (size !== undefined) {
      refuse('More than one GroupSize specified: only one GroupSize allowed');
      continue;
    }
    const sizes = values.map(constantInteger);
    if (sizes.length === 0 || sizes[0] === undefined) refuse('GroupSize must have values');
    else if (sizes.length > 4) refuse('More than 4 components not allowed in GroupSize');
    else if (sizes.slice(1).some((one) => one !== 1))
      refuse(
        `${sizes.findIndex((one, index) => index > 0 && one !== 1) + 1}th dimension of GroupSize must be 1`,
      );
    else if (sizes[0] > 1024) refuse('First dimension of GroupSize must be <= 1024');
    else if (sizes[0] < 1) refuse('GroupSize must have values');
    else size = sizes[0];
  }
  return size;
}

function constantInteger(expression: Expression): number | undefined {
  if (expression.kind !== 'number' || expression.isFloating) return undefined;
  const value = Number(expression.text.replace(/[uU]$/, ''));
  return Number.isInteger(value) ? value : undefined;
}

function checkParameter(parameter: Parameter, report: Report): Formal | undefined {
  const { name, type, qualifiers, sizes, isStream, span } = parameter;
  const refuse = (text: string, group: string = groups.variable): undefined => {
    report.error(span, group, text);
    return undefined;
  };
  if (qualifiers.has('vout')) return refuse('vout deprecated');
  if (qualifiers.has('iter')) return refuse('Iterator not supported', groups.none);
  if (qualifiers.has('shared'))
    return refuse('Shared qualifier valid only for Local Array declared inside kernel');
  if (qualifiers.has('static') || qualifiers.has('extern'))
    return refuse('static or extern not allowed inside kernel');
  if (qualifiers.has('volatile') || qualifiers.has('restrict'))
    return refuse('volatile or Restrict qualifiers not allowed inside kernel');
  if (qualifiers.has('const'))
    return refuse('Nothing special to use const qualifier for kernel parameters. It is a reserved usage');
  if (parameter.isPointer) return refuse('pointers not allowed inside kernel');
  if (parameter.unknownType !== undefined || type.kind === 'void')
    return refuse(isStream ? 'Stream element type not supported' : 'Unsupported variable type', groups.none);
  const isOut = qualifiers.has('out');
  const isReduce = qualifiers.has('reduce');
  const rank = sizes.length;
  if (rank > 4) return refuse(`dimension == ${rank} not supported`, groups.stream);
  if (isReduce) {
    if (rank > 0) return refuse('Problem with stream declaration', groups.none);
    return { name, type, role: 'reduce', rank: 0, sizes: undefined };
  }
  if (rank === 0) {
    // Kernels of older programs that only others call have plain outputs.
    if (isOut && !isStream && report.options.strongTypes)
      return refuse('non-reduce output parameter must be stream type.', groups.dataType);
    const role: Role = isOut ? 'out' : isStream ? 'stream' : 'value';
    return { name, type, role, rank: 0, sizes: undefined };
  }
  if (isOut) {
    if (!checkScatterSizes(parameter, report)) return undefined;
    if (type.kind === 'struct') return refuse('Scatter stream not supported for struct', groups.none);
    return { name, type, role: 'scatter', rank, sizes: undefined };
  }
  const known = gatherSizes(parameter, report);
  return known && { name, type, role: 'gather', rank, sizes: known.length > 0 ? known : undefined };
}

/** The sizes of a gather array: all or none; undefined if they are wrong. */
function gatherSizes({ sizes, span }: Parameter, report: Report): readonly number[] | undefined {
  const { strongTypes, constantBuffers } = report.options;
  const written = sizes.flatMap((size) => size ?? []);
  if (written.length === 0) return [];
  if (written.length < sizes.length) {
    const words =
      'Incomplete array size specification: Specify all array sizes for cached buffers (e.g. a[5][5]) or no array sizes for Streams (e.g. a[][])';
    report.sizeError(span, groups.array, words);
    return constantBuffers ? undefined : [];
  }
  const known: number[] = [];
  for (const size of written) {
    if (size.kind === 'number' && size.isFloating) {
      report.error(span, groups.array, 'Gather Array size must be constant int type if specified');
      return undefined;
    }
    const value = constantInteger(size);
    if (value === undefined) {
      const words = 'Gather Array size expression must be simple constant int if specified';
      // Older programs have such sizes.
      if (strongTypes) report.sizeError(span, groups.array, words);
      else report.warning(span, groups.none, words, 1);
      // It is an ordinary gather array.
      return strongTypes && constantBuffers ? undefined : [];
    }
    if (value <= 0) {
      const words = 'Gather Array size must be non-zero positive int value if specified';
      report.error(span, groups.array, words);
      return undefined;
    }
    known.push(value);
  }
  // A larger one is an ordinary gather array, as all are without constant buffers.
  if (!constantBuffers) return [];
  return known.reduce((product, size) => product * size, 1) > largestConstantArray ? [] : known;
}

/** Whether the sizes of a scatter array, which mean nothing, are as they may be. */
function checkScatterSizes({ sizes, span }: Parameter, report: Report): boolean {
  const written = sizes.flatMap((size) => size ?? []);
  const wrong = (text: string): boolean => {
    report.error(span, groups.array, text);
    return false;
  };
  for (const size of written) {
    if (size.kind === 'number' && size.isFloating)
      return wrong('Scatter Array size must be constant int type if specified');
    const value = constantInteger(size);
    if (value !== undefined && value <= 0)
      return wrong('Scatter Array size must be non-zero positive int value if specified');
    if (value === undefined) {
      const words = 'Scatter Array size expression must be simple constant int if specified';
      report.sizeError(span, groups.array, words);
      return !report.options.constantBuffers;
    }
  }
  if (written.length === 0) return true;
  const words = 'Specifying scatter array sizes have no meaning presently. Do not specify sizes';
  report.sizeError(span, groups.array, words);
  return !report.options.constantBuffers;
}

/** How much may go into a kernel (A.4.1.1, A.6.3.7), for which A.7 has no words. */
function checkInputs(kernel: Kernel, formals: readonly Formal[], report: Report): void {
  const isInput = ({ role, sizes }: Formal): boolean =>
    role === 'stream' || (role === 'gather' && sizes === undefined);
  const count = formals.filter(isInput).length;
  if (count > mostInputs) {
    const words = `Maximum number of inputs allowed is ${mostInputs}: kernel has ${count}`;
    report.error(kernel.nameSpan, groups.none, words);
  }
  const buffers = formals.flatMap(({ sizes }, index) => (sizes ? [kernel.parameters[index]!] : []));
  const beyond = buffers[mostConstantBuffers];
  if (!beyond) return;
  const words = `Maximum number of constant buffers allowed is ${mostConstantBuffers}: kernel has ${buffers.length}`;
  report.error(beyond.span, groups.array, words);
}

/** What may come out of a kernel, and which inputs a reduction has (A.4.3, A.4.4). */
function checkOutputs(
  kernel: Kernel,
  formals: readonly Formal[],
  form: KernelForm,
  groupSize: number | undefined,
  report: Report,
): void {
  const refuse = (text: string): void => report.error(kernel.nameSpan, groups.none, text);
  const count = (role: Role): number => formals.filter((formal) => formal.role === role).length;
  if (count('scatter') > 1) refuse('Only one scatter output allowed');
  if (count('scatter') > 0 && count('out') > 0) refuse('Both scatter output and stream output not allowed');
  if (groupSize !== undefined && count('scatter') === 0)
    refuse('Output must be a scatter type if you specify GroupSize attribute');
  if (count('out') > mostOutputs) {
    const passes = Math.ceil(count('out') / mostOutputs);
    const words = `kernel required ${passes} passes. There could be redundant calculations`;
    report.warning(kernel.nameSpan, groups.none, words);
  }
  if (form !== 'reduce') return;
  const inputs = count('stream') + count('value');
  if (count('reduce') !== 1 || inputs !== 1 || formals.length !== 2)
    refuse('reduction kernel can only have one input stream and one reduction output scalar/stream');
}

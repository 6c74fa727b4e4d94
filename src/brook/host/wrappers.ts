/**
 * What host code calls where it calls a kernel: a C function that hands the arguments to the runtime. A reduction has two,
 * since its result may be a variable or a stream.
 */
import type { Kernel, Parameter } from '../syntax/ast.ts';
import { type BrookType, typeName } from '../types.ts';

/** The name of the function in C; `isVariable` for reductions to variables. */
export function wrapperName(kernel: Kernel, isVariable: boolean): string {
  return `__brook_kernel_${kernel.name}${isVariable ? '_variable' : ''}`;
}

/** The parameter that a kernel reduces to. */
export function reducedParameter(kernel: Kernel): number {
  return kernel.parameters.findIndex(({ qualifiers }) => qualifiers.has('reduce'));
}

/** C text: the functions for a kernel, or only their declarations where it has no number here. */
export function wrappersOf(kernel: Kernel, number: number | undefined): string {
  const forms = reducedParameter(kernel) >= 0 ? [false, true] : [false];
  return forms.map((isVariable) => wrapper(kernel, number, isVariable)).join('\n');
}

function wrapper(kernel: Kernel, number: number | undefined, isVariable: boolean): string {
  const parameters = kernel.parameters.map((parameter) =>
    declared(parameter, passing(kernel, parameter, isVariable)),
  );
  const head = `void ${wrapperName(kernel, isVariable)}(${parameters.join(', ') || 'void'})`;
  if (number === undefined) return `${head};`;
  const calls = kernel.parameters.map((parameter) =>
    handed(parameter, passing(kernel, parameter, isVariable)),
  );
  return `${head} { __brook_begin(${number}); ${calls.join(' ')} __brook_run(); }`;
}

type Passing = 'stream' | 'value' | 'result';

/** How an argument is passed. The input of a reduction is a stream even where it is declared like a value. */
function passing(kernel: Kernel, { qualifiers, isStream, sizes }: Parameter, isVariable: boolean): Passing {
  if (qualifiers.has('reduce')) return isVariable ? 'result' : 'stream';
  const isReduction = reducedParameter(kernel) >= 0;
  return isReduction || isStream || sizes.length > 0 || qualifiers.has('out') ? 'stream' : 'value';
}

/** Whether host code gives a stream for the parameter; for the variable of a reduction it may. */
export function takesStream(kernel: Kernel, parameter: Parameter): boolean {
  return passing(kernel, parameter, false) === 'stream';
}

/** Messages of C about arguments name the parameter. */
function declared({ name, type }: Parameter, way: Passing): string {
  switch (way) {
    case 'stream':
      return `__brook_stream ${name}`;
    case 'result':
      return `${spelled(type)} *${name}`;
    case 'value':
      return `${spelled(type)} ${name}`;
  }
}

function handed({ name }: Parameter, way: Passing): string {
  switch (way) {
    case 'stream':
      return `__brook_stream_argument(${name});`;
    case 'result':
      return `__brook_result_argument(${name});`;
    case 'value':
      return `__brook_value_argument(&${name});`;
  }
}

/** As C writes the type. */
function spelled(type: BrookType): string {
  return type.kind === 'struct' ? type.spelling : typeName(type);
}

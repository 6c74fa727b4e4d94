/**
 * Every kernel as a function of OpenCL C that does what one thread does: streams come as the element at the thread's position,
 * outputs as pointers to private variables, arrays as pointers with their shapes. Kernels that are launched get an entry
 * besides (map.ts, reduce.ts); subkernels are only this.
 */
import type { CheckedKernel, Formal, Typed, TypedStatement } from '../check/tree.ts';
import { isPointer } from './expressions.ts';
import {
  formalName,
  functionName,
  placeName,
  shapeName,
  sharedName,
  storedTypeText,
  typeText,
} from './names.ts';
import type { Source } from './source.ts';
import { emitStatements } from './statements.ts';
import { declareStruct } from './storage.ts';

/** Adds the function of a kernel, and before it those of the kernels that it calls. */
export function emitFunction(source: Source, kernel: CheckedKernel): void {
  const name = functionName(kernel.name);
  if (source.has(name)) return;
  for (const callee of calleesOf(kernel)) emitFunction(source, callee);
  for (const { type } of kernel.formals) if (type.kind === 'struct') declareStruct(source, type);
  const { result, shared } = kernel;
  if (result.kind === 'struct') declareStruct(source, result);
  const parameters = ['int4 at', ...kernel.formals.flatMap(formalParameters)];
  if (shared) parameters.push(`local ${typeText(shared.type)} *${sharedName(shared.name)}`);
  const body = emitStatements(source, kernel.body, '  ');
  const type = result.kind === 'void' ? 'void' : typeText(result);
  source.need(name, `${type} ${name}(${parameters.join(', ')}) {\n${body}}`);
}

function formalParameters(formal: Formal): string[] {
  const { role, type } = formal;
  const name = formalName(formal);
  if (role === 'gather' || role === 'scatter') {
    const pointer = `global ${role === 'gather' ? 'const ' : ''}${storedTypeText(type)} *${name}`;
    return [pointer, `uint8 ${shapeName(formal)}`];
  }
  if (role === 'value') return [`${typeText(type)} ${name}`];
  return [`${typeText(type)} ${isPointer(formal) ? '*' : ''}${name}`, `int4 ${placeName(formal)}`];
}

/** The kernels that a kernel calls, each once. */
function calleesOf({ body }: CheckedKernel): ReadonlySet<CheckedKernel> {
  const found = new Set<CheckedKernel>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const typed = node as Typed | TypedStatement;
    if (typed.kind === 'call') {
      found.add(typed.kernel);
      visit(typed.args);
    } else for (const [key, one] of Object.entries(node)) if (!leaves.has(key)) visit(one);
  };
  visit(body);
  return found;
}

/** What holds no expressions. */
const leaves: ReadonlySet<string> = new Set(['span', 'type', 'formal', 'local', 'array', 'of']);

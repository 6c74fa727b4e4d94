/** Functions that a module calls and linking supplies: those of the library. */
import type { Function as IRFunction, Module } from './ir.ts';
import type { Type } from './types.ts';

/** The declaration of a function without a body here; made, and remembered in `known`, where it is asked for first. */
export function declareExternal(
  module: Module,
  known: Map<string, IRFunction>,
  name: string,
  parameters: readonly Type[],
  result: Type | undefined,
): IRFunction {
  let fn = known.get(name);
  if (!fn) {
    fn = {
      name,
      kind: 'function',
      parameters: parameters.map((type) => ({ value: { type } })),
      result,
      body: undefined,
      form: 'work-item',
    };
    known.set(name, fn);
    module.functions.push(fn);
  }
  return fn;
}

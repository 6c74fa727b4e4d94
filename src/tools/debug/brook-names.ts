/**
 * Names in kernels of Brook+ as their programmers wrote them. The OpenCL C that such kernels become (src/brook/emit/names.ts) has them
 * with a prefix, locals with a number besides; what it has more, such as where in a stream a thread is, nobody has written.
 */
import type * as ir from '../../ir/ir.ts';
import { walkFunction } from '../../ir/walk.ts';

const isBrook = (kernel: string): boolean => kernel.startsWith('brook_');

/** What a kernel of a module is called: of one of Brook+, whose entry has another name, that of the function that it is for. */
export function plainKernelName(module: ir.Module, kernel: string): string {
  if (!isBrook(kernel)) return kernel;
  const named = /^brook_kernel_(\w+)$/.exec(kernel)?.[1];
  if (named !== undefined) return named;
  // The entries of a reduction are called alike in all of them; its function is the one that no other calls.
  const functions = module.functions.filter(({ name }) => name.startsWith('f_'));
  const called = new Set<ir.Function>();
  for (const fn of functions) {
    walkFunction(fn, (instruction) => {
      if (instruction.op === 'call') called.add(instruction.callee);
    });
  }
  const own = functions.find((fn) => !called.has(fn));
  return own?.name.slice(2) ?? kernel;
}

export function plainFunctionName(name: string, kernel: string): string {
  return isBrook(kernel) && name.startsWith('f_') ? name.slice(2) : name;
}

/** What a function may be called in the module. */
export function functionNames(name: string, kernel: string): readonly string[] {
  return isBrook(kernel) ? [`f_${name}`, name] : [name];
}

/**
 * What a variable is called; undefined for one that nobody has written.
 * @param others the names beside it
 */
export function plainVariableName(
  name: string,
  kernel: string,
  others: ReadonlySet<string>,
): string | undefined {
  if (!isBrook(kernel)) return name;
  const [, local, shared, parameter] = /^(?:v_(\w+)_\d+|l_(\w+)|p_(\w+))$/.exec(name) ?? [];
  if (parameter === undefined) return local ?? shared;
  const [, base, made] = /^(\w+)_(at|shape|data)$/.exec(parameter) ?? [];
  if (base === undefined || !others.has(`p_${base}${made === 'data' ? '_shape' : ''}`)) {
    // The entry has the streams' memory instead of their elements.
    return base !== undefined && others.has(`p_${base}_data`) ? undefined : parameter;
  }
  return made === 'data' ? base : undefined;
}

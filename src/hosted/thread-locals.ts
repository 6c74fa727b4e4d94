/**
 * Variables of which each thread has its own (C11, 6.7.1 3), in programs that start threads; in others they are variables as any. They
 * lie together, at the same places for all threads: those of the first thread where the module puts them, those of others behind the
 * thread's object (libc/pthread.c), which begin as a copy of an image that nobody writes to. Where they are is in a global of
 * WebAssembly, which each thread has for itself, as each has an instance of the module.
 */
import { Builder } from '../ir/builder.ts';
import type * as ir from '../ir/ir.ts';
import { pointerType } from '../ir/types.ts';
import { walkRegionsInsideOut } from '../ir/walk.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { replaceAll } from '../source/lists.ts';
import { noSpan } from '../source/span.ts';

/** A thread's stack is in the same MiB. */
const mostBytes = 1 << 19;
const leastAlign = 16;

/** The library's record of the image: its address, its bytes, their alignment. */
const imageName = '__thread_image';

/** Addresses of such variables become places in what the running thread has. Gives what the first thread has, if there are any. */
export function placeThreadLocals(
  module: ir.Module,
  diagnostics: Diagnostics,
): ir.GlobalVariable | undefined {
  const variables = module.globals.filter((global) => global.isThreadLocal && !global.isDeclared);
  if (variables.length === 0) return undefined;
  const places = new Map<ir.GlobalVariable, number>();
  let end = 0;
  for (const variable of variables) {
    const at = Math.ceil(end / variable.align) * variable.align;
    places.set(variable, at);
    end = at + variable.size;
  }
  if (end > mostBytes) {
    diagnostics.error(
      variables.find(({ span }) => span)?.span ?? noSpan,
      `the variables of each thread take ${end} bytes, of which there can be ${mostBytes}`,
    );
    return undefined;
  }
  const align = Math.max(leastAlign, ...variables.map((variable) => variable.align));
  const [storage, image] = ['__thread_storage', '__thread_image_bytes'].map((name) =>
    together(name, variables, places, { size: end, align }),
  );
  for (const fn of module.functions) replaceAddresses(fn, places, baseFunction(module));
  const gone = new Set(variables);
  const left = module.globals.filter((global) => !gone.has(global));
  replaceAll(module.globals, [...left, storage!, image!]);
  recordImage(module, image!);
  return storage;
}

/** The variables as one. */
function together(
  name: string,
  variables: readonly ir.GlobalVariable[],
  places: ReadonlyMap<ir.GlobalVariable, number>,
  { size, align }: { readonly size: number; readonly align: number },
): ir.GlobalVariable {
  const bytes = new Uint8Array(size);
  const moved = <T extends { readonly offset: number }>(
    list: (variable: ir.GlobalVariable) => readonly T[],
  ): T[] =>
    variables.flatMap((variable) =>
      list(variable).map((one) => ({ ...one, offset: one.offset + places.get(variable)! })),
    );
  for (const variable of variables) bytes.set(variable.bytes, places.get(variable)!);
  return {
    name,
    linkage: 'internal',
    space: 'private',
    size,
    align,
    bytes,
    relocations: moved(({ relocations }) => relocations),
    functions: moved(({ functions = [] }) => functions),
  };
}

/** What gives the place of the running thread's: an instruction (codegen/wasm/module/host-instructions.ts). */
function baseFunction(module: ir.Module): ir.Function {
  const imported = { module: 'wasm', name: 'thread.base' };
  const known = module.functions.find(
    (fn) => fn.imported?.module === imported.module && fn.imported.name === imported.name,
  );
  if (known) return known;
  const made: ir.Function = {
    name: '__thread_base',
    kind: 'function',
    parameters: [],
    result: pointerType('private'),
    body: undefined,
    form: 'work-item',
    imported,
  };
  module.functions.push(made);
  return made;
}

function replaceAddresses(
  fn: ir.Function,
  places: ReadonlyMap<ir.GlobalVariable, number>,
  base: ir.Function,
): void {
  if (!fn.body) return;
  walkRegionsInsideOut(fn.body, (region) => {
    const { instructions } = region;
    if (!instructions.some((one) => one.op === 'global_address' && places.has(one.global))) return;
    region.instructions = [];
    const builder = new Builder(region, 32);
    for (const instruction of instructions) {
      const place = instruction.op === 'global_address' ? places.get(instruction.global) : undefined;
      if (place === undefined) {
        region.instructions.push(instruction);
        continue;
      }
      builder.span = instruction.span;
      const start = builder.call(base, [])!;
      const bytes = builder.integer(builder.addressType, place);
      builder.append({ op: 'offset', operands: [start, bytes], results: instruction.results, regions: [] });
    }
  });
}

/** Tells the library what a thread's begin as. */
function recordImage(module: ir.Module, image: ir.GlobalVariable): void {
  const record = module.globals.find(({ name }) => name === imageName);
  if (!record) throw new Error('the C library starts no threads');
  const bytes = new Uint8Array(record.size);
  const view = new DataView(bytes.buffer);
  view.setInt32(4, image.size, true);
  view.setInt32(8, image.align, true);
  Object.assign(record, { bytes, relocations: [{ offset: 0, target: image, addend: 0 }] });
}

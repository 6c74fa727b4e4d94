/**
 * The kernels of a text in any of the languages, as the back end for the R600 family takes them: IR after the scalar passes, and
 * what the parameters are to the chip, which Brook+ and IL know.
 */

import type { CheckedKernel, Formal } from '../../brook/check/tree.ts';
import { type CompiledBrook, compileBrook } from '../../brook/compile.ts';
import { emitMap, entryName } from '../../brook/emit/map.ts';
import { compileIl } from '../../build/compile-il.ts';
import { compileSource } from '../../build/compile-source.ts';
import { ilOptions, rolesByIndex } from '../../build/il-options.ts';
import type { FileSystem } from '../../c/preprocessor.ts';
import type { CompileOptions as R600Options } from '../../codegen/r600/compile.ts';
import { keepHardwareCalls } from '../../codegen/r600/library-calls.ts';
import type { ParameterRole } from '../../codegen/r600/roles.ts';
import type * as ir from '../../ir/ir.ts';
import { compileOpenCL } from '../../opencl/compile.ts';
import { optimise } from '../../passes/pipeline.ts';
import { r600 } from '../../target/r600.ts';

export type Language = 'OpenCL C' | 'Brook+' | 'IL';

/** A kernel that can be compiled for a chip. */
export interface Subject {
  readonly name: string;
  readonly fn: ir.Function;
  readonly options: R600Options;
}

export interface Subjects {
  readonly kernels: readonly Subject[];
  /** Kernels that are no programs of the chip, and why. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  /** What the compiler says. */
  readonly log: string;
  readonly hasErrors: boolean;
}

export interface SubjectOptions {
  readonly name: string;
  readonly buildOptions?: string | undefined;
  readonly files?: FileSystem | undefined;
}

/** Which language a file is in, by the end of its name. */
export function languageOf(name: string): Language {
  if (name.endsWith('.br')) return 'Brook+';
  return name.endsWith('.il') ? 'IL' : 'OpenCL C';
}

/** Compiles a text. Nothing that a user writes makes this throw but an OptimiseError. */
export function subjectsOf(text: string, language: Language, options: SubjectOptions): Subjects {
  switch (language) {
    case 'OpenCL C':
      return openCLSubjects(text, options);
    case 'Brook+':
      return brookSubjects(text, options);
    case 'IL':
      return ilSubjects(text, options);
  }
}

/** The kernels of a module, simplified as far as the back end wants. The module is changed. */
function prepared(module: ir.Module): readonly ir.Function[] {
  keepHardwareCalls(module);
  optimise(module, { target: r600 });
  return module.functions.filter(({ kind }) => kind === 'kernel');
}

function openCLSubjects(text: string, options: SubjectOptions): Subjects {
  const { module, log } = compileSource(text, options);
  if (!module) return { kernels: [], left: [], log, hasErrors: true };
  const kernels = prepared(module).map((fn) => ({ name: fn.name, fn, options: {} }));
  return { kernels, left: [], log, hasErrors: false };
}

function brookSubjects(text: string, { name, files }: SubjectOptions): Subjects {
  const compiled: CompiledBrook = compileBrook(name, text, { files, kernelsOnly: true });
  if (compiled.hasErrors) return { kernels: [], left: [], log: compiled.log, hasErrors: true };
  const kernels: Subject[] = [];
  const left: { name: string; reason: string }[] = [];
  for (const kernel of compiled.kernels) {
    if (kernel.formals.some(({ role }) => role === 'reduce'))
      left.push({ name: kernel.name, reason: 'a reduction becomes several launches' });
    else if (kernel.result.kind !== 'void')
      left.push({ name: kernel.name, reason: 'it is called by other kernels only' });
    else kernels.push(brookSubject(kernel));
  }
  return { kernels, left, log: compiled.log, hasErrors: false };
}

function brookSubject(kernel: CheckedKernel): Subject {
  const source = emitMap(kernel, {
    rank: 2,
    isResized: false,
    isLinear: false,
    isAtOrigin: true,
    isInside: false,
    hasLines: true,
  });
  const { module, log } = compileOpenCL(source, { name: '<brook>' });
  if (!module) throw new Error(`what '${kernel.name}' became does not compile:\n${log}`);
  const fn = prepared(module).find((one) => one.name === entryName(kernel))!;
  return {
    name: kernel.name,
    fn,
    options: {
      roles: brookRoles(kernel.formals),
      kind: kernel.groupSize === undefined ? 'pixel' : 'compute',
    },
  };
}

/** The roles of an entry's parameters: of each formal one or two, then size, origin and whole. */
function brookRoles(formals: readonly Formal[]): ReadonlyMap<number, ParameterRole> {
  const roles: (ParameterRole | undefined)[] = [];
  let textures = 0;
  let outputs = 0;
  for (const { role, type, rank } of formals) {
    if (role === 'value') {
      roles.push(undefined);
      continue;
    }
    const words = type.kind === 'value' ? type.width * (type.scalar === 'double' ? 2 : 1) : 0;
    const isRead = role === 'stream' || role === 'gather';
    if (role === 'out') {
      roles.push({ kind: 'output', output: outputs }, { kind: 'shape' });
      outputs += 1;
    } else if (isRead && rank <= 2 && isElement(type) && (words === 1 || words === 2 || words === 4)) {
      roles.push({ kind: 'texture', resource: textures, components: words }, { kind: 'shape' });
      textures += 1;
    } else roles.push(undefined, undefined);
  }
  roles.push({ kind: 'bound' }, { kind: 'origin' }, { kind: 'shape' });
  return rolesByIndex(roles);
}

/** Whether elements are words, as textures have them here. */
function isElement(type: Formal['type']): boolean {
  return type.kind === 'value' && /^(?:int|uint|float|double)$/.test(type.scalar);
}

function ilSubjects(text: string, { name }: SubjectOptions): Subjects {
  const { program, log } = compileIl(text, { name });
  if (!program) return { kernels: [], left: [], log, hasErrors: true };
  const [fn] = prepared(program.module);
  return {
    kernels: [{ name: 'main', fn: fn!, options: ilOptions(program) }],
    left: [],
    log,
    hasErrors: false,
  };
}

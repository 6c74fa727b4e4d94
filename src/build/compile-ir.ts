/**
 * From the text form of the IR (docs/ir.md) to a module that devices can build. Texts come from people: they are read, checked by the
 * IR's verifier and by the rules of binaries, and what is wrong is told with its place.
 */
import { BinaryError } from '../ir/binary/bytes.ts';
import { kernelProblem } from '../ir/binary/kernel-rules.ts';
import { readModule } from '../ir/binary/read.ts';
import { storedOpcodes } from '../ir/binary/schema.ts';
import { writeModule } from '../ir/binary/write.ts';
import { imageFunctionsOf } from '../ir/images.ts';
import type * as ir from '../ir/ir.ts';
import { IrSyntaxError, parseModule } from '../ir/parse.ts';
import { elementOf, sizeOf, type Type, typeName } from '../ir/types.ts';
import { moduleProblems } from '../ir/verify.ts';
import { walkFunction } from '../ir/walk.ts';
import { wholenessProblem } from '../ir/whole-program.ts';
import { libraryPrefix } from '../library/index.ts';
import { parseBuildOptions } from '../opencl/build-options.ts';
import type { CompileOptions, CompileResult } from '../opencl/compile-module.ts';
import { finishProgram } from '../opencl/link.ts';
import { Diagnostics } from '../source/diagnostics.ts';
import { renderDiagnostics } from '../source/render.ts';
import { SourceFile } from '../source/source-file.ts';
import { noSpan, type Span } from '../source/span.ts';

/** Reads and checks a module, and supplies the library. Nothing that a user writes makes this throw. */
export function compileIr(
  text: string,
  { name = '<ir>', buildOptions = '', addressBits, isUnit = false }: CompileOptions = {},
): CompileResult {
  const { options, errors } = parseBuildOptions(buildOptions);
  const diagnostics = new Diagnostics();
  for (const message of errors) diagnostics.error(noSpan, message);
  const module = errors.length > 0 ? undefined : read(text, name, addressBits, diagnostics);
  const program = module && !isUnit ? whole(module, diagnostics) : module;
  return {
    module: diagnostics.errorCount > 0 ? undefined : program,
    diagnostics,
    log: renderDiagnostics(diagnostics.list),
    options,
    hasInvalidOptions: errors.length > 0,
    // Reading IR is linear in its text; what the passes spend is counted where a kernel is compiled.
    work: 0,
  };
}

function read(
  text: string,
  name: string,
  addressBits: 32 | 64 | undefined,
  diagnostics: Diagnostics,
): ir.Module | undefined {
  const module = parsed(text, name, diagnostics);
  if (!module) return undefined;
  const start = text.indexOf('module');
  const head: Span = { file: new SourceFile(name, text), start, end: start + 'module'.length };
  if (addressBits !== undefined && module.addressBits !== addressBits) {
    const message = `the module is for addresses of ${module.addressBits} bits, and here they have ${addressBits}`;
    diagnostics.error(head, message);
    return undefined;
  }
  if (module.isHosted) {
    diagnostics.error(head, 'the module is a program for the host, which has no kernels');
    return undefined;
  }
  for (const fn of module.functions) checkForm(fn, diagnostics);
  if (diagnostics.errorCount > 0) return undefined;
  for (const { message, span } of moduleProblems(module, 100)) diagnostics.error(span ?? head, message);
  for (const fn of module.functions) if (fn.kind === 'kernel') checkKernel(fn, diagnostics);
  if (diagnostics.errorCount > 0) return undefined;
  try {
    // what binaries may hold is what devices are prepared for
    readModule(writeModule(module, { places: 'symbols' }));
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error;
    diagnostics.error(head, error.message);
    return undefined;
  }
  return module;
}

function parsed(text: string, name: string, diagnostics: Diagnostics): ir.Module | undefined {
  try {
    return parseModule(text, name);
  } catch (error) {
    if (!(error instanceof IrSyntaxError)) throw error;
    diagnostics.error(error.diagnostic.span, error.diagnostic.message);
    return undefined;
  }
}

/** A program, with what the library has for it. */
function whole(module: ir.Module, diagnostics: Diagnostics): ir.Module {
  if (lacksAny(module)) return finished(module, diagnostics);
  const problem = wholenessProblem(module);
  if (problem !== undefined) diagnostics.error(noSpan, problem);
  return module;
}

/** Whether something is still to be supplied: what was printed after the library was linked is whole. */
function lacksAny({ functions, globals }: ir.Module): boolean {
  const bodies = new Set(functions.filter(({ body }) => body).map(({ name }) => name));
  return (
    functions.some(({ name }) => !bodies.has(name)) ||
    globals.some(({ isDeclared }) => isDeclared) ||
    [...imageFunctionsOf({ functions })].some((name) => !bodies.has(name))
  );
}

/** Functions of the library that the text brings along stay its own, next to those that it is given. */
function finished(module: ir.Module, diagnostics: Diagnostics): ir.Module {
  const taken = new Set(module.functions.map(({ name }) => name));
  for (const fn of module.functions as { name: string; body: unknown }[]) {
    if (!fn.body || !fn.name.startsWith(libraryPrefix)) continue;
    let name = `text${fn.name}`;
    while (taken.has(name)) name = `_${name}`;
    taken.add(name);
    fn.name = name;
  }
  return finishProgram(module, diagnostics);
}

/** What passes leave, and no front end delivers. */
function checkForm(fn: ir.Function, diagnostics: Diagnostics): void {
  const span = fn.span ?? noSpan;
  if (fn.form === 'work-group' || fn.attributes?.interchange) {
    diagnostics.error(
      span,
      `kernel '${fn.name}' is in the form that passes leave; what can be built is that before them (--after lower)`,
    );
    return;
  }
  const stored = new Set<string>(storedOpcodes);
  walkFunction(fn, (instruction) => {
    if (stored.has(instruction.op)) return;
    diagnostics.error(
      instruction.span ?? span,
      `'${instruction.op.replaceAll('_', ' ')}' appears only in what passes leave`,
    );
  });
}

/** Kernels that somebody wrote say nothing of their parameters beyond the types. */
function checkKernel(fn: ir.Function, diagnostics: Diagnostics): void {
  const parameters = fn.parameters as ir.Parameter[];
  for (const [index, parameter] of parameters.entries()) {
    if (!parameter.info && !parameter.aggregate)
      parameters[index] = { ...parameter, info: infoOf(parameter, index) };
  }
  const problem = kernelProblem(fn);
  if (problem !== undefined) diagnostics.error(fn.span ?? noSpan, `kernel '${fn.name}': ${problem}`);
}

function infoOf({ value, isConst, isRestrict, isVolatile }: ir.Parameter, index: number): ir.ParameterInfo {
  const { type } = value;
  const name = value.name ?? `a${index}`;
  const typeQualifiers: ir.ParameterInfo['typeQualifiers'][number][] = [];
  if (isConst) typeQualifiers.push('const');
  if (isRestrict) typeQualifiers.push('restrict');
  if (isVolatile) typeQualifiers.push('volatile');
  if (type.kind === 'pointer') return { name, typeName: 'void*', typeQualifiers };
  const layout = layoutOf(type);
  return { name, typeName: cNameOf(type), typeQualifiers, ...(layout ? { layout } : {}) };
}

function layoutOf(type: Type): ir.HostLayout | undefined {
  const element = elementOf(type);
  if (element.kind !== 'int' && element.kind !== 'float') return undefined;
  const size = sizeOf(element) as 1 | 2 | 4 | 8;
  const scalar: ir.HostLayout =
    element.kind === 'int'
      ? { kind: 'integer', size, signed: true }
      : { kind: 'float', size: size as 2 | 4 | 8 };
  if (type.kind !== 'vector') return scalar;
  const { lanes } = type;
  return { kind: 'vector', element: scalar, lanes, size: size * (lanes === 3 ? 4 : lanes) };
}

/** As OpenCL C calls a type. */
function cNameOf(type: Type): string {
  const element = elementOf(type);
  const names: Readonly<Record<string, string>> = {
    i8: 'char',
    i16: 'short',
    i32: 'int',
    i64: 'long',
    f16: 'half',
    f32: 'float',
    f64: 'double',
  };
  const name = names[typeName(element)] ?? typeName(element);
  return type.kind === 'vector' ? `${name}${type.lanes}` : name;
}

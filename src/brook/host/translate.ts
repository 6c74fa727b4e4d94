/**
 * From a .br file to C for the host, token by token, as brcc makes C++ of it. The tokens keep their places, so that what the C
 * compiler says of them points into the .br file. What is no C there becomes calls of the functions that <brook.h> declares:
 *
 *     float a<10, 20>;            a handle, made by __brook_create
 *     sum(a, b, c);               a call of the function that stands for the kernel (wrappers.ts)
 *     a.domain(2, 4)              __brook_domain
 *     float2(1, 2)                a compound literal
 *
 * A function that declares streams says when it begins and ends, so that they end with it.
 */
import type { Token } from '../../c/token.ts';
import { append } from '../../source/lists.ts';
import type { CompiledBrook } from '../compile.ts';
import type { BrookProgram } from '../program.ts';
import type { Kernel } from '../syntax/ast.ts';
import { Reader } from '../syntax/reader.ts';
import { FunctionTranslator, type HostContext } from './function.ts';
import { functionOf } from './parameters.ts';
import { tokensOf } from './tokens.ts';
import { wrappersOf } from './wrappers.ts';

/** Declarations that older programs make of functions they have from headers, with types that no header has. */
const needless = /^extern void (?:printf|streamRead|streamWrite|streamPrint) \( \) ;$/;

export interface TranslatedHost {
  readonly tokens: readonly Token[];
  /** See {@link HostContext.reductions}. */
  readonly reductions: readonly Token[];
}

/**
 * The C of a file's host part, ending with its `end`; kernels and element types go to the program. What cannot be
 * translated is reported to the file's own report.
 */
export function translateHost(compiled: CompiledBrook, program: BrookProgram): TranslatedHost {
  const { unit, kernels, report } = compiled;
  const named = new Map<string, Kernel>();
  for (const part of unit.parts) {
    if (part.kind === 'kernel' && (part.kernel.body || !named.has(part.kernel.name)))
      named.set(part.kernel.name, part.kernel);
  }
  const numbers = new Map(kernels.map((kernel) => [kernel.name, program.addKernel(kernel)]));
  const context: HostContext = {
    kernels: named,
    numbers,
    program,
    report,
    types: unit.types,
    hostFunctions: unit.hostFunctions,
    takingStreams: new Map(),
    globals: new Map(),
    reductions: [],
    sites: 0,
  };
  const out: Token[] = [];
  for (const part of unit.parts) {
    if (part.kind === 'kernel') {
      const { kernel, at } = part;
      const isLaunched = kernels.find(({ name }) => name === kernel.name)?.form !== 'function';
      const number = kernel.body ? numbers.get(kernel.name) : undefined;
      if (isLaunched) out.push(...tokensOf(wrappersOf(kernel, number), at));
      continue;
    }
    const text = part.tokens.map((token) => token.text).join(' ');
    if (needless.test(text)) continue;
    const taking = functionOf(part.tokens, unit.types);
    if (taking) context.takingStreams.set(taking.name, taking);
    const reader = new Reader([...part.tokens, unit.end], unit.types);
    append(out, new FunctionTranslator(context, reader).translate());
  }
  out.push(unit.end);
  return { tokens: out, reductions: context.reductions };
}

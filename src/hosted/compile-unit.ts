/** One source file in C of a program for the host, as IR: with all that other files may mean by its names. */
import type { ReportOptions } from '../brook/check/report.ts';
import type { BrookProgram } from '../brook/program.ts';
import type { FunctionDeclaration, TranslationUnit } from '../c/ast.ts';
import { hasAttribute } from '../c/check/attributes.ts';
import type { FeatureQueries } from '../c/feature-queries.ts';
import { ModuleLowering } from '../c/lower/module-lowering.ts';
import { parseTranslationUnit } from '../c/parse.ts';
import { type FileSystem, type PreprocessOptions, Preprocessor } from '../c/preprocessor.ts';
import type * as ir from '../ir/ir.ts';
import type { Diagnostics } from '../source/diagnostics.ts';
import { SourceFile } from '../source/source-file.ts';
import { absentHeaders } from './absent-headers.ts';
import { isBrookSource, readBrook } from './brook.ts';
import { hostedC, hostedLowering, isKnownAttribute, isKnownBuiltin } from './dialect.ts';
import { headers } from './embedded.ts';
import { predefinedMacros } from './macros.ts';

/** A source file: its name for messages and `__FILE__`, and as what quoted includes are relative to. */
export interface HostSource {
  readonly name: string;
  readonly text: string;
}

export interface UnitOptions {
  /** Where #include finds files that are none of the library. */
  readonly files?: FileSystem | undefined;
  readonly includePaths?: readonly string[] | undefined;
  /** As behind -D: `NAME` or `NAME=VALUE`. */
  readonly definitions?: readonly string[] | undefined;
  readonly undefinitions?: readonly string[] | undefined;
  /** How kernels in .br files are checked; default as brcc does it without options. */
  readonly brook?: Partial<ReportOptions> | undefined;
}

/** The module is of use only if no error was reported. Kernels of a .br file go to `brook`. */
export function compileUnit(
  source: HostSource,
  options: UnitOptions,
  diagnostics: Diagnostics,
  brook?: BrookProgram,
): ir.Module {
  const { files, includePaths = [], definitions = [], undefinitions = [] } = options;
  const preprocessing: PreprocessOptions = {
    definitions,
    undefinitions,
    includePaths,
    headers: headerTexts,
    absentHeaders,
    predefined: predefinedMacros,
    queries,
    localFirst: true,
    ...(files ? { files } : {}),
  };
  const errorsBefore = diagnostics.errorCount;
  const file = new SourceFile(source.name, source.text);
  const part =
    brook && isBrookSource(source)
      ? readBrook(file, preprocessing, options.brook, diagnostics, brook)
      : { tokens: new Preprocessor(file, preprocessing, diagnostics), diagnostics };
  const unit = parseTranslationUnit(part.tokens, hostedC(predefinedMacros), part.diagnostics);
  const lowering = new ModuleLowering(hostedLowering, part.diagnostics, {
    addressBits: 32,
    isUnit: true,
    isHosted: true,
    functionNamed: (name) =>
      unit.declarations.find(
        (declaration): declaration is FunctionDeclaration =>
          declaration.kind === 'function' && declaration.name === name,
      ),
    contract: false,
  });
  if (diagnostics.errorCount === errorsBefore) lowerUnit(unit, lowering);
  return lowering.module;
}

function lowerUnit(unit: TranslationUnit, lowering: ModuleLowering): void {
  for (const declaration of unit.declarations) {
    if (declaration.kind === 'function' && declaration.body) {
      const { isInline, storage } = declaration;
      const isRun =
        hasAttribute(declaration.attributes, 'constructor') ||
        hasAttribute(declaration.attributes, 'destructor');
      if (isRun || storage === 'extern' || (storage !== 'static' && !isInline))
        lowering.lowerHelper(declaration);
    } else if (declaration.kind === 'function' && hasAttribute(declaration.attributes, 'alias')) {
      lowering.lowerHelper(declaration);
    } else if (declaration.kind === 'variable' && declaration.scope === 'program') {
      const { storage, initializer } = declaration;
      if (storage !== 'static' && (storage !== 'extern' || initializer)) lowering.globalFor(declaration);
    }
  }
  lowering.lowerReached();
}

/** What a program may ask with `#if __has_attribute(...)` and `#if __has_builtin(...)`. */
const queries: FeatureQueries = { attribute: isKnownAttribute, builtin: isKnownBuiltin };

const headerTexts: ReadonlyMap<string, string> = new Map(Object.entries(headers));

/**
 * The door between the C core and a dialect of C. The core parses and checks plain C, plus what a dialect turns on
 * here: its words, its types, where things live, what is forbidden, and the functions it supplies. Whatever is a rule of
 * one dialect alone stands behind {@link DialectRules}; the core calls it at the right moment and knows no more.
 */
import type { Diagnostics } from '../source/diagnostics.ts';
import type { Span } from '../source/span.ts';
import type {
  Attribute,
  Builtin,
  BuiltinCall,
  Expression,
  FunctionDeclaration,
  StorageClass,
  TranslationUnit,
  VariableDeclaration,
} from './ast.ts';
import type { TypeSpelling } from './type-printer.ts';
import type { AddressSpace, ArithmeticType, CType, FunctionType, QualifiedType } from './types.ts';

export type StatementWord =
  | 'if'
  | 'else'
  | 'while'
  | 'do'
  | 'for'
  | 'switch'
  | 'case'
  | 'default'
  | 'break'
  | 'continue'
  | 'return'
  | 'goto';

export type SpecifierWord =
  | 'void'
  | 'char'
  | 'short'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'half'
  | 'signed'
  | 'unsigned'
  | 'bool';

export type QualifierWord = 'const' | 'volatile' | 'restrict' | 'atomic';

/** What a word of the dialect means to the parser. */
export type Keyword =
  | { readonly kind: 'statement'; readonly word: StatementWord }
  | { readonly kind: 'storage'; readonly storage: Exclude<StorageClass, 'none'> }
  | { readonly kind: 'qualifier'; readonly qualifier: QualifierWord }
  | { readonly kind: 'space'; readonly space: AddressSpace }
  | { readonly kind: 'specifier'; readonly word: SpecifierWord }
  | { readonly kind: 'tag'; readonly tag: 'struct' | 'union' | 'enum' }
  | { readonly kind: 'function'; readonly word: 'inline' | 'kernel' }
  | { readonly kind: 'access'; readonly access: AccessQualifier }
  /** `pipe`, before the type of its packets */
  | { readonly kind: 'pipe' }
  | { readonly kind: 'attribute' }
  /** A word that changes nothing: `__extension__`, before expressions too, and `_Noreturn`. */
  | { readonly kind: 'mark'; readonly isForExpressions: boolean }
  /** `_Thread_local` */
  | { readonly kind: 'thread-local' }
  | { readonly kind: 'static-assert' }
  | { readonly kind: 'typeof' }
  | { readonly kind: 'assembly' }
  /** `_Alignas(16)`, `_Alignas(type)` */
  | { readonly kind: 'alignas' }
  /** `__auto_type`: the type of the initializer */
  | { readonly kind: 'auto-type' }
  /** `__label__`: labels of one block */
  | { readonly kind: 'local-label' }
  /** `_Generic` */
  | { readonly kind: 'generic' }
  | { readonly kind: 'operator'; readonly word: 'sizeof' | 'alignof' | 'vec_step' }
  /** A word the dialect keeps for itself; `message` says so when it is used. */
  | { readonly kind: 'reserved'; readonly message: string };

export type AccessQualifier = 'read_only' | 'write_only' | 'read_write';

/** Parts of C that a dialect may leave out, each diagnosed where it is used. */
export interface Features {
  readonly functionPointers: boolean;
  readonly bitFields: boolean;
  /** `f(...)`: functions of the program with a variable number of arguments */
  readonly variadicFunctions: boolean;
  /** `f()` says nothing of parameters; otherwise it is `f(void)` */
  readonly unprototyped: boolean;
  /** `register` and `auto` */
  readonly registerStorage: boolean;
  /** `float` arguments of variadic functions become `double` (C99, 6.5.2.2 7) */
  readonly promotesFloatArguments: boolean;
  /** `long double`, which is double here */
  readonly longDouble: boolean;
  /** `main` returns 0 when it reaches its end (C99, 5.1.2.2.3) */
  readonly hostedMain: boolean;
  /** shift counts are taken modulo the width, so large ones are no mistake */
  readonly shiftsWrap: boolean;
  /** local arrays may have a length that is known only at run time, in their outermost dimension */
  readonly variableLengthArrays?: boolean;
  /** what GNU C and C11 add that kernels have not: see parser/gnu-words.ts and parser/gnu-builtins.ts */
  readonly gnu?: boolean;
  /** `_Atomic`, whose objects are read and written like any other (C11, 6.2.5 27) */
  readonly atomicObjects?: boolean;
  /** blocks: `^` in declarators, and `^{ ... }` */
  readonly blocks?: boolean;
  /** the condition of `? :` may be a floating-point number */
  readonly floatingConditions: boolean;
}

/** Where a declaration stands when it names no address space itself. */
export type SpacePlace = 'program' | 'static' | 'local' | 'parameter' | 'pointee' | 'literal';

export type BuiltinResolution =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'found';
      readonly builtin: Builtin;
      /** Fewer than the arguments where the rest is variable. */
      readonly parameters: readonly QualifiedType[];
      readonly result: QualifiedType;
    }
  | { readonly kind: 'no-match' | 'ambiguous'; readonly candidates: readonly string[] };

/** The functions a dialect supplies. */
export interface BuiltinTable {
  /** Chooses the overload of `name` for arguments of these (value) types. */
  resolveBuiltin(name: string, argumentTypes: readonly QualifiedType[]): BuiltinResolution;
  isBuiltinName(name: string): boolean;
  /** All names, for spelling suggestions. */
  builtinNames(): Iterable<string>;
  /** The type of a function of the library that `__builtin_name` means. */
  libraryFunction?(name: string): FunctionType | undefined;
}

/** A variable as its declaration stands, before and after its initializer is known. */
export interface VariableFacts {
  readonly variable: VariableDeclaration;
  /** The space the source names, if it names one. */
  readonly writtenSpace: AddressSpace | undefined;
  readonly inKernel: boolean;
  /** It stands in the outermost block of a function. */
  readonly inOutermostBlock: boolean;
  readonly hasInitializer: boolean;
}

export interface ParameterFacts {
  readonly name: string;
  readonly type: QualifiedType;
  readonly writtenSpace: AddressSpace | undefined;
  readonly access: AccessQualifier | undefined;
  readonly span: Span;
}

/** What an attribute stands on. */
export type AttributeTarget = 'function' | 'variable' | 'field' | 'type' | 'statement' | 'typedef';

/** Why a value is converted to the type of an object, which decides the words of a complaint. */
export type Purpose = 'assigning' | 'initializing' | 'passing' | 'returning';

/** Reports of the rules of one dialect. Each says whether all is well; where it is not, it has reported. */
export interface DialectRules {
  variable(facts: VariableFacts, report: Reporter): boolean;
  parameter(facts: ParameterFacts, report: Reporter): boolean;
  /** Called when a function's declarator, attributes and specifiers are all known. */
  function(declaration: FunctionDeclaration, report: Reporter): void;
  field(type: QualifiedType, span: Span, report: Reporter): boolean;
  pointer(pointee: QualifiedType, span: Span, report: Reporter): boolean;
  /** A value of this type is read from memory, written to memory, or otherwise computed with. */
  storageOnly(
    type: CType,
    use: 'load' | 'store' | 'declare' | 'parameter',
    span: Span,
    report: Reporter,
  ): boolean;
  /** The type with an access qualifier; undefined where it can have none, which has been reported. */
  access(
    type: QualifiedType,
    access: AccessQualifier,
    span: Span,
    report: Reporter,
  ): QualifiedType | undefined;
  /** The type of pipes with packets of a type; undefined where there are none such, which has been reported. */
  pipe(packet: QualifiedType, span: Span, report: Reporter): QualifiedType | undefined;
  /**
   * A value goes into an object of an opaque type, or (`choosing`) is one of two that a condition chooses from; it is
   * of that type, or of one that converts to it.
   */
  opaqueValue(value: Expression, target: QualifiedType, use: Purpose | 'choosing', report: Reporter): boolean;
  /** False for a type this version or these extensions do not have; `name` as written. */
  typeName(type: QualifiedType, name: string, span: Span, report: Reporter): boolean;
  /** Checks one attribute; false where it is unknown (the core then warns). */
  attribute(attribute: Attribute, target: AttributeTarget, report: Reporter): boolean;
  /** A call of a function that the dialect supplies, its arguments converted. */
  builtinCall(call: BuiltinCall, report: Reporter): boolean;
  /** A pragma anywhere in the source; false where it is none of the dialect's. */
  pragma(words: readonly string[], span: Span, report: Reporter): boolean;
  /** The whole program, with who calls whom. */
  unit(unit: TranslationUnit, calls: readonly CallSite[], report: Reporter): void;
}

/** The first call of a function of the program in another. */
export interface CallSite {
  readonly caller: FunctionDeclaration;
  readonly callee: FunctionDeclaration;
  readonly span: Span;
}

/** What rules need to report: the sink, and types in words. */
export interface Reporter {
  readonly diagnostics: Diagnostics;
  show(type: QualifiedType): string;
}

/** A word of another language, and what to write for it in this one. */
export interface ForeignWord {
  readonly language: string;
  /** the end of a message: `did you mean 'kernel'?` */
  readonly advice: string;
  /** a word of this dialect that is read in its place in a declaration; none if the declaration goes without it */
  readonly as?: string;
  /** it begins something that this dialect has nothing like */
  readonly beginsOther?: true;
}

/** A dialect of C. */
export interface Dialect extends TypeSpelling {
  /** `OpenCL C version 1.2`, `C99` */
  readonly name: string;
  /** `OpenCL`, `C99`: what diagnostics call the language */
  readonly language: string;
  readonly keywords: ReadonlyMap<string, Keyword>;
  /** Type names that are no keywords: a program may declare them anew. */
  readonly typeNames: ReadonlyMap<string, QualifiedType>;
  /** By name or `F(x)`, as the preprocessor takes them. */
  readonly predefinedMacros: Readonly<Record<string, string>>;
  readonly features: Features;
  readonly addressBytes: 4 | 8;
  /** What `sizeof` gives. */
  readonly sizeType: ArithmeticType;
  readonly differenceType: ArithmeticType;
  /** What `long` and `long long` are. */
  readonly longType: ArithmeticType;
  readonly longLongType: ArithmeticType | undefined;
  /** The type of `1.0`; with a warning where the dialect has no double. */
  readonly doubleLiteral: { readonly type: ArithmeticType; readonly warning: string | undefined };
  readonly builtins: BuiltinTable;
  /** A remark on a name, on `^` (blocks) or on `generic` (pointers) that this dialect has not, but a later version of it. */
  remarkOnLater?(word: string): string | undefined;
  /** What a name that means nothing here means in another language. */
  foreignWord?(word: string): ForeignWord | undefined;
  readonly rules: DialectRules;
  /** The type `as_T(x)` gives the bytes of x, or undefined where the name is no reinterpretation. */
  reinterpretTarget(name: string): QualifiedType | undefined;
  /** The space of something declared without one. */
  defaultSpace(place: SpacePlace, type: CType): AddressSpace;
  /** A pointer to `from` becomes one to `to` without a cast. */
  spaceConverts(from: AddressSpace, to: AddressSpace): boolean;
  /** A pointer to `from` may be cast to one to `to`. */
  spaceCasts(from: AddressSpace, to: AddressSpace): boolean;
  /** A value of this type may initialise or be passed as the opaque type: `sampler_t s = 3`. */
  opaqueConverts(from: CType, to: CType): boolean;
  /** Values of this opaque type may be told apart by `==` and `!=`. Default: of none. */
  opaqueCompares?(type: CType): boolean;
}

/** A dialect that supplies no functions. */
export const noBuiltins: BuiltinTable = {
  resolveBuiltin: () => ({ kind: 'unknown' }),
  isBuiltinName: () => false,
  builtinNames: () => [],
};

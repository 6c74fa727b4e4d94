/**
 * Finds the built-in function that a call means, by the argument types, with clang's overload rules: a
 * candidate wins if it is no worse for every argument and better for one, where exact beats promotion beats
 * conversion beats the splat of a scalar to a vector. Overloads are made from patterns while looking, and only
 * those that the arguments' lanes and address spaces leave possible.
 */

import type { Builtin } from '../../c/ast.ts';
import { ordinal, wrongCount } from '../../c/check/candidates.ts';
import { sameType } from '../../c/type-facts.ts';
import {
  type AddressSpace,
  type ArithmeticName,
  type ArithmeticType,
  arithmeticTypes,
  atomicTypes,
  type CType,
  type PointerType,
  type QualifiedType,
  unqualified,
  vectorType,
  voidType,
} from '../../c/types.ts';
import type { ImageAccess } from '../../ir/images.ts';
import { opaqueType, rangeType } from '../dialect/type-names.ts';
import { elementsOf, type Lanes, type Pattern, type PatternType, parsePatterns } from './patterns.ts';
import { pipeFunctionNames, resolvePipeFunction } from './pipe-functions.ts';
import { convertElements, signatureTable } from './signatures.ts';

/** A built-in function of OpenCL C as a call in the syntax tree carries it. */
export interface OpenCLBuiltin extends Builtin {
  /** Set for `convert_*`: how out-of-range values and rounding are treated. */
  readonly conversion?: Conversion | undefined;
}

/** What the name of a `convert_` function says (OpenCL 1.2, 6.2.3). */
export interface Conversion {
  readonly saturate: boolean;
  readonly rounding: 'rte' | 'rtz' | 'rtp' | 'rtn' | undefined;
}

export type Resolution =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'found';
      readonly builtin: OpenCLBuiltin;
      readonly parameters: readonly QualifiedType[];
      readonly result: QualifiedType;
    }
  | { readonly kind: 'no-match' | 'ambiguous'; readonly candidates: readonly string[] };

export interface ResolveOptions {
  /** The width of size_t. Default 32. */
  readonly addressBits?: 32 | 64 | undefined;
}

/** How well an argument fits a parameter; smaller is better. */
const fit = { exact: 0, promotion: 1, conversion: 2, splat: 3, none: 4 } as const;

interface Binding {
  readonly element: ArithmeticType;
  readonly lanes: Lanes;
  readonly maskLanes: Lanes;
  readonly space: AddressSpace;
  readonly addressBits: 32 | 64;
}

interface Candidate {
  readonly pattern: Pattern;
  readonly binding: Binding;
  readonly fits: readonly number[];
}

let texts: Map<string, string> | undefined;
const parsed = new Map<string, readonly Pattern[]>();

/** Whether OpenCL C has a built-in function of that name. */
export function isBuiltinName(name: string): boolean {
  if (name.startsWith('convert_')) return parseConversion(name) !== undefined;
  return table().has(name) || pipeFunctionNames.includes(name);
}

/** The names of all built-in functions but the `convert_` family. */
export function builtinNames(): readonly string[] {
  return [...table().keys(), ...pipeFunctionNames];
}

/** Chooses the overload for a call with arguments of these types (arrays and functions already decayed). */
export function resolveBuiltin(
  name: string,
  argumentTypes: readonly QualifiedType[],
  options: ResolveOptions = {},
): Resolution {
  if (name.startsWith('convert_')) return resolveConversion(name, argumentTypes);
  const ofPipes = resolvePipeFunction(name, argumentTypes);
  if (ofPipes) return ofPipes;
  const patterns = patternsOf(name);
  if (!patterns) return { kind: 'unknown' };
  const addressBits = options.addressBits ?? 32;

  const candidates: Candidate[] = [];
  for (const pattern of patterns) addCandidates(candidates, pattern, argumentTypes, addressBits);
  if (candidates.length === 0) {
    const nearest = nearestFirst(patterns, argumentTypes[0]?.type);
    const explained = nearest.map((pattern) => {
      const reason = reasonAgainst(pattern, argumentTypes, addressBits);
      return `${describePattern(name, pattern)}: ${reason}`;
    });
    return { kind: 'no-match', candidates: explained };
  }
  const winner = best(candidates);
  const [given] = argumentTypes;
  if (name.startsWith('to_') && given?.type.kind === 'pointer') return spaceFunction(name, given.type);
  if (!winner) return { kind: 'ambiguous', candidates: describeTied(name, candidates) };
  return {
    kind: 'found',
    builtin: { name },
    parameters: winner.pattern.parameters.map((type, index) =>
      isAnything(type) ? anyValueOf(argumentTypes[index]) : instantiate(type, winner.binding),
    ),
    result: instantiate(winner.pattern.result, winner.binding),
  };
}

/** `to_global` and its like lead where a generic pointer leads, or nowhere (OpenCL 2.0, 6.13.9). */
function spaceFunction(name: string, { pointee }: PointerType): Resolution {
  const inSpace = (space: AddressSpace): QualifiedType =>
    unqualified({ kind: 'pointer', pointee: { ...pointee, space } });
  return {
    kind: 'found',
    builtin: { name },
    parameters: [inSpace('generic')],
    result: inSpace(name.slice('to_'.length) as AddressSpace),
  };
}

/** Why no function of a pattern takes these arguments: the argument up to which the best of them goes. */
function reasonAgainst(pattern: Pattern, types: readonly QualifiedType[], addressBits: 32 | 64): string {
  const count = wrongCount(pattern.parameters.length, pattern.isVariadic, types.length);
  if (count !== undefined) return count;
  let furthest = 0;
  for (const element of elementsTried(pattern)) {
    for (const lanes of pattern.lanes) {
      for (const space of pattern.spaces.length === 0 ? (['private'] as const) : pattern.spaces) {
        const binding = { element, lanes, maskLanes: maskLanesOf(pattern, types), space, addressBits };
        const wrong = pattern.parameters.findIndex(
          (parameter, index) => rankArgument(types[index]!, parameter, binding) === fit.none,
        );
        if (wrong > furthest) furthest = wrong;
      }
    }
  }
  return `the ${ordinal(furthest)} argument does not fit`;
}

function elementsTried(pattern: Pattern): readonly ArithmeticType[] {
  return pattern.elements.length > 0 ? pattern.elements : [arithmeticTypes.int];
}

/** Of the many forms of a function of images, those for the kind of image that was given come first. */
function nearestFirst(patterns: readonly Pattern[], given: CType | undefined): readonly Pattern[] {
  if (given?.kind !== 'opaque') return patterns;
  const isNear = ({ parameters: [first] }: Pattern): boolean =>
    first?.kind === 'value' && first.letter.endsWith(` ${given.name}`);
  return [...patterns.filter(isNear), ...patterns.filter((pattern) => !isNear(pattern))];
}

function table(): Map<string, string> {
  if (texts) return texts;
  texts = new Map();
  for (const [names, patterns] of signatureTable) {
    for (const name of names.split(' ')) texts.set(name, patterns);
  }
  return texts;
}

/** The forms of a function, as its line of the table has them; undefined for `convert_` and pipe functions, which have none. */
export function patternsOf(name: string): readonly Pattern[] | undefined {
  let patterns = parsed.get(name);
  if (patterns) return patterns;
  const text = table().get(name);
  if (text === undefined) return undefined;
  patterns = parsePatterns(text, name);
  parsed.set(name, patterns);
  return patterns;
}

// --------------------------------------------------------------------------------------------- candidates

function addCandidates(
  candidates: Candidate[],
  pattern: Pattern,
  types: readonly QualifiedType[],
  addressBits: 32 | 64,
): void {
  const count = pattern.parameters.length;
  if (types.length < count || (types.length > count && !pattern.isVariadic)) return;
  const lanes = boundLanes(pattern, types);
  const space = boundSpace(pattern, types);
  if (lanes === undefined || space === undefined) return;
  const maskLanes = maskLanesOf(pattern, types);
  for (const element of elementsTried(pattern)) {
    const binding = { element, lanes, maskLanes, space, addressBits };
    const fits: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const rank = rankArgument(types[index]!, pattern.parameters[index]!, binding);
      if (rank === fit.none) break;
      fits.push(rank);
    }
    if (fits.length === count) candidates.push({ pattern, binding, fits });
  }
}

/** The lanes of T that the arguments ask for: those of a vector argument, or one. */
function boundLanes(pattern: Pattern, types: readonly QualifiedType[]): Lanes | undefined {
  if (pattern.lanes.length === 1) return pattern.lanes[0];
  let wanted: Lanes = 1;
  for (let index = 0; index < types.length; index += 1) {
    const parameter = pattern.parameters[index]!;
    const letter = parameter.kind === 'pointer' ? parameter.pointee : parameter.letter;
    if (letter !== 'T' && letter !== 'S' && letter !== 'U' && letter !== 'I') continue;
    const type = types[index]!.type;
    const shape = parameter.kind === 'pointer' && type.kind === 'pointer' ? type.pointee.type : type;
    if (shape.kind === 'vector') {
      wanted = shape.lanes;
      break;
    }
  }
  return pattern.lanes.includes(wanted) ? wanted : undefined;
}

function maskLanesOf(pattern: Pattern, types: readonly QualifiedType[]): Lanes {
  const index = pattern.parameters.findIndex((type) => type.kind === 'value' && type.letter === 'M');
  const mask = types[index]?.type;
  return mask?.kind === 'vector' && mask.lanes !== 3 ? mask.lanes : 2;
}

function boundSpace(pattern: Pattern, types: readonly QualifiedType[]): AddressSpace | undefined {
  if (pattern.spaces.length === 0) return 'private';
  const index = pattern.parameters.findIndex((type) => type.kind === 'pointer' && type.space === '@');
  const type = types[index]?.type;
  if (type?.kind !== 'pointer') return undefined;
  const space = type.pointee.space ?? 'private';
  const needed = space === 'generic' ? 'private' : space;
  return pattern.spaces.includes(needed) ? space : undefined;
}

function best(candidates: readonly Candidate[]): Candidate | undefined {
  let winner = candidates[0]!;
  for (const candidate of candidates) if (isBetter(candidate, winner)) winner = candidate;
  for (const candidate of candidates) {
    if (candidate !== winner && !isBetter(winner, candidate)) return undefined;
  }
  return winner;
}

function isBetter(a: Candidate, b: Candidate): boolean {
  let better = false;
  for (let index = 0; index < a.fits.length; index += 1) {
    if (a.fits[index]! > b.fits[index]!) return false;
    if (a.fits[index]! < b.fits[index]!) better = true;
  }
  return better;
}

// ------------------------------------------------------------------------------------------------ ranking

function rankArgument(argument: QualifiedType, parameter: PatternType, binding: Binding): number {
  if (isAnything(parameter)) return argument.type.kind === 'void' ? fit.none : fit.exact;
  const wanted = instantiate(parameter, binding).type;
  const given = argument.type;
  if (given === wanted) return fit.exact;
  if (wanted.kind === 'pointer') return given.kind === 'pointer' ? rankPointer(given, wanted) : fit.none;
  if (wanted.kind === 'opaque') {
    if (given.kind === 'opaque') return sameType(given, wanted) ? fit.exact : fit.none;
    // A zero is the null event (OpenCL 1.2, 6.12.10); what else may be passed the caller decides.
    return given.kind === 'arithmetic' && !given.floating ? fit.conversion : fit.none;
  }
  const scalar = given.kind === 'enum' ? given.underlying : given;
  if (scalar?.kind !== 'arithmetic') return fit.none;
  if (wanted.kind === 'vector') return fit.splat;
  if (wanted.kind !== 'arithmetic') return fit.none;
  if (given.kind === 'enum' && scalar === wanted) return fit.promotion;
  return isPromotion(scalar, wanted) ? fit.promotion : fit.conversion;
}

function isPromotion(from: ArithmeticType, to: ArithmeticType): boolean {
  if (from.floating) return (from.name === 'float' && to.name === 'double') || from.name === 'half';
  return to.name === 'int' && from.size < 4;
}

function rankPointer(given: PointerType, wanted: PointerType): number {
  const from = given.pointee;
  const to = wanted.pointee;
  const space = from.space ?? 'private';
  const converts = to.space === 'generic' && space !== 'constant';
  if (space !== to.space && !converts) return fit.none;
  if (from.isConst && !to.isConst) return fit.none;
  if (from.isVolatile && !to.isVolatile) return fit.none;
  if (to.type.kind !== 'void' && !sameValueType(from.type, to.type)) return fit.none;
  return space === to.space && to.type.kind !== 'void' ? fit.exact : fit.conversion;
}

function sameValueType(a: CType, b: CType): boolean {
  if (a === b) return true;
  if (a.kind === 'opaque') return sameType(a, b);
  return a.kind === 'enum' && a.underlying === b;
}

// -------------------------------------------------------------------------------------------- instantiation

function isAnything(type: PatternType): boolean {
  return type.kind === 'value' && type.letter === 'x';
}

function anyValueOf(type: QualifiedType | undefined): QualifiedType {
  return unqualified(type?.type ?? arithmeticTypes.int);
}

function instantiate(type: PatternType, binding: Binding): QualifiedType {
  if (type.kind === 'value') return unqualified(typeOfLetter(type.letter, binding));
  const pointee: QualifiedType = {
    type: typeOfLetter(type.pointee, binding),
    isConst: type.isConst,
    isVolatile: type.isVolatile,
    isRestrict: false,
    space: type.space === '@' ? binding.space : type.space,
  };
  return unqualified({ kind: 'pointer', pointee });
}

function typeOfLetter(letter: string, binding: Binding): CType {
  const { element, lanes } = binding;
  switch (letter) {
    case 'T':
      return shaped(element, lanes);
    case 'E':
      return element;
    case 'S':
      return shaped(integerOfSize(element.size, true), lanes);
    case 'U':
      return shaped(integerOfSize(element.size, false), lanes);
    case 'I':
      return shaped(arithmeticTypes.int, lanes);
    case 'W':
      return shaped(integerOfSize(element.size * 2, element.signed), lanes);
    case 'R':
      return lanes === 1 ? arithmeticTypes.int : shaped(integerOfSize(element.size, true), lanes);
    case 'M':
      return shaped(integerOfSize(element.size, false), binding.maskLanes);
    case 'N':
      return shaped(element, binding.maskLanes);
    case 'u':
      return arithmeticTypes.uint;
    case 'z':
      return binding.addressBits === 32 ? arithmeticTypes.uint : arithmeticTypes.ulong;
    case 'v':
      return voidType;
    case 'h':
      return arithmeticTypes.half;
    case 'c':
      return arithmeticTypes.char;
    case 'e':
      return opaqueType('event_t');
    case 'b':
      return arithmeticTypes.bool;
    case 'A':
      return atomicOf(element);
    case 'F':
      return atomicTypes.atomic_flag;
    case 'i':
      return arithmeticTypes.int;
    case 'ndrange_t':
      return rangeType(binding.addressBits);
    default:
      return namedType(letter);
  }
}

/** The atomic type that holds an element. */
function atomicOf(element: ArithmeticType): CType {
  const types: Readonly<Record<string, CType>> = atomicTypes;
  return types[`atomic_${element.name}`] ?? element;
}

const namedTypes = new Map<string, CType>();

/** The type of a name in a pattern: `float4`, `sampler_t`, `read_only image2d_t`. */
function namedType(name: string): CType {
  let type = namedTypes.get(name);
  if (type === undefined) {
    const [, element = '', lanes = '1'] = /^(float|half|int|uint)(2|4)?$/.exec(name) ?? [];
    const [first, image] = name.split(' ') as [string, string | undefined];
    if (element !== '') type = shaped(arithmeticTypes[element as ArithmeticName], Number(lanes) as Lanes);
    else if (image === undefined) type = opaqueType(first);
    else type = opaqueType(image, first as ImageAccess);
    namedTypes.set(name, type);
  }
  return type;
}

function shaped(element: ArithmeticType, lanes: Lanes): CType {
  return lanes === 1 ? element : vectorType(element, lanes);
}

const signedNames: Readonly<Record<number, ArithmeticName>> = { 1: 'char', 2: 'short', 4: 'int', 8: 'long' };
const unsignedNames: Readonly<Record<number, ArithmeticName>> = {
  1: 'uchar',
  2: 'ushort',
  4: 'uint',
  8: 'ulong',
};

function integerOfSize(size: number, signed: boolean): ArithmeticType {
  return arithmeticTypes[(signed ? signedNames : unsignedNames)[size] ?? 'int'];
}

// --------------------------------------------------------------------------------------------- conversions

const conversionName =
  /^convert_(char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(2|3|4|8|16)?(_sat)?(?:_(rte|rtz|rtp|rtn))?$/;

interface ConversionName extends Conversion {
  readonly element: ArithmeticType;
  readonly lanes: Lanes;
}

function parseConversion(name: string): ConversionName | undefined {
  const match = conversionName.exec(name);
  if (!match) return undefined;
  const element = arithmeticTypes[match[1] as ArithmeticName];
  const saturate = match[3] !== undefined;
  if (saturate && element.floating) return undefined;
  return {
    element,
    lanes: (match[2] === undefined ? 1 : Number(match[2])) as Lanes,
    saturate,
    rounding: match[4] as Conversion['rounding'],
  };
}

function resolveConversion(name: string, types: readonly QualifiedType[]): Resolution {
  const wanted = parseConversion(name);
  if (!wanted) return { kind: 'unknown' };
  const result = unqualified(shaped(wanted.element, wanted.lanes));
  const given = types[0]?.type;
  const scalar = given?.kind === 'enum' ? given.underlying : given;
  const fits =
    types.length === 1 &&
    (wanted.lanes === 1
      ? scalar?.kind === 'arithmetic'
      : scalar?.kind === 'vector' && scalar.lanes === wanted.lanes);
  if (!fits || !scalar) {
    const candidates = elementsOf(convertElements).map(
      (element) => `${describe(result.type)} ${name}(${describe(shaped(element, wanted.lanes))})`,
    );
    return { kind: 'no-match', candidates };
  }
  const { saturate, rounding } = wanted;
  return {
    kind: 'found',
    builtin: { name, conversion: { saturate, rounding } },
    parameters: [unqualified(scalar)],
    result,
  };
}

// ---------------------------------------------------------------------------------------------- candidates' names

function describe(type: CType): string {
  switch (type.kind) {
    case 'arithmetic':
      return type.name;
    case 'vector':
      return `${type.element.name}${type.lanes}`;
    case 'pointer': {
      const { space, isConst, isVolatile } = type.pointee;
      const words = [
        space,
        isConst ? 'const' : '',
        isVolatile ? 'volatile' : '',
        describe(type.pointee.type),
      ];
      return `${words.filter((word) => word !== '').join(' ')} *`;
    }
    case 'opaque':
    case 'atomic':
      return type.name;
    default:
      return type.kind;
  }
}

function describeTied(name: string, candidates: readonly Candidate[]): string[] {
  const tied = candidates.filter((candidate) => !candidates.some((other) => isBetter(other, candidate)));
  return tied.map(({ pattern, binding }) => {
    const parameters = pattern.parameters.map((type) => describe(instantiate(type, binding).type));
    return `${describe(instantiate(pattern.result, binding).type)} ${name}(${parameters.join(', ')})`;
  });
}

const letterWords: Readonly<Record<string, string>> = {
  T: 'gentype',
  E: 'element',
  S: 'igentype',
  U: 'ugentype',
  I: 'intn',
  W: 'wider gentype',
  R: 'intn',
  M: 'ugentypem',
  N: 'gentypem',
  i: 'int',
  u: 'uint',
  z: 'size_t',
  v: 'void',
  h: 'half',
  c: 'char',
  e: 'event_t',
  b: 'bool',
  A: 'atomic gentype',
  F: 'atomic_flag',
  x: 'any type',
};

/** A family in the words of the specification: `gentype fmax(gentype, gentype)  [gentype: float, double]`. */
function describePattern(name: string, pattern: Pattern): string {
  const words = [...pattern.parameters.map(wordsOf), ...(pattern.isVariadic ? ['...'] : [])].join(', ');
  const head = `${wordsOf(pattern.result)} ${name}(${words})`;
  if (pattern.elements.length === 0) return head;
  const elements = pattern.elements.map((element) => element.name).join(', ');
  const lanes = pattern.lanes.map((count) => (count === 1 ? 'scalar' : String(count))).join(', ');
  return `${head}, gentype of ${elements}; lanes ${lanes}`;
}

/** A parameter or result in the words of the specification: `global gentype *`. */
export function wordsOf(type: PatternType): string {
  if (type.kind === 'value') return letterWords[type.letter] ?? type.letter;
  const space = type.space === '@' ? '' : `${type.space} `;
  const marks = `${type.isConst ? 'const ' : ''}${type.isVolatile ? 'volatile ' : ''}`;
  return `${space}${marks}${letterWords[type.pointee] ?? type.pointee} *`;
}

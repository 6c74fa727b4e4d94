/**
 * Finds the built-in function that a call means, by the argument types, with clang's overload rules: a
 * candidate wins if it is no worse for every argument and better for one, where exact beats promotion beats
 * conversion beats the splat of a scalar to a vector. Overloads are made from patterns while looking, and only
 * those that the arguments' lanes and address spaces leave possible.
 */
import { ordinal, wrongCount } from '../../c/check/candidates.ts';
import { sameType } from '../../c/type-facts.ts';
import {
  type AddressSpace,
  type ArithmeticType,
  arithmeticTypes,
  type CType,
  type PointerType,
  type QualifiedType,
  unqualified,
} from '../../c/types.ts';
import { parseConversion, resolveConversion } from './convert-functions.ts';
import { describe, describePattern } from './describe.ts';
import { type Binding, instantiate, isAnything } from './instantiate.ts';
import { otherTexts } from './other-signatures.ts';
import { type Lanes, type Pattern, type PatternType, parsePatterns } from './patterns.ts';
import { pipeFunctionNames, resolvePipeFunction } from './pipe-functions.ts';
import type { Resolution } from './resolution.ts';
import { plainSignatures, plainText } from './signatures.ts';

export interface ResolveOptions {
  /** The width of size_t. Default 32. */
  readonly addressBits?: 32 | 64 | undefined;
}

/** How well an argument fits a parameter; smaller is better. */
const fit = { exact: 0, promotion: 1, conversion: 2, splat: 3, none: 4 } as const;

interface Candidate {
  readonly pattern: Pattern;
  readonly binding: Binding;
  readonly fits: readonly number[];
}

const parsed = new Map<string, readonly Pattern[]>();

/** Whether OpenCL C has a built-in function of that name. */
export function isBuiltinName(name: string): boolean {
  if (name.startsWith('convert_')) return parseConversion(name) !== undefined;
  return plainText(name) !== undefined || isOtherName(name);
}

function isOtherName(name: string): boolean {
  return otherTexts().has(name) || pipeFunctionNames.includes(name);
}

/** The names of all built-in functions but the `convert_` family. */
export function builtinNames(): readonly string[] {
  const plain = plainSignatures.flatMap(([names]) => names.split(' '));
  return [...plain, ...otherTexts().keys(), ...pipeFunctionNames];
}

/** Chooses the overload for a call with arguments of these types (arrays and functions already decayed). */
export function resolveBuiltin(
  name: string,
  argumentTypes: readonly QualifiedType[],
  options: ResolveOptions = {},
): Resolution {
  if (name.startsWith('convert_')) return resolveConversion(name, argumentTypes);
  const patterns = patternsOf(name);
  if (!patterns) return resolvePipeFunction(name, argumentTypes) ?? { kind: 'unknown' };
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
      isAnything(type)
        ? unqualified(argumentTypes[index]?.type ?? arithmeticTypes.int)
        : instantiate(type, winner.binding),
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

/** The forms of a function, as its line of the table has them; undefined for `convert_` and pipe functions, which have none. */
export function patternsOf(name: string): readonly Pattern[] | undefined {
  let patterns = parsed.get(name);
  if (patterns) return patterns;
  const text = plainText(name) ?? otherTexts().get(name);
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

function describeTied(name: string, candidates: readonly Candidate[]): string[] {
  const tied = candidates.filter((candidate) => !candidates.some((other) => isBetter(other, candidate)));
  return tied.map(({ pattern, binding }) => {
    const parameters = pattern.parameters.map((type) => describe(instantiate(type, binding).type));
    return `${describe(instantiate(pattern.result, binding).type)} ${name}(${parameters.join(', ')})`;
  });
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

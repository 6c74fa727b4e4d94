/** Declaration specifiers: storage, qualifiers, and the words that make up a type (C99, 6.7.1 to 6.7.4). */
import { nearestName } from '../../source/nearest-name.ts';
import { joinSpans, type Span } from '../../source/span.ts';
import type { Attribute, StorageClass } from '../ast.ts';
import { atomicObject } from '../check/atomic-types.ts';
import { isError } from '../check/checker.ts';
import { toValue } from '../check/conversions.ts';
import type { Specifiers } from '../check/declarations.ts';
import { laterVersionNotes } from '../check/names.ts';
import { evaluateInteger } from '../constant.ts';
import type { AccessQualifier, QualifierWord, SpecifierWord } from '../dialect.ts';
import type { Token } from '../token.ts';
import { alignOfObject } from '../type-facts.ts';
import {
  type AddressSpace,
  type ArithmeticType,
  arithmeticTypes,
  type CType,
  type QualifiedType,
  qualifiedType,
  unqualified,
  voidType,
} from '../types.ts';
import { parseAttributes } from './attributes.ts';
import { correctForeign, correctSpecifier } from './corrections.ts';
import { parseTypeName } from './declarators.ts';
import { parseConditionalExpression } from './expressions.ts';
import { parseTypeof } from './extensions.ts';
import type { Parser } from './parser.ts';
import { parseEnum, parseRecord } from './records.ts';

/** Whether a type name can begin here: what tells a cast from a parenthesis. */
export function startsTypeName(parser: Parser, token: Token): boolean {
  if (token.kind !== 'identifier') return false;
  const keyword = token === parser.token ? parser.keyword() : parser.keywords.get(token.text);
  if (keyword === undefined) return parser.checker.scopes.lookup(token.text)?.kind === 'typedef';
  switch (keyword.kind) {
    case 'qualifier':
    case 'space':
    case 'specifier':
    case 'tag':
    case 'typeof':
    case 'auto-type':
    case 'alignas':
    case 'access':
    case 'pipe':
      return true;
    default:
      return false;
  }
}

/** Whether a declaration begins here. */
export function startsDeclaration(parser: Parser, token: Token): boolean {
  if (startsTypeName(parser, token)) return true;
  const keyword = token === parser.token ? parser.keyword() : parser.keywordOf(token);
  if (keyword?.kind === 'mark') return !keyword.isForExpressions || startsDeclaration(parser, parser.peek());
  if (keyword?.kind === 'thread-local') return true;
  return keyword?.kind === 'storage' || keyword?.kind === 'function' || keyword?.kind === 'static-assert';
}

export interface ParsedSpecifiers extends Specifiers {
  /** A struct, union or enum stands among them, so that `;` may follow at once. */
  readonly hasTag: boolean;
  /** `__auto_type`: the type that stands here is none. */
  readonly isInferred: boolean;
  /** A word of another language stands among them: a variable may not be what it was there. */
  readonly isForeign: boolean;
  readonly writtenSpace: AddressSpace | undefined;
  readonly storageSpan: Span;
}

interface State {
  storage: StorageClass;
  storageSpan: Span;
  isThreadLocal: boolean;
  isInline: boolean;
  isKernel: boolean;
  isConst: boolean;
  isVolatile: boolean;
  isRestrict: boolean;
  isAtomic: boolean;
  isInferred: boolean;
  space: AddressSpace | undefined;
  access: AccessQualifier | undefined;
  accessSpan: Span;
  pipeSpan: Span | undefined;
  attributes: Attribute[];
  named: QualifiedType | undefined;
  typeSpan: Span;
  hasTag: boolean;
  words: SpecifierWord[];
  isWrong: boolean;
  isForeign: boolean;
  readonly inTypeName: boolean;
}

// specifiers = (storage | qualifier | space | access | "pipe" | "inline" | "kernel" | attributes | type-word
//               | typedef-name | record | enum)*
export function parseSpecifiers(parser: Parser, inTypeName = false): ParsedSpecifiers {
  const start = parser.token;
  const state: State = {
    storage: 'none',
    storageSpan: start,
    isThreadLocal: false,
    isInline: false,
    isKernel: false,
    isConst: false,
    isVolatile: false,
    isRestrict: false,
    isAtomic: false,
    isInferred: false,
    space: undefined,
    access: undefined,
    accessSpan: start,
    pipeSpan: undefined,
    attributes: [],
    named: undefined,
    typeSpan: start,
    hasTag: false,
    words: [],
    isWrong: false,
    isForeign: false,
    inTypeName,
  };
  const position = parser.position;
  while (!parser.atEnd && parseSpecifier(parser, state)) {
    // each turn takes a word
  }
  const span = parser.position === position ? start : joinSpans(start, parser.previous);
  if (inTypeName && (state.storage !== 'none' || state.isThreadLocal || state.isInline || state.isKernel)) {
    parser.checker.error(span, 'type name does not allow storage class to be specified');
  }
  const base = baseType(parser, state, span);
  const type = qualify(parser, base, state, span);
  return {
    type,
    storage: state.storage,
    storageSpan: state.storageSpan,
    ...(state.isThreadLocal ? { isThreadLocal: true } : {}),
    isInline: state.isInline,
    isKernel: state.isKernel,
    access: state.access ?? undefined,
    attributes: state.attributes,
    span,
    isWrong: state.isWrong,
    isForeign: state.isForeign,
    hasTag: state.hasTag,
    isInferred: state.isInferred,
    writtenSpace: type.space,
  };
}

function parseSpecifier(parser: Parser, state: State): boolean {
  const { token, checker } = parser;
  if (token.kind !== 'identifier') return false;
  const keyword = parser.keyword();
  if (keyword === undefined) return parseTypedefName(parser, state);
  switch (keyword.kind) {
    case 'storage':
      parser.next();
      if (state.storage !== 'none' && state.storage !== keyword.storage) {
        checker.error(token, `cannot combine with previous '${state.storage}' declaration specifier`);
        state.isWrong = true;
      } else if (state.storage === keyword.storage) {
        warnDuplicate(parser, token);
      }
      if (
        (keyword.storage === 'auto' || keyword.storage === 'register') &&
        !checker.dialect.features.registerStorage
      ) {
        checker.error(
          token,
          `${checker.dialect.name} does not support the '${token.text}' storage class specifier`,
        );
        return true;
      }
      state.storage = keyword.storage;
      state.storageSpan = token;
      return true;
    case 'qualifier':
      if (keyword.qualifier === 'atomic' && parser.peek().is('(')) {
        parseAtomicSpecifier(parser, state);
        return !parser.panicking;
      }
      parser.next();
      parseQualifier(parser, state, keyword.qualifier, token);
      return true;
    case 'space':
      parser.next();
      addSpace(parser, state, keyword.space, token);
      return true;
    case 'access':
      parser.next();
      if (state.access !== undefined && state.access !== keyword.access) {
        checker.error(token, 'multiple access qualifiers');
        state.isWrong = true;
      } else if (state.access !== undefined) warnDuplicate(parser, token);
      state.access = keyword.access;
      state.accessSpan = token;
      return true;
    case 'pipe':
      parser.next();
      if (state.pipeSpan !== undefined) warnDuplicate(parser, token);
      state.pipeSpan = token;
      return true;
    case 'function':
      parser.next();
      if (keyword.word === 'inline') state.isInline = true;
      else state.isKernel = true;
      return true;
    case 'mark':
      parser.next();
      return true;
    case 'thread-local':
      parser.next();
      if (state.isThreadLocal) warnDuplicate(parser, token);
      state.isThreadLocal = true;
      return true;
    case 'attribute':
      state.attributes.push(...parseAttributes(parser));
      return !parser.panicking;
    case 'specifier':
      if (state.hasTag) {
        parser.syntaxError(parser.afterPrevious(), "expected ';' after struct");
        return false;
      }
      if (state.named !== undefined) {
        parser.next();
        if (!state.isWrong) checker.error(token, 'cannot combine with previous type specifier');
        state.isWrong = true;
        return true;
      }
      parser.next();
      state.words.push(keyword.word);
      state.typeSpan = token;
      return true;
    case 'alignas':
      parseAlignas(parser, state);
      return !parser.panicking;
    case 'auto-type':
      parser.next();
      if (state.named !== undefined || state.words.length > 0) {
        checker.error(token, 'cannot combine with previous type specifier');
        state.isWrong = true;
      }
      state.named = unqualified(arithmeticTypes.int);
      state.isInferred = true;
      state.typeSpan = token;
      return true;
    case 'typeof':
      if (state.named !== undefined || state.words.length > 0) {
        checker.error(token, 'cannot combine with previous type specifier');
        state.isWrong = true;
      }
      state.named = parseTypeof(parser);
      state.typeSpan = token;
      if (state.named === undefined) state.isWrong = true;
      return !parser.panicking;
    case 'tag':
      if (state.named !== undefined || state.words.length > 0) {
        checker.error(token, 'cannot combine with previous type specifier');
        state.isWrong = true;
      }
      state.hasTag = true;
      state.named = unqualified(
        keyword.tag === 'enum' ? parseEnum(parser) : parseRecord(parser, keyword.tag),
      );
      return !parser.panicking;
    case 'reserved':
      checker.error(token, keyword.message);
      parser.next();
      state.isWrong = true;
      state.named ??= unqualified(arithmeticTypes.int);
      return true;
    default:
      return false;
  }
}

const qualifierFlags = {
  const: 'isConst',
  volatile: 'isVolatile',
  restrict: 'isRestrict',
  atomic: 'isAtomic',
} as const;

// atomic-specifier = "_Atomic" "(" type-name ")"
function parseAtomicSpecifier(parser: Parser, state: State): void {
  const { checker } = parser;
  const word = parser.next();
  const opening = parser.next();
  if (state.named !== undefined || state.words.length > 0) {
    checker.error(word, 'cannot combine with previous type specifier');
    state.isWrong = true;
  }
  const type = parseTypeName(parser);
  parser.expect(')', '', opening);
  const made = type && atomicObject(checker, type, joinSpans(word, parser.previous), true);
  if (made === undefined) state.isWrong = true;
  state.named = made ?? unqualified(arithmeticTypes.int);
  state.typeSpan = word;
}

// alignas = "_Alignas" "(" (type-name | constant-expression) ")"
/** Stands for the attribute `aligned`; an alignment of 0 says nothing (C11, 6.7.5). */
function parseAlignas(parser: Parser, state: State): void {
  const { checker } = parser;
  const word = parser.next();
  const opening = parser.token;
  if (!parser.expect('(', `after '${word.text}'`)) return;
  let bytes: bigint | undefined;
  if (startsTypeName(parser, parser.token)) {
    const type = parseTypeName(parser);
    if (type) bytes = BigInt(alignOfObject(type, checker.dialect.addressBytes));
  } else {
    const value = toValue(checker, parseConditionalExpression(parser));
    bytes = isError(value) ? 0n : evaluateInteger(value, checker.dialect.addressBytes);
    if (bytes === undefined) checker.error(value.span, 'expression is not an integer constant expression');
  }
  parser.expect(')', '', opening);
  const span = joinSpans(word, parser.previous);
  if (bytes !== undefined && bytes !== 0n)
    state.attributes.push({ name: 'aligned', arguments: [bytes], span });
}

function parseQualifier(parser: Parser, state: State, qualifier: QualifierWord, token: Token): void {
  const flag = qualifierFlags[qualifier];
  if (state[flag]) warnDuplicate(parser, token);
  state[flag] = true;
}

/** A word that stands there twice. Macros that bring it along are no mistake of the place that uses them. */
function warnDuplicate(parser: Parser, token: Token): void {
  if (token.expansion !== undefined) return;
  const message = `duplicate '${token.text}' declaration specifier`;
  parser.checker.warning(token, 'duplicate-decl-specifier', message);
}

function parseTypedefName(parser: Parser, state: State): boolean {
  const { token, checker } = parser;
  const hasType = state.named !== undefined || state.words.length > 0;
  const binding = checker.scopes.lookup(token.text);
  if (binding === undefined && (!hasType || parser.isIdentifier(parser.peek()))) {
    if (isCorrected(parser, state, hasType)) return !parser.panicking;
  }
  if (hasType) return false;
  if (binding?.kind === 'typedef') {
    parser.next();
    if (!checker.dialect.rules.typeName(binding.type, token.text, token, checker)) state.isWrong = true;
    state.named = binding.type;
    state.typeSpan = token;
    return true;
  }
  if (binding !== undefined && binding.kind !== 'poisoned') return false;
  if (isLaterPrefix(parser)) {
    // The type behind it is read on.
    state.isWrong = true;
    unknownType(parser, parser.next());
    return true;
  }
  if (!looksLikeType(parser) && !(state.inTypeName && parser.peek().is(')'))) return false;
  parser.next();
  if (binding === undefined) unknownType(parser, token);
  state.isWrong = true;
  state.named = unqualified(arithmeticTypes.int);
  return true;
}

/** Whether a word that means nothing was dealt with as a mistyped or foreign one. */
function isCorrected(parser: Parser, state: State, hasType: boolean): boolean {
  let correction = correctForeign(parser);
  if (correction !== undefined) state.isForeign = true;
  else if (hasType || !isLaterPrefix(parser)) {
    const isPlausible = hasType || looksLikeType(parser) || parser.peek().is('(');
    if (isPlausible) correction = correctSpecifier(parser, hasType);
  }
  if (correction !== 'lost') return correction !== undefined;
  state.isWrong = true;
  parser.panicking = true;
  return true;
}

/** An unknown name that stands where a type must: another name or a pointer to one follows. */
function looksLikeType(parser: Parser): boolean {
  const following = parser.peek();
  if (parser.isIdentifier(following)) return true;
  if (following.is('*'))
    return (
      parser.isIdentifier(parser.peekSecond()) ||
      parser.peekSecond().is('*') ||
      parser.peekSecond().is(')') ||
      parser.peekSecond().is(',')
    );
  const keyword = parser.keywordOf(following)?.kind;
  return keyword === 'qualifier' || keyword === 'space' || startsDeclaration(parser, following);
}

/** `pipe int`, where only a later version of the language has the first word. */
function isLaterPrefix(parser: Parser): boolean {
  const { token, checker } = parser;
  return (
    checker.dialect.remarkOnLater?.(token.text) !== undefined && startsDeclaration(parser, parser.peek())
  );
}

function unknownType(parser: Parser, token: Token): void {
  const { checker } = parser;
  if (checker.diagnostics.isFull || checker.hasLostDeclarations) return;
  const names: string[] = [];
  for (const binding of checker.scopes.names()) if (binding.kind === 'typedef') names.push(binding.name);
  for (const [name, keyword] of checker.dialect.keywords) {
    if (keyword.kind === 'specifier' || keyword.kind === 'space' || keyword.kind === 'qualifier')
      names.push(name);
    if (keyword.kind === 'function' || keyword.kind === 'storage') names.push(name);
  }
  const tag = checker.scopes.lookupTag(token.text);
  if (tag !== undefined) {
    const kind = tag.kind === 'enum' ? 'enum' : tag.union ? 'union' : 'struct';
    checker.error(token, `must use '${kind}' tag to refer to type '${token.text}'`);
    return;
  }
  const remarks = laterVersionNotes(checker, token.text, token);
  const near = remarks.length > 0 ? undefined : nearestName(token.text, names);
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  checker.error(token, `unknown type name '${token.text}'${hint}`, remarks);
}

function addSpace(parser: Parser, state: State, space: AddressSpace, span: Span): void {
  if (state.space !== undefined && state.space !== space) {
    parser.checker.error(span, 'multiple address spaces specified for type');
    state.isWrong = true;
  } else if (state.space !== undefined) {
    const message = 'multiple identical address spaces specified for type';
    parser.checker.warning(span, 'duplicate-decl-specifier', message);
  }
  state.space = space;
}

function baseType(parser: Parser, state: State, span: Span): QualifiedType {
  if (state.named !== undefined) return state.named;
  if (state.words.length === 0) {
    if (!state.isWrong && !parser.panicking) {
      parser.checker.warning(span, 'implicit-int', "type specifier missing, defaults to 'int'");
    }
    return unqualified(arithmeticTypes.int);
  }
  const type = typeOfWords(parser, state);
  const qualified = unqualified(type);
  const name = state.words.join(' ');
  if (!parser.checker.dialect.rules.typeName(qualified, name, state.typeSpan, parser.checker))
    state.isWrong = true;
  return qualified;
}

/** The type that a set of words means, in any order (C99, 6.7.2 2). */
function typeOfWords(parser: Parser, state: State): CType {
  const { words } = state;
  let longs = 0;
  let sign: 'signed' | 'unsigned' | undefined;
  let base: Exclude<SpecifierWord, 'signed' | 'unsigned' | 'long'> | undefined;
  let isShort = false;
  let wrong: string | undefined;
  for (const word of words) {
    if (word === 'long') longs += 1;
    else if (word === 'signed' || word === 'unsigned') {
      if (sign !== undefined && sign !== word)
        wrong ??= `cannot combine with previous '${sign}' declaration specifier`;
      sign = word;
    } else if (word === 'short') isShort = true;
    else if (word === 'int' && (base === undefined || base === 'int')) base = 'int';
    else if (base === undefined) base = word;
    else wrong ??= `cannot combine with previous '${base}' declaration specifier`;
  }
  if (longs > 2) wrong ??= `'long long long' is too long`;
  if (isShort && longs > 0) wrong ??= `cannot combine with previous 'short' declaration specifier`;
  const isSized = isShort || longs > 0;
  const isLongDouble = base === 'double' && longs === 1 && parser.checker.dialect.features.longDouble;
  if (isSized && base !== undefined && base !== 'int' && !isLongDouble) {
    wrong ??= `'${isShort ? 'short' : 'long'} ${base}' is invalid`;
  }
  if (sign !== undefined && base !== undefined && base !== 'int' && base !== 'char') {
    wrong ??= `'${base}' cannot be signed or unsigned`;
  }
  if (wrong !== undefined) {
    parser.checker.error(state.typeSpan, wrong);
    state.isWrong = true;
    return arithmeticTypes.int;
  }
  return wordsType(parser, base, sign === 'unsigned', isShort, longs);
}

function wordsType(
  parser: Parser,
  base: SpecifierWord | undefined,
  isUnsigned: boolean,
  isShort: boolean,
  longs: number,
): CType {
  const { char, uchar, short, ushort, int, uint, long, ulong, float, double, half, bool } = arithmeticTypes;
  switch (base) {
    case 'void':
      return voidType;
    case 'bool':
      return bool;
    case 'char':
      return isUnsigned ? uchar : char;
    case 'float':
      return float;
    case 'double':
      return double;
    case 'half':
      return half;
  }
  if (isShort) return isUnsigned ? ushort : short;
  let type: ArithmeticType = int;
  const { longType, longLongType } = parser.checker.dialect;
  if (longs === 1) type = longType;
  if (longs === 2) type = longLongType ?? longType;
  if (!isUnsigned) return type;
  return type.size === long.size ? ulong : uint;
}

function qualify(parser: Parser, named: QualifiedType, state: State, span: Span): QualifiedType {
  const { checker } = parser;
  let base = named;
  let { space } = base;
  if (state.space !== undefined) {
    if (space !== undefined && space !== state.space) {
      checker.error(span, 'multiple address spaces specified for type');
      state.isWrong = true;
    }
    space = state.space;
  }
  if (state.isRestrict && base.type.kind !== 'pointer') {
    checker.error(span, `restrict requires a pointer or reference ('${checker.show(base)}' is invalid)`);
    state.isRestrict = false;
  }
  if (state.isAtomic) {
    const atomic = atomicObject(checker, base, span);
    if (atomic === undefined) state.isWrong = true;
    else base = atomic;
  }
  const isConst = base.isConst || state.isConst;
  const isVolatile = base.isVolatile || state.isVolatile;
  const isRestrict = base.isRestrict || state.isRestrict;
  const isSame =
    isConst === base.isConst &&
    isVolatile === base.isVolatile &&
    isRestrict === base.isRestrict &&
    space === base.space;
  const { alias, align } = base;
  let type = isSame ? base : qualifiedType(base.type, isConst, isVolatile, isRestrict, space, alias, align);
  if (state.pipeSpan !== undefined) {
    const pipe = checker.dialect.rules.pipe(type, state.pipeSpan, checker);
    if (pipe === undefined) {
      state.isWrong = true;
      return type;
    }
    type = pipe;
  }
  if (state.access === undefined || state.isWrong) return type;
  const accessed = checker.dialect.rules.access(type, state.access, state.accessSpan, checker);
  if (accessed === undefined) state.isWrong = true;
  return accessed ?? type;
}

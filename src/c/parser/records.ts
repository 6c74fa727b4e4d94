/** Definitions of structs, unions and enumerations (C99, 6.7.2.1 and 6.7.2.2). */
import { joinSpans } from '../../source/span.ts';
import type { Attribute, Expression } from '../ast.ts';
import { checkAttributes } from '../check/attributes.ts';
import { applyDeclarator } from '../check/declarators.ts';
import { defineRecord, EnumBuilder, type ParsedField, referToTag } from '../check/records.ts';
import { arithmeticTypes, type EnumType, type RecordType } from '../types.ts';
import { parseAttributes } from './attributes.ts';
import { parseDeclarator } from './declarators.ts';
import { parseConditionalExpression } from './expressions.ts';
import { parseStaticAssertion } from './extensions.ts';
import type { Parser } from './parser.ts';
import { parseSpecifiers, startsDeclaration } from './specifiers.ts';

// record = ("struct" | "union") attributes identifier? ("{" field-declaration* "}" attributes)?
export function parseRecord(parser: Parser, kind: 'struct' | 'union'): RecordType {
  const { checker } = parser;
  const word = parser.next();
  const attributes: Attribute[] = [...parseAttributes(parser)];
  const tag = parser.isIdentifier() ? parser.next() : undefined;
  attributes.push(...parseAttributes(parser));
  const defines = parser.is('{');
  if (tag === undefined && !defines)
    parser.syntaxError(parser.token, `declaration of anonymous ${kind} must be a definition`);
  const span = tag ?? word;
  const record = referToTag(checker, kind, tag?.text, span, defines, parser.is(';'));
  const fallback: RecordType = {
    kind: 'record',
    union: false,
    tag: tag?.text,
    fields: [],
    size: 0,
    align: 1,
    nesting: 1,
    span,
  };
  if (record.kind !== 'record') return fallback;
  if (!defines) return record;
  const packing = parser.packing.limit;
  const opening = parser.next();
  const fields: ParsedField[] = [];
  const errors = checker.diagnostics.errorCount;
  if (parser.enter(true)) {
    while (!parser.is('}') && !parser.atEnd) {
      parseFieldDeclaration(parser, fields);
      parser.recover();
    }
  }
  parser.leave(true);
  parser.expect('}', '', opening);
  attributes.push(...parseAttributes(parser));
  defineRecord(checker, record, fields, attributes, packing);
  if (checker.diagnostics.errorCount > errors) checker.brokenRecords.add(record);
  return record;
}

// field-declaration = specifiers (field ("," field)*)? ";"
// field = declarator? (":" constant-expression)? attributes
function parseFieldDeclaration(parser: Parser, fields: ParsedField[]): void {
  const { checker } = parser;
  if (parser.accept(';')) return;
  if (parser.keyword()?.kind === 'static-assert') {
    parseStaticAssertion(parser);
    return;
  }
  const start = parser.token;
  const position = parser.position;
  if (!startsDeclaration(parser, start) && !parser.isIdentifier() && parser.keyword()?.kind !== 'attribute') {
    parser.syntaxError(start, 'type name requires a specifier or qualifier');
    if (parser.position === position) parser.next();
    return;
  }
  const specifiers = parseSpecifiers(parser);
  if (specifiers.storage !== 'none' || specifiers.isThreadLocal) {
    checker.error(specifiers.storageSpan, 'type name does not allow storage class to be specified');
  }
  if (parser.is(';')) {
    const { type } = specifiers.type;
    if (type.kind === 'record' && type.tag === undefined && !specifiers.isWrong) {
      const { attributes } = specifiers;
      fields.push({
        name: undefined,
        type: specifiers.type,
        bits: undefined,
        attributes,
        span: specifiers.span,
      });
    } else if (!specifiers.hasTag && !specifiers.isWrong) {
      checker.warning(specifiers.span, 'missing-declarations', 'declaration does not declare anything');
    }
    parser.next();
    return;
  }
  do {
    const declarator = parseDeclarator(parser, parser.is(':') ? 'unnamed' : 'named');
    let bits: Expression | undefined;
    if (parser.accept(':')) bits = parseConditionalExpression(parser);
    const attributes = [...specifiers.attributes, ...declarator.attributes, ...parseAttributes(parser)];
    if (parser.panicking) return;
    const type = specifiers.isWrong ? undefined : applyDeclarator(checker, specifiers.type, declarator);
    const { name, nameSpan } = declarator;
    const span = name === undefined ? specifiers.span : nameSpan;
    if (type !== undefined) fields.push({ name, type, bits, attributes, span });
  } while (parser.accept(','));
  parser.expect(';', 'at end of declaration list');
  if (parser.position === position) parser.next();
}

// enum = "enum" attributes identifier? ("{" (enumerator ("," enumerator)* ","?)? "}" attributes)?
// enumerator = identifier attributes ("=" constant-expression)?
export function parseEnum(parser: Parser): EnumType {
  const { checker } = parser;
  const word = parser.next();
  const attributes = [...parseAttributes(parser)];
  const tag = parser.isIdentifier() ? parser.next() : undefined;
  const defines = parser.is('{');
  if (tag === undefined && !defines) parser.syntaxError(parser.token, "expected identifier or '{'");
  const span = tag ?? word;
  const type = referToTag(checker, 'enum', tag?.text, span, defines, parser.is(';'));
  if (type.kind !== 'enum') return { kind: 'enum', tag: tag?.text, underlying: arithmeticTypes.uint, span };
  if (!defines) return type;
  const opening = parser.next();
  const builder = new EnumBuilder(checker, type);
  if (parser.is('}')) checker.error(joinSpans(opening, parser.token), 'use of empty enum');
  while (!parser.is('}') && !parser.atEnd && !parser.panicking) {
    if (!parser.isIdentifier()) {
      parser.syntaxError(parser.token, 'expected identifier');
      break;
    }
    const name = parser.next();
    parseAttributes(parser);
    const value = parser.accept('=') ? parseConditionalExpression(parser) : undefined;
    builder.add(name.text, name, value);
    if (parser.accept(',')) continue;
    if (parser.isIdentifier()) parser.syntaxError(parser.afterPrevious(), "missing ',' between enumerators");
    break;
  }
  parser.expect('}', '', opening);
  if (parser.panicking) {
    while (!parser.is('}') && !parser.is(';') && !parser.atEnd) parser.next();
    parser.accept('}');
  }
  attributes.push(...parseAttributes(parser));
  builder.finish(checkAttributes(checker, attributes, 'type'));
  return type;
}

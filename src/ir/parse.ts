/**
 * Reads the text form that print.ts writes, so that a test of a pass or a code generator can be a piece of text, as can a
 * program (`millrace run x.ir`); `print(parse(print(m)))` equals `print(m)`. Instructions get spans in the text they were read from.
 */

import { mostGlobalBytes } from './binary/schema.ts';
import { newRegion } from './builder.ts';
import { isImageAccess, isImageTypeName } from './images.ts';
import type * as ir from './ir.ts';
import { BodyNames, type Symbols } from './text/body-names.ts';
import { Lexer, type Token } from './text/lexer.ts';
import { BodyParser } from './text/parse-body.ts';
import { parseLayout, parseType } from './text/parse-type.ts';

export { IrSyntaxError } from './text/lexer.ts';

/**
 * The module that a text describes. It is well-formed, but only the verifier can say that it is valid.
 * @param name what messages call the text
 * @throws IrSyntaxError with the place of the first mistake
 */
export function parseModule(text: string, name = 'module.ir'): ir.Module {
  return new ModuleParser(text, name).module();
}

type Relocation = ir.GlobalVariable['relocations'][number];
type FunctionPlace = NonNullable<ir.GlobalVariable['functions']>[number];

class ModuleParser {
  readonly #lexer: Lexer;
  readonly #globals = new Map<string, ir.GlobalVariable>();
  readonly #functions = new Map<string, ir.Function>();
  readonly #symbols: Symbols;
  #globalBytes = 0;
  /** Relocations may name globals that come later. */
  readonly #relocations: { list: Relocation[]; offset: number; token: Token; addend: number }[] = [];
  readonly #functionPlaces: { list: FunctionPlace[]; offset: number; token: Token }[] = [];

  constructor(text: string, name: string) {
    this.#lexer = new Lexer(text, name);
    const placeholder: ir.Function = {
      name: '?',
      kind: 'function',
      parameters: [],
      result: undefined,
      body: undefined,
      form: 'work-item',
    };
    this.#symbols = { globals: this.#globals, calls: [], placeholder };
  }

  module(): ir.Module {
    const lexer = this.#lexer;
    lexer.expect('module');
    lexer.expect('address');
    lexer.expect('=');
    const token = lexer.peek;
    const addressBits = lexer.expectCount('32 or 64');
    if (addressBits !== 32 && addressBits !== 64) return lexer.fail('expected 32 or 64', token);
    const hosted = lexer.accept('hosted') ? { isHosted: true } : {};
    while (lexer.peek.kind !== 'end') this.#definition();
    for (const { list, offset, token, addend } of this.#relocations) {
      const target = this.#globals.get(token.text) ?? lexer.fail(`no global @${token.text}`, token);
      list.push({ offset, target, addend });
    }
    const functionAt = (token: Token): ir.Function =>
      this.#functions.get(token.text) ?? lexer.fail(`no function @${token.text}`, token);
    for (const { list, offset, token } of this.#functionPlaces) {
      list.push({ offset, target: functionAt(token) });
    }
    for (const { call, token } of this.#symbols.calls) call.callee = functionAt(token);
    return {
      addressBits,
      ...hosted,
      globals: [...this.#globals.values()],
      functions: [...this.#functions.values()],
    };
  }

  #definition(): void {
    const token = this.#lexer.peek;
    const word = this.#lexer.expectKind('word', 'a definition');
    if (word === 'constant' || word === 'global' || word === 'private') this.#global(word);
    else if (word === 'kernel' || word === 'function') this.#function(word);
    else this.#lexer.fail('expected constant, global, private, kernel or function', token);
  }

  #symbol(table: ReadonlyMap<string, unknown>): string {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a name');
    if (table.has(name)) this.#lexer.fail(`@${name} is defined twice`, token);
    return name;
  }

  #global(space: ir.GlobalVariable['space']): void {
    const lexer = this.#lexer;
    const { start } = lexer.peek;
    const name = this.#symbol(this.#globals);
    const sizeToken = lexer.peek;
    const size = lexer.attribute('size');
    this.#globalBytes += size;
    if (this.#globalBytes > mostGlobalBytes)
      lexer.fail(`program-scope variables take more than ${mostGlobalBytes} bytes together`, sizeToken);
    const align = this.#lexer.attribute('align');
    const linkage = lexer.accept('internal') ? { linkage: 'internal' as const } : {};
    const local = lexer.accept('thread') ? { isThreadLocal: true } : {};
    lexer.expect('=');
    const declared = lexer.accept('declared') ? { isDeclared: true } : {};
    const isEmpty = 'isDeclared' in declared;
    const bytes = isEmpty || lexer.accept('zero') ? new Uint8Array(isEmpty ? 0 : size) : this.#bytes(size);
    const relocations: Relocation[] = [];
    while (lexer.accept('reloc')) {
      const { offset, token } = this.#symbolAt('a global');
      const sign = lexer.accept('+') ? 1 : lexer.accept('-') ? -1 : 0;
      const addend = sign === 0 ? 0 : sign * lexer.expectCount('a number of bytes');
      lexer.expect(')');
      this.#relocations.push({ list: relocations, offset, token, addend });
    }
    const places: FunctionPlace[] = [];
    while (lexer.accept('function_at')) {
      const { offset, token } = this.#symbolAt('a function');
      lexer.expect(')');
      this.#functionPlaces.push({ list: places, offset, token });
    }
    const functions = this.#functionPlaces.some(({ list }) => list === places) ? { functions: places } : {};
    const span = lexer.span(start);
    this.#globals.set(name, {
      name,
      ...linkage,
      ...declared,
      space,
      size,
      align,
      bytes,
      relocations,
      ...functions,
      ...local,
      span,
    });
  }

  /** `(8: @name`: where in a global the address of something is. */
  #symbolAt(what: string): { offset: number; token: Token } {
    const lexer = this.#lexer;
    lexer.expect('(');
    const offset = lexer.expectCount('an offset');
    lexer.expect(':');
    const token = lexer.peek;
    lexer.expectKind('symbol', what);
    return { offset, token };
  }

  #bytes(size: number): Uint8Array {
    const lexer = this.#lexer;
    lexer.expect('hex');
    const token = lexer.peek;
    const digits = lexer.expectKind('string', 'bytes in quotes').replaceAll(' ', '');
    if (!/^(?:[0-9a-f]{2})*$/.test(digits)) lexer.fail('expected hexadecimal bytes', token);
    if (digits.length !== size * 2) lexer.fail(`${digits.length / 2} bytes, expected ${size}`, token);
    const bytes = new Uint8Array(size);
    for (let index = 0; index < size; index += 1) {
      bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
    }
    return bytes;
  }

  #function(kind: ir.Function['kind']): void {
    const lexer = this.#lexer;
    const { start } = lexer.peek;
    const name = this.#symbol(this.#functions);
    const names = new BodyNames(lexer, this.#symbols);
    const parameters: ir.Parameter[] = [];
    lexer.expect('(');
    if (!lexer.accept(')')) {
      do parameters.push(this.#parameter(names));
      while (lexer.accept(','));
      lexer.expect(')');
    }
    const result = lexer.accept('->') ? parseType(lexer) : undefined;
    const linkage = lexer.accept('internal') ? { linkage: 'internal' as const } : {};
    const attributes = this.#attributes();
    const imported = this.#imported();
    const outlined = lexer.accept('outlined') ? { isOutlined: true } : {};
    const cold = outlined.isOutlined && lexer.accept('cold') ? { isCold: true } : {};
    const serves = this.#serves();
    const fn: ir.Function = {
      name,
      kind,
      ...linkage,
      parameters,
      result,
      body: undefined,
      form: lexer.accept('work-group') ? 'work-group' : 'work-item',
      ...imported,
      ...outlined,
      ...cold,
      ...serves,
      ...(kind === 'kernel' ? { attributes } : {}),
      span: lexer.span(start),
    };
    this.#functions.set(name, fn);
    if (lexer.accept('{')) fn.body = new BodyParser(lexer, names).region(newRegion());
  }

  #parameter(names: BodyNames): ir.Parameter {
    const lexer = this.#lexer;
    const name = names.name();
    lexer.expect(':');
    const value = names.define(name, parseType(lexer));
    const parameter: { -readonly [Key in keyof ir.Parameter]: ir.Parameter[Key] } = { value };
    if (lexer.accept('aggregate')) {
      lexer.expect('(');
      const size = lexer.expectCount('a size');
      lexer.expect(',');
      parameter.aggregate = { size, align: lexer.expectCount('an alignment') };
      lexer.expect(')');
    }
    if (lexer.accept('const')) parameter.isConst = true;
    if (lexer.accept('restrict')) parameter.isRestrict = true;
    if (lexer.accept('volatile')) parameter.isVolatile = true;
    if (lexer.accept('readable')) {
      lexer.expect('(');
      parameter.readableBytes = lexer.expectCount('a number of bytes');
      lexer.expect(')');
    }
    if (lexer.accept('info')) parameter.info = this.#info();
    return parameter;
  }

  #info(): ir.ParameterInfo {
    const lexer = this.#lexer;
    lexer.expect('(');
    const name = lexer.expectKind('string', 'a name in quotes');
    lexer.expect(',');
    const typeName = lexer.expectKind('string', 'a type in quotes');
    const typeQualifiers: ir.ParameterInfo['typeQualifiers'][number][] = [];
    const info: { -readonly [Key in keyof ir.ParameterInfo]: ir.ParameterInfo[Key] } = {
      name,
      typeName,
      typeQualifiers,
    };
    while (lexer.accept(',')) {
      const { text } = lexer.peek;
      lexer.expectKind('word', 'a qualifier or layout');
      if (text === 'read_only' || text === 'write_only' || text === 'read_write') info.accessQualifier = text;
      else if (text === 'sampler' || text === 'queue') info.handle = { kind: text };
      else if (text === 'image') info.handle = this.#imageInfo();
      else if (text === 'packets') info.handle = this.#pipeInfo();
      else if (text === 'layout') info.layout = parseLayout(lexer);
      else if (text === 'pointee') info.pointee = parseLayout(lexer);
      else if (text === 'const' || text === 'restrict' || text === 'volatile' || text === 'pipe') {
        typeQualifiers.push(text);
      } else lexer.fail(`unknown qualifier '${text}'`);
    }
    lexer.expect(')');
    return info;
  }

  /** What follows `image`: `image2d_t read_only`. */
  #imageInfo(): ir.HandleInfo {
    const lexer = this.#lexer;
    const type = lexer.expectKind('word', 'an image type');
    if (!isImageTypeName(type)) return lexer.fail(`unknown image type '${type}'`);
    const access = lexer.expectKind('word', 'an access qualifier');
    if (!isImageAccess(access)) return lexer.fail(`unknown access qualifier '${access}'`);
    return { kind: 'image', type, access };
  }

  /** What follows `packets`: their bytes, and `read_only` or `write_only`. */
  #pipeInfo(): ir.HandleInfo {
    const lexer = this.#lexer;
    const packetBytes = lexer.expectCount('the bytes of a packet');
    const access = lexer.expectKind('word', 'an access qualifier');
    if (access !== 'read_only' && access !== 'write_only') {
      return lexer.fail(`'${access}' is not what a kernel may do with a pipe`);
    }
    return { kind: 'pipe', access, packetBytes };
  }

  #imported(): { imported?: ir.Function['imported'] } {
    const lexer = this.#lexer;
    if (!lexer.accept('imported')) return {};
    lexer.expect('(');
    const module = lexer.expectKind('string', 'a module in quotes');
    lexer.expect(',');
    const name = lexer.expectKind('string', 'a name in quotes');
    lexer.expect(')');
    return { imported: { module, name } };
  }

  #attributes(): ir.KernelAttributes {
    const lexer = this.#lexer;
    const attributes: { -readonly [Key in keyof ir.KernelAttributes]: ir.KernelAttributes[Key] } = {};
    for (;;) {
      if (lexer.accept('reqd_work_group_size')) attributes.requiredWorkGroupSize = this.#sizes();
      else if (lexer.accept('work_group_size_hint')) attributes.workGroupSizeHint = this.#sizes();
      else if (lexer.accept('vec_type_hint')) {
        lexer.expect('(');
        attributes.vectorTypeHint = lexer.expectKind('string', 'a type in quotes');
        lexer.expect(')');
      } else if (lexer.accept('cut_groups')) attributes.mayCutGroups = true;
      else if (lexer.accept('block')) attributes.isBlock = true;
      else if (lexer.accept('interchanged')) attributes.interchange = 'done';
      else if (lexer.accept('better_interchanged')) attributes.interchange = 'better';
      else return attributes;
    }
  }

  /** What a function of the library serves, if it says so. */
  #serves(): Pick<ir.Function, 'serves'> {
    const lexer = this.#lexer;
    if (!lexer.accept('serves')) return {};
    lexer.expect('(');
    const serves = lexer.accept('pipes') ? 'pipes' : 'images';
    if (serves === 'images') lexer.expect('images');
    lexer.expect(')');
    return { serves };
  }

  #sizes(): [number, number, number] {
    const lexer = this.#lexer;
    lexer.expect('(');
    const x = lexer.expectCount('a size');
    lexer.expect(',');
    const y = lexer.expectCount('a size');
    lexer.expect(',');
    const z = lexer.expectCount('a size');
    lexer.expect(')');
    return [x, y, z];
  }
}

/**
 * Reads a function's body: regions and instructions. It checks only what it must to build the objects (names are
 * defined before they are used, words are known); whether the result is valid is the verifier's question.
 */
import { newRegion } from '../builder.ts';
import type * as ir from '../ir.ts';
import { type AddressSpace, elementOf, type LaneCount, laneCounts, type Type } from '../types.ts';
import {
  atomicFunctions,
  binaryFunctions,
  collectiveFunctions,
  collectiveScopes,
  combineFunctions,
  compareFunctions,
  convertFunctions,
  imageChannels,
  imageQueryFunctions,
  memoryOrders,
  memoryScopes,
  queryFunctions,
  roundingModes,
  testedSpaces,
  unaryFunctions,
} from './functions.ts';
import type { Lexer, Token } from './lexer.ts';
import { parseSpace, parseType } from './parse-type.ts';
import { hasDimension } from './print-instruction.ts';

/** What a body refers to outside itself. Calls may come before their functions, so they are resolved at the end. */
export interface Symbols {
  readonly globals: ReadonlyMap<string, ir.GlobalVariable>;
  readonly calls: { call: { callee: ir.Function }; token: Token }[];
  /** Stands in as callee until the call is resolved. */
  readonly placeholder: ir.Function;
}

/** Regions are read by recursion; this keeps it within every engine's stack. */
const deepest = 500;

export class BodyParser {
  readonly #lexer: Lexer;
  readonly #symbols: Symbols;
  readonly #values = new Map<string, ir.Value>();
  readonly #targets = new Map<string, ir.Block | ir.Loop>();
  readonly #slots = new Map<string, ir.Slot>();
  #depth = 0;

  constructor(lexer: Lexer, symbols: Symbols) {
    this.#lexer = lexer;
    this.#symbols = symbols;
  }

  /** `%name`, defined here; numbers are not names that people gave. */
  define(token: Token, type: Type): ir.Value {
    const { text } = token;
    if (this.#values.has(text)) this.#lexer.fail(`%${text} is defined twice`, token);
    const value: ir.Value = /^[0-9]/.test(text) ? { type } : { type, name: text };
    this.#values.set(text, value);
    return value;
  }

  /** `%name`, as a token: the type that {@link define} needs comes later. */
  name(): Token {
    const token = this.#lexer.peek;
    this.#lexer.expectKind('value', 'a value');
    return token;
  }

  /** The instructions up to and with the closing brace. */
  region(region: ir.Region): ir.Region {
    this.#depth += 1;
    if (this.#depth > deepest) this.#lexer.fail(`more than ${deepest} regions inside each other`);
    while (!this.#lexer.accept('}')) this.#instruction(region);
    this.#depth -= 1;
    return region;
  }

  #instruction(region: ir.Region): void {
    const lexer = this.#lexer;
    const { start, startsLine } = lexer.peek;
    if (!startsLine) lexer.fail('expected a new line');
    const names: Token[] = [];
    if (lexer.peek.kind === 'value') {
      do names.push(this.name());
      while (lexer.accept(','));
      lexer.expect('=');
    }
    const opcode = lexer.peek;
    const instruction = this.#parts();
    const types: Type[] = [];
    if (names.length > 0) {
      lexer.expect(':');
      do types.push(parseType(lexer));
      while (lexer.accept(',', true));
    }
    if (types.length !== names.length)
      lexer.fail(`${names.length} results but ${types.length} types`, opcode);
    instruction.span = lexer.span(start);
    this.#regions(instruction);
    instruction.results = names.map((name, index) => this.define(name, types[index]!));
    if (instruction.op === 'constant') region.instructions.push(this.#typedConstant(instruction, opcode));
    else region.instructions.push(instruction);
  }

  /** What follows the results, up to the colon or brace. */
  #parts(): ir.Instruction {
    const lexer = this.#lexer;
    const token = lexer.peek;
    const word = lexer.expectKind('word', 'an instruction');
    const none = { operands: [], results: [], regions: [] };
    const arithmetic = this.#arithmetic(word);
    if (arithmetic) return arithmetic;
    switch (word) {
      case 'constant':
        return { op: word, value: this.#constantValue(), ...none };
      case 'undefined':
      case 'unreachable':
      case 'items':
        return { op: word, ...none };
      case 'fma':
      case 'select':
      case 'splat':
      case 'build':
      case 'offset':
      case 'copies_address':
      case 'yield':
      case 'return':
      case 'if':
        return { ...none, op: word, operands: this.#operands() };
      case 'switch':
        return { ...none, op: word, operands: this.#operands(), cases: [] };
      case 'extract':
      case 'insert': {
        const operands = this.#operands(true);
        return { ...none, op: word, operands, lane: lexer.expectCount('a lane') };
      }
      case 'shuffle': {
        const operands = this.#operands();
        const lanes = this.#list('[', ']', () => Number(lexer.expectKind('number', 'a lane')));
        return { ...none, op: word, operands, lanes };
      }
      case 'variable':
        return this.#variable();
      case 'global_address':
        return { ...none, op: word, global: this.#global() };
      case 'load':
      case 'store': {
        const operands = this.#operands();
        const align = this.#attribute('align');
        return {
          ...none,
          op: word,
          operands,
          align,
          ...(lexer.accept('volatile') ? { volatile: true } : {}),
        };
      }
      case 'masked_load':
      case 'masked_store':
      case 'gather':
      case 'scatter':
      case 'copy':
        return { ...none, op: word, operands: this.#operands(), align: this.#attribute('align') };
      case 'any':
      case 'all':
        return { ...none, op: 'test', fn: word, operands: this.#operands() };
      case 'fill': {
        const operands = this.#operands();
        return {
          ...none,
          op: word,
          operands,
          byte: this.#attribute('byte'),
          align: this.#attribute('align'),
        };
      }
      case 'atomic': {
        const fn = this.#oneOf(atomicFunctions, 'an atomic function');
        const operands = this.#operands();
        return { ...none, op: word, fn, operands, ...this.#ordering() };
      }
      case 'fence':
        return { ...none, op: word, spaces: this.#spaces(), ...this.#ordering() };
      case 'barrier':
        return {
          ...none,
          op: word,
          spaces: this.#spaces(),
          ...(lexer.accept('sub-group') ? { scope: 'sub-group' } : {}),
        };
      case 'collective': {
        const fn = this.#oneOf(collectiveFunctions, 'a collective function');
        const operands = this.#operands();
        const combine = this.#oneOf(combineFunctions, 'a way to combine');
        return { ...none, op: word, fn, operands, combine, scope: this.#oneOf(collectiveScopes, 'a scope') };
      }
      case 'in_space': {
        const operands = this.#operands();
        return { ...none, op: word, operands, space: this.#oneOf(testedSpaces, 'an address space') };
      }
      case 'printf': {
        const format = lexer.expectKind('string', 'a format');
        return { ...none, op: word, format, operands: this.#operands() };
      }
      case 'query': {
        const fn = this.#oneOf(queryFunctions, 'a query');
        const dimension = hasDimension(fn) ? lexer.expectCount('a dimension') : 0;
        return { ...none, op: word, fn, dimension: dimension as ir.Query['dimension'] };
      }
      case 'image_read':
      case 'image_write': {
        const channels = this.#oneOf(imageChannels, 'a kind of channels');
        return { ...none, op: word, channels, operands: this.#operands() };
      }
      case 'image_query': {
        const fn = this.#oneOf(imageQueryFunctions, 'an image query');
        return { ...none, op: word, fn, operands: this.#operands() };
      }
      case 'call':
        return this.#call();
      case 'function_address':
        return this.#functionAddress();
      case 'call_indirect':
        return { ...none, op: word, operands: this.#operands() };
      case 'slot':
        return this.#slotDefinition();
      case 'slot_read':
        return { ...none, op: word, slot: this.#slot(), ...this.#row() };
      case 'slot_write': {
        const slot = this.#slot();
        lexer.expect(',');
        const written = { ...none, op: word, slot, operands: this.#operands() } as const;
        const scan = (['exclusive', 'inclusive'] as const).find((way) => lexer.accept(way));
        return { ...written, ...(scan ? { scan } : {}), ...this.#row() };
      }
      case 'item_address':
        return { ...none, op: word, operands: this.#operands(), ...this.#row() };
      case 'block':
        return this.#label({ ...none, op: word, regions: [newRegion()] });
      case 'loop':
        return this.#loop();
      case 'break':
        return { ...none, op: word, target: this.#target(), operands: this.#operands() };
      case 'continue': {
        const { start, end } = lexer.peek;
        const target = this.#target();
        if (target.op !== 'loop') return lexer.fail('continue needs a loop', { start, end });
        return { ...none, op: word, target, operands: this.#operands() };
      }
      default:
        return lexer.fail(`unknown instruction '${word}'`, token);
    }
  }

  /** The kinds whose function is the first word: `iadd`, `slt`, `ftos`. */
  #arithmetic(word: string): ir.Instruction | undefined {
    const lexer = this.#lexer;
    const rest = { results: [], regions: [] };
    const unary = unaryFunctions.find((fn) => fn === word);
    if (unary) return { op: 'unary', fn: unary, operands: this.#operands(), ...rest };
    const binary = binaryFunctions.find((fn) => fn === word);
    if (binary) {
      const contract = lexer.accept('contract') ? { contract: true } : {};
      const reassociate = lexer.accept('reassociate') ? { reassociate: true } : {};
      return { op: 'binary', fn: binary, ...contract, ...reassociate, operands: this.#operands(), ...rest };
    }
    const compare = compareFunctions.find((fn) => fn === word);
    if (compare) return { op: 'compare', fn: compare, operands: this.#operands(), ...rest };
    const convert = convertFunctions.find((fn) => fn === word);
    if (!convert) return undefined;
    const rounding = roundingModes.find((mode) => lexer.accept(mode));
    const saturate = lexer.accept('saturate') ? { saturate: true } : {};
    return {
      op: 'convert',
      fn: convert,
      ...(rounding ? { rounding } : {}),
      ...saturate,
      operands: this.#operands(),
      ...rest,
    };
  }

  /** The nested regions, in braces. Loops and blocks have theirs already, so that bodies can break to them. */
  #regions(instruction: ir.Instruction): void {
    const lexer = this.#lexer;
    switch (instruction.op) {
      case 'block':
      case 'loop':
        lexer.expect('{');
        this.region(instruction.regions[0]!);
        break;
      case 'items':
        lexer.expect('{');
        instruction.regions.push(this.region(newRegion()));
        if (lexer.accept('packed')) {
          instruction.lanes = this.#laneCount();
          lexer.expect('{');
          instruction.regions.push(this.region(newRegion()));
        }
        if (lexer.accept('rows')) {
          instruction.rows = lexer.expectCount('a number of rows');
          lexer.expect('{');
          instruction.regions.push(this.region(newRegion()));
        }
        break;
      case 'if':
        lexer.expect('{');
        instruction.regions.push(this.region(newRegion()));
        lexer.expect('else');
        lexer.expect('{');
        instruction.regions.push(this.region(newRegion()));
        break;
      case 'switch': {
        const cases: (number | bigint)[][] = [];
        const wide = instruction.operands[0] !== undefined && is64(instruction.operands[0].type);
        lexer.expect('{');
        while (lexer.accept('case')) {
          const values: (number | bigint)[] = [];
          do values.push(this.#integer(wide));
          while (lexer.accept(','));
          cases.push(values);
          lexer.expect('{');
          instruction.regions.push(this.region(newRegion()));
        }
        lexer.expect('default');
        lexer.expect('{');
        instruction.regions.push(this.region(newRegion()));
        lexer.expect('}');
        Object.assign(instruction, { cases });
        break;
      }
      default:
        break;
    }
  }

  /** The row of a cell, if it is not the first. */
  #row(): { row?: number } {
    return this.#lexer.accept('row') ? { row: this.#lexer.expectCount('a row') } : {};
  }

  #laneCount(): LaneCount {
    const token = this.#lexer.peek;
    const count = this.#lexer.expectCount('a number of lanes');
    return laneCounts.find((one) => one === count) ?? this.#lexer.fail(`${count} lanes`, token);
  }

  #label<T extends ir.Block | ir.Loop>(target: T): T {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a label');
    if (this.#targets.has(name)) this.#lexer.fail(`@${name} is defined twice`, token);
    this.#targets.set(name, target);
    return target;
  }

  #loop(): ir.Loop {
    const lexer = this.#lexer;
    const body = newRegion();
    const loop = this.#label<ir.Loop>({ op: 'loop', operands: [], results: [], regions: [body] });
    loop.operands = this.#list('(', ')', () => {
      const name = this.name();
      lexer.expect(':');
      const type = parseType(lexer);
      lexer.expect('=');
      const initial = this.#value();
      body.parameters.push(this.define(name, type));
      return initial;
    });
    if (lexer.peek.text === 'unroll') Object.assign(loop, { unroll: this.#attribute('unroll') });
    return loop;
  }

  #target(): ir.Block | ir.Loop {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a label');
    return this.#targets.get(name) ?? this.#lexer.fail(`no block or loop @${name}`, token);
  }

  #variable(): ir.Variable {
    const lexer = this.#lexer;
    const space = parseSpace(lexer);
    if (space !== 'private' && space !== 'local') return lexer.fail('a variable is private or local');
    const name = lexer.expectKind('string', 'a name in quotes');
    const size = this.#attribute('size');
    const align = this.#attribute('align');
    const perItem = lexer.accept('per_item') ? { perItem: true } : {};
    const elements = lexer.peek.text === 'element' ? { elementSize: this.#attribute('element') } : {};
    return {
      op: 'variable',
      space,
      name,
      size,
      align,
      ...perItem,
      ...elements,
      operands: [],
      results: [],
      regions: [],
    };
  }

  #global(): ir.GlobalVariable {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('symbol', 'a global');
    return this.#symbols.globals.get(name) ?? this.#lexer.fail(`no global @${name}`, token);
  }

  #call(): ir.Call {
    const token = this.#lexer.peek;
    this.#lexer.expectKind('symbol', 'a function');
    const operands = this.#list('(', ')', () => this.#value());
    const callee = this.#symbols.placeholder;
    const call: ir.Call = { op: 'call', callee, operands, results: [], regions: [] };
    this.#symbols.calls.push({ call, token });
    return call;
  }

  #functionAddress(): ir.FunctionAddress {
    const token = this.#lexer.peek;
    this.#lexer.expectKind('symbol', 'a function');
    const callee = this.#symbols.placeholder;
    const instruction = { op: 'function_address' as const, callee, operands: [], results: [], regions: [] };
    this.#symbols.calls.push({ call: instruction, token });
    return instruction;
  }

  #slotDefinition(): ir.Slot {
    const lexer = this.#lexer;
    const token = lexer.peek;
    const name = lexer.expectKind('slot', 'a slot');
    if (this.#slots.has(name)) lexer.fail(`$${name} is defined twice`, token);
    lexer.expect(':');
    const type = parseType(lexer);
    const combine = lexer.accept('combine') ? this.#oneOf(combineFunctions, 'a way to combine') : undefined;
    const extra = combine ? { combine } : {};
    const slot: ir.Slot = { op: 'slot', name, type, ...extra, operands: [], results: [], regions: [] };
    this.#slots.set(name, slot);
    return slot;
  }

  #slot(): ir.Slot {
    const token = this.#lexer.peek;
    const name = this.#lexer.expectKind('slot', 'a slot');
    return this.#slots.get(name) ?? this.#lexer.fail(`no slot $${name}`, token);
  }

  /** Values with commas between them, on this line; with `more`, a comma may lead to something else. */
  #operands(more = false): ir.Value[] {
    const lexer = this.#lexer;
    const values: ir.Value[] = [];
    if (lexer.peek.kind !== 'value' || lexer.peek.startsLine) return values;
    do {
      if (more && lexer.peek.kind !== 'value') return values;
      values.push(this.#value());
    } while (lexer.accept(',', true));
    return values;
  }

  #value(): ir.Value {
    const token = this.name();
    return this.#values.get(token.text) ?? this.#lexer.fail(`%${token.text} is not defined`, token);
  }

  #list<T>(open: string, close: string, item: () => T): T[] {
    const lexer = this.#lexer;
    const items: T[] = [];
    lexer.expect(open);
    if (lexer.accept(close)) return items;
    do items.push(item());
    while (lexer.accept(','));
    lexer.expect(close);
    return items;
  }

  /** `name=number`. */
  #attribute(name: string): number {
    this.#lexer.expect(name);
    this.#lexer.expect('=');
    return this.#lexer.expectCount('a number');
  }

  #spaces(): AddressSpace[] {
    return this.#list('(', ')', () => parseSpace(this.#lexer));
  }

  #ordering(): { order: ir.MemoryOrder; scope: ir.MemoryScope } {
    const order = this.#oneOf(memoryOrders, 'a memory order');
    return { order, scope: this.#oneOf(memoryScopes, 'a memory scope') };
  }

  #oneOf<T extends string>(words: readonly T[], what: string): T {
    const found = words.find((word) => word === this.#lexer.peek.text);
    if (found === undefined) this.#lexer.fail(`expected ${what}`);
    this.#lexer.take();
    return found;
  }

  /** The value as written; {@link BodyParser.#typedConstant} makes it one of the type. */
  #constantValue(): ir.Constant['value'] {
    if (this.#lexer.peek.text === '[') return this.#list('[', ']', () => this.#scalar());
    return this.#scalar();
  }

  #scalar(): ir.ScalarConstant {
    const token = this.#lexer.take();
    if (token.text === 'true') return true;
    if (token.text === 'false') return false;
    if (token.text === 'nan') return Number.NaN;
    if (token.text === 'inf') return Number.POSITIVE_INFINITY;
    if (token.kind !== 'number') this.#lexer.fail('expected a constant', token);
    if (token.text === '-inf') return Number.NEGATIVE_INFINITY;
    // Integers are kept whole until the type says how wide they are.
    return /^-?[0-9]+$/.test(token.text) ? BigInt(token.text) : Number(token.text);
  }

  #typedConstant(constant: ir.Constant, token: Token): ir.Constant {
    const type = constant.results[0]?.type;
    if (type === undefined) return this.#lexer.fail('a constant needs a result', token);
    const element = elementOf(type);
    const convert = (value: ir.ScalarConstant): ir.ScalarConstant => {
      if (typeof value === 'boolean' || is64(element)) return value;
      if (element.kind !== 'float') return Number(value);
      return element.bits === 64 ? Number(value) : Math.fround(Number(value));
    };
    const { value } = constant;
    return { ...constant, value: typeof value === 'object' ? value.map(convert) : convert(value) };
  }

  #integer(wide: boolean): number | bigint {
    const { text } = this.#lexer.peek;
    const token = this.#lexer.peek;
    if (token.kind !== 'number' || !/^-?[0-9]+$/.test(text)) this.#lexer.fail('expected an integer');
    this.#lexer.take();
    return wide ? BigInt(text) : Number(text);
  }
}

function is64(type: Type): boolean {
  return type.kind === 'int' && type.bits === 64;
}

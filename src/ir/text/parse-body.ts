/**
 * Reads a function's body: regions and instructions. It checks only what it must to build the objects (names are
 * defined before they are used, words are known); whether the result is valid is the verifier's question.
 */
import { newRegion } from '../builder.ts';
import type * as ir from '../ir.ts';
import { type AddressSpace, i32, type LaneCount, laneCounts, type Type } from '../types.ts';
import type { BodyNames } from './body-names.ts';
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
import { parseConstantValue, parseInteger, typedConstant } from './parse-constant.ts';
import { parseSpace, parseType } from './parse-type.ts';
import { hasDimension } from './print-instruction.ts';

/** Regions are read by recursion; this keeps it within every engine's stack. */
const deepest = 500;

export class BodyParser {
  readonly #lexer: Lexer;
  readonly #names: BodyNames;
  #depth = 0;

  /** @param names with the function's parameters defined */
  constructor(lexer: Lexer, names: BodyNames) {
    this.#lexer = lexer;
    this.#names = names;
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
    const results: Token[] = [];
    if (lexer.peek.kind === 'value') {
      do results.push(this.#names.name());
      while (lexer.accept(','));
      lexer.expect('=');
    }
    const opcode = lexer.peek;
    const instruction = this.#parts();
    const types: Type[] = [];
    if (results.length > 0) {
      lexer.expect(':');
      do types.push(parseType(lexer));
      while (lexer.accept(',', true));
    }
    if (types.length !== results.length)
      lexer.fail(`${results.length} results but ${types.length} types`, opcode);
    instruction.span = lexer.span(start);
    this.#regions(instruction);
    instruction.results = results.map((name, index) => this.#names.define(name, types[index]!));
    if (instruction.op === 'constant') region.instructions.push(typedConstant(lexer, instruction, opcode));
    else region.instructions.push(instruction);
  }

  /** What follows the results, up to the colon or brace. */
  #parts(): ir.Instruction {
    const lexer = this.#lexer;
    const names = this.#names;
    const token = lexer.peek;
    const word = lexer.expectKind('word', 'an instruction');
    const none = { operands: [], results: [], regions: [] };
    const arithmetic = this.#arithmetic(word);
    if (arithmetic) return arithmetic;
    switch (word) {
      case 'constant':
        return { op: word, value: parseConstantValue(lexer), ...none };
      case 'undefined':
      case 'unreachable':
      case 'work_item_loop':
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
        return { ...none, op: word, operands: names.operands() };
      case 'switch':
        return { ...none, op: word, operands: names.operands(), cases: [] };
      case 'extract':
      case 'insert': {
        const operands = names.operands(true);
        return { ...none, op: word, operands, lane: lexer.expectCount('a lane') };
      }
      case 'shuffle': {
        const operands = names.operands();
        const lanes = lexer.list('[', ']', () => Number(lexer.expectKind('number', 'a lane')));
        return { ...none, op: word, operands, lanes };
      }
      case 'variable':
        return this.#variable();
      case 'global_address':
        return { ...none, op: word, global: names.global() };
      case 'load':
      case 'store': {
        const operands = names.operands();
        const align = lexer.attribute('align');
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
        return { ...none, op: word, operands: names.operands(), align: lexer.attribute('align') };
      case 'any':
      case 'all':
      case 'count':
        return { ...none, op: 'test', fn: word, operands: names.operands() };
      case 'fill': {
        const operands = names.operands();
        return {
          ...none,
          op: word,
          operands,
          byte: lexer.attribute('byte'),
          align: lexer.attribute('align'),
        };
      }
      case 'atomic': {
        const fn = lexer.oneOf(atomicFunctions, 'an atomic function');
        const operands = names.operands();
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
        const fn = lexer.oneOf(collectiveFunctions, 'a collective function');
        const operands = names.operands();
        const combine = lexer.oneOf(combineFunctions, 'a way to combine');
        return { ...none, op: word, fn, operands, combine, scope: lexer.oneOf(collectiveScopes, 'a scope') };
      }
      case 'in_space': {
        const operands = names.operands();
        return { ...none, op: word, operands, space: lexer.oneOf(testedSpaces, 'an address space') };
      }
      case 'printf': {
        const format = lexer.expectKind('string', 'a format');
        return { ...none, op: word, format, operands: names.operands() };
      }
      case 'query': {
        const fn = lexer.oneOf(queryFunctions, 'a query');
        const dimension = hasDimension(fn) ? lexer.expectCount('a dimension') : 0;
        return { ...none, op: word, fn, dimension: dimension as ir.Query['dimension'] };
      }
      case 'image_read':
      case 'image_write': {
        const channels = lexer.oneOf(imageChannels, 'a kind of channels');
        return { ...none, op: word, channels, operands: names.operands() };
      }
      case 'image_query': {
        const fn = lexer.oneOf(imageQueryFunctions, 'an image query');
        return { ...none, op: word, fn, operands: names.operands() };
      }
      case 'call':
        return this.#call();
      case 'function_address':
        return names.function((callee): ir.FunctionAddress => ({ ...none, op: word, callee }));
      case 'call_indirect':
        return { ...none, op: word, operands: names.operands() };
      case 'context_array':
        return names.contextArrayDefinition();
      case 'context_read':
        return { ...none, op: word, contextArray: names.contextArray(), ...this.#row() };
      case 'context_write': {
        const contextArray = names.contextArray();
        lexer.expect(',');
        const written = { ...none, op: word, contextArray, operands: names.operands() } as const;
        const scan = (['exclusive', 'inclusive'] as const).find((way) => lexer.accept(way));
        return { ...written, ...(scan ? { scan } : {}), ...this.#row() };
      }
      case 'item_address':
        return { ...none, op: word, operands: names.operands(), ...this.#row() };
      case 'block':
        return names.label({ ...none, op: word, regions: [newRegion()] });
      case 'loop':
        return this.#loop();
      case 'break':
        return { ...none, op: word, target: names.target(), operands: names.operands() };
      case 'continue': {
        const { start, end } = lexer.peek;
        const target = names.target();
        if (target.op !== 'loop') return lexer.fail('continue needs a loop', { start, end });
        return { ...none, op: word, target, operands: names.operands() };
      }
      default:
        return lexer.fail(`unknown instruction '${word}'`, token);
    }
  }

  /** The kinds whose function is the first word: `iadd`, `slt`, `ftos`. */
  #arithmetic(word: string): ir.Instruction | undefined {
    const lexer = this.#lexer;
    const names = this.#names;
    const rest = { results: [], regions: [] };
    const unary = unaryFunctions.find((fn) => fn === word);
    if (unary) return { op: 'unary', fn: unary, operands: names.operands(), ...rest };
    const binary = binaryFunctions.find((fn) => fn === word);
    if (binary) {
      const contract = lexer.accept('contract') ? { contract: true } : {};
      const reassociate = lexer.accept('reassociate') ? { reassociate: true } : {};
      return { op: 'binary', fn: binary, ...contract, ...reassociate, operands: names.operands(), ...rest };
    }
    const compare = compareFunctions.find((fn) => fn === word);
    if (compare) return { op: 'compare', fn: compare, operands: names.operands(), ...rest };
    const convert = convertFunctions.find((fn) => fn === word);
    if (!convert) return undefined;
    const rounding = roundingModes.find((mode) => lexer.accept(mode));
    const saturate = lexer.accept('saturate') ? { saturate: true } : {};
    return {
      op: 'convert',
      fn: convert,
      ...(rounding ? { rounding } : {}),
      ...saturate,
      operands: names.operands(),
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
      case 'work_item_loop':
        lexer.expect('{');
        instruction.regions.push(this.region(newRegion()));
        if (lexer.accept('vector')) {
          instruction.lanes = this.#laneCount();
          lexer.expect('{');
          instruction.regions.push(this.region(newRegion()));
        }
        if (lexer.accept('coarse')) {
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
        const type = instruction.operands[0]?.type ?? i32;
        lexer.expect('{');
        while (lexer.accept('case')) {
          const values: (number | bigint)[] = [];
          do values.push(parseInteger(lexer, type));
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

  #loop(): ir.Loop {
    const lexer = this.#lexer;
    const names = this.#names;
    const body = newRegion();
    const loop = names.label<ir.Loop>({ op: 'loop', operands: [], results: [], regions: [body] });
    loop.operands = lexer.list('(', ')', () => {
      const name = names.name();
      lexer.expect(':');
      const type = parseType(lexer);
      lexer.expect('=');
      const initial = names.value();
      body.parameters.push(names.define(name, type));
      return initial;
    });
    if (lexer.peek.text === 'unroll') Object.assign(loop, { unroll: lexer.attribute('unroll') });
    return loop;
  }

  #call(): ir.Call {
    return this.#names.function((callee): ir.Call => {
      const operands = this.#lexer.list('(', ')', () => this.#names.value());
      return { op: 'call', callee, operands, results: [], regions: [] };
    });
  }

  #variable(): ir.Variable {
    const lexer = this.#lexer;
    const space = parseSpace(lexer);
    if (space !== 'private' && space !== 'local') return lexer.fail('a variable is private or local');
    const name = lexer.expectKind('string', 'a name in quotes');
    const size = lexer.attribute('size');
    const align = lexer.attribute('align');
    const perItem = lexer.accept('per_item') ? { perItem: true } : {};
    const elements = lexer.peek.text === 'element' ? { elementSize: lexer.attribute('element') } : {};
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

  #spaces(): AddressSpace[] {
    return this.#lexer.list('(', ')', () => parseSpace(this.#lexer));
  }

  #ordering(): { order: ir.MemoryOrder; scope: ir.MemoryScope } {
    const order = this.#lexer.oneOf(memoryOrders, 'a memory order');
    return { order, scope: this.#lexer.oneOf(memoryScopes, 'a memory scope') };
  }
}

/** Program-scope objects as bytes: variables with constant initializers, strings, static compound literals. */

import { FreeNames } from '../../ir/free-names.ts';
import { bitsOfHalf } from '../../ir/half.ts';
import type * as ir from '../../ir/ir.ts';
import type { Span } from '../../source/span.ts';
import type { CompoundLiteral, Expression, InitializerEntry, VariableDeclaration } from '../ast.ts';
import { type ConstantValue, evaluateConstant } from '../constant.ts';
import { arithmeticOf } from '../type-facts.ts';
import type { ArithmeticType, CType } from '../types.ts';
import type { ModuleLowering } from './module-lowering.ts';

type Relocation = ir.GlobalVariable['relocations'][number];
type FunctionPlace = NonNullable<ir.GlobalVariable['functions']>[number];

/** How many bytes all objects of a program may take together. */
const mostBytes = 2 ** 26;

/** The objects that have been made so far. */
export interface GlobalsState {
  /** What they take together. */
  bytes: number;
  readonly variables: Map<VariableDeclaration, ir.GlobalVariable>;
  readonly literals: Map<CompoundLiteral, ir.GlobalVariable>;
  /** Equal strings share their bytes. */
  readonly strings: Map<string, ir.GlobalVariable>;
  readonly names: Map<string, ir.GlobalVariable>;
  readonly freeNames: FreeNames;
  /** Those that other programs may mean by their names. */
  readonly visible: Set<ir.GlobalVariable>;
}

export function newGlobalsState(): GlobalsState {
  const names = new Map<string, ir.GlobalVariable>();
  return {
    bytes: 0,
    variables: new Map(),
    literals: new Map(),
    strings: new Map(),
    names,
    freeNames: new FreeNames((name) => names.has(name)),
    visible: new Set(),
  };
}

/** The object of a variable that lives as long as the program. */
export function globalForVariable(
  module: ModuleLowering,
  variable: VariableDeclaration,
  isTable = false,
): ir.GlobalVariable {
  const known = module.globals.variables.get(variable);
  if (known) return known;
  const { type, space } = variable.type;
  const isDeclared = variable.storage === 'extern' && variable.initializer === undefined;
  if (isDeclared) return declareGlobal(module, variable);
  const isVisible = variable.scope === 'program' && variable.storage !== 'static';
  const image = newImage(module, type, variable.span);
  const global = addGlobal(
    module,
    {
      name: variable.name,
      ...(module.options.isUnit && !isVisible ? { linkage: 'internal' } : {}),
      space: spaceFor(module, isTable || space === 'constant' ? 'constant' : 'global'),
      size: image.bytes.length,
      align: variable.align,
      bytes: image.bytes,
      relocations: image.relocations,
      ...(module.options.isHosted ? { functions: image.functions } : {}),
      ...(variable.isThreadLocal ? { isThreadLocal: true } : {}),
      span: variable.span,
    },
    isVisible,
  );
  // Known before its bytes are, since an initializer may take its own address.
  module.globals.variables.set(variable, global);
  if (variable.initializer && image.isWhole) image.write(0, type, variable.initializer);
  return global;
}

/** A variable that another program defines. */
function declareGlobal(module: ModuleLowering, variable: VariableDeclaration): ir.GlobalVariable {
  const { type, space } = variable.type;
  const global = addGlobal(
    module,
    {
      name: variable.name,
      isDeclared: true,
      space: spaceFor(module, space === 'global' ? 'global' : 'constant'),
      size: module.sizeOf(type),
      align: variable.align,
      bytes: new Uint8Array(0),
      relocations: [],
      span: variable.span,
    },
    true,
  );
  module.globals.variables.set(variable, global);
  return global;
}

/** The object of a string or a static compound literal. */
export function globalForLiteral(
  module: ModuleLowering,
  literal: CompoundLiteral | Uint8Array,
  span: Span,
): ir.GlobalVariable {
  return literal instanceof Uint8Array
    ? globalForString(module, literal)
    : globalForCompound(module, literal, span);
}

function globalForString(module: ModuleLowering, text: Uint8Array): ir.GlobalVariable {
  let key = '';
  for (const byte of text) key += String.fromCharCode(byte);
  const known = module.globals.strings.get(key);
  if (known) return known;
  const global = addGlobal(module, {
    name: `string.${module.globals.strings.size}`,
    ...internal(module),
    space: spaceFor(module, 'constant'),
    size: text.length,
    align: 1,
    bytes: text,
    relocations: [],
  });
  module.globals.strings.set(key, global);
  return global;
}

function globalForCompound(module: ModuleLowering, literal: CompoundLiteral, span: Span): ir.GlobalVariable {
  const known = module.globals.literals.get(literal);
  if (known) return known;
  const { type, space } = literal.type;
  const image = newImage(module, type, span);
  const global = addGlobal(module, {
    name: `literal.${module.globals.literals.size}`,
    ...internal(module),
    space: spaceFor(module, space === 'global' ? 'global' : 'constant'),
    size: image.bytes.length,
    align: module.alignOf(type),
    bytes: image.bytes,
    relocations: image.relocations,
    ...(module.options.isHosted ? { functions: image.functions } : {}),
    span,
  });
  module.globals.literals.set(literal, global);
  if (image.isWhole) image.write(0, type, literal.initializer);
  return global;
}

/** Programs for the host have one space for everything. */
function spaceFor(module: ModuleLowering, space: 'constant' | 'global'): ir.GlobalVariable['space'] {
  return module.options.isHosted ? 'private' : space;
}

/** Only this module means an object without a name of its own. */
function internal(module: ModuleLowering): { linkage?: ir.Linkage } {
  return module.options.isUnit ? { linkage: 'internal' } : {};
}

/** Adds an object under a name of its own: kernels may each have a constant of one name, and shadow the program's. */
function addGlobal(module: ModuleLowering, global: ir.GlobalVariable, isVisible = false): ir.GlobalVariable {
  const { names } = module.globals;
  const earlier = names.get(global.name);
  let added = global;
  if (isVisible) module.globals.visible.add(global);
  if (earlier && isVisible) {
    // A declaration and the definition share a name; the linker makes one of them.
    if (module.globals.visible.has(earlier)) {
      module.module.globals.push(global);
      return global;
    }
    // Others know the visible one by its name, so the other gives way.
    (earlier as { name: string }).name = module.globals.freeNames.find(global.name);
    names.set(earlier.name, earlier);
  } else if (earlier) {
    added = { ...global, name: module.globals.freeNames.find(global.name) };
  }
  names.set(added.name, added);
  module.module.globals.push(added);
  return added;
}

/** An image of zeros; if the program has too many bytes, an error and an image without bytes. */
function newImage(module: ModuleLowering, type: CType, span: Span): Image {
  const size = module.sizeOf(type);
  if (module.globals.bytes + size <= mostBytes) {
    module.globals.bytes += size;
    return new Image(module, size, true);
  }
  module.diagnostics.error(span, `the objects of the program take more than ${mostBytes} bytes`);
  return new Image(module, 0, false);
}

/** The initial bytes of one object. */
class Image {
  readonly bytes: Uint8Array;
  readonly relocations: Relocation[] = [];
  readonly functions: FunctionPlace[] = [];
  /** False if the object was too large to have its bytes. */
  readonly isWhole: boolean;
  readonly #view: DataView;
  readonly #module: ModuleLowering;

  constructor(module: ModuleLowering, size: number, isWhole: boolean) {
    this.#module = module;
    this.isWhole = isWhole;
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  write(offset: number, type: CType, initializer: Expression): void {
    if (initializer.kind === 'initializer-list') {
      for (const entry of initializer.entries) {
        if (entry.bits) this.#writeBits(offset + entry.offset, entry);
        else this.write(offset + entry.offset, entry.type.type, entry.value);
      }
      return;
    }
    if (initializer.kind === 'string-literal' && type.kind === 'array') {
      this.bytes.set(initializer.bytes.subarray(0, this.#module.sizeOf(type)), offset);
      return;
    }
    const literal = recordLiteral(initializer);
    if (literal) {
      this.write(offset, type, literal.initializer);
      return;
    }
    const value = evaluateConstant(initializer, this.#module.addressBytes);
    if (value) this.#put(offset, type, value, initializer.span);
    else
      this.#module.diagnostics.error(initializer.span, 'initializer element is not a compile-time constant');
  }

  #writeBits(offset: number, { type, bits, value: initializer }: InitializerEntry): void {
    const value = evaluateConstant(initializer, this.#module.addressBytes);
    if (value?.kind !== 'integer' || !bits) {
      this.#module.diagnostics.error(initializer.span, 'initializer element is not a compile-time constant');
      return;
    }
    const size = bits.isPacked ? Math.ceil((bits.shift + bits.width) / 8) : this.#module.sizeOf(type.type);
    let unit = 0n;
    for (let index = size - 1; index >= 0; index -= 1)
      unit = (unit << 8n) | BigInt(this.bytes[offset + index]!);
    const mask = ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.shift);
    this.#putInteger(offset, size, (unit & ~mask) | ((value.value << BigInt(bits.shift)) & mask));
  }

  #put(offset: number, type: CType, value: ConstantValue, span: Span): void {
    if (value.kind === 'address') {
      this.#putAddress(offset, value, span);
    } else if (value.kind === 'vector') {
      if (type.kind !== 'vector') return;
      const { element } = type;
      value.lanes.forEach((lane, index) => {
        this.#putScalar(offset + index * element.size, element, lane);
      });
    } else if (type.kind === 'vector') {
      for (let lane = 0; lane < type.lanes; lane += 1) {
        this.#putScalar(offset + lane * type.element.size, type.element, value.value);
      }
    } else {
      const scalar = arithmeticOf(type.kind === 'atomic' ? type.value : type);
      if (scalar) this.#putScalar(offset, scalar, value.value);
      else this.#putInteger(offset, this.#module.addressBytes, BigInt(value.value));
    }
  }

  #putScalar(offset: number, type: ArithmeticType, value: bigint | number): void {
    const view = this.#view;
    if (!type.floating) this.#putInteger(offset, type.size, toInteger(value));
    else if (type.size === 4) view.setFloat32(offset, Number(value), true);
    else if (type.size === 8) view.setFloat64(offset, Number(value), true);
    else view.setUint16(offset, bitsOfHalf(Number(value)), true);
  }

  #putInteger(offset: number, size: number, value: bigint): void {
    for (let index = 0; index < size; index += 1) {
      this.bytes[offset + index] = Number((value >> BigInt(8 * index)) & 255n);
    }
  }

  #putAddress(offset: number, value: Extract<ConstantValue, { kind: 'address' }>, span: Span): void {
    const { base } = value;
    if (!base) {
      this.#putInteger(offset, this.#module.addressBytes, value.offset);
      return;
    }
    if (base.kind === 'function' && this.#module.options.isHosted) {
      this.functions.push({ offset, target: this.#module.functionFor(base) });
      return;
    }
    if (base.kind === 'function') {
      this.#module.diagnostics.error(span, 'a pointer to a function cannot be compiled');
      return;
    }
    if (base.kind === 'variable' && base.isThreadLocal) {
      this.#module.diagnostics.error(span, 'initializer element is not a compile-time constant');
      return;
    }
    const target =
      base.kind === 'variable'
        ? globalForVariable(this.#module, base)
        : globalForLiteral(this.#module, base.kind === 'string-literal' ? base.bytes : base, span);
    this.relocations.push({ offset, target, addend: Number(value.offset) });
  }
}

/** `(struct s){...}` as an initializer of a struct, under the casts the checker puts around it. */
function recordLiteral(expression: Expression): CompoundLiteral | undefined {
  if (expression.kind === 'compound-literal') return expression;
  if (expression.kind === 'cast' && expression.type.type.kind === 'record')
    return recordLiteral(expression.operand);
  return undefined;
}

function toInteger(value: bigint | number): bigint {
  if (typeof value === 'bigint') return value;
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

/**
 * The state of lowering one function: where instructions go, where its variables are, what `break`, `continue`
 * and `goto` mean at the moment. The files beside this one take it as their first parameter.
 */
import { Builder, newRegion } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { type AddressSpace, i32, pointerType, type Type } from '../../ir/types.ts';
import { append } from '../../source/lists.ts';
import type { Span } from '../../source/span.ts';
import type { FunctionDeclaration, SharedValue, VariableDeclaration } from '../ast.ts';
import type { CType } from '../types.ts';
import type { Block } from './blocks.ts';
import type { FunctionRecord, Visible } from './debug-record.ts';
import { globalForVariable } from './globals.ts';
import { hostLayout } from './host-layout.ts';
import type { ModuleLowering } from './module-lowering.ts';
import { isConstantTable } from './tables.ts';

/** How deeply regions may nest; what comes after lowering walks them by recursion. */
const deepestRegion = 400;

export type BreakTarget = ir.Block | ir.Loop;

/** What a label means to a goto at this moment: leave the block that ends at it, or repeat the loop it begins. */
export interface LabelTarget {
  block?: ir.Block | undefined;
  loop?: ir.Loop | undefined;
  /** Repeat the loop of a state machine, which then goes on at a segment of its list (state-machine.ts). */
  state?: { readonly variable: ir.Value; readonly index: number; readonly loop: ir.Loop } | undefined;
}

export class FunctionLowering {
  readonly module: ModuleLowering;
  readonly declaration: FunctionDeclaration;
  readonly fn: ir.Function;
  readonly builder: Builder;
  /** The bytes that a struct result is written to. */
  resultPointer: ir.Value | undefined;
  /** Where the arguments lie that have no parameter. */
  variableArguments: ir.Value | undefined;
  breakTarget: BreakTarget | undefined;
  continueTarget: ir.Block | undefined;
  readonly labels = new Map<string, LabelTarget>();
  /** What the conditionals at hand have computed for two places of the tree. */
  readonly shared = new Map<SharedValue, ir.Value>();
  /** What the block variables at hand mean. */
  readonly blocks = new Map<VariableDeclaration, Block>();
  /** Operations of the statement at hand may be fused. */
  mayContract: boolean;
  /** Which variables can be named here; kept only for a record. */
  visible: Visible | undefined;
  /** Control never comes here: what is lowered now goes into a region that is dropped. */
  isDead = false;
  readonly #variables = new Map<VariableDeclaration, ir.Value>();
  /** `variable` instructions, which all stand at the top of the body. */
  readonly #reserved: ir.Instruction[] = [];
  /** Of arrays of variable length: where their addresses and their sizes are kept. */
  readonly #variableLengths = new Map<VariableDeclaration, { place: ir.Value; size: ir.Value }>();
  /** The private copies of constant tables, where one is needed. */
  readonly #copies = new Map<VariableDeclaration, ir.Value>();
  readonly #handles = new Map<VariableDeclaration, ir.Value>();
  readonly #breaks = new Set<BreakTarget>();
  #labelCount = 0;
  #depth = 0;
  #isTooDeep = false;
  readonly #record: FunctionRecord | undefined;

  constructor(module: ModuleLowering, declaration: FunctionDeclaration, fn: ir.Function) {
    this.module = module;
    this.declaration = declaration;
    this.fn = fn;
    this.mayContract = module.options.contract;
    this.builder = new Builder(newRegion(), module.options.addressBits);
    this.builder.span = declaration.span;
    this.#record = module.options.record?.function(fn, declaration);
  }

  typeOf(type: CType): Type {
    return this.module.typeOf(type);
  }

  error(span: Span, message: string): void {
    this.module.diagnostics.error(span, message);
  }

  // -------------------------------------------------------------------------------------------- variables

  /** Reserves bytes for as long as the function runs; the address. */
  /** @param type of a variable that is declared at the span, or with none of a value that no variable holds */
  reserve(
    space: 'private' | 'local',
    size: number,
    align: number,
    name: string,
    type?: CType,
    span?: Span,
  ): ir.Value {
    const result: ir.Value = { type: pointerType(space), name };
    this.#reserved.push({
      op: 'variable',
      space,
      size,
      align,
      name,
      declared: type && { span, layout: hostLayout(this.module, type) },
      operands: [],
      results: [result],
      regions: [],
      span: this.builder.span,
    });
    return result;
  }

  /** Private bytes for a value of a C type that no variable holds. */
  temporary(type: CType, name = 'temporary'): ir.Value {
    return this.reserve('private', this.module.sizeOf(type), this.module.alignOf(type), name, type);
  }

  /**
   * The address of a variable: its own bytes, or those of the program.
   * @param isRead it will only be read through, so a constant table needs no copy
   */
  addressOf(variable: VariableDeclaration, isRead = false): ir.Value {
    if (this.isTable(variable)) return this.#tableAddress(variable, isRead);
    if (this.isGlobal(variable)) {
      return this.globalIn(this.module.globalFor(variable), variable.type.space);
    }
    const lengths = this.#variableLengths.get(variable);
    if (lengths) return this.builder.load(pointerType('private'), lengths.place, 4);
    let address = this.#variables.get(variable);
    if (!address) {
      const space = variable.type.space === 'local' ? 'local' : 'private';
      const { type } = variable.type;
      const { align, name, span } = variable;
      address = this.reserve(space, this.module.sizeOf(type), align, name, type, span);
      this.bindVariable(variable, address);
    }
    return address;
  }

  /** Says where a variable lies. */
  bindVariable(variable: VariableDeclaration, address: ir.Value): void {
    this.#variables.set(variable, address);
    this.#record?.places.set(variable, { value: address, isHandle: false });
  }

  /** Makes an array of variable length, of so many bytes, which is there until the stack is taken back. */
  makeVariableLength(variable: VariableDeclaration, bytes: ir.Value): void {
    const { builder } = this;
    const lengths = {
      place: this.reserve('private', 4, 4, variable.name),
      size: this.reserve('private', 4, 4, `${variable.name}.size`),
    };
    this.#variableLengths.set(variable, lengths);
    const allocate = this.module.hostInstruction('stack.allocate', [i32], pointerType('private'));
    builder.store(lengths.place, builder.call(allocate, [bytes])!, 4);
    builder.store(lengths.size, bytes, 4);
  }

  /** The bytes of an array of variable length. */
  sizeOfVariable(variable: VariableDeclaration): ir.Value {
    return this.builder.load(i32, this.#variableLengths.get(variable)!.size, 4);
  }

  /** The address of an object of the program, as a pointer into the space that the language says it is in. */
  globalIn(global: ir.GlobalVariable, space: AddressSpace | undefined): ir.Value {
    const address = this.builder.globalAddress(global);
    if (!space || space === global.space) return address;
    // Plain C has one space for everything.
    return this.builder.convert('space', address, pointerType(space));
  }

  /** The value of a parameter of an opaque type. */
  handleOf(variable: VariableDeclaration): ir.Value | undefined {
    return this.#handles.get(variable);
  }

  bindHandle(variable: VariableDeclaration, value: ir.Value): void {
    this.#handles.set(variable, value);
    this.#record?.places.set(variable, { value, isHandle: true });
  }

  /** Whether the variable is one table for all work-items; see tables.ts. */
  isTable(variable: VariableDeclaration): boolean {
    return isConstantTable(variable, this.module.addressBytes);
  }

  #tableAddress(variable: VariableDeclaration, isRead: boolean): ir.Value {
    const table = globalForVariable(this.module, variable, true);
    if (isRead || this.module.options.isHosted) return this.builder.globalAddress(table);
    // Somebody wants a pointer into private space. A copy made at the start of the function is as good as any.
    let copy = this.#copies.get(variable);
    if (!copy) {
      copy = this.reserve('private', table.size, table.align, variable.name);
      this.#copies.set(variable, copy);
      const prologue = new Builder(newRegion(), this.module.options.addressBits);
      const size = prologue.integer(prologue.addressType, table.size);
      prologue.copy(copy, prologue.globalAddress(table), size, table.align);
      append(this.#reserved, prologue.region.instructions);
    }
    return copy;
  }

  /** Whether the variable lives as long as the program. */
  isGlobal(variable: VariableDeclaration): boolean {
    if (variable.scope === 'program' || variable.storage === 'extern') return true;
    if (variable.scope === 'parameter') return false;
    const { space } = variable.type;
    return space === 'constant' || space === 'global' || (variable.storage === 'static' && space !== 'local');
  }

  /** The instructions that reserve the variables (and copy tables), to be put before everything else. */
  get reserved(): readonly ir.Instruction[] {
    return this.#reserved;
  }

  // --------------------------------------------------------------------------------------- for debuggers

  /** Tells the record that control comes to `span` with the first instruction that `lower` makes. */
  marked<T>(span: Span, lower: () => T, stops = true): T {
    const { record } = this.module.options;
    if (!record) return lower();
    const { region } = this.builder;
    const before = region.instructions.length;
    const { visible } = this;
    const result = lower();
    record.mark(region.instructions[before], { span, visible, stops });
    return result;
  }

  /** From here on the variable can be named. */
  show(variable: VariableDeclaration): void {
    if (this.#record) this.visible = { variable, outer: this.visible };
  }

  // ----------------------------------------------------------------------------------------- control flow

  /** A label that no program can have. */
  newLabel(): string {
    this.#labelCount += 1;
    return `label ${this.#labelCount}`;
  }

  /** Call after a terminator: what follows is not reached. */
  terminated(): void {
    this.builder.region = newRegion();
    this.isDead = true;
  }

  breakTo(target: BreakTarget): void {
    this.#breaks.add(target);
    this.builder.break(target);
    this.terminated();
  }

  continueTo(loop: ir.Loop): void {
    this.builder.continue(loop);
    this.terminated();
  }

  unreachable(): void {
    this.builder.unreachable();
    this.terminated();
  }

  isBrokenTo(target: BreakTarget): boolean {
    return this.#breaks.has(target);
  }

  /** Lowers into `region`; `finish` ends it where control reaches its end. Whether control does. */
  inRegion(region: ir.Region, body: () => void, finish: () => void): boolean {
    const outer = this.builder.region;
    const wasDead = this.isDead;
    this.builder.region = region;
    this.isDead = false;
    this.#depth += 1;
    if (this.#depth < deepestRegion) body();
    else this.#tooDeep();
    this.#depth -= 1;
    const falls = !this.isDead;
    if (falls) finish();
    this.builder.region = outer;
    this.isDead = wasDead;
    return falls;
  }

  #tooDeep(): void {
    if (!this.#isTooDeep) {
      this.error(this.builder.span ?? this.declaration.span, 'statements are nested too deeply');
    }
    this.#isTooDeep = true;
  }

  /** Two regions of an `if` that give no value. After it control goes on if it does after one of them. */
  branch(condition: ir.Value, then: () => void, otherwise: () => void): void {
    const node = this.builder.if(condition);
    const done = () => this.builder.yield();
    const thenFalls = this.inRegion(node.regions[0]!, then, done);
    const elseFalls = this.inRegion(node.regions[1]!, otherwise, done);
    if (!thenFalls && !elseFalls) this.unreachable();
  }

  /** An `if` that gives a value of the type. */
  choose(condition: ir.Value, type: Type, then: () => ir.Value, otherwise: () => ir.Value): ir.Value {
    const node = this.builder.if(condition, [type]);
    const wasDead = this.isDead;
    this.#depth += 1;
    const isTooDeep = this.#depth >= deepestRegion;
    if (isTooDeep) this.#tooDeep();
    for (const [region, give] of [
      [node.regions[0]!, then],
      [node.regions[1]!, otherwise],
    ] as const) {
      this.builder.within(region, () => {
        this.builder.yield([isTooDeep ? this.builder.undefined(type) : give()]);
      });
      // A statement expression in it may have jumped away.
      this.isDead = wasDead;
    }
    this.#depth -= 1;
    return node.results[0]!;
  }

  /** A block that `body` may break out of. If it never does, its instructions stand without a block. */
  inBlock(body: (block: ir.Block) => void): void {
    const { region } = this.builder;
    const block = this.builder.block();
    const inner = block.regions[0]!;
    const falls = this.inRegion(
      inner,
      () => body(block),
      () => this.builder.yield(),
    );
    if (this.isBrokenTo(block)) return;
    region.instructions.pop();
    if (falls) inner.instructions.pop();
    for (const instruction of inner.instructions) region.instructions.push(instruction);
    if (!falls) this.terminated();
  }

  /** A loop whose body begins again at its end. */
  inLoop(unroll: number | undefined, body: (loop: ir.Loop) => void, atEnd: 'continue' | 'break'): void {
    const loop = this.builder.loop([], [], unroll);
    const finish = () => (atEnd === 'continue' ? this.continueTo(loop) : this.breakTo(loop));
    this.inRegion(loop.regions[0]!, () => body(loop), finish);
    if (!this.isBrokenTo(loop)) this.unreachable();
  }
}

/**
 * Registers as variables, one for each component, which the passes turn into values. What a component holds at the moment is
 * remembered, so that most reads need no load and positions stay known as such (code.ts, Whole). Debuggers have whole registers
 * instead, and every read loads: it may be that somebody has changed them.
 */
import type * as ir from '../../ir/ir.ts';
import { f32, i32 } from '../../ir/types.ts';
import type { Register } from '../tree.ts';
import type { Code, Kind } from './code.ts';
import type { ComponentTypes } from './component-types.ts';

interface Variable {
  readonly address: ir.Value;
  readonly kind: Kind;
}

export const componentKey = (kind: string, number: number | undefined, component: number): string =>
  `${kind}${number ?? ''}.${component}`;

export class Variables {
  readonly #code: Code;
  /** Where variables are made: before everything else. */
  readonly #entry: ir.Region;
  readonly #types: ComponentTypes;
  readonly #keepsRegisters: boolean;
  /** Whole registers, by kind and number. */
  readonly #registers = new Map<string, ir.Value>();
  readonly #variables = new Map<string, Variable>();
  /** Values that the components are known to have. */
  #current = new Map<string, ir.Value>();
  /** What was written since the innermost block began, for each block that is open. */
  readonly #written: Set<string>[] = [];

  constructor(code: Code, entry: ir.Region, types: ComponentTypes, keepsRegisters: boolean) {
    this.#code = code;
    this.#entry = entry;
    this.#types = types;
    this.#keepsRegisters = keepsRegisters;
  }

  /** For debuggers, who stop at every instruction: one that does nothing itself, as a call, reads something. */
  visit(): void {
    if (this.#keepsRegisters) this.#code.query('global_id', 0);
  }

  kindOf(register: Register, component: number): Kind {
    return this.#types.isFloat(register, component) ? 'float' : 'int';
  }

  /** Whether nothing tells what a component holds. */
  isUnknown(register: Register, component: number): boolean {
    return this.#types.isUnknown(register, component);
  }

  load(register: Register, component: number, kind: Kind): ir.Value {
    const key = componentKey(register.kind, register.number, component);
    const known = this.#current.get(key);
    if (known) return this.#code.as(kind, known);
    const variable = this.#variable(key, register, component);
    const value = this.#code.load(variable.kind === 'float' ? f32 : i32, variable.address, 4);
    if (!this.#keepsRegisters) this.#current.set(key, value);
    return this.#code.as(kind, value);
  }

  /** What a component is known to hold. */
  known(register: Register, component: number): ir.Value | undefined {
    return this.#current.get(componentKey(register.kind, register.number, component));
  }

  store(register: Register, component: number, value: ir.Value): void {
    const key = componentKey(register.kind, register.number, component);
    const variable = this.#variable(key, register, component);
    const own = this.#code.as(variable.kind, value);
    this.#code.store(variable.address, own, 4);
    if (this.#keepsRegisters) return;
    // constants keep the form in which they are known
    this.#current.set(key, this.#code.constantOf(value) === undefined ? own : value);
    this.#written.at(-1)?.add(key);
  }

  /** Lowers a block that control may leave out: what it leaves behind is known no longer. */
  inBlock(body: () => void): void {
    const before = this.#current;
    this.#current = new Map(before);
    const written = new Set<string>();
    this.#written.push(written);
    try {
      body();
    } finally {
      this.#written.pop();
      this.#current = before;
      this.forget(written);
    }
  }

  /** Forgets what all components hold. */
  forgetAll(): void {
    this.forget([...this.#variables.keys()]);
    this.#current.clear();
  }

  /** Forgets what components hold, because it may have been changed. */
  forget(keys: Iterable<string>): void {
    const outer = this.#written.at(-1);
    for (const key of keys) {
      this.#current.delete(key);
      outer?.add(key);
    }
  }

  /** A component's address in its whole register, at the kernel's start. */
  #inRegister({ kind, number }: Register, component: number): ir.Value {
    const code = this.#code;
    const name = `${kind}${number ?? ''}`;
    let address = this.#registers.get(name);
    if (!address) {
      address = code.variable('private', 16, 16, name);
      this.#registers.set(name, address);
    }
    return code.moved(address, 4 * component);
  }

  #variable(key: string, register: Register, component: number): Variable {
    let variable = this.#variables.get(key);
    if (!variable) {
      const address = this.#code.within(this.#entry, () =>
        this.#keepsRegisters
          ? this.#inRegister(register, component)
          : this.#code.variable('private', 4, 4, key),
      );
      variable = { address, kind: this.kindOf(register, component) };
      this.#variables.set(key, variable);
    }
    return variable;
  }
}

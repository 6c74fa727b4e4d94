/**
 * Writes into a function what all checks are made of: calls of the library, and reports with the work-item and the site of the
 * instruction that is being checked.
 */
import { Builder } from '../../../ir/builder.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32 } from '../../../ir/types.ts';
import { groupItself, itemShift, siteShift } from '../shadow-layout.ts';
import type { Base, CopySource, SiteKind } from '../sites.ts';
import type { CheckContext } from './check-context.ts';
import type { RuntimeName } from './runtime-calls.ts';

/** What is wrong, and with which access to which object. */
export interface Fault {
  /** One of codes.ts. */
  readonly code: number;
  readonly kind: SiteKind;
  readonly base?: Base | undefined;
  /** Bytes of the access; 0 where nobody knows, or nothing is accessed. */
  readonly bytes?: number;
  readonly pointer?: ir.Value;
  /** Bytes from the object's beginning. */
  readonly offset?: ir.Value | undefined;
}

export class CheckWriter {
  readonly fn: ir.Function;
  readonly context: CheckContext;
  readonly builder: Builder;
  /** Whether the code makes an async copy, which the group makes as a whole. */
  isCopying = false;
  #item: ir.Value | undefined;
  #itemBits: ir.Value | undefined;

  constructor(fn: ir.Function, body: ir.Region, context: CheckContext) {
    this.fn = fn;
    this.context = context;
    this.builder = new Builder(body, 32);
  }

  /** Asks who runs the function; to be written at its top, before all that may report. */
  askItem(): void {
    this.#item = this.builder.query('linear_local_id');
    this.#itemBits = this.builder.binary('shl', this.#item, this.builder.constant(i32, itemShift));
  }

  /** The number of the work-item in its group. */
  get item(): ir.Value {
    return this.#item!;
  }

  /** Calls a function of the library that has a result. */
  call(name: RuntimeName, operands: ir.Value[]): ir.Value {
    return this.context.runtime.call(this.builder, name, operands)!;
  }

  address(pointer: ir.Value): ir.Value {
    return this.builder.convert('ptoi', pointer, i32);
  }

  number(value: number): ir.Value {
    return this.builder.constant(i32, value);
  }

  /** What is to be done only where the condition holds. */
  when(condition: ir.Value, write: () => void): void {
    const builder = this.builder;
    const inside = builder.if(condition);
    builder.within(inside.regions[0]!, () => {
      write();
      builder.yield();
    });
    builder.within(inside.regions[1]!, () => builder.yield());
  }

  reportIf(condition: ir.Value, fault: Fault): void {
    this.when(condition, () => this.report(fault));
  }

  report({ code, kind, base, bytes = 0, pointer, offset }: Fault): void {
    const address = pointer ? this.address(pointer) : this.number(0);
    const who = this.who(kind, base, bytes);
    const { runtime } = this.context;
    runtime.report(this.builder, this.number(code), who, address, offset ?? this.number(0));
  }

  /** The work-item and a site for the current instruction, in one number (shadow-layout.ts). */
  who(kind: SiteKind, base: Base | undefined, bytes: number, source?: CopySource): ir.Value {
    const { span } = this.builder;
    const site = this.context.sites.add({ kind, functionName: this.fn.name, span, bytes, base, source });
    const item = this.isCopying ? this.number(groupItself << itemShift) : this.#itemBits!;
    return this.builder.binary('or', item, this.number(site << siteShift));
  }
}

/** Calls of what stands behind checked code: the functions of src/library/check.cl, and the host's `report`. */
import { type Builder, newValue } from '../../../ir/builder.ts';
import { imageQueryName } from '../../../ir/images.ts';
import type * as ir from '../../../ir/ir.ts';
import { i32, i64, pointerType, type Type } from '../../../ir/types.ts';
import { provideWholeLibrary } from '../../../library/whole.ts';
import { linkLibrary } from '../../../opencl/link-library.ts';
import { Diagnostics } from '../../../source/diagnostics.ts';
import { append } from '../../../source/lists.ts';
import {
  reportModule,
  reportName,
  scratchBytes,
  scratchName,
  stateBytes,
  stateName,
} from '../shadow-layout.ts';

const global = pointerType('global');

/** The library's functions by their short names: parameters, and whether they have a result. */
const signatures = {
  read: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  write1: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  write2: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  write4: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  write8: { parameters: [global, i32, i64, i32, i32], hasResult: true },
  read_local: { parameters: [global, i32, i32, i32, i32, i32], hasResult: true },
  read_global: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  write_local: { parameters: [global, i32, i32, i32, i32, i32, i32], hasResult: true },
  write_global: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  update_local: { parameters: [global, i32, i32, i32, i32, i32, i32], hasResult: true },
  atomic_on_local: { parameters: [global, i32, i32, i32, i32, i32, i32], hasResult: true },
  write_range: { parameters: [global, i32, i32, i32, i32, i32, i32], hasResult: true },
  atomic: { parameters: [global, i32, i32, i32, i32, i32], hasResult: true },
  steps: { parameters: [global, i32], hasResult: false },
  atomic_load: { parameters: [global, i32, i32, i32, i32], hasResult: true },
  learn: { parameters: [global, i32, i32, i32], hasResult: false },
  pass_on: { parameters: [global, i32, i32, i32, i32, i32, i32], hasResult: true },
  order: { parameters: [global], hasResult: false },
  group: { parameters: [global, i32, i32], hasResult: false },
  arrive: { parameters: [global, i32], hasResult: false },
  fence: { parameters: [global, i32, i32], hasResult: false },
  next: { parameters: [global, i32], hasResult: false },
  pass: { parameters: [global, i32, i32], hasResult: true },
  copy: { parameters: [global, i32, i32, i32, i32, i32, i32, i32, i32, i32], hasResult: true },
  wait: { parameters: [global, i32, i32, i32], hasResult: true },
  end: { parameters: [global, i32], hasResult: true },
  find: { parameters: [global, i32, i32], hasResult: true },
} as const satisfies Record<string, { parameters: readonly Type[]; hasResult: boolean }>;

export type RuntimeName = keyof typeof signatures;

/** Those that stand in checked code: the short ways of accesses that are no fault. */
const inlined: ReadonlySet<RuntimeName> = new Set([
  'read_local',
  'read_global',
  'write_local',
  'write_global',
  'update_local',
  'atomic_on_local',
]);

export class RuntimeCalls {
  readonly #functions = new Map<RuntimeName, ir.Function>();
  /** Functions that image queries will become. */
  readonly #queries = new Set<string>();
  readonly #report: ir.Function;
  readonly #state: ir.GlobalVariable;
  readonly #scratch: ir.GlobalVariable;

  /** Adds the variables behind checked code to the module, before all others. */
  constructor(module: ir.Module) {
    this.#report = declare(reportName, [i32, i32, i32, i32], undefined);
    this.#report.imported = { module: reportModule, name: reportName };
    this.#state = variable(stateName, stateBytes);
    this.#scratch = variable(scratchName, scratchBytes);
    module.globals.unshift(this.#state, this.#scratch);
  }

  /** Calls a function of the library; its first operand, the state, goes without saying. */
  call(builder: Builder, name: RuntimeName, operands: ir.Value[]): ir.Value | undefined {
    let fn = this.#functions.get(name);
    if (!fn) {
      const { parameters, hasResult } = signatures[name];
      fn = declare(`__millrace_check_${name}`, parameters, hasResult ? i32 : undefined);
      this.#functions.set(name, fn);
    }
    return builder.call(fn, [this.state(builder), ...operands]);
  }

  /** Asks for the size of an image, which passes later make a call of the library. */
  imageQuery(builder: Builder, fn: ir.ImageQueryFunction, image: ir.Value): ir.Value {
    this.#queries.add(imageQueryName(fn));
    return builder.imageQuery(fn, image);
  }

  report(builder: Builder, code: ir.Value, who: ir.Value, address: ir.Value, offset: ir.Value): void {
    builder.call(this.#report, [code, who, address, offset]);
  }

  state(builder: Builder): ir.Value {
    return builder.globalAddress(this.#state);
  }

  scratch(builder: Builder): ir.Value {
    return builder.globalAddress(this.#scratch);
  }

  /** Adds the functions that were called to the module, with their bodies. */
  link(module: ir.Module): void {
    const present = new Set(module.functions.map(({ name }) => name));
    const queries = [...this.#queries]
      .filter((name) => !present.has(name))
      .map((name) => declare(name, [pointerType('constant')], i32));
    const library: ir.Module = {
      addressBits: module.addressBits,
      globals: [],
      functions: [...this.#functions.values(), ...queries],
    };
    provideWholeLibrary();
    linkLibrary(library, new Diagnostics());
    const standing = new Set([...[...inlined].map((name) => this.#functions.get(name)), ...queries]);
    // The others are called too often to stand everywhere.
    for (const fn of library.functions) fn.isOutlined = !standing.has(fn);
    module.functions.push(...library.functions, this.#report);
    append(module.globals, library.globals);
  }
}

function declare(name: string, types: readonly Type[], result: Type | undefined): ir.Function {
  return {
    name,
    kind: 'function',
    parameters: types.map((type) => ({ value: newValue(type) })),
    result,
    body: undefined,
    form: 'work-item',
  };
}

function variable(name: string, size: number): ir.GlobalVariable {
  return { name, space: 'global', size, align: 128, bytes: new Uint8Array(size), relocations: [] };
}

/** Programs: modules that are loaded, and their runs and copies (guide, B.3.5 and B.3.6). */
import type { Compiler } from './compiler.ts';
import type { CalContext } from './context.ts';
import { copyCommand } from './copy.ts';
import { badHandle, CalError, failed } from './error.ts';
import { functionInfo, type ProgramInfo, programInfo } from './function-info.ts';
import type { Encoding } from './image/encoding.ts';
import { checkNoFlags, commandOf, planGrid, planRun, type Run } from './launch.ts';
import { entryName, Module } from './module.ts';
import { instead, type Registry } from './registry.ts';
import { orFailed } from './resource.ts';
import type * as S from './structures.ts';

export class Modules {
  readonly #registry: Registry;
  readonly #compiler: Compiler;

  constructor(registry: Registry, compiler: Compiler) {
    this.#registry = registry;
    this.#compiler = compiler;
  }

  load(context: S.CALcontext, image: S.CALimage): S.CALmodule {
    const owner = this.#registry.context(context);
    const { contents } = this.#compiler.image(image);
    const encodings = contents.map(({ encoding }) => encoding);
    const module = orFailed(() => firstToLoad(owner, encodings));
    owner.modules.add(module);
    this.#registry.handles.add(module);
    this.#registry.handles.add(module.func);
    for (const name of module.names) this.#registry.handles.add(name);
    return module.handle;
  }

  unload(context: S.CALcontext, handle: S.CALmodule): void {
    const owner = this.#registry.context(context);
    const module = this.#registry.module(owner, handle);
    this.forget(module);
    owner.modules.delete(module);
    module.release();
  }

  /** Its handles stand for nothing from now on. */
  forget(module: Module): void {
    for (const name of module.names) this.#registry.handles.remove(name);
    this.#registry.handles.remove(module.func);
    this.#registry.handles.remove(module);
  }

  entry(context: S.CALcontext, handle: S.CALmodule, name: string): S.CALfunc {
    const module = this.#registry.module(this.#registry.context(context), handle);
    if (name !== entryName)
      throw failed(`there is no function '${name}': that of a program is '${entryName}'`);
    return module.func.handle;
  }

  name(context: S.CALcontext, handle: S.CALmodule, symbol: string): S.CALname {
    const module = this.#registry.module(this.#registry.context(context), handle);
    const name = module.name(symbol);
    if (name) return name.handle;
    const known = [...module.names].map((each) => each.symbol).join(', ');
    throw failed(`the program has no symbol '${symbol}'${known === '' ? '' : `; it has ${known}`}`);
  }

  functionInfo(context: S.CALcontext, module: S.CALmodule, func: S.CALfunc): S.CALfuncInfo {
    return functionInfo(this.#found(context, module, func));
  }

  /** @throws CalError CAL_RESULT_ERROR if the device's chip cannot run the program as it is */
  programInfo(context: S.CALcontext, module: S.CALmodule, func: S.CALfunc): ProgramInfo {
    const info = programInfo(this.#found(context, module, func));
    if (!info) throw failed('the chip of the device cannot run the program as it is');
    return info;
  }

  #found(context: S.CALcontext, module: S.CALmodule, func: S.CALfunc): Module {
    const owner = this.#registry.context(context);
    const found = this.#registry.module(owner, module);
    if (this.#registry.func(owner, func).module.handle !== module)
      throw badHandle('the function is one of another module');
    return found;
  }

  runProgram(context: S.CALcontext, func: S.CALfunc, domain: S.CALdomain): S.CALevent {
    const owner = this.#registry.context(context);
    return this.#start(owner, [planRun(owner, this.#registry.func(owner, func), domain)]);
  }

  /** @throws CalError CAL_RESULT_ERROR also for a function that is none: grids have no other code */
  runGrids(context: S.CALcontext, grids: readonly S.CALprogramGrid[]): S.CALevent {
    const owner = this.#registry.context(context);
    if (grids.length === 0) throw failed('the array has no grids');
    const runs = grids.map((grid) => {
      const found = instead(failed, () => this.#registry.func(owner, grid.func));
      return planGrid(owner, found, grid.gridBlock, grid.gridSize);
    });
    return this.#start(owner, runs);
  }

  #start(context: CalContext, runs: readonly Run[]): S.CALevent {
    const command = commandOf(context, runs);
    for (const counter of context.counters) counter.count({ command, runs });
    return context.defer(command);
  }

  /** @throws CalError CAL_RESULT_ERROR for a context that there is not: calCtxFlush has no other code */
  flush(context: S.CALcontext): void {
    this.#registry.ready();
    instead(failed, () => this.#registry.context(context)).flush();
  }

  copy(context: S.CALcontext, source: S.CALmem, target: S.CALmem, flags: number): S.CALevent {
    const owner = this.#registry.context(context);
    const from = this.#registry.mem(owner, source).resource;
    const to = this.#registry.mem(owner, target).resource;
    checkNoFlags(flags, 'calMemCopy');
    return owner.begin(copyCommand(owner, from, to));
  }
}

/**
 * A module of the encoding that fits the device best: that for its own target, then one with the features that it has.
 * @throws CalError CAL_RESULT_ERROR of the first if none can be loaded
 */
function firstToLoad(context: CalContext, encodings: readonly Encoding[]): Module {
  const { target } = context.device.kind.info;
  const fits = (encoding: Encoding): number =>
    encoding.target === target ? 0 : encoding.target <= target ? 1 : 2;
  // Of those for older targets the newest.
  const sorted = [...encodings].sort((a, b) => fits(a) - fits(b) || b.target - a.target);
  let first: CalError | undefined;
  for (const encoding of sorted) {
    try {
      return new Module(context, encoding);
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      first ??= error;
    }
  }
  throw first ?? failed('the image is empty');
}

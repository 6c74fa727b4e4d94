/** Contexts, and what is bound to the names of their programs (guide, B.3.4). */
import * as C from './constants.ts';
import { CalContext, Mem } from './context.ts';
import { badHandle, CalError } from './error.ts';
import type { Modules } from './modules.ts';
import type { Registry } from './registry.ts';
import { orFailed, type Resource } from './resource.ts';
import type * as S from './structures.ts';

export class Contexts {
  readonly #registry: Registry;
  readonly #modules: Modules;

  constructor(registry: Registry, modules: Modules) {
    this.#registry = registry;
    this.#modules = modules;
  }

  create(device: S.CALdevice): S.CALcontext {
    const owner = this.#registry.device(device);
    const context = orFailed(() => new CalContext(owner));
    owner.contexts.add(context);
    return this.#registry.handles.add(context).handle;
  }

  destroy(handle: S.CALcontext): void {
    this.end(this.#registry.context(handle));
  }

  end(context: CalContext): void {
    for (const module of context.modules) this.#modules.forget(module);
    for (const mem of context.mems) this.#registry.handles.remove(mem);
    for (const counter of context.counters) this.#registry.handles.remove(counter);
    context.destroy();
    context.device.contexts.delete(context);
    this.#registry.handles.remove(context);
  }

  getMem(context: S.CALcontext, resource: S.CALresource): S.CALmem {
    const owner = this.#registry.context(context);
    const used = this.#registry.resource(resource);
    const isRemote = used.place === 'uncached' || used.place === 'cached';
    if (isRemote && !used.devices.includes(owner.device)) {
      throw badHandle('the resource is not shared with the device of the context');
    }
    const mem = this.#registry.handles.add(new Mem(owner, used));
    owner.mems.add(mem);
    used.mems.add(mem);
    return mem.handle;
  }

  releaseMem(context: S.CALcontext, handle: S.CALmem): void {
    const owner = this.#registry.context(context);
    this.#release(this.#registry.mem(owner, handle));
  }

  /** No context has a handle for the resource any more, which ends. */
  letGo(resource: Resource): void {
    for (const mem of resource.mems) this.#release(mem);
  }

  /** What waits in the queue keeps the memory: from here on the resource may be freed. */
  #release(mem: Mem): void {
    const { context, resource } = mem;
    context.flushFor(resource);
    for (const module of context.modules)
      for (const name of module.names) if (name.bound === mem) name.bound = undefined;
    context.mems.delete(mem);
    resource.mems.delete(mem);
    this.#registry.handles.remove(mem);
  }

  setMem(context: S.CALcontext, handle: S.CALname, mem: S.CALmem): void {
    const owner = this.#registry.context(context);
    const name = this.#registry.name(owner, handle);
    const bound = mem === 0 ? undefined : this.#registry.mem(owner, mem);
    if (name.isSampler) {
      throw new CalError(
        C.CAL_RESULT_BAD_NAME_TYPE,
        `'${name.symbol}' is a sampler, to which no memory is bound`,
      );
    }
    name.bound = bound;
  }
}

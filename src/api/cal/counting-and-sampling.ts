/** What extensions add: counters and the parameters of samplers (guide, B.4.3 and B.4.4). */
import * as C from './constants.ts';
import { Counter } from './counters.ts';
import { badHandle, CalError, invalid } from './error.ts';
import type { Name } from './module.ts';
import type { Registry } from './registry.ts';
import { defaultSamplerValues, rangeOf, withValues } from './samplers.ts';
import type * as S from './structures.ts';

export class Extensions {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  createCounter(context: S.CALcontext, type: C.CALcountertype): S.CALcounter {
    const owner = this.#registry.context(context);
    const counter = this.#registry.handles.add(new Counter(owner, type));
    owner.counters.add(counter);
    return counter.handle;
  }

  counter(context: S.CALcontext, handle: S.CALcounter): Counter {
    const owner = this.#registry.context(context);
    const counter = this.#registry.handles.find(Counter, handle, 'counter');
    if (counter.context !== owner) throw badHandle('the counter is one of another context');
    return counter;
  }

  destroyCounter(context: S.CALcontext, handle: S.CALcounter): void {
    const counter = this.counter(context, handle);
    if (counter.isCounting) throw new CalError(C.CAL_RESULT_BUSY, 'the counter was begun and not ended');
    counter.context.counters.delete(counter);
    this.#registry.handles.remove(counter);
  }

  /** `values` undefined for NULL, which sets all that there is to what it was at first. */
  setSampler(
    context: S.CALcontext,
    handle: S.CALname,
    parameter: number,
    values: readonly number[] | undefined,
  ): void {
    const name = this.#sampler(context, handle);
    if (values) name.sampler = withValues(name.sampler, parameter, values);
    else if (parameter === C.CAL_SAMPLER_PARAM_DEFAULT) name.sampler = defaultSamplerValues;
    else throw invalid('the parameter needs values');
  }

  getSampler(context: S.CALcontext, handle: S.CALname, parameter: number): readonly number[] {
    const name = this.#sampler(context, handle);
    const [start, count] = rangeOf(parameter);
    return name.sampler.slice(start, start + count);
  }

  waitForEvents(context: S.CALcontext, events: readonly S.CALevent[], flags: number): void {
    const owner = this.#registry.context(context);
    if (flags !== 0 && flags !== 1)
      throw invalid(`the flags of calCtxWaitForEvents are 0 or 1, not ${flags}`);
    owner.waitForEvents(events);
  }

  #sampler(context: S.CALcontext, handle: S.CALname): Name {
    const name = this.#registry.name(this.#registry.context(context), handle);
    if (!name.isSampler) throw badHandle(`'${name.symbol}' is no sampler`);
    return name;
  }
}

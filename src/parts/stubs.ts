/** What stands for functions and classes of the rest of the compiler (rest.ts) in modules that the build has split. */
import { type RestName, rest } from './rest.ts';

// biome-ignore lint/suspicious/noExplicitAny: functions of all kinds
type Any = (...values: any[]) => any;

/** What stands for a function or a class of the rest. */
export function stub(name: RestName, number: number): Any {
  return function (...values: unknown[]): unknown {
    const whole = rest[name].get()[number] as Any & (new (...values: unknown[]) => unknown);
    return new.target ? new whole(...values) : whole(...values);
  };
}

/** Stubs from a number on, as many as are asked for. */
export function* stubs(name: RestName, first: number): Generator<Any, never> {
  for (let number = first; ; number += 1) yield stub(name, number);
}

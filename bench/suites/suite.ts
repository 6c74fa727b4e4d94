/**
 * What the kernels of other people's suites share. A suite's kernel sources are read from a checkout of it when the bench runs and
 * are no part of this repository; here are launch configurations and data, after the suites' host programs.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchKernel, Data, Result } from '../frame/bench-kernel.ts';
import { near } from '../frame/checks.ts';

/** Reads a file of a suite's checkout, by its path in the checkout. */
export type ReadSource = (path: string) => string;

/** Makes a suite's kernels from its sources. */
export type Suite = (read: ReadSource) => readonly BenchKernel[];

/** What reads a checkout of a suite. Where `under` has no such file, `path` itself is tried: the checkout's folder may be the suite's own. */
export function sourcesIn(folder: string, under: string): ReadSource {
  return (path) => {
    const places = [join(folder, under, path), join(folder, path)];
    const place = places.find((each) => existsSync(each));
    if (place === undefined)
      throw new Error(`${places[0]} is missing: is ${folder} a checkout of the suite?`);
    return readFileSync(place, 'utf8');
  };
}

/** The bytes of a `long`. */
export function long(value: number): Int32Array {
  return Int32Array.of(value, value < 0 ? -1 : 0);
}

/**
 * A check of buffers for which there is no reference in JavaScript: all devices have to agree with the one that came first, to `tolerance` of
 * the value's size plus `scale`.
 */
export function agreement(
  names: readonly string[],
  type: { new (length: number): Data; readonly BYTES_PER_ELEMENT: number },
  tolerance: number,
  scale = 1e-6,
): (result: Result) => string | undefined {
  const first = new Map<string, Data>();
  return (result) => {
    for (const name of names) {
      const found = result(name, type);
      const known = first.get(name);
      if (known === undefined) {
        if (found.some((value) => Number.isNaN(value))) return `${name} has elements that are no numbers`;
        first.set(name, found);
        continue;
      }
      const wrong = near(found, (index) => known[index]!, { tolerance, scale });
      if (wrong !== undefined) return `${name}: ${wrong}, as the device before has it`;
    }
    return undefined;
  };
}

/** `size` rounded up to whole groups. */
export function inGroups(size: number, group: number): number {
  return Math.ceil(size / group) * group;
}

/** Macros as build options. */
export function definitions(macros: Readonly<Record<string, string | number>>): string {
  return Object.entries(macros)
    .map(([name, value]) => `-D ${name}=${value}`)
    .join(' ');
}

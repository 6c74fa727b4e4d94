/**
 * All targets, in the order in which help texts name them. To add one: its file in this folder, and a line here.
 *
 * Who compiles for one machine imports that machine's file; this list is for those who let their users choose, and has every code generator
 * behind it.
 */
import { il } from './il.ts';
import { openclC } from './opencl-c.ts';
import { r600 } from './r600.ts';
import { scalarMachine } from './scalar.ts';
import type { Target } from './target.ts';
import { wasm } from './wasm.ts';
import { wgsl } from './wgsl.ts';
import { x64 } from './x64.ts';

export const targets: readonly Target[] = [wasm, openclC, wgsl, il, r600, x64, scalarMachine];

/** @throws RangeError, with the names that there are */
export function targetNamed(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (!found) {
    const names = targets.map((target) => target.name).join(', ');
    throw new RangeError(`there is no target '${name}'; there are ${names}`);
  }
  return found;
}

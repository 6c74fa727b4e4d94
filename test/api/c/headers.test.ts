/** The headers of C and the numbers of JavaScript are the same; so are the functions that both declare. */
import { readFileSync } from 'node:fs';
import { CL } from 'millrace/opencl';
import { describe, expect, it } from 'vitest';
import { CHost, openclFunctions } from '../../../src/api/c/index.ts';

const header = (name: string): string =>
  readFileSync(new URL(`../../../include/CL/${name}`, import.meta.url), 'utf8');

/** Every `#define CL_NAME number` of a header. */
function numbersOf(text: string): Map<string, number> {
  const found = text.matchAll(/^#define CL_(\w+) \(?(-?\d+|0[xX][0-9a-fA-F]+)\)?$/gm);
  return new Map([...found].map(([, name, value]) => [name!, Number(value)]));
}

describe('headers', () => {
  it('have every number that JavaScript has, with the same value', () => {
    const numbers = numbersOf(header('cl.h') + header('cl_ext.h') + header('cl_gl.h'));
    const wrong = Object.entries(CL).filter(([name, value]) => numbers.get(name) !== value);
    expect(wrong).toEqual([]);
  });

  it('declare the functions that there are to import, and no others', () => {
    const declared = [...(header('cl.h') + header('cl_gl.h')).matchAll(/^CL_FUNCTION\([\w *]+, (cl\w+)\)/gm)];
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const host = new CHost({ memory, maximumPages: 1, table: () => undefined });
    expect(declared.map(([, name]) => name).sort()).toEqual(Object.keys(openclFunctions(host)).sort());
  });
});

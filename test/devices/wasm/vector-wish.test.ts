import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vectorWish } from '../../../src/devices/wasm/vector-wish.ts';

describe('what the environment says about vectors', () => {
  const names = ['MILLRACE_VECTORISE', 'MILLRACE_PACK'];
  const before = names.map((name) => process.env[name]);
  const clear = (): void => {
    for (const name of names) delete process.env[name];
  };
  beforeEach(clear);
  afterEach(() => {
    clear();
    names.forEach((name, index) => {
      if (before[index] !== undefined) process.env[name] = before[index];
    });
  });

  it('leaves the choice to the planner unless a variable says otherwise', () => {
    expect(vectorWish().vectorise).toBe(true);
    process.env['MILLRACE_VECTORISE'] = '1';
    expect(vectorWish().vectorise).toBe(true);
  });

  it.each(names)('%s: none, lanes, rows, both', (name) => {
    process.env[name] = '0';
    expect(vectorWish().vectorise).toBe(false);
    process.env[name] = '8';
    expect(vectorWish().vectorise).toEqual({ lanes: 8, rows: undefined, always: false });
    process.env[name] = 'x4';
    expect(vectorWish().vectorise).toEqual({ lanes: undefined, rows: 4, always: false });
    process.env[name] = '8x4';
    expect(vectorWish().vectorise).toEqual({ lanes: 8, rows: 4, always: false });
    process.env[name] = 'vx4';
    expect(vectorWish().vectorise).toEqual({ lanes: undefined, rows: 4, always: true });
    process.env[name] = '3';
    expect(vectorWish).toThrow(`error: ${name}=3: write 0, LANES, v, xROWS, LANESxROWS or vxROWS`);
  });

  it('prefers the present name to the one of earlier versions', () => {
    process.env['MILLRACE_PACK'] = '0';
    process.env['MILLRACE_VECTORISE'] = '4';
    expect(vectorWish().vectorise).toEqual({ lanes: 4, rows: undefined, always: false });
  });

  it('tells programs that are built under different wishes apart', () => {
    const words = ['', '0', '8', 'x4'].map((text) => {
      process.env['MILLRACE_VECTORISE'] = text;
      return vectorWish().word;
    });
    expect(new Set(words).size).toBe(4);
  });
});

import { describe, expect, it } from 'vitest';
import type { Destination, NumberOperand, Source } from '../../src/il/tree.ts';
import { instructionOf, programOf } from './read-text.ts';

const modifiersOf = (text: string): string[] =>
  instructionOf(text).modifiers.map(({ name, values }) => `${name}:${values.join('|')}`);

describe('mnemonics', () => {
  it('are an opcode, the longest that fits, and modifiers', () => {
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ['mad_ieee r0, r1, r2, r3', 'mad', ['ieee:']],
      ['mov_x2_sat r0, r1', 'mov', ['x2:', 'sat:']],
      ['div_zeroop(inf_else_max) r0, r1, r2', 'div', ['zeroop:inf_else_max']],
      [
        'sample_resource(3)_sampler(2)_aoffimmi(1,-2,0) r0, r1',
        'sample',
        ['resource:3', 'sampler:2', 'aoffimmi:1|-2|0'],
      ],
      ['sample_l_resource(3)_sampler(2) r0, r1, r2', 'sample_l', ['resource:3', 'sampler:2']],
      ['lds_read_add_resource(1) r0, r1, r2', 'lds_read_add', ['resource:1']],
      ['uav_raw_load_id(11)_cached r0, r1', 'uav_raw_load', ['id:11', 'cached:']],
      ['fence_threads_mem_read_only_gds', 'fence', ['threads:', 'mem_read_only:', 'gds:']],
      ['if_logicalnz r0.x', 'if_logicalnz', []],
      ['ifc_relop(ge) r0.x, r1.x', 'ifc', ['relop:ge']],
      [
        'dcl_input_position_interp(linear_noperspective) v0.xy__',
        'dcl_input',
        ['position:', 'interp:linear_noperspective'],
      ],
      ['lds_write_vec _lOffset(4) mem.xyzw, r0', 'lds_write_vec', ['lOffset:4']],
      ['dcl_lds_sharing_mode _wavefrontRel', 'dcl_lds_sharing_mode', ['wavefrontRel:']],
      ['mdef(222)_out(1)_in(2)', 'mdef', [':222', 'out:1', 'in:2']],
    ];
    for (const [text, opcode, modifiers] of cases) {
      expect([instructionOf(text).opcode.name, modifiersOf(text)], text).toEqual([opcode, modifiers]);
    }
  });
});

describe('destinations', () => {
  const maskOf = (text: string) =>
    (instructionOf(`mov ${text}, r1`).operands[0] as Destination).mask.join(' ');

  it('are masked by place and by name', () => {
    expect(maskOf('r0')).toBe('write write write write');
    expect(maskOf('r0.x___')).toBe('write keep keep keep');
    expect(maskOf('r0.x')).toBe('write keep keep keep');
    expect(maskOf('r0.__zw')).toBe('keep keep write write');
    expect(maskOf('r0.zw')).toBe('keep keep write write');
    expect(maskOf('r0.xw')).toBe('write keep keep write');
    expect(maskOf('r0.x0_1')).toBe('write zero keep one');
    expect(maskOf('r0.0y')).toBe('zero write keep keep');
    expect(maskOf('r0.rg__')).toBe('write write keep keep');
  });
});

describe('sources', () => {
  const sourceOf = (text: string): string => {
    const { register, swizzle, modifiers } = instructionOf(`mov r0, ${text}`).operands[1] as Source;
    const suffixes = modifiers.map(({ name, components }) => `${name}(${components})`);
    return [register.kind, register.number ?? '', swizzle?.join('') ?? '', ...suffixes].join(' ');
  };

  it('have swizzles of one to four components, with constants', () => {
    expect(sourceOf('r12')).toBe('r 12 ');
    expect(sourceOf('r1.wzyx')).toBe('r 1 wzyx');
    expect(sourceOf('v0.xy00')).toBe('v 0 xy00');
    expect(sourceOf('r1.1')).toBe('r 1 1');
    expect(sourceOf('r1.ag')).toBe('r 1 wy');
  });

  it('have modifiers on either side of the swizzle', () => {
    expect(sourceOf('r1.x_neg(x)_abs')).toBe('r 1 x neg(x) abs()');
    expect(sourceOf('r1_neg(xyzw).x000')).toBe('r 1 x000 neg(xyzw)');
    expect(sourceOf('r1_invert')).toBe('r 1  invert()');
    expect(sourceOf('r1_divcomp(w)')).toBe('r 1  divcomp(w)');
  });

  it('know registers in any capitals', () => {
    expect(sourceOf('vThreadGrpID.x')).toBe('vThreadGrpId  x');
    expect(sourceOf('vaTid0.x')).toBe('vaTid 0 x');
    expect(sourceOf('vWinCoord0')).toBe('vWinCoord 0 ');
  });

  it('have indices that are sums', () => {
    const { register } = instructionOf('mov r0, x2[ r1.x + cb0[x1[3].y].w + 7 ].z').operands[1] as Source;
    const [first, second, third] = register.indices[0]!.terms;
    expect([first?.kind, second?.kind, third?.kind]).toEqual(['source', 'source', 'number']);
    const inner = (second as Source).register.indices[0]!.terms[0] as Source;
    expect([inner.register.kind, inner.register.number, inner.swizzle]).toEqual(['x', 1, ['y']]);
    expect((third as NumberOperand).bits).toBe(7);
  });
});

describe('numbers', () => {
  it('are 32 bits: integers in decimal and hexadecimal, floats with a point, an exponent or an f', () => {
    const bitsOf = (text: string) =>
      instructionOf(`dcl_literal l0, ${text}`)
        .operands.slice(1)
        .map((operand) => (operand as NumberOperand).bits.toString(16));
    expect(bitsOf('1, -1, 0xBFF00000, 4294967295')).toEqual(['1', 'ffffffff', 'bff00000', 'ffffffff']);
    expect(bitsOf('1.0, -1.5f, .5, 2f')).toEqual(['3f800000', 'bfc00000', '3f000000', '40000000']);
    expect(bitsOf('1e1, -0.0, -2147483648, 1024.')).toEqual(['41200000', '80000000', '80000000', '44800000']);
  });
});

describe('lines', () => {
  it('may have several instructions', () => {
    const { items } = programOf('il_ps_2_0 mov r0, r1.xy00    add r2, r0, r1 ; sum\nend ;');
    expect(items.map((item) => (item.kind === 'instruction' ? item.opcode.name : item.kind))).toEqual([
      'header',
      'mov',
      'add',
      'comment',
      'end',
      'comment',
    ]);
  });

  it('end in any way', () => {
    expect(programOf('il_ps_2_0\r\nmov r0, r1\r\n\r\n;x\r\nend').items).toHaveLength(4);
    expect(programOf('il_cs_2_0\rend\r').items).toHaveLength(2);
  });
});

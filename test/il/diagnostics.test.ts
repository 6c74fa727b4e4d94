import { describe, expect, it } from 'vitest';
import { logOf } from './read-text.ts';

/** The messages for a program of these lines, with their places. */
function complaints(...lines: string[]): string[] {
  return logOf(['il_ps_2_0', ...lines, 'end'].join('\n'))
    .split('\n')
    .filter((line) => /^a\.il:\d+:\d+: (error|warning)/.test(line))
    .map((line) => line.slice('a.il:'.length));
}

describe('mistakes', () => {
  it('in the names of instructions are told with the nearest name', () => {
    expect(
      complaints('movv r0, r1', 'ad r0, r1, r2', 'frobnicate r0', 'smaple_resource(0)_sampler(0) r0, r1'),
    ).toEqual([
      "2:1: error: unknown instruction 'movv'; did you mean 'mov'?",
      "3:1: error: unknown instruction 'ad'; did you mean 'add'?",
      "4:1: error: unknown instruction 'frobnicate'",
      "5:1: error: unknown instruction 'smaple_resource'; did you mean 'sample'?",
    ]);
  });

  it('are shown with their line', () => {
    expect(
      logOf('il_ps_2_0\nmov r0\n\tadd r1.x___, r2.xq, r3 ; no\nfoo r1\nmul r0, r1, r2, r3\n'),
    ).toMatchInlineSnapshot(`
      "a.il:2:7: error: expected ',' before operand 2 of mov, the line ends
      mov r0
            ^
      a.il:3:17: error: 'xq' is no swizzle: expected one to four of x, y, z, w, 0 and 1
              add r1.x___, r2.xq, r3 ; no
                             ^~~
      a.il:4:1: error: unknown instruction 'foo'
      foo r1
      ^~~
      a.il:5:15: error: mul has 3 operands; expected the next instruction, found ','
      mul r0, r1, r2, r3
                    ^
      4 errors generated.
      "
    `);
  });

  it('say what was expected', () => {
    const cases = [
      'il_vs_2_0',
      'mov',
      'mov r0, ',
      'mov 5, r1',
      'mov r0 r1',
      'mov q0, r1',
      'mov r0.yx, r1',
      'mov r0., r1',
      'mov r0, r1.xyzwx',
      'mov r0, r1_half',
      'mov r0, r1_neg(q)',
      'mov r, r1',
      'mov r0, g3[1]',
      'mov r0, r1[2]',
      'mov r0, x1[r2.x',
      'mov l0, r1',
      'mov_ieee r0, r1',
      'mov_sat_sat r0, r1',
      'div_zeroop(none) r0, r1, r2',
      'div_zeroop r0, r1, r2',
      'sample_resource(x)_sampler(0) r0, r1',
      'sample_resource(0)_aoffimmi(1,2) r0, r1',
      'dcl_literal l0, 1, 2, 3',
      'dcl_literal l0, 1, 2, 3, 4294967296',
      'dcl_num_thread_per_group 64.5',
      'dcl_cb cb0[1].x',
      'call r0',
      '{',
    ];
    expect(
      cases.map((text) => `${text} => ${complaints(text).join('; ')}`).join('\n'),
    ).toMatchInlineSnapshot(`
      "il_vs_2_0 => 2:1: error: 'il_vs_2_0' is no kind of program; expected il_ps_2_0, il_ps_3_0 or il_cs_2_0
      mov => 2:4: error: expected a destination register, the line ends
      mov r0,  => 2:9: error: expected a source register, the line ends
      mov 5, r1 => 2:5: error: expected a destination register, found '5'
      mov r0 r1 => 2:8: error: expected ',' before operand 2 of mov, found 'r1'
      mov q0, r1 => 2:5: error: expected a destination register, found 'q0'
      mov r0.yx, r1 => 2:7: error: 'yx' is no mask: expected components of xyzw in this order, or _, 0 and 1 in their places
      mov r0., r1 => 2:8: error: expected a mask after the dot, found ','
      mov r0, r1.xyzwx => 2:11: error: 'xyzwx' is no swizzle: expected one to four of x, y, z, w, 0 and 1
      mov r0, r1_half => 2:11: error: '_half' is no modifier of a source; expected one of _neg, _abs, _invert, _bias, _bx2, _x2, _sign, _sat, _divcomp
      mov r0, r1_neg(q) => 2:16: error: expected components of xyzw after '_neg(', found 'q'
      mov r, r1 => 2:5: error: a temporary register has a number: r0
      mov r0, g3[1] => 2:9: error: there is one global buffer register, 'g'
      mov r0, r1[2] => 2:9: error: a temporary register is no array and takes no index
      mov r0, x1[r2.x => 2:16: error: expected ']' after an index, the line ends
      mov l0, r1 => 2:5: error: a literal register cannot be written
      mov_ieee r0, r1 => 2:4: error: '_ieee' is no modifier of mov; expected one of _x2, _x4, _x8, _d2, _d4, _d8, _sat, _prec, _precmask
      mov_sat_sat r0, r1 => 2:8: error: '_sat' is there twice
      div_zeroop(none) r0, r1, r2 => 2:12: error: 'none' is no value of '_zeroop'; expected fltmax, zero, infinity, inf_else_max
      div_zeroop r0, r1, r2 => 2:12: error: expected '(' after '_zeroop', found 'r0'
      sample_resource(x)_sampler(0) r0, r1 => 2:17: error: 'x' is no value of '_resource'; expected a number
      sample_resource(0)_aoffimmi(1,2) r0, r1 => 2:19: error: '_aoffimmi' takes 3 values, found 2
      dcl_literal l0, 1, 2, 3 => 2:24: error: expected ',' before operand 5 of dcl_literal, the line ends
      dcl_literal l0, 1, 2, 3, 4294967296 => 2:26: error: '4294967296' does not fit into 32 bits
      dcl_num_thread_per_group 64.5 => 2:26: error: expected an integer, found '64.5'
      dcl_cb cb0[1].x => 2:8: error: a register that is declared takes no swizzle and no modifiers
      call r0 => 2:6: error: expected a number, found 'r0'
      { => 2:1: error: expected an instruction, found '{'"
    `);
  });

  it('leave the other lines alone', () => {
    expect(complaints('mov r0', 'mov r1, r2', 'mov r3')).toHaveLength(2);
  });
});

describe('uses', () => {
  it('are of what is declared, before or behind', () => {
    expect(
      complaints('mov r0, l1', 'dcl_literal l1, 0, 0, 0, 0', 'mov r0, cb2[r1.x]', 'dcl_cb cb2[1]'),
    ).toEqual([]);
    expect(
      complaints('dcl_cb cb0[2]', 'dcl_indexed_temp_array x1[3]', 'mov x1[3], l7', 'mov r0, g[cb0[1+1].x]'),
    ).toMatchInlineSnapshot(`
      [
        "4:5: error: x1 has no element 3",
        "4:12: error: there is no dcl_literal l7",
        "5:11: warning: cb0 has no element 2 [-Wconstant-buffer-size]",
      ]
    `);
    expect(
      complaints('mov r1, cb1[0]', 'mov x0[r1.x], r0', 'sample_resource(2)_sampler(0) r1, v0.xy'),
    ).toMatchInlineSnapshot(`
      [
        "2:9: error: there is no dcl_cb cb1",
        "3:5: error: there is no dcl_indexed_temp_array x0",
        "4:7: error: there is no dcl_resource_id(2)",
      ]
    `);
  });
});

describe('blocks', () => {
  it('are closed in turn', () => {
    expect(complaints('whileloop', 'ifnz r0.x', 'endloop')).toMatchInlineSnapshot(`
      [
        "4:1: error: endloop does not close the block that is open",
      ]
    `);
    expect(complaints('endif')).toMatchInlineSnapshot(`
      [
        "2:1: error: endif closes no block",
      ]
    `);
    expect(complaints('ifnz r0.x', 'else', 'else', 'endif')).toMatchInlineSnapshot(`
      [
        "4:1: error: else stands outside of an if",
      ]
    `);
    expect(complaints('switch r0.x')).toMatchInlineSnapshot(`
      [
        "2:1: error: the block of this switch is not closed",
      ]
    `);
    expect(complaints('break', 'continue', 'case 1')).toMatchInlineSnapshot(`
      [
        "2:1: error: break stands outside of a loop or a switch",
        "3:1: error: continue stands outside of a loop",
        "4:1: error: case stands outside of a switch",
      ]
    `);
  });

  it('of functions and macros are there once, and there at all', () => {
    expect(complaints('call 1', 'endmain', 'func 1', 'ret', 'func 2', 'ret', 'endfunc')).toEqual([]);
    expect(complaints('call 3', 'call_logicalnz r0.x, 4', 'mcall(2) (r1),(r2)')).toMatchInlineSnapshot(`
      [
        "2:1: error: there is no function 3",
        "3:1: error: there is no function 4",
        "4:1: error: there is no macro 2",
      ]
    `);
    expect(complaints('func 1', 'ret', 'func 1', 'ret', 'endfunc', 'endfunc')).toMatchInlineSnapshot(`
      [
        "4:1: error: function 1 is there twice",
        "7:1: error: endfunc ends no function",
      ]
    `);
  });

  it('stand between the header and the end', () => {
    expect(logOf('')).toMatchInlineSnapshot(`
      "a.il:1:1: error: expected a header, il_ps_2_0, il_ps_3_0 or il_cs_2_0, the text ends
      1 error generated.
      "
    `);
    expect(logOf('mov r0, r1\nend')).toMatchInlineSnapshot(`
      "a.il:1:1: error: expected a header, il_ps_2_0, il_ps_3_0 or il_cs_2_0, found mov
      mov r0, r1
      ^~~~~~~~~~
      1 error generated.
      "
    `);
    expect(logOf('il_ps_2_0\nil_ps_2_0\nmov r0, r1')).toMatchInlineSnapshot(`
      "a.il:2:1: error: a program has one header, and this is the second
      il_ps_2_0
      ^~~~~~~~~
      a.il:3:11: error: expected 'end', the text ends
      mov r0, r1
                ^
      2 errors generated.
      "
    `);
    expect(complaints('end', 'mov r0, r1', 'ret')).toHaveLength(2);
  });
});

/** Control flow, functions and macros: programs over a row of positions, whose results JavaScript works out. */
import { describe, expect, it } from 'vitest';
import { compileLog, runIl } from './run-il.ts';

const width = 13;

/** o0.x for each x of a row; v0.x is x + 0.5, and r0 holds x as an integer. */
function row(body: string, declarations = ''): number[] {
  const data = new Float32Array(width * 4);
  const text = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) v0.xy__
dcl_output_generic o0
dcl_literal l0, 0, 1, 2, 3
dcl_literal l1, 0.0, 1.0, 2.0, 3.0
dcl_literal l2, 4, 5, 6, 10
${declarations}
ftoi r0.x, v0.x
mov r9, l0.x
${body}
`;
  runIl(text, { domain: [0, 0, width, 1], outputs: { 0: { width, data } } });
  return Array.from({ length: width }, (_, x) => data[x * 4]!);
}

const end = 'itof o0.x, r9.x\nend';
const each = (compute: (x: number) => number): number[] =>
  Array.from({ length: width }, (_, x) => compute(x));

describe('branches', () => {
  it('take one side or the other', () => {
    const text = `ilt r1.x, r0.x, l2.y
if_logicalnz r1.x
  ishl r9.x, r0.x, l0.y
else
  ieq r2.x, r0.x, l2.w
  if_logicalz r2.x
    iadd r9.x, r0.x, l2.w
  endif
endif
${end}`;
    expect(row(text)).toEqual(each((x) => (x < 5 ? x * 2 : x === 10 ? 0 : x + 10)));
  });

  it('compare floats', () => {
    const text = `ifc_relop(gt) v0.x, l1.w\n mov r9.x, l0.y\nendif\n${end}`;
    expect(row(text)).toEqual(each((x) => (x + 0.5 > 3 ? 1 : 0)));
  });

  it('give a work-item up, which then writes nothing', () => {
    const text = `iand r1.x, r0.x, l0.y\nmov r9.x, l2.x\ndiscard_logicalnz r1.x\n${end}`;
    expect(row(text)).toEqual(each((x) => (x % 2 === 1 ? 0 : 4)));
  });

  it('kill a work-item that has a number below zero, in any position', () => {
    // x - 3, -0.0, the largest float, and 5 - x
    const text = `itof r1.x, r0.x
add r1.__z_, l4.z, l1.x
mov r1._y__, l4.y
sub r1.___w, l4.w, r1.x
sub r1.x, r1.x, l1.w
kill r1
mov r9.x, l2.x
${end}`;
    expect(row(text, 'dcl_literal l4, 0, -0.0, 3.4e38, 5.0')).toEqual(each((x) => (x < 3 || x > 5 ? 0 : 4)));
    expect(row(`itof r1.x, r0.x\nsub r1.x, r1.x, l1.w\nkill r1.x\nmov r9.x, l2.x\n${end}`)).toEqual(
      each((x) => (x < 3 ? 0 : 4)),
    );
  });

  it('do not kill by texture stages', () => {
    const log = compileLog('il_ps_2_0\nkill_stage(1)_sample(all) vWinCoord0\nend\n');
    expect(log).toContain("_stage is not supported: it is of DirectX 9's texture stages");
  });
});

describe('loops', () => {
  it('end by breaks and go on by continues', () => {
    const text = `mov r1.x, l0.x
whileloop
  ige r2.x, r1.x, r0.x
  break_logicalnz r2.x
  iadd r1.x, r1.x, l0.y
  iand r2.x, r1.x, l0.y
  continue_logicalnz r2.x
  iadd r9.x, r9.x, r1.x
endloop
${end}`;
    const sum = (x: number): number =>
      Array.from({ length: x }, (_, i) => i + 1)
        .filter((i) => i % 2 === 0)
        .reduce((a, b) => a + b, 0);
    expect(row(text)).toEqual(each(sum));
  });

  it('stand in one another', () => {
    const text = `mov r1.x, l0.x
whileloop
  ige r2.x, r1.x, l0.w
  break_logicalnz r2.x
  mov r3.x, l0.x
  whileloop
    uge r2.x, r3.x, r0.x
    if_logicalnz r2.x
      break
    endif
    iadd r9.x, r9.x, r1.x
    iadd r3.x, r3.x, l0.y
  endloop
  iadd r1.x, r1.x, l0.y
endloop
${end}`;
    expect(row(text)).toEqual(each((x) => 3 * x));
  });

  it('count in floats, up to bounds that are next to whole numbers', () => {
    const turns = (start: string, bound: string): number[] =>
      row(
        `mov r1.x, l3.x
whileloop
  ge r2.x, r1.x, l3.z
  break_logicalnz r2.x
  iadd r9.x, r9.x, l0.y
  add r1.x, r1.x, l3.y
endloop
${end}`,
        `dcl_literal l3, ${start}, 1.0, ${bound}, 0.0`,
      );
    // -1 and 0 are below 1e-10, and 1e-10 plus one is rounded to one
    expect(turns('-1.0', '1e-10')).toEqual(each(() => 2));
    expect(turns('-1.0', '-1e-10')).toEqual(each(() => 1));
    expect(turns('-1.0', '0.0')).toEqual(each(() => 1));
    expect(turns('-1.5', '1e-10')).toEqual(each(() => 2));
    expect(turns('3.0', '3.5')).toEqual(each(() => 1));
  });

  it('count, with a register that counts along', () => {
    const text = `loop i0
  iadd r9.x, r9.x, aL.x
endloop
${end}`;
    // four turns from 5 on by 2: 5 + 7 + 9 + 11
    expect(row(text, 'def i0, 4, 5, 2, 0')).toEqual(each(() => 32));
    expect(row(`loop_repeat i0\n iadd r9.x, r9.x, l0.y\nendloop\n${end}`, 'def i0, 4, 5, 2, 0')).toEqual(
      each(() => 4),
    );
  });
});

describe('loops in loops', () => {
  it('give each loop a register of its own', () => {
    const text = `loop i0
  loop i1
    iadd r9.x, r9.x, aL
  endloop
  loop_repeat i1
    imad r9.x, aL, l2.w, r9.x
  endloop
  call 1
  imad r9.x, aL, l5.x, r9.x
endloop
itof o0.x, r9.x
endmain
func 1
  loop i1
    ieq r1.x, aL, l2.z
    ret_logicalnz r1.x
  endloop
endfunc
end`;
    // inside 3 + 6, then twice ten times the outer one, then a thousand times it
    const expected = [0, 1, 2].reduce((sum, outer) => sum + 9 + 2 * 10 * outer + 1000 * outer, 0);
    const constants = 'def i0, 3, 0, 1, 0\ndef i1, 2, 3, 3, 0\ndcl_literal l5, 1000, 0, 0, 0';
    expect(row(text, constants)).toEqual(each(() => expected));
  });
});

describe('switches', () => {
  it('choose by a value', () => {
    const text = `switch r0.x
case 1
  mov r9.x, l2.x
  break
case 3
case 4
  mov r9.x, l2.y
  break
default
  mov r9.x, l2.z
  break
endswitch
${end}`;
    expect(row(text)).toEqual(each((x) => (x === 1 ? 4 : x === 3 || x === 4 ? 5 : 6)));
  });

  it('fall into the next case', () => {
    const text = `switch r0.x
case 1
  iadd r9.x, r9.x, l0.y
case 2
  iadd r9.x, r9.x, l2.w
  break
default
  ilt r1.x, r0.x, l2.x
  break_logicalnz r1.x
  iadd r9.x, r9.x, l0.z
case 7
  iadd r9.x, r9.x, l0.w
endswitch
${end}`;
    expect(row(text)).toEqual(each((x) => (x === 1 ? 11 : x === 2 ? 10 : x === 7 ? 3 : x < 4 ? 0 : 5)));
  });

  it('leave loops outside alone, but continue them', () => {
    const text = `mov r1.x, l0.x
whileloop
  ige r2.x, r1.x, l2.w
  break_logicalnz r2.x
  iadd r1.x, r1.x, l0.y
  switch r1.x
    case 3
      continue
    case 4
      break
    default
      iadd r9.x, r9.x, l0.y
  endswitch
  iadd r9.x, r9.x, r0.x
endloop
${end}`;
    expect(row(text)).toEqual(each((x) => 8 + 9 * x));
  });
});

describe('functions and macros', () => {
  it('share all registers, and may return early', () => {
    const text = `call 1
ilt r1.x, r0.x, l2.x
call_logicalnz r1.x, 1
itof o0.x, r9.x
endmain
func 1
  iadd r9.x, r9.x, l0.y
  ieq r2.x, r0.x, l0.z
  ret_logicalnz r2.x
  call 2
  ret
endfunc
func 2
  iadd r9.x, r9.x, l2.w
  ret
end`;
    expect(row(text)).toEqual(each((x) => (x === 2 ? 2 : x < 4 ? 22 : 11)));
  });

  it('of macros read and write what they are called with', () => {
    const macro = `mdef(3)_out(1)_in(2)
iadd out0.x, in0.x, in1.y
imul out0.x, out0.x, in1.x
mend
`;
    const text = `mov r1.x, l0.w\nmov r1.y, l0.y\nmcall(3) (r9.x), (r0, r1)\n${end}`;
    expect(row(text, macro)).toEqual(each((x) => (x + 1) * 3));
  });

  it('cannot call themselves', () => {
    expect(compileLog('il_ps_2_0\ncall 1\nret\nfunc 1\ncall 2\nret\nfunc 2\ncall 1\nret\nend\n')).toBe(
      `a.il:8:1: error: function 1 calls itself, which kernels cannot do
call 1
^~~~~~
1 error generated.
`,
    );
  });

  it('may not become too many', () => {
    const functions = Array.from(
      { length: 40 },
      (_, n) => `func ${n}\ncall ${n + 1}\ncall ${n + 1}\nret`,
    ).join('\n');
    const log = compileLog(`il_ps_2_0\ncall 0\nret\n${functions}\nfunc 40\nmov r0, r1\nret\nend\n`);
    expect(log).toContain('the program comes to more than 100000 instructions');
  });
});

describe('arrays', () => {
  it('are private, and indexed by registers', () => {
    const text = `mov r1.x, l0.x
whileloop
  ige r2.x, r1.x, l2.x
  break_logicalnz r2.x
  iadd r3.x, r1.x, r0.x
  mov x0[r1.x], r3.x
  iadd r1.x, r1.x, l0.y
endloop
iand r2.x, r0.x, l0.w
iadd r9.x, x0[r2.x].x, x0[r2.x+1].y
${end}`;
    // an index behind the end leads to the last element
    expect(row(text, 'dcl_indexed_temp_array x0[4]')).toEqual(
      each((x) => 2 * x + (x % 4) + Math.min(3, (x % 4) + 1)),
    );
  });

  it('of constants are read by registers, too', () => {
    const out = new Float32Array(4 * 4);
    const text = `il_ps_2_0
dcl_cb cb0[3]
dcl_output_generic o0
ftoi r0, vWinCoord0
mov o0, cb0[r0.x + 1]
end`;
    const constants = Float32Array.from({ length: 12 }, (_, index) => index);
    runIl(text, {
      domain: [0, 0, 4, 1],
      constants: { 0: constants },
      outputs: { 0: { width: 4, data: out } },
    });
    expect(Array.from(out)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11]);
  });
});

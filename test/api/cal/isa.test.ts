/**
 * Programs in clauses: what the disassembler writes, the compiler and the assembler read again, and the program that comes of it runs as
 * the one in IL did.
 */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as il from './il-programs.ts';

const { bind, filled, numbers, ok, run } = il;
const { CAL_FORMAT_FLOAT_4: FLOAT_4, CAL_FORMAT_INT_4: INT_4 } = cal;

beforeAll(() => {
  cal.calChooseDevices('webassembly');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

const listing = (object: number): string => {
  let text = '';
  cal.calclDisassembleObject(object, (line) => {
    text += line;
  });
  return text;
};

function compiled(language: number, source: string, target: number): number {
  const [result, object] = cal.calclCompile(language, source, target);
  expect(result, cal.calclGetErrorString()).toBe(cal.CAL_RESULT_OK);
  return object;
}

/** `MILLRACE_IMAGES=100000` makes it more. */
const mutations = Number(process.env['MILLRACE_IMAGES'] ?? 60);

const width = 8;
const height = 6;
const cells = width * height;

/** What a program makes of the same resources: its output and the global buffer, as bits. */
function outcome(object: number): { output: number[]; global: number[] } {
  const { device, context } = il.begin();
  const module = ok(cal.calModuleLoad(context, ok(cal.calclLink([object]))));
  const global = filled(device, 64, 4, FLOAT_4, (index) => index / 4, cal.CAL_RESALLOC_GLOBAL_BUFFER);
  const output = filled(device, width, height, INT_4, () => -1);
  const resources: readonly [string, () => number][] = [
    ['i0', () => filled(device, width, height, FLOAT_4, (index) => Math.sin(index) * 4)],
    ['i1', () => filled(device, width, height, FLOAT_4, (index) => Math.cos(index) * 4)],
    ['cb0', () => filled(device, 10, 1, INT_4, (index) => [5, 3, 0x40400000, -2][index % 4]!)],
    ['g', () => global],
    ['o0', () => output],
  ];
  for (const [name, make] of resources) {
    if (cal.calModuleGetName(context, module, name)[0] === cal.CAL_RESULT_OK)
      bind(context, module, name, make());
  }
  const func = ok(cal.calModuleGetEntry(context, module, 'main'));
  if (cal.calModuleGetName(context, module, 'o0')[0] === cal.CAL_RESULT_OK) {
    run(context, func, width, height);
  } else {
    const gridBlock = { width: 64, height: 1, depth: 1 };
    const gridSize = { width: 2, height: 2, depth: 1 };
    il.finish(context, ok(cal.calCtxRunProgramGrid(context, { func, gridBlock, gridSize, flags: 0 })));
  }
  const found = { output: numbers(output, width, height), global: numbers(global, 64, 4) };
  il.end();
  return found;
}

const pixel = (body: string, declarations = ''): string => `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[10]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_resource_id(1)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_literal l0, 0.125, 2.0, 3.0, -1.5
dcl_literal l1, 1, 3, 7, 0
${declarations}${body}
end
`;

const programs: Readonly<Record<string, string>> = {
  'floats, comparisons, choices': pixel(`
sample_resource(0)_sampler(0) r0, vWinCoord0.xy
mad r1, r0, l0.y, l0.zwzw
mul r2, r1, r0_neg(x)
max r2, r2_abs, l0
lt r3, r1, r0
cmov_logical r4, r3, r1, r2
frc r5, r4
round_neginf r6, r4
rcp_zeroop(infinity) r7.x, r4.x
rsq_zeroop(infinity) r7.y, r2.y
sqrt_vec r7.zw, r2
add r7, r7, r5
sub o0, r7, r6`),
  'integers and their division': pixel(`
ftoi r0, vWinCoord0.xyxy
mov r1, cb0[1]
imad r2, r0, r1, r0.yxyx
udiv r3, r2, l1.y
umod r4, r2.yxwz, r1.x
ishl r5, r0, l1.x
ior r5, r5, r3
ixor r5, r5, r4
imul_high r6, r2, r1.w
imax r5, r5, r6
ige r7, r5, l1.z
iadd o0, r5, r7`),
  'loops and branches': pixel(`
sample_resource(0)_sampler(0) r0, vWinCoord0.xy
mov r2, l1.w
mov r4, l1.w
whileloop
    ige r3.x, r2.x, cb0[0].x
    break_logicalnz r3.x
    iadd r2.x, r2.x, l1.x
    lt r3.y, r0.x, l0.x
    if_logicalnz r3.y
        add r0.x, r0.x, l0.y
        continue
    else
        ieq r3.z, r2.x, l1.y
        break_logicalnz r3.z
        mul_ieee r0.y, r0.y, l0.z
    endif
    iadd r4.z, r4.z, l1.x
endloop
itof r4, r4
add o0, r0, r4`),
  'coordinates from 0 to 1, by integers and by distance': pixel(`
mul r1, vWinCoord0.xyxx, l0.x
sample_resource(1)_sampler(1) r2, r1.xy
ftoi r3, vWinCoord0.yxxx
load_resource(0) r4, r3
add r5.xy, vWinCoord0, l0.yw
sample_resource(0)_sampler(0) r6, r5.xy
add r2, r2, r4
add o0, r2, r6`),
  'threads that leave': pixel(`
sample_resource(0)_sampler(0) r0, vWinCoord0.xy
lt r1.x, r0.x, l0.x
discard_logicalnz r1.x
add o0, r0, l0`),
  'an array and the global buffer': pixel(
    `
ftoi r1, vWinCoord0.xyxx
mov x0[0], l0
mov x0[1], l0.y
mov x0[2].x, l0.x
mov x0[2]._yzw, l0
mov x0[3], l0.z
iand r2.x, r1.x, l1.y
mov x0[r2.x], vWinCoord0.xyxy
imad r6.x, r1.y, cb0[0].x, r1.x
mov r3, g[r6.x]
iadd r4.x, r6.x, cb0[0].x
mov r5, x0[r1.y]
mov r7, cb0[r2.x]
add r5, r5, r7.z
mov g[r6.x+100].x_z_, r3.wzyx
add o0, r5, r3`,
    'dcl_indexed_temp_array x0[4]\n',
  ),
  'double precision': pixel(`
sample_resource(0)_sampler(0) r0, vWinCoord0.xy
f2d r1.xy, r0.x
f2d r1.zw, r0.y
dmul r2.xy, r1.xy, r1.zw
dadd r2.zw, r2.xy, r1.xy
dmad r3.xy, r1.zw, r2.zw, r2.xy_neg(y)
dlt r4.x, r3.xy, r1.xy
cmov_logical r3.xy, r4.xx, r1.xy, r3.xy
d2f r5.x, r3.xy
mov o0, r3.xyxy
mov o0.__z_, r5.x`),
  'a compute program with group memory': `il_cs_2_0
dcl_num_thread_per_group 64
dcl_lds_size_per_thread 4
dcl_lds_sharing_mode _wavefrontRel
dcl_literal l0, 0, 4, 63, 2
mov r0.xyzw, vTidInGrp.xxxx
iadd r0.y, r0.y, vThreadGrpIdFlat.x
imul r0.z, vThreadGrpId.y, l0.w
lds_write_vec mem, r0
fence_threads_lds
ixor r1.x, vTidInGrp.x, l0.z
mov r1.y, l0.x
lds_read_vec r2, r1.xy
iadd r2.w, r2.w, vAbsTidFlat.x
mov g[vAbsTidFlat.x], r2
end
`,
};

describe('a program in clauses', () => {
  for (const [index, [what, source]] of Object.entries(programs).entries()) {
    it(`runs as in IL: ${what}`, () => {
      const target = source.startsWith('il_cs') || index % 2 === 0 ? cal.CAL_TARGET_770 : cal.CAL_TARGET_670;
      const object = compiled(cal.CAL_LANGUAGE_IL, source, target);
      const text = listing(object);
      expect(text).toMatch(/^; (?:pixel|compute) program for RV[67]70\n\.target/);
      const again = compiled(cal.CAL_LANGUAGE_ISA, text, target);
      expect(listing(again)).toBe(text);
      expect(outcome(again)).toEqual(outcome(object));
    });
  }

  it('can be written by hand', () => {
    // R0.xy is where the thread stands: x + y * 10, but 7 where x is above 3.
    const text = `; numbers have gaps, addresses and counts are left out
.target RV670
.program pixel
.output 0
00 ALU_PUSH_BEFORE:
   0 x: TRUNC R1.x, R0.x
     y: TRUNC ____, R0.y
  10 z: MULADD_e R1.x, PV0.y, (0x41200000).x, PV0.x
     x: PREDGT ____, PV0.x, (0x40400000).y UPDATE_EXEC_MASK UPDATE_PRED
10 JUMP POP_CNT(1) ADDR(20)
15 ALU_POP_AFTER:
  11 x: MOV R1.x, (0x40e00000, 7).x
20 EXP_DONE: PIX0, R1.xxxx
END_OF_PROGRAM
`.replace('z: MULADD_e R1.x', 't: MULADD_e R1.x');
    const { output } = outcome(compiled(cal.CAL_LANGUAGE_ISA, text, cal.CAL_TARGET_670));
    const floats = new Float32Array(Int32Array.from(output).buffer);
    const expected = Array.from({ length: cells }, (_, index) => {
      const [x, y] = [index % width, Math.floor(index / width)];
      return x > 3 ? 7 : y * 10 + x;
    });
    expect([...floats].filter((_, index) => index % 4 === 0)).toEqual(expected);
  });

  const mistakes: readonly (readonly [line: string, place: string, message: string])[] = [
    ['00 ALU:\n  0 x: ADDD R0.x, R0.x, R0.y', '5:8', "'ADDD' is no ALU instruction"],
    ['00 ALU:\n  0 x: ADD R0.x, R0.x', '5:22', "ADD reads 2: expected ',', the line ends"],
    ['00 ALU:\n  0 x: ADD R0.q, R0.x, R0.y', '5:15', "expected x, y, z or w, found 'q'"],
    ['00 ALU:\n  0 x: ADD R200.x, R0.x, R0.y', '5:13', 'the number of a register is 200, and at most 127'],
    ['00 ALU:\n  0 x: MOV R1.y, R0.y', '4:1', 'slot x writes another channel'],
    ['00 ALU:\n  0 x: SIN R1.x, R0.y', '4:1', 'SIN outside of t'],
    ['00 ALU:\n  0 x: MOV R1.x, PV0.y', '5:18', 'there is no bundle before this one'],
    ['00 ALU:\n  0 x: MOV R1.x, CB0[2].y', '5:8', 'CB0 is not declared'],
    ['00 ALU:\n  0 x: MOV R1.x, R5.y', '4:1', 'R5.y is read before it is written'],
    ['00 TEX:\n  0 SAMPLE R1, R0.xyyy, t3, s0', '5:5', 't3 is not declared: .resource 3'],
    ['00 VTX:\n  0 SAMPLE R1, R0.xyyy, t3, s0', '5:5', 'SAMPLE stands in a TEX clause'],
    ['00 JUMP ADDR(1)', '4:4', 'JUMP stands behind an ALU_PUSH_BEFORE clause'],
    ['00 BREAK ADDR(1)', '4:4', 'there is no loop around this'],
    ['00 LOOP_DX10 i0 FAIL_JUMP_ADDR(1)', '4:4', 'nothing ends what begins here'],
    ['00 EXP_DONE: PIX1, R0.xyyy', '4:4', 'o1 is not declared: .output 1'],
    ['00 HALT', '4:4', "'HALT' is no instruction of control flow"],
    ['.outputs 1', '4:1', 'expected one of .target'],
  ];
  for (const [line, place, message] of mistakes) {
    it(`has its mistakes told with their places: ${message}`, () => {
      const source = `.target RV670\n.program pixel\n.output 0\n${line}\nEND_OF_PROGRAM\n`;
      expect(cal.calclCompile(cal.CAL_LANGUAGE_ISA, source, cal.CAL_TARGET_670)).toEqual([
        cal.CAL_RESULT_ERROR,
        0,
      ]);
      expect(cal.calclGetErrorString()).toContain(`kernel.isa:${place}: error: ${message}`);
    });
  }

  it('is for one chip, and in one language', () => {
    const text = listing(compiled(cal.CAL_LANGUAGE_IL, il.copy, cal.CAL_TARGET_670));
    const compile = (language: number, source: string, target: number): string => {
      expect(cal.calclCompile(language, source, target)).toEqual([cal.CAL_RESULT_ERROR, 0]);
      return cal.calclGetErrorString();
    };
    const { CAL_LANGUAGE_ISA: ISA, CAL_LANGUAGE_IL: IL, CAL_TARGET_770: RV770 } = cal;
    expect(compile(ISA, text, RV770)).toContain('in clauses of RV670');
    expect(compile(IL, text, RV770)).toContain('is not in IL');
    expect(compile(ISA, il.copy, RV770)).toContain('is not in clauses');
    expect(
      compile(ISA, '.target RV670\n.program compute 64 1 1\nEND_OF_PROGRAM\n', cal.CAL_TARGET_670),
    ).toContain('RV670 runs no compute programs');
  });

  it('leads to nothing but errors when it is damaged', () => {
    const texts = [programs['loops and branches']!, programs['an array and the global buffer']!].map(
      (source) => listing(compiled(cal.CAL_LANGUAGE_IL, source, cal.CAL_TARGET_670)),
    );
    let state = 1;
    const below = (most: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return (state >> 8) % most;
    };
    let right = 0;
    for (let time = 0; time < mutations; time += 1) {
      const lines = texts[time % texts.length]!.split('\n');
      const at = below(lines.length);
      const line = lines[at]!;
      const place = below(line.length + 1);
      const piece = ['', '9', '-', 'R', '.', ',', '(', 'PV1.x', '99999', 'x'][below(10)]!;
      if (below(4) === 0) lines.splice(at, 1);
      else if (below(5) === 0) lines.splice(below(lines.length), 0, line);
      else lines[at] = `${line.slice(0, place)}${piece}${line.slice(place + below(3))}`;
      const [result, object] = cal.calclCompile(cal.CAL_LANGUAGE_ISA, lines.join('\n'), cal.CAL_TARGET_670);
      if (result === cal.CAL_RESULT_OK) {
        right += 1;
        cal.calclFreeObject(object);
      } else expect(cal.calclGetErrorString()).toMatch(/error: |not in clauses|clauses of|has no|does not/);
    }
    // Numbers of registers, swizzles and comments may change.
    expect(right).toBeLessThan(mutations / 2);
  });
});

// Two programs for the product of matrices.

/** One element a position: a row of i0 (A) times a column of i1 (B), both of one float; cb0[0].x is how long these are. */
export const basicKernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_resource_id(1)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_literal l0, 0.0, 1.0, 0.5, 0.0
mov r0, l0.x
mov r1.x, l0.z                ; (k, y) in A
mov r1.y, vWinCoord0.y
mov r2.x, vWinCoord0.x        ; (x, k) in B
mov r2.y, l0.z
whileloop
  ge r3.x, r1.x, cb0[0].x
  break_logicalnz r3.x
  sample_resource(0)_sampler(0) r4, r1.xy
  sample_resource(1)_sampler(1) r5, r2.xy
  mad_ieee r0.x, r4.x, r5.x, r0.x
  add r1.x, r1.x, l0.y
  add r2.y, r2.y, l0.y
endloop
mov o0, r0.x
end
`;

const each = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/**
 * Eight rows of four columns a position. Four elements of a row lie in one float4, so that a turn loads four of them from B and
 * eight from A and makes 128 products. Offsets in the instructions pick the rows; row 8 y + i of the product is row y of output i.
 * cb0[0].x is the length of a row in float4.
 */
export const blockedKernel = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
${each(8, (i) => `dcl_output_generic o${i}`)}
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_resource_id(1)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_literal l0, 0.0, 1.0, 0.5, 4.0
dcl_literal l1, 8.0, 0.0, 0.0, 0.0
${each(8, (i) => `mov r1${i}, l0.x`)}
flr r1.y, vWinCoord0.y        ; (k, 8 y) in A
mad_ieee r1.y, r1.y, l1.x, l0.z
mov r1.x, l0.z
mov r2.x, vWinCoord0.x        ; (x, 4 k) in B
mov r2.y, l0.z
whileloop
  ge r3.x, r1.x, cb0[0].x
  break_logicalnz r3.x
${each(4, (j) => `  sample_resource(1)_sampler(1)_aoffimmi(0,${j},0) r2${j}, r2.xy`)}
${each(
  8,
  (i) => `  sample_resource(0)_sampler(0)_aoffimmi(0,${i},0) r6, r1.xy
${each(4, (j) => `  mad_ieee r1${i}, r6.${'xyzw'[j]}, r2${j}, r1${i}`)}`,
)}
  add r1.x, r1.x, l0.y
  add r2.y, r2.y, l0.w
endloop
${each(8, (i) => `mov o${i}, r1${i}`)}
end
`;

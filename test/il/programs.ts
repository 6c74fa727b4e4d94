/** IL programs of the tests, written for them. */

/** The sum of two images times a constant, as a pixel program. */
export const scaledSum = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[1] ; the factor
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_resource_id(1)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
; both at the place of the pixel
sample_resource(0)_sampler(0) r0, vWinCoord0.xyxx
sample_resource(1)_sampler(1) r1, vWinCoord0.xyxx
add r2, r0, r1
mul_ieee o0, r2, cb0[0].x
end
`;

/** What brcc makes of a kernel that calls another. */
export const called = `il_ps_2_0
dcl_cb cb0[2]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_input_generic_interp(linear) v0.xy__
sample_resource(0)_sampler(0) r1.x,v0.xy00
call 0
dcl_output_generic o0
mov o0,r5.x000
ret

func 0
mov r2.x___,r1_neg(xyzw).x000
mul_ieee r5.x___,r2.x000,cb0[1].x000
ret

end
`;

/** Reverses 64 elements in the group's memory, as a compute program with a loop, a macro and doubles. */
export const reversed = `mdef(7)_out(1)_in(2)
mov r0, in0
mov r1, in1
udiv r0.x___, r0.x, r1.x
mov out0, r0
mend
il_cs_2_0
dcl_num_thread_per_group 64, 1, 1
dcl_struct_lds_id(0) 16, 64
dcl_indexed_temp_array x0[4]
dcl_cb cb0[8]
dcl_literal l0, 63, 0x00000001, 0.5, -1.5e3f
isub r0.x___, l0.x, vTidInGrpFlat.x
mov r9, g[vAbsTidFlat.x+4]
lds_store_vec_id(0) mem.xyzw, r0.x, l0.0, r9
fence_threads_lds
mov r1, r1.0000
whileloop
    ige r1._y__, r1.x, cb0[r2.x+1].w
    break_logicalnz r1.y
    if_logicalz r1.x
        mov x0[r1.x], r9_abs
    else
        dmad r3.__zw, r3.zw, l0.zw_neg(xy), x0[r1.x].xy
    endif
    iadd r1.x___, r1.x, l0.y
endloop
switch r1.x
    case 3
    mov_x2_sat r4.01_w, r3
    break
    default
    discard_logicalnz r4.x
endswitch
mcall(7) (r5),(r1, l0.y)
mov g[vAbsTidFlat.x], r5
ret_dyn
end
`;

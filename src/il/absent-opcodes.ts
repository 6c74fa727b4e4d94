/**
 * Instructions of the IL specification that programs of our kinds cannot have, and why: a program that uses one is refused by that
 * reason, where it stands. What is in neither table is no instruction.
 */

const reasons: readonly (readonly [reason: string, names: string])[] = [
  [
    'it is of geometry programs, which are not supported',
    `cut cut_stream emit emit_stream emit_then_cut emit_then_cut_stream dcl_input_primitive dcl_output_topology
     dcl_max_output_vertex_count dcl_stream`,
  ],
  [
    'it is of tessellation programs, which are not supported',
    `hs_cp_phase hs_fork_phase hs_join_phase endphase dcl_ts_domain dcl_ts_partition dcl_ts_output_primitive dcl_num_icp dcl_num_ocp
     dcl_num_instances dcl_max_tessfactor`,
  ],
  [
    "it is of DirectX 9's vertices and texture stages, which compute devices have not",
    `dclarray dcldef dclpi dclpin dclpp dclpt dclv dclvout initv precomp project texld texldb texldd texldms texweight`,
  ],
  [
    'functions are not called through tables; call names one',
    'dcl_function_body dcl_function_table dcl_interface_ptr fcall',
  ],
  ['an element has one sample, in its middle', 'eval_centroid eval_sample_index eval_snapped'],
  ['memory is written through g and uavs', 'scatter'],
  ['shared registers outlive groups, in an order that only the hardware knows', 'dcl_persistent'],
  [
    'groups cannot wait for each other',
    'dcl_gws_thread_count dcl_semaphore semaphore_init semaphore_signal semaphore_wait',
  ],
  [
    'it came with chips that CAL programs in no IL of theirs (HD 7000)',
    `class dclass cu_id wave_id sample_return_code ftoi_flr ftoi_rpi frexp_exp frexp_mant dfrexp_exp dfrexp_mant ldexp f2f16_near
     f2f16_neg_inf f2f16_plus_inf min3 med3 max3 imin3 imed3 imax3 umin3 umed3 umax3 div_scale div_fmas div_fixup ddiv_scale ddiv_fmas
     ddiv_fixup dtrig_preop msad_u8 qsad_u8 mqsad_u8`,
  ],
];

/** The reason for each name. */
export const absentOpcodes: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([reason, names]) => names.split(/\s+/).map((name) => [name, reason] as const)),
);

/** The absent instruction whose name begins a mnemonic, the longest that does. */
export function absentAt(mnemonic: string): string | undefined {
  for (let end = mnemonic.length; end > 0; end = mnemonic.lastIndexOf('_', end - 1)) {
    const name = mnemonic.slice(0, end);
    if (absentOpcodes.has(name)) return name;
  }
  return undefined;
}

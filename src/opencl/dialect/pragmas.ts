/** `#pragma OPENCL ...` (OpenCL 1.2, 6.12.14, 9.1 and the FP_CONTRACT pragma of 6.12.2). */
import type { Reporter } from '../../c/dialect.ts';
import type { Span } from '../../source/span.ts';
import { switchExtension } from './switched-extensions.ts';

const behaviours = new Set(['enable', 'disable', 'begin', 'end']);

/** Extensions that programs name and that need nothing switched on: what they bring is always there or never. */
export const knownExtensions = new Set([
  'cl_khr_fp64',
  'cl_khr_fp16',
  'cl_khr_byte_addressable_store',
  'cl_khr_global_int32_base_atomics',
  'cl_khr_global_int32_extended_atomics',
  'cl_khr_local_int32_base_atomics',
  'cl_khr_local_int32_extended_atomics',
  'cl_khr_int64_base_atomics',
  'cl_khr_int64_extended_atomics',
  'cl_khr_3d_image_writes',
  'cl_khr_select_fprounding_mode',
  'cl_khr_gl_sharing',
  'cl_khr_gl_event',
  'cl_khr_gl_depth_images',
  'cl_khr_icd',
  'cl_khr_spir',
  'cl_khr_subgroups',
  'cl_khr_depth_images',
  'cl_khr_mipmap_image',
  'cl_amd_printf',
  'cl_amd_fp64',
  'cl_amd_media_ops',
  'cl_amd_media_ops2',
  'cl_intel_printf',
  'cl_intel_subgroups',
  'cl_nv_pragma_unroll',
  'cl_apple_gl_sharing',
]);

/** Obeys a pragma; false where it is not OpenCL's. */
export function checkPragma(
  words: readonly string[],
  span: Span,
  report: Reporter,
  extensions: ReadonlySet<string>,
): boolean {
  if (words[0] !== 'OPENCL') return words[0] === 'STDC';
  const { diagnostics } = report;
  const ignored = (message: string): true => {
    diagnostics.warning(span, 'ignored-pragmas', `${message} - ignoring`);
    return true;
  };
  const [, kind, name, colon, behaviour, extra] = words;
  if (kind === 'FP_CONTRACT' || kind === 'SELECT_ROUNDING_MODE') {
    const isSwitch = name === 'ON' || name === 'OFF' || name === 'DEFAULT';
    return kind === 'FP_CONTRACT' && !isSwitch
      ? ignored("expected 'ON' or 'OFF' or 'DEFAULT' in pragma")
      : true;
  }
  if (kind === undefined) return ignored("expected identifier in '#pragma OPENCL'");
  if (kind !== 'EXTENSION') return ignored(`unknown OpenCL pragma '${kind}'`);
  if (name === undefined) return ignored("expected identifier in '#pragma OPENCL EXTENSION'");
  if (colon !== ':') return ignored("missing ':' after extension name in '#pragma OPENCL EXTENSION'");
  if (behaviour === undefined || !behaviours.has(behaviour)) {
    return ignored("expected 'enable', 'disable', 'begin' or 'end'");
  }
  if (extra !== undefined) ignored("extra tokens at end of '#pragma OPENCL EXTENSION'");
  if (name === 'all') {
    if (behaviour !== 'disable') return ignored("expected 'disable' for extension 'all'");
    switchExtension(diagnostics, name, behaviour);
    return true;
  }
  if (!knownExtensions.has(name) && !extensions.has(name))
    return ignored(`unknown OpenCL extension '${name}'`);
  switchExtension(diagnostics, name, behaviour);
  return true;
}

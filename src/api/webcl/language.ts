/**
 * What WebCL takes away from OpenCL C (WebCL 1.0, section 6): its kernels are those of OpenCL C 1.1, double and half only
 * where their extensions are enabled, and neither structures nor too long names come from the host.
 */

import { parseBuildOptions } from '../../opencl/build-options.ts';
import { tokensOfOpenCL } from '../../opencl/compile.ts';
import type { DeviceProgram } from '../../runtime/device.ts';
import { Diagnostics } from '../../source/diagnostics.ts';
import { renderDiagnostics } from '../../source/render.ts';

/** Names of kernels are shorter than this. */
const longestName = 256;

const laterTypes: ReadonlySet<string> = new Set([
  'image1d_t',
  'image1d_array_t',
  'image1d_buffer_t',
  'image2d_array_t',
]);
const typesOfExtensions = [
  { extension: 'KHR_fp64', pragma: 'cl_khr_fp64', pattern: /^(convert_)?double(2|3|4|8|16)?$/ },
  { extension: 'KHR_fp16', pragma: 'cl_khr_fp16', pattern: /^(convert_)?half(2|3|4|8|16)?$/ },
] as const;

/** Why a program is refused. */
export interface Refusal {
  readonly log: string;
  /** It lacks an extension that there is. */
  readonly extension?: string | undefined;
}

/**
 * Looks at the words of a source.
 * @param isEnabled whether an extension is enabled for all devices that the program is built for
 */
export function refuseSource(
  source: string,
  buildOptions: string,
  isEnabled: (extension: string) => boolean,
): Refusal | undefined {
  const { tokens } = tokensOfOpenCL(source, { buildOptions });
  const diagnostics = new Diagnostics();
  let missing: string | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'identifier' && token.kind !== 'pragma') continue;
    if (laterTypes.has(token.text)) diagnostics.error(token, `'${token.text}' is not a type of WebCL`);
    for (const { extension, pragma, pattern } of typesOfExtensions) {
      const isUse = token.kind === 'pragma' ? token.text.includes(pragma) : pattern.test(token.text);
      if (!isUse || isEnabled(extension)) continue;
      // A pointer to half needs no extension (OpenCL 1.1, 6.1.1.1).
      if (token.text === 'half' && tokens[index + 1]?.text === '*') continue;
      missing ??= extension;
      diagnostics.error(token, `'${token.text.trim()}' needs the extension ${extension} to be enabled`);
    }
  }
  if (diagnostics.errorCount === 0) return undefined;
  return { log: renderDiagnostics(diagnostics.list), extension: missing };
}

/** Looks at the kernels of a program that has been built. */
export function refuseKernels(program: DeviceProgram): Refusal | undefined {
  const errors: string[] = [];
  for (const { name, parameters } of program.kernels) {
    if (name.length >= longestName) {
      errors.push(`the name of kernel '${name.slice(0, 32)}...' has ${name.length} characters`);
    }
    if (parameters.length === 0) errors.push(`kernel '${name}' has no parameters`);
    for (const [index, { kind, info }] of parameters.entries()) {
      if (kind !== 'aggregate') continue;
      errors.push(`parameter ${index} of kernel '${name}' is a structure, '${info?.typeName ?? ''}'`);
    }
  }
  if (errors.length === 0) return undefined;
  return { log: errors.map((error) => `error: ${error}\n`).join('') };
}

const allowedOptions =
  /^-(cl-(single-precision-constant|denorms-are-zero|opt-disable|mad-enable|no-signed-zeros|unsafe-math-optimizations|finite-math-only|fast-relaxed-math)|w|Werror|D.*)$/;

/** Why WebCL does not take build options; undefined if it does. */
export function refuseOptions(options: string): string | undefined {
  const { errors } = parseBuildOptions(options);
  if (errors.length > 0) return errors.join('\n');
  // What follows -D as a word of its own begins with no dash.
  const unknown = options.split(/\s+/).find((word) => word.startsWith('-') && !allowedOptions.test(word));
  return unknown === undefined ? undefined : `build option '${unknown}' is not one of WebCL's`;
}

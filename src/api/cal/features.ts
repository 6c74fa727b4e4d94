/** What programs need and not every device has (guide, appendix C). */
import type { LoweredProgram } from '../../il/lower/interface.ts';
import * as C from './constants.ts';
import type { DeviceKind } from './devices.ts';

interface Features {
  readonly doublePrecision: boolean;
  readonly memExport: boolean;
  readonly computeShader: boolean;
}

type Needs = Pick<LoweredProgram, 'shader' | 'usesDouble' | 'usesGlobal'>;

function refusal(needs: Needs, has: Features, who: string): string | undefined {
  if (needs.shader === 'cs' && !has.computeShader) return `${who} runs no compute programs (il_cs)`;
  if (needs.usesDouble && !has.doublePrecision) return `${who} does not compute in double precision`;
  if (needs.usesGlobal && !has.memExport) return `${who} has no global buffer`;
  return undefined;
}

/** Why a device cannot run a program; undefined if it can. */
export function refusedFeature(needs: Needs, kind: DeviceKind): string | undefined {
  return refusal(needs, kind.attribs, kind.name);
}

function target(name: string, ...has: readonly ('double' | 'export' | 'compute')[]) {
  return {
    name,
    doublePrecision: has.includes('double'),
    memExport: has.includes('export'),
    computeShader: has.includes('compute'),
  };
}

/** What the cards of a target have. */
const targets: ReadonlyMap<C.CALtarget, Features & { readonly name: string }> = new Map([
  [C.CAL_TARGET_600, target('R600')],
  [C.CAL_TARGET_610, target('RV610')],
  [C.CAL_TARGET_630, target('RV630')],
  [C.CAL_TARGET_670, target('RV670', 'double', 'export')],
  [C.CAL_TARGET_7XX, target('R700', 'double', 'export', 'compute')],
  [C.CAL_TARGET_770, target('RV770', 'double', 'export', 'compute')],
  [C.CAL_TARGET_710, target('RV710', 'export', 'compute')],
  [C.CAL_TARGET_730, target('RV730', 'export', 'compute')],
  // the HD 5000 and 6000 series
  [C.CAL_TARGET_CYPRESS, target('Cypress', 'double', 'export', 'compute')],
  [C.CAL_TARGET_JUNIPER, target('Juniper', 'export', 'compute')],
  [C.CAL_TARGET_REDWOOD, target('Redwood', 'export', 'compute')],
  [C.CAL_TARGET_CEDAR, target('Cedar', 'export', 'compute')],
  [C.CAL_TARGET_WRESTLER, target('Wrestler', 'export', 'compute')],
  [C.CAL_TARGET_CAYMAN, target('Cayman', 'double', 'export', 'compute')],
  [C.CAL_TARGET_BARTS, target('Barts', 'export', 'compute')],
]);

/** `RV770`; undefined if it is no target. */
export function targetName(id: C.CALtarget): string | undefined {
  return targets.get(id)?.name;
}

/** Why no device of a target can run a program; undefined if some can. */
export function refusedByTarget(needs: Needs, id: C.CALtarget): string | undefined {
  const features = targets.get(id);
  return features && refusal(needs, features, features.name);
}

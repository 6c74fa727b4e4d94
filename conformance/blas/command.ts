/** `npm run conformance -- blas`: random calls of BLAS's routines against OpenBLAS. */
import type { Device } from 'millrace';
import { type Blas, blas as openBlas } from 'millrace/blas';
import { caseText, checkCase, randomCase } from './cases.ts';
import { openReference } from './openblas.ts';
import { allRoutines } from './routines.ts';

export interface BlasCampaign {
  readonly device: Device;
  readonly cases: number;
  readonly seed: number;
  /** Of sizes. */
  readonly largest: number;
  /** A part of routines' names. */
  readonly only?: string | undefined;
}

/** @returns whether all results were right */
export async function runBlasCampaign({
  device,
  cases,
  seed,
  largest,
  only,
}: BlasCampaign): Promise<boolean> {
  const reference = openReference();
  if (typeof reference === 'string') {
    console.log(`skipped: ${reference}`);
    return true;
  }
  const blas = await openBlas({ device });
  const routines = [...allRoutines.values()].filter(({ name }) => only === undefined || name.includes(only));
  let wrong = 0;
  for (let index = 0; index < cases; index += 1) {
    const routine = routines[index % routines.length]!;
    const each = randomCase(routine, seed + index, largest);
    const after = each.given.map((value) =>
      ArrayBuffer.isView(value) ? (value as Float32Array).slice() : value,
    );
    let fault: string | undefined;
    try {
      const method = blas[routine.name as keyof Blas] as (...args: unknown[]) => Promise<unknown>;
      const returned = await method.apply(blas, after);
      fault = checkCase(each, after, returned, allRoutines, reference);
    } catch (error) {
      fault = (error as Error).message;
    }
    if (fault === undefined) continue;
    wrong += 1;
    if (wrong <= 20) console.log(`${caseText(each)} (seed ${seed + index}): ${fault}`);
  }
  blas.release();
  console.log(
    `${cases} calls of ${routines.length} routines on ${device.name}: ${wrong === 0 ? 'all right' : `${wrong} wrong`}`,
  );
  return wrong === 0;
}

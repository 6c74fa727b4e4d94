/** For the test files that check generated kernels, some hundreds with every test run; `npm run fuzz` checks more of them. */
import { failureReport, fuzzCase, type Kind } from '../../conformance/fuzz/fuzz-case.ts';

/** Checks the kernels of seeds `from` to `to` (exclusive); throws the report of the first that fails, shrunk. */
export async function expectAgreement(kind: Kind, from: number, to: number): Promise<void> {
  for (let seed = from; seed < to; seed++) {
    const made = fuzzCase(kind, seed);
    const { status, reason = '' } = made.check(made.source);
    if (status === 'failed') throw new Error(await failureReport(made, reason));
    // The test runner wants to hear from its worker now and then.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

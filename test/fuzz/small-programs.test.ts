/** As generated-programs.test.ts, with small kernels: two files keep two workers busy. */
import { it } from 'vitest';
import { expectAgreement } from './expect-agreement.ts';

it('small programs mean the same everywhere', { timeout: 600_000 }, () => expectAgreement('small', 0, 220));

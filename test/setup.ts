/**
 * After every test the event loop turns once. Most tests here never wait for anything, and a long file of such
 * tests would keep the runner's messages unanswered until it takes its worker for dead. Tests of passes have modules verified.
 */
import { afterEach } from 'vitest';
import { assertValid } from '../src/ir/verify.ts';
import { provideVerifier } from '../src/passes/verification.ts';

afterEach(() => new Promise((resolve) => setImmediate(resolve)));

provideVerifier(assertValid);

/**
 * After every test the event loop turns once. Most tests here never wait for anything, and a long file of such
 * tests would keep the runner's messages unanswered until it takes its worker for dead.
 */
import { afterEach } from 'vitest';

afterEach(() => new Promise((resolve) => setImmediate(resolve)));

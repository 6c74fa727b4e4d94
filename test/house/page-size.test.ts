// How much of Millrace a page loads, and when: budgets that a change may only pass knowingly. `npm run size` prints what there is.
// Each budget lies about half a per cent above what was measured: a line more anywhere moves what compresses by some tens of bytes.
import { describe, expect, test } from 'vitest';
import { applications, measurePage } from '../../scripts/page-size.mjs';

const kilobyte = 1000;

describe('a page bundled in chunks by esbuild', () => {
  test('that only makes an argument loads no compiler', async () => {
    const { first } = await measurePage(applications.local);
    // Addresses of workers for pages with Trusted Types, and what is said where their policy is refused: 0.35 kB, here and below.
    expect(first.gzip).toBeLessThan(6.6 * kilobyte);
  });

  test('that compiles loads the compiler when it does so, and nothing that other pages need', async () => {
    const { first, binaries, sources } = await measurePage(applications.compile);
    // Of WebGPU's device what finds it when it is asked for by name: 0.3 kB.
    // Writes that wait for reads into their arrays, staging memory that is given back, who is told that memory is used no more: 0.6 kB.
    // Which launches have rows too short for long vectors: 0.15 kB.
    expect(first.gzip).toBeLessThan(56.2 * kilobyte);
    // Of machine code (devices/native) what its device shares with this one: 0.15 kB.
    // Of threads that end where they should not, and of memory that there is none of, so that every wait ends: 0.6 kB.
    // Exact products with a sum, and how engines are asked for them: 0.3 kB. Whether integers are to be narrowed: 0.6 kB.
    // Places in memory that loops make values, types that share no memory: 0.8 kB.
    // Loops of a work-item whose iterations run together: 1.3 kB. Stores that both sides of an `if` share: 0.9 kB.
    // Forms of a kernel for launches in short rows: 0.2 kB.
    expect(binaries.gzip).toBeLessThan(181.9 * kilobyte);
    // What plain kernels need; page-rest.test.ts runs some with no more.
    expect(sources.gzip).toBeLessThan(223.7 * kilobyte);
    expect(sources.brotli).toBeLessThan(194.7 * kilobyte);
    expect(Object.keys(binaries.files)).toContain('chunk-verifier.js');
    for (const file of ['chunk-front-end.js', 'chunk-back-end.js', 'chunk-linker.js']) {
      expect(Object.keys(first.files)).not.toContain(file);
      expect(Object.keys(sources.files)).toContain(file);
    }
    expect(Object.keys(binaries.files)).not.toContain('chunk-front-end.js');
    // The verifier of IR, the device for one thread, the interpreter, the checker, what looks into a compilation, the OpenCL API,
    // drivers, the library's functions.
    const others =
      /verifier|binary|local-device|interpreter|webgpu|tools|opencl|programs|library|rest|^(chunk-)?machine|^drivers/;
    expect(Object.keys(sources.files).filter((file) => others.test(file))).toEqual([]);
  });

  test('whose kernels come from files has no front end, loaded or not', async () => {
    const { first, binaries, all } = await measurePage(applications.kernels);
    expect(first.gzip).toBeLessThan(53.2 * kilobyte);
    expect(binaries.gzip).toBeLessThan(175.9 * kilobyte);
    expect(binaries.brotli).toBeLessThan(153.5 * kilobyte);
    expect(Object.keys(all.files)).toContain('chunk-verifier.js');
    expect(Object.keys(all.files).filter((file) => /front-end|reader|tools|opencl/.test(file))).toEqual([]);
  });

  test('that has the OpenCL API, whose builds block, loads all that it needs at once', async () => {
    const { first } = await measurePage(applications.opencl);
    // Two halves of the compiler, of which pages without the API load one, compress 13 kB worse than the whole.
    // Macros that translation units share, stores of whole registers under masks: 0.3 kB.
    // Integers that are narrowed, loops that count bits: 4.7 kB. Loops of a work-item whose iterations run together: 1.3 kB.
    // Error codes where there is no memory for a front end: 0.1 kB. Stores that both sides of an `if` share: 0.9 kB.
    expect(first.gzip).toBeLessThan(446.7 * kilobyte);
    const others = /tools|programs|wide|checks|^machine|^drivers/;
    expect(Object.keys(first.files).filter((file) => others.test(file))).toEqual([]);
  });
});

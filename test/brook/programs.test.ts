/** Host programs in .br files, compiled and run by the command. The guide says what they print, or it is worked out by hand. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const command = resolve('dist/millrace.js');

describe('programs in .br files', () => {
  it('print what the guide says', async () => {
    const { stdout, stderr } = await run(process.execPath, [
      command,
      'run',
      resolve('test/brook/programs/guide.br'),
    ]);
    const row = (i: number): string =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((j) => `${(i + j).toFixed(2).padStart(6)} `).join('');
    expect(stdout.split('\n')).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(row),
      'average 9',
      '45 55 65 75 85 95 105 115 125 135 ',
      'The Output: F',
      '5 6 7 8, 9 10 11 12',
      '2 4 6 8, 2.5 3 3.5 4',
      '58 64 139 154',
      '',
    ]);
    expect(stderr).toBe('');
  }, 60_000);

  it('compute what the listings of the guide are for', async () => {
    const file = resolve('test/brook/programs/listings.br');
    const { stdout, stderr } = await run(process.execPath, [command, 'run', file]);
    const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
    const row = (i: number): number[] => Array.from({ length: 200 }, (_, j) => (i + j) % 16);
    const all = Array.from({ length: 100 }, (_, i) => row(i)).flat();
    // The product of (0 ... 7; 8 ... 15) and the matrix of k - j, with 1 where these are equal.
    const slice = (from: number): number[] =>
      [0, 1, 2, 3].map((j) => sum([0, 1, 2, 3, 4, 5, 6, 7].map((k) => (from + k) * (k === j ? 1 : k - j))));
    expect(stdout.split('\n')).toEqual([
      'scaled: 71 12 13 154',
      'counted: 1 2 8 3 4 18 5 6 28',
      'by instance: 1 2 8 3 4 18 5 6 28',
      `slices: ${slice(0).join(' ')}`,
      `slices: ${slice(8).join(' ')}`,
      'down: 0 2 4 6 8',
      'up: 0 0 1 1 2 2 3 3 4 4',
      'mad: 0 1.5 3 4.5 6',
      'scatter: 11 0 0 12',
      `sums: ${sum(all)} ${sum(all.filter((one) => one > 10))}`,
      'strips: 10 26 42 42',
      `rows: ${[0, 1, 2, 3].map((i) => sum(row(i))).join(' ')}`,
      'most 12, least -7.5',
      'cube: 10',
      'Passed!!',
      'shared: 0 wrong',
      '',
    ]);
    expect(stderr).toBe('');
  }, 60_000);

  it('may have streams outside of functions, and print them', async () => {
    const file = resolve('test/brook/programs/streams.br');
    const { stdout, stderr } = await run(process.execPath, [command, 'run', file]);
    expect(stdout.split('\n')).toEqual([
      '{0.00, 1.00}{2.00, 3.00}{4.00, 5.00}',
      '{6.00, 7.00}{8.00, 9.00}{0.00, inf}',
      '84',
      '8.00 12.00 ',
      '8.00 16.00 12.00 16.00 20.00 24.00 ',
      '1 0',
      '11',
      '{1.50, 2.50, 3.25}{NaN, -0.50, 1000000.00}',
      '',
    ]);
    expect(stderr).toBe('Stream Assign : Uninitialized input stream\n');
  }, 60_000);

  it('may give the names of streams to other variables, and declare both at once', async () => {
    const file = resolve('test/brook/programs/names.br');
    const { stdout, stderr } = await run(process.execPath, [command, 'run', file]);
    expect(stdout.split('\n')).toEqual(['8 3 8', '2 9', '2 3 6 7', '1 2 50 50 5 ', '4 7', '']);
    expect(stderr).toBe('');
  }, 60_000);

  it('have flags, properties, devices and parts as chapter 2 of the guide has them', async () => {
    const file = resolve('test/brook/programs/devices.br');
    const { stdout } = await run(process.execPath, [command, 'run', file]);
    const size =
      'Domain Operator : Domain dimensions are bigger than original stream, failed to create domain stream';
    expect(stdout.split('\n')).toEqual([
      'wrong: 0',
      'async: 1994 1996 1998',
      'sync: 1994 1996 1998',
      'property: 6 Set Property : This is not an interoperable stream',
      'devices: 1 1',
      'none: 1 0',
      "types: cal cpu ''",
      'before: 1 0',
      'stream: cpu 1, cal',
      'on cpu: 2 4 6 8',
      'other device: 4',
      'assigned: 4 8 12 16',
      'outside: cpu',
      'back: cpu 1',
      'null: 1',
      'default: cpu 1',
      'again: cal',
      'on cal: 4 8 12 16',
      'part: 8 9',
      'size: 6 5',
      'rank: 6 5',
      'ranks: 5',
      'rows: 5',
      'empty: 5',
      size,
      size,
      size,
      'Domain Operator : Start point is more than end point, failed to create domain stream',
      '',
    ]);
  }, 60_000);

  it('are told of, and permitted, what their environment says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-brook-'));
    try {
      writeFileSync(
        join(folder, 'alias.br'),
        `kernel void twice(float a<>, out float b<>) { b = a + a; }
int main(void) {
  float data[2] = {1.0f, 2.0f};
  float a<2>;
  streamRead(a, data);
  twice(a, a);
  streamWrite(a, data);
  printf("%g %g\\n", data[0], data[1]);
  return 0;
}
`,
      );
      const words = (...variables: readonly string[]): readonly string[] => [
        command,
        'run',
        ...variables.flatMap((one) => ['--env', one]),
        'alias.br',
      ];
      const text =
        'Kernel Execution : Input stream is same as output stream.\nBinding kernels read-write is prohibited. The environment variable BRT_PERMIT_READ_WRITE_ALIASING permits it.\n';
      const refused = await run(process.execPath, words('BRT_LOG_FILE=brook.log'), { cwd: folder });
      expect(refused).toEqual({ stdout: '1 2\n', stderr: text });
      expect(readFileSync(join(folder, 'brook.log'), 'utf8')).toBe(text);
      const allowed = words('BRT_PERMIT_READ_WRITE_ALIASING=1', 'BRT_LOG_FILE=other.log');
      expect(await run(process.execPath, allowed, { cwd: folder })).toEqual({ stdout: '2 4\n', stderr: '' });
      expect(existsSync(join(folder, 'other.log'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  it('run on the device that their environment asks for', async () => {
    const file = resolve('test/brook/programs/streams.br');
    const words = [command, 'run', '--env', 'BRT_RUNTIME=cpu', '--profile', file];
    const { stdout, stderr } = await run(process.execPath, words);
    expect(stdout.split('\n').slice(2, 4)).toEqual(['84', '8.00 12.00 ']);
    expect(stderr).toContain('Millrace interpreter');
  }, 60_000);

  it('are refused with places in the .br file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-brook-'));
    try {
      const file = join(folder, 'wrong.br');
      writeFileSync(
        file,
        `kernel void f(float a<>, out float b<>) { b = a + 1; }
kernel void g(float4 a[][], out float b<>) { b = a[0][0].x; }
reduce void total(double a<>, reduce double b<>) { b += a; }
void host(float4 a<>, int n) { a.execDomain(n); }
int main(void) {
  iter float i<10> = iter(0, 1);
  float s<10>;
  float4 v<10>, w<2, 2>;
  f(s, nowhereAtAll);
  f(s);
  f(v, s);
  {
    float v<10>;
    f(v, s);
  }
  g(v, s);
  v.swap(w); v.toString();
  host(s.domain(1, 2), 3);
  {
    int k[10];
    float r;
    double d<10>;
    f(k, s);
    s.read(k, NULL, 1);
    total(d, r);
  }
  return 0;
`,
      );
      const failure = await run(process.execPath, [command, 'run', file]).then(
        () => undefined,
        (error: { readonly stderr: string; readonly code: number }) => error,
      );
      expect(failure?.code).toBe(1);
      const errors = failure!.stderr.split('\n').filter((line) => line.includes(' error: '));
      expect(errors.map((line) => line.replace(file, 'wrong.br'))).toEqual([
        'wrong.br:1:47: error: In Binary expression: Mismatched operands: both must have same type and same number of components',
        'wrong.br:6:3: error: Iterator not supported',
        'wrong.br:10:3: error: incorrect number of parameters expect 2 actual 1',
        'wrong.br:11:5: error: Mismatched type for argument 1: actual type is "float4" but expected type is "float"',
        'wrong.br:16:5: error: Mismatched dimensions of formal and actual arguments for argument 1',
        "wrong.br:17:5: error: streams have no method 'swap' in host code of .br files",
        "wrong.br:17:16: error: streams have no method 'toString' in host code of .br files",
        'wrong.br:18:8: error: Mismatched type for argument 1: actual type is "float" but expected type is "float4"',
        "wrong.br:9:8: error: use of undeclared identifier 'nowhereAtAll'",
        "wrong.br:23:7: error: incompatible pointer types passing 'int *' to parameter of type 'stream'",
        'wrong.br:24:5: error: too many arguments to function call, expected 3, have 4',
        "wrong.br:25:5: error: incompatible pointer types passing 'float *' to parameter of type 'double *'",
        "wrong.br:27:12: error: expected '}'",
      ]);
      // The end of the file is the end of its last line, and nobody hears of functions that nobody wrote.
      expect(failure!.stderr).toContain('  return 0;\n           ^\n');
      expect(failure!.stderr).not.toMatch(/__brook|brook\.h/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});

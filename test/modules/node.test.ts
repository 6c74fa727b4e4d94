/** Files with kernels as modules in Node (20, 22 and 24, as far as they are here), Bun and Deno, by `millrace/register`. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmPackages } from '../support/npm-packages.ts';
import { application, expected, limit, makeProject, type Project, saxpy, wrong } from './project.ts';

/** Other versions come from npm. */
const nodes: [version: string, program: string | undefined][] = await Promise.all(
  (['20.20.2', '22.23.3', '24.21.0'] as const).map(async (version) => {
    const major = version.split('.')[0]!;
    if (process.versions.node.startsWith(`${major}.`)) return [major, process.execPath];
    const name = `node-${process.platform}-${process.arch}`;
    const { folder, missing } = await npmPackages(`node-${major}`, { [name]: version });
    return [major, missing === undefined ? join(folder, 'node_modules', name, 'bin/node') : undefined];
  }),
);
const engines = await npmPackages('engines', { bun: '1.4.5', deno: '2.9.6' });

const brook = `kernel void scale(float a<>, float by, out float b<>) { b = a * by; }
reduce void total(float a<>, reduce float r<>) { r += a; }
`;
/** Each position of the domain gets twice what the input has there, and a constant. */
const il = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, vWinCoord0.xyxx
add r0, r0, r0
add o0, r0, cb0[0]
end
`;

let project: Project;
beforeAll(() => {
  project = makeProject();
  project.write('saxpy.cl', saxpy);
  project.write('limit.h', limit);
  project.write('wrong.cl', wrong);
  project.write('app.js', application);
  project.write('wrong.js', "import './wrong.cl';\n");
  project.write('scale.br', brook);
  project.write('double.il', il);
  project.write(
    'others.js',
    `import { stream, scale, total } from './scale.br';
import { main } from './double.il';
import { main as narrow } from './double.il?i0=float32x1&o0=float32x1';
const [a, b] = [stream('float', [3]), stream('float', [3])];
a.read(Float32Array.of(1, 2, 3));
scale(a, 2, b);
const sum = new Float32Array(1);
total(b, sum);
const o0 = new Float32Array(8);
await main({ domain: [2, 1] }, { i0: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), o0, cb0: Float32Array.of(0, 0, 0, 10) });
const flat = new Float32Array(6);
await narrow({ domain: [3, 2] }, { i0: Float32Array.of(1, 2, 3, 4, 5, 6), o0: flat, cb0: Float32Array.of(1, 0, 0, 0) });
const refused = await main({ domain: [2, 1] }, { i0: new Float32Array(8), o0, cb0: new Float32Array(2) }).catch((error) => error.message);
console.log([sum[0], o0.join(), flat.join(), refused].join(' '));
process.exit();
`,
  );
}, 60_000);
afterAll(() => project?.remove());

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, MILLRACE_CACHE: '0', NODE_OPTIONS: '' };
  return promisify(execFile)(program, args, { cwd: project.folder, env }).catch(
    (error: Outcome & Error) => error,
  );
}

describe.each(nodes)('Node %s', (_, program) => {
  const node = (...args: string[]) => run(program!, '--import', 'millrace/register', ...args);

  it.skipIf(program === undefined)('imports kernels, with queries', { timeout: 60_000 }, async () => {
    expect(await node('app.js')).toEqual({ stdout: `${expected}\n`, stderr: '' });
  });

  it.skipIf(program === undefined)('shows a mistake at its line', { timeout: 60_000 }, async () => {
    const { stderr } = await node('wrong.js');
    expect(stderr).toContain(`wrong.cl:6:26: error: use of undeclared identifier 'b'
  if (i < LIMIT) y[i] += b * x[i];
                         ^
`);
  });

  it.skipIf(program === undefined)('imports Brook+ and AMD IL', { timeout: 60_000 }, async () => {
    const { stdout, stderr } = await node('others.js');
    expect(stderr).toBe('');
    expect(stdout).toBe("12 2,4,6,18,10,12,14,26 3,5,7,9,11,13 'cb0' has 8 bytes; the program reads 16\n");
  });
});

describe.skipIf(engines.missing !== undefined)('other engines', { timeout: 60_000 }, () => {
  const engine = (name: string) => join(engines.folder, 'node_modules/.bin', name);

  it('Bun imports kernels', async () => {
    const { stdout, stderr } = await run(engine('bun'), '--preload', 'millrace/register', 'app.js');
    expect(stderr).toBe('');
    expect(stdout).toBe(`${expected}\n`);
  });

  it('Bun bundles kernels', async () => {
    project.write(
      'bundle.js',
      `import millrace from 'millrace/bun';
const plugins = [millrace({ declarations: false })];
await Bun.build({ entrypoints: ['./app.js'], outdir: './bundled', target: 'bun', plugins });
`,
    );
    expect(await run(engine('bun'), 'bundle.js')).toEqual({ stdout: '', stderr: '' });
    expect((await run(engine('bun'), 'bundled/app.js')).stdout).toBe(`${expected}\n`);
  });

  it('Deno imports kernels', async () => {
    const { stdout, stderr } = await run(
      engine('deno'),
      'run',
      '-A',
      '--preload',
      'npm:millrace/register',
      'app.js',
    );
    expect(stderr).toBe('');
    expect(stdout).toBe(`${expected}\n`);
  });
});

describe('millrace types', () => {
  const types = (...args: string[]) =>
    run(process.execPath, project.path('node_modules/millrace/dist/millrace.js'), 'types', ...args);

  it('writes declarations and maps, and says when they are not up to date', async () => {
    const files = ['saxpy.cl', 'saxpy.cl?load', 'scale.br', 'double.il'];
    expect((await types('--check', ...files)).stdout).toContain('saxpy.d.cl.ts: missing\n');
    expect(existsSync(project.path('saxpy.d.cl.ts'))).toBe(false);
    expect(await types(...files)).toEqual({
      stdout:
        'saxpy.d.cl.ts\nsaxpy.d.cl.ts.map\nsaxpy.cl.load.d.ts\nscale.d.br.ts\nscale.d.br.ts.map\ndouble.d.il.ts\ndouble.d.il.ts.map\n',
      stderr: '',
    });
    expect(await types('--check', ...files)).toEqual({ stdout: '', stderr: '' });
    project.write('saxpy.cl', saxpy.replace('float a', 'double a, int b'));
    expect((await types('--check', 'saxpy.cl')).stdout).toContain('saxpy.d.cl.ts: not up to date\n');
    project.write('saxpy.cl', saxpy);
    expect(readFileSync(project.path('double.d.il.ts'), 'utf8')).toContain(
      'export declare const main: IlKernel<IlDomain, { readonly cb0: IlMemory; readonly i0: IlResource; readonly o0: IlResource }>;',
    );
  });

  it('says what is wrong', async () => {
    const { stderr } = await types('wrong.cl');
    expect(stderr).toContain("wrong.cl:6:26: error: use of undeclared identifier 'b'");
    expect((await types('app.js')).stderr).toContain('kernels are in files that end in .cl, .br or .il');
    expect((await types('saxpy.cl?optoins=-DN=1')).stderr).toContain("a query has no 'optoins'");
  });
});

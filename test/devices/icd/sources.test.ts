/** Whose word counts when a driver's device builds a source: our front end's or the driver's. */
import { describe, expect, it } from 'vitest';
import { createKernel } from '../../../src/api/javascript/kernel.ts';
import type { BuildResult } from '../../../src/build/build-program.ts';
import { layoutOfType } from '../../../src/devices/icd/kernel-facts.ts';
import { buildProgram, native, open, skipped, wasmDevice } from './setup.ts';

/** Our front end knows no `__builtin_assume`; clang, which is in most drivers, does. */
const source = `
typedef float real;
typedef struct { int first; float4 second; } pair;
kernel __attribute__((reqd_work_group_size(2, 1, 1)))
void scaled(global float4 *restrict out, const pair p, real factor, local int *room, constant uint *table,
            unsigned int n, const global ushort *unused) {
  __builtin_assume(n > 0);
  out[get_global_id(0)] = p.second * factor + (float)table[0] + (float)n;
}`;

const badSource = 'kernel void broken(global int *p) { p[0] = q; }';

function build(text: string, options = ''): BuildResult & { close(): void } {
  const { context } = open(native!);
  const result = buildProgram({ source: text, options }, context.opened(native!));
  return { ...result, close: () => context.close() };
}

describe.skipIf(!native)(`sources on a driver's device${skipped}`, () => {
  it('a source that only the driver takes is built, and its kernels are as the driver describes them', async () => {
    const { context, queue } = open(native!);
    const { program, log, diagnostics } = buildProgram({ source, options: '' }, context.opened(native!));
    expect(log).toContain("note: read by the device's compiler alone; Millrace's says: implicit declaration");
    expect(diagnostics).toEqual([]);
    const [kernel] = program!.kernels;
    expect(kernel!.name).toBe('scaled');
    expect(kernel!.attributes).toEqual({ requiredWorkGroupSize: [2, 1, 1] });
    const described = kernel!.parameters.map(({ kind, size, info }) => [
      kind,
      size,
      info!.typeName,
      info!.name,
      info!.typeQualifiers.filter((qualifier) => qualifier !== 'restrict').join(),
    ]);
    expect(described).toEqual([
      ['global', 8, 'float4*', 'out', ''],
      ['value', 0, 'pair', 'p', ''],
      ['value', 0, 'real', 'factor', ''],
      ['local', 8, 'int*', 'room', ''],
      ['constant', 8, 'uint*', 'table', 'const'],
      ['value', 4, 'uint', 'n', ''],
      ['global', 8, 'ushort*', 'unused', 'const'],
    ]);
    const call = createKernel(queue, kernel!, () => {});
    const out = new Float32Array(8);
    const pair = new Float32Array([0, 0, 0, 0, 1, 2, 3, 4]);
    const { local } = await import('../../../src/api/javascript/arguments.ts');
    const table = Uint32Array.of(100);
    await call({ global: [2] }, out, pair, Float32Array.of(2), local(16), table, 7, new Uint16Array(2));
    expect([...out]).toEqual([109, 111, 113, 115, 109, 111, 113, 115]);
    await expect(
      call({ global: [2] }, out, pair, 2, local(16), table, 7, new Uint16Array(2)),
    ).rejects.toThrow("argument 'real factor' of kernel 'scaled': it takes a typed array of its bytes");
    context.close();
  });

  it.each([
    '-millrace-strict',
    // As it was called.
    '-millrace-check',
  ])('with %s our front end refuses it, as on every other device', (option) => {
    const checked = build(source, option);
    expect(checked.program).toBeUndefined();
    const { context } = open(wasmDevice());
    const [device] = context.devices;
    expect(checked.log).toBe(buildProgram({ source, options: '' }, context.opened(device!)).log);
    expect(checked.log).toContain("error: implicit declaration of function '__builtin_assume'");
    context.close();
    checked.close();
  });

  it('a source that neither takes has the words of both in its log', () => {
    const { program, log, diagnostics, close } = build(badSource);
    expect(program).toBeUndefined();
    expect(log).toMatch(/^<kernel>:1:44: error: .*'q'/);
    expect(log.match(/error:/g)!.length).toBeGreaterThan(1);
    expect(diagnostics).toHaveLength(1);
    close();
  });

  it('the driver does not see our own options, and judges those that we do not know', () => {
    const plain = build('kernel void k(global int *p) { p[0] = N; }', '-millrace-strict -D N=1');
    expect(plain.program?.kernels[0]?.parameters[0]?.info?.name).toBe('p');
    plain.close();
    const unknown = build('kernel void k() {}', '-no-such-option');
    expect(unknown).toMatchObject({ program: undefined, hasInvalidOptions: true });
    unknown.close();
  });

  it('with -millrace-from-ir the driver gets what our front end made of the source', () => {
    const { program, close } = build(
      'kernel void k(global float *p) { p[0] = N; }',
      '-millrace-from-ir -DN=3',
    );
    expect(program?.kernels.map(({ name }) => name)).toEqual(['k']);
    close();
    const refused = build(source, '-millrace-from-ir');
    expect(refused.program).toBeUndefined();
    refused.close();
  });
});

describe('types by their names', () => {
  it('scalars and vectors have layouts, other names have none', () => {
    expect(layoutOfType('uchar', 64)).toEqual({ kind: 'integer', size: 1, signed: false });
    expect(layoutOfType('double3', 64)).toMatchObject({ kind: 'vector', lanes: 3, size: 32 });
    expect(layoutOfType('size_t', 32)).toMatchObject({ size: 4, signed: false });
    expect(layoutOfType('ptrdiff_t', 64)).toMatchObject({ size: 8, signed: true });
    for (const name of ['real', 'float5', 'struct s', 'constructor', '']) {
      expect(layoutOfType(name, 64)).toBeUndefined();
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { Access, Stride } from '../../../src/passes/analysis/access-map.ts';
import { linesTouched, newLinesAlong, reuseAlong } from '../../../src/passes/analysis/cost/cache-lines.ts';
import { type Analysed, analysed } from './analysed.ts';

const parameters = '%a: ptr<global>, %b: ptr<global>, %c: ptr<global>, %n: i32';
const constants = `
    %c0 = constant 0 : i32
    %c1 = constant 1 : i32
    %c2 = constant 2 : i32
    %c4 = constant 4 : i32
    %x = query global_id 0 : i32
    %y = query global_id 1 : i32`;

function kernel(body: string, attributes = ''): Analysed {
  return analysed(`kernel @k(${parameters}) ${attributes}{${constants}\n${body}\nreturn\n}`);
}

interface Strides {
  readonly items: readonly Stride[];
  readonly groups: readonly Stride[];
}

function strides({ map }: Analysed, access: Access): Strides {
  return {
    items: ([0, 1, 2] as const).map((dimension) => map.alongItems(access, dimension)),
    groups: ([0, 1, 2] as const).map((dimension) => map.alongGroups(access, dimension)),
  };
}

/** c[y * n + x] = sum of a[y * n + k] * b[k * n + x], as the front end writes it and the passes leave it. */
const product = `
    %yn = imul %y, %n : i32
    %sum = loop @l (%k: i32 = %c0, %s: f32 = %zero) : f32 {
      %go = slt %k, %n : bool
      if %go { yield } else { break @l %s }
      %i = iadd %yn, %k : i32
      %ib = shl %i, %c2 : i32
      %p = offset %a, %ib : ptr<global>
      %u = load %p align=4 : f32
      %kn = imul %k, %n : i32
      %j = iadd %kn, %x : i32
      %jb = shl %j, %c2 : i32
      %q = offset %b, %jb : ptr<global>
      %v = load %q align=4 : f32
      %t = fma %u, %v, %s : f32
      %k1 = iadd %k, %c1 : i32
      continue @l %k1, %t
    }
    %o = iadd %yn, %x : i32
    %ob = shl %o, %c2 : i32
    %r = offset %c, %ob : ptr<global>
    store %r, %sum align=4`;

describe('a product of matrices', () => {
  const one = kernel(`%zero = constant 0.0 : f32${product}`);

  it('has its strides', () => {
    // a group's rows begin local_size further on, n elements each: by how much only the launch knows
    expect(strides(one, one.access('p'))).toEqual({ items: [0, 'unknown', 0], groups: [0, 'unknown', 0] });
    expect(strides(one, one.access('q'))).toEqual({ items: [4, 0, 0], groups: ['unknown', 0, 0] });
    expect(strides(one, one.access('r'))).toEqual({
      items: [4, 'unknown', 0],
      groups: ['unknown', 'unknown', 0],
    });
    const loop = one.loop('k');
    expect(one.map.along(one.access('p'), loop)).toBe(4);
    expect(one.map.along(one.access('q'), loop)).toBe('unknown');
    expect(one.map.along(one.access('r'), loop)).toBe(0);
  });

  it('has its patterns, and what they say of the cache', () => {
    const patterns = ['p', 'q', 'r'].map((pointer) => one.map.pattern(one.access(pointer)).kind);
    expect(patterns).toEqual(['uniform', 'consecutive', 'consecutive']);
    expect(one.map.pattern(one.access('p'), 1)).toEqual({ kind: 'gather' });
    const loop = one.loop('k');
    expect(reuseAlong(one.map, one.access('p'), loop, 64)).toBe('same line');
    expect(reuseAlong(one.map, one.access('q'), loop, 64)).toBe('none');
    expect(reuseAlong(one.map, one.access('q'), one.nests.itemLoop(loop, 1)!, 64)).toBe('same place');
    // eight floats of any four bytes on: 32 bytes, which cross into another line in 7 of 16 places
    expect(linesTouched(one.map, one.access('q'), 8, 64)).toBe(1 + 7 / 16);
    expect(linesTouched(one.map, one.access('p'), 8, 64)).toBe(1);
    expect(newLinesAlong(one.map, one.access('p'), loop, 8, 64)).toBe(1 / 16);
    expect(newLinesAlong(one.map, one.access('q'), loop, 8, 64)).toBe(1 + 7 / 16);
  });
});

describe('strides', () => {
  it('along groups are known where the kernel says how large they are', () => {
    const one = kernel(
      `
    %rows = shl %y, %c4 : i32
    %xb = shl %x, %c2 : i32
    %i = iadd %rows, %xb : i32
    %p = offset %a, %i : ptr<global>
    %v = load %p align=4 : i32`,
      'reqd_work_group_size(16, 4, 1) ',
    );
    // 4 bytes times 16 work-items; 16 bytes times 4 rows
    expect(strides(one, one.access('p'))).toEqual({ items: [4, 16, 0], groups: [64, 64, 0] });
  });

  it('follow pointers that step, from where another loop has brought them', () => {
    const one = kernel(`
    %xb = imul %x, %n : i32
    %start = offset %a, %xb : ptr<global>
    loop @o (%i: i32 = %c0, %row: ptr<global> = %start) {
      %more = slt %i, %n : bool
      if %more { yield } else { break @o }
      loop @l (%k: i32 = %c0, %p: ptr<global> = %row) {
        %go = slt %k, %n : bool
        if %go { yield } else { break @l }
        %v = load %p align=4 : i32
        %k1 = iadd %k, %c1 : i32
        %p1 = offset %p, %c4 : ptr<global>
        continue @l %k1, %p1
      }
      %i1 = iadd %i, %c1 : i32
      %row1 = offset %row, %n : ptr<global>
      continue @o %i1, %row1
    }`);
    const access = one.access('p');
    expect(one.map.along(access, one.loop('k'))).toBe(4);
    expect(one.map.along(access, one.loop('i'))).toBe('unknown');
    expect(one.map.alongItems(access, 0)).toBe('unknown');
  });

  it('of what is no polynomial vary, but only along what it depends on', () => {
    const one = kernel(`
    %m = smin %x, %n : i32
    %mb = shl %m, %c2 : i32
    loop @l (%k: i32 = %c0) {
      %go = slt %k, %n : bool
      if %go { yield } else { break @l }
      %kb = shl %k, %c4 : i32
      %i = iadd %mb, %kb : i32
      %p = offset %a, %i : ptr<global>
      %v = load %p align=4 : i32
      %vb = shl %v, %c2 : i32
      %q = offset %b, %vb : ptr<global>
      %w = load %q align=4 : i32
      %sq = imul %k, %k : i32
      %s = offset %b, %sq : ptr<global>
      %u = load %s align=4 : i32
      %k1 = iadd %k, %c1 : i32
      continue @l %k1
    }`);
    const loop = one.loop('k');
    expect(strides(one, one.access('p'))).toEqual({ items: ['varying', 0, 0], groups: ['varying', 0, 0] });
    expect(one.map.along(one.access('p'), loop)).toBe(16);
    expect(one.map.pattern(one.access('q'))).toEqual({ kind: 'gather' });
    expect(one.map.along(one.access('q'), loop)).toBe('varying');
    expect(one.map.along(one.access('s'), loop)).toBe('varying');
    expect(one.map.alongItems(one.access('s'), 0)).toBe(0);
  });

  it('of linear ids and of copies of variables go by the size of groups', () => {
    const one = analysed(`kernel @k(${parameters}) reqd_work_group_size(8, 4, 2) work-group {
    %own = variable private "own" size=16 align=4 per_item element=4 : ptr<private>
    work_item_loop {
      %i = query linear_local_id : i32
      %p = offset %a, %i : ptr<global>
      %v = load %p align=1 : i8
      %q = item_address %own : ptr<private>
      %w = load %q align=4 : i32
      yield
    }
    return
}`);
    expect(strides(one, one.access('p')).items).toEqual([1, 8, 32]);
    expect(strides(one, one.access('q')).items).toEqual([4, 32, 128]);
  });

  it('of vectors go on by their lanes, and gathers go anywhere', () => {
    const one = analysed(`kernel @k(${parameters}) work-group {
    %c2 = constant 2 : i32
    work_item_loop {
      %x = query global_id 0 : i32
      %xb = shl %x, %c2 : i32
      %p = offset %a, %xb : ptr<global>
      %v = load %p align=4 : i32
      yield
    } vector 4 {
      %vx = query global_id 0 : i32
      %vxb = shl %vx, %c2 : i32
      %q = offset %a, %vxb : ptr<global>
      %w = load %q align=4 : i32x4
      %g = gather %b, %w align=4 : i32x4
      yield
    }
    return
}`);
    expect(one.map.alongItems(one.access('p'), 0)).toBe(4);
    expect(one.map.alongItems(one.access('q'), 0)).toBe(16);
    expect(one.map.pattern(one.access('q'))).toEqual({ kind: 'consecutive' });
    expect(one.map.pattern(one.access('b'))).toEqual({ kind: 'gather' });
  });
});

describe('accesses', () => {
  it('are reads, writes and updates of so many bytes', () => {
    const one = kernel(`
    %l = variable local "l" size=64 align=4 : ptr<local>
    %v = load %a align=4 : i32x4
    store %b, %c1 align=4
    %old = atomic add %c, %c1 relaxed device : i32
    copy %l, %a, %c4 align=1
    fill %l, %n byte=0 align=1`);
    const all = one.map.accesses.map(
      ({ kind, bytes, root }) => `${kind} ${bytes} ${root.kind} ${root.value.name}`,
    );
    expect(all).toEqual([
      'read 16 parameter a',
      'write 4 parameter b',
      'update 4 parameter c',
      'write 4 variable l',
      'read 4 parameter a',
      'write undefined variable l',
    ]);
    const [copy] = one.accesses('l');
    expect(one.map.of(copy!.instruction)).toHaveLength(2);
    expect(one.map.hasCalls).toBe(false);
  });

  it('are masked behind what some have left, and inside of what some do not do', () => {
    const one = kernel(`
    %early = load %a align=4 : i32
    %isIn = slt %x, %n : bool
    if %isIn {
      %p = offset %a, %c1 : ptr<global>
      %v = load %p align=4 : i32
      yield
    } else { yield }
    %q = offset %a, %c2 : ptr<global>
    %w = load %q align=4 : i32
    block @b {
      %r = offset %a, %c4 : ptr<global>
      %s = load %r align=4 : i32
      if %isIn { break @b } else { yield }
      %t = offset %b, %c1 : ptr<global>
      %u = load %t align=4 : i32
      yield
    }
    %d = offset %b, %c2 : ptr<global>
    %e = load %d align=4 : i32
    %isOut = sge %y, %n : bool
    if %isOut { return } else { yield }
    %f = offset %b, %c4 : ptr<global>
    %g = load %f align=4 : i32`);
    const masked = (across: 'row' | 'column'): string[] =>
      ['a', 'p', 'q', 'r', 't', 'd', 'f'].filter((pointer) => one.map.isMasked(one.access(pointer), across));
    expect(masked('row')).toEqual(['p', 't']);
    expect(masked('column')).toEqual(['f']);
  });

  it('in loops that some leave before others are masked', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0) {
      %p = offset %a, %k : ptr<global>
      %v = load %p align=1 : i8
      %go = slt %k, %x : bool
      if %go { yield } else { break @l }
      %k1 = iadd %k, %c1 : i32
      continue @l %k1
    }
    %q = offset %a, %c1 : ptr<global>
    %w = load %q align=1 : i8`);
    expect(one.map.isMasked(one.access('p'))).toBe(true);
    expect(one.map.isMasked(one.access('p'), 'column')).toBe(false);
    expect(one.map.isMasked(one.access('q'))).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { enclosing } from '../../../src/passes/analysis/loop-nests.ts';
import { type Analysed, analysed } from './analysed.ts';

const parameters = '%p: ptr<global>, %n: i32, %pitch: i32';

const constants = `
    %c0 = constant 0 : i32
    %c1 = constant 1 : i32
    %c2 = constant 2 : i32
    %c3 = constant 3 : i32
    %c10 = constant 10 : i32
    %cm1 = constant -1 : i32
    %x = query global_id 0 : i32`;

const kernel = (body: string): Analysed =>
  analysed(`kernel @k(${parameters}) {${constants}\n${body}\nreturn\n}`);

/** A loop that tests before its body; the parameter of the counter is %k. */
function counting(start: string, test: string, next: string): Analysed {
  return kernel(`
    loop @l (%k: i32 = ${start}) {
      %go = ${test} : bool
      if %go { yield } else { break @l }
      %v = load %p align=4 : i32
      %next = ${next} : i32
      continue @l %next
    }`);
}

const trips = (one: Analysed): string => {
  const count = one.nests.tripCount(one.loop('k'));
  if (count.kind === 'unknown') return 'unknown';
  return `${count.kind}${count.kind === 'constant' ? ` ${count.count}` : ''}${count.isExact ? '' : ' at most'}`;
};

describe('nests', () => {
  it('hold work-items in the loops of groups, and loops in those of work-items', () => {
    const one = kernel(`
    loop @o (%i: i32 = %c0) {
      loop @l (%k: i32 = %c0) {
        %v = load %p align=4 : i32
        break @l
      }
      break @o
    }`);
    const inner = enclosing(one.loop('k')).map((loop) =>
      loop.kind === 'loop' ? 'loop' : `${loop.kind} ${loop.dimension}`,
    );
    expect(inner).toEqual(['loop', 'loop', 'item 0', 'item 1', 'item 2', 'group 0', 'group 1', 'group 2']);
    expect(one.loop('k').parent).toBe(one.loop('i'));
    expect(one.loop('i').children).toEqual([one.loop('k')]);
    expect(one.loop('k').depth).toBe(7);
    expect(one.nests.loops).toEqual([one.loop('i'), one.loop('k')]);
    expect(one.nests.around(one.access('p').instruction)).toBe(one.loop('k'));
  });

  it('in work-group form have loops of work-items for each region, which go on by lanes and rows', () => {
    const one = analysed(`kernel @k(${parameters}) work-group {
    %zero = constant 0 : i32
    loop @t (%tile: i32 = %zero) {
      work_item_loop {
        %a = load %p align=4 : i32
        yield
      } vector 4 {
        %q = offset %p, %n : ptr<global>
        %b = load %q align=4 : i32x4
        yield
      } coarse 2 {
        %r = offset %p, %pitch : ptr<global>
        %c = load %r align=4 : i32x4
        yield
      }
      break @t
    }
    return
}`);
    const steps = ['p', 'q', 'r'].map((pointer) =>
      ([0, 1, 2] as const).map((dimension) => one.nests.itemLoop(one.access(pointer).loop, dimension)?.step),
    );
    expect(steps).toEqual([
      [1, 1, 1],
      [4, 1, 1],
      [4, 2, 1],
    ]);
    expect(one.loop('tile').children).toHaveLength(3);
    expect(one.loop('tile').parent).toBe(one.nests.groupLoop(0));
  });
});

describe('induction variables', () => {
  it('grow by constants, by what does not change, or by a factor', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c3, %q: ptr<global> = %p, %s: i32 = %n, %u: i32 = %n, %w: i32 = %n, %same: i32 = %n) {
      %go = slt %k, %n : bool
      if %go { yield } else { break @l }
      %k1 = iadd %k, %c2 : i32
      %rows = imul %pitch, %c3 : i32
      %q1 = offset %q, %rows : ptr<global>
      %s1 = ushr %s, %c1 : i32
      %v = load %q align=4 : i32
      %u1 = iadd %u, %v : i32
      %w1 = isub %w, %k : i32
      continue @l %k1, %q1, %s1, %u1, %w1, %same
    }`);
    const { inductions } = one.loop('k');
    const of = (name: string): unknown => inductions.get(one.value(name));
    expect(of('k')).toMatchObject({ kind: 'additive', step: 2, start: one.value('c3') });
    expect(of('q')).toMatchObject({ kind: 'additive', step: undefined, start: one.value('p') });
    expect(of('q')).toMatchObject({ stepForm: { terms: new Map([[one.value('pitch'), 3]]), constant: 0 } });
    expect(of('s')).toMatchObject({ kind: 'geometric', fn: 'ushr', factor: 1 });
    // by what is loaded, and by what changes itself
    expect(of('u')).toBeUndefined();
    expect(of('w')).toBeUndefined();
    expect(of('same')).toMatchObject({ kind: 'additive', step: 0 });
  });

  it('step alike on all ways back', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0, %j: i32 = %c0) {
      %go = slt %k, %n : bool
      if %go { yield } else { break @l }
      %v = load %p align=4 : i32
      %odd = eq %v, %c1 : bool
      %k1 = iadd %k, %c1 : i32
      %j1 = iadd %j, %c1 : i32
      %j2 = iadd %j, %c2 : i32
      if %odd { continue @l %k1, %j1 } else { yield }
      continue @l %k1, %j2
    }`);
    expect([...one.loop('k').inductions.keys()]).toEqual([one.value('k')]);
  });
});

describe('trip counts', () => {
  it.each([
    ['%c0', 'slt %k, %c10', 'iadd %k, %c1', 10],
    ['%c0', 'slt %k, %c10', 'iadd %k, %c3', 4],
    ['%c1', 'sle %k, %c10', 'iadd %k, %c3', 4],
    ['%c0', 'sgt %c10, %k', 'iadd %k, %c2', 5],
    ['%c10', 'sgt %k, %c0', 'iadd %k, %cm1', 10],
    ['%c10', 'sge %k, %c0', 'iadd %k, %cm1', 11],
    ['%c0', 'ne %k, %c10', 'iadd %k, %c2', 5],
    ['%c10', 'slt %k, %c0', 'iadd %k, %c1', 0],
    ['%c1', 'slt %k, %c10', 'shl %k, %c1', 4],
    ['%c10', 'ugt %k, %c0', 'ushr %k, %c1', 4],
  ])('from %s while %s by %s: %i', (start, test, next, count) => {
    expect(trips(counting(start, test, next))).toBe(`constant ${count}`);
  });

  it.each([
    // never ten
    ['%c1', 'ne %k, %c10', 'iadd %k, %c2'],
    // wraps around
    ['%c10', 'sgt %k, %c0', 'iadd %k, %c1'],
    ['%cm1', 'ule %k, %cm1', 'iadd %k, %c1'],
    // not compared with a bound
    ['%c0', 'slt %v0, %k', 'iadd %k, %c1'],
  ])('from %s while %s by %s: not a constant', (start, test, next) => {
    const one = kernel(`
    loop @l (%k: i32 = ${start}) {
      %v0 = load %p align=4 : i32
      %go = ${test} : bool
      if %go { yield } else { break @l }
      %next = ${next} : i32
      continue @l %next
    }`);
    expect(trips(one)).not.toMatch(/constant/);
  });

  it('are uniform, or differ by lane, or are unknown', () => {
    expect(trips(counting('%c0', 'slt %k, %n', 'iadd %k, %c1'))).toBe('uniform');
    expect(trips(counting('%c0', 'slt %k, %n', 'iadd %k, %pitch'))).toBe('uniform');
    expect(trips(counting('%c0', 'slt %k, %x', 'iadd %k, %c1'))).toBe('per lane');
    expect(trips(counting('%x', 'slt %k, %n', 'iadd %k, %c1'))).toBe('per lane');
    expect(trips(counting('%n', 'slt %k, %n', 'imul %k, %k'))).toBe('unknown');
  });

  it('count the iteration that ends in the test', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0) {
      %v = load %p align=4 : i32
      %next = iadd %k, %c1 : i32
      %go = slt %next, %c10 : bool
      if %go { yield } else { break @l }
      continue @l %next
    }`);
    expect(one.loop('k').counted).toMatchObject({ isAtEnd: true, offset: 1, relation: 'lt' });
    expect(trips(one)).toBe('constant 10');
  });

  it('take an exit on the first side for what it is', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0) {
      %done = sge %k, %c10 : bool
      if %done { break @l } else { yield }
      %v = load %p align=4 : i32
      %next = iadd %k, %c1 : i32
      continue @l %next
    }`);
    expect(one.loop('k').counted).toMatchObject({ isAtEnd: false, relation: 'lt', isSigned: true });
    expect(trips(one)).toBe('constant 10');
  });

  it('are only the most that there may be where there are other exits', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0) {
      %go = slt %k, %c10 : bool
      if %go { yield } else { break @l }
      %v = load %p align=4 : i32
      %found = eq %v, %x : bool
      if %found { return } else { yield }
      %next = iadd %k, %c1 : i32
      continue @l %next
    }`);
    expect(trips(one)).toBe('constant 10 at most');
    const { exits } = one.loop('k');
    expect(exits.map(({ jump }) => jump.op)).toEqual(['break', 'return']);
    expect(exits.map((exit) => one.nests.isDivergentExit(exit))).toEqual([false, true]);
    expect(one.nests.isDivergent(one.loop('k'))).toBe(true);
  });

  it('are unknown where some iterations do not come to the test', () => {
    const one = kernel(`
    loop @l (%k: i32 = %c0) {
      %v = load %p align=4 : i32
      %next = iadd %k, %c1 : i32
      %skip = eq %v, %c1 : bool
      if %skip { continue @l %next } else { yield }
      %go = slt %k, %c10 : bool
      if %go { yield } else { break @l }
      continue @l %next
    }`);
    expect(one.loop('k').counted).toBeUndefined();
    expect(trips(one)).toBe('unknown');
  });

  it('of work-items are known where the kernel says', () => {
    const one = analysed(`kernel @k(${parameters}) reqd_work_group_size(64, 2, 1) {
    %v = load %p align=4 : i32
    return
}`);
    const loop = one.access('p').loop;
    expect(one.nests.tripCount(one.nests.itemLoop(loop, 0)!)).toEqual({
      kind: 'constant',
      count: 64,
      isExact: true,
    });
    expect(one.nests.tripCount(one.nests.groupLoop(0))).toEqual({ kind: 'uniform', isExact: true });
  });
});

describe('invariants', () => {
  it('are what a loop does not change: it may be computed within it', () => {
    const one = kernel(
      `
    loop @o (%i: i32 = %c0) {
      %i1 = iadd %i, %c1 : i32
      %row = imul %i, %pitch : i32
      loop @l (%k: i32 = %c0) {
        %at = iadd %row, %n : i32
        %moving = iadd %at, %k : i32
        %v = load %p align=4 : i32
        %chosen = if %c : i32 { yield %at } else { yield %n }
        %next = iadd %k, %c1 : i32
        continue @l %next
      }
      continue @o %i1
    }`
        .replace('%c :', '%t :')
        .replace('loop @o', '%t = slt %n, %pitch : bool\n    loop @o'),
    );
    const inner = (name: string): boolean => one.nests.isInvariant(one.value(name), one.loop('k'));
    const outer = (name: string): boolean => one.nests.isInvariant(one.value(name), one.loop('i'));
    expect(['n', 'row', 'at', 'moving', 'v', 'chosen', 'k'].map(inner)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(['n', 'row', 'at'].map(outer)).toEqual([true, false, false]);
  });

  it('of work-items and groups are what is the same for them', () => {
    const one = kernel(`
    %y = query local_id 1 : i32
    %g = query group_id 2 : i32
    %v = load %p align=4 : i32`);
    const loop = one.access('p').loop;
    const along = (name: string): readonly (number | undefined)[] => [
      ...([0, 1, 2] as const).map((dimension) =>
        one.nests.change(one.value(name), one.nests.itemLoop(loop, dimension)!),
      ),
      ...([0, 1, 2] as const).map((dimension) =>
        one.nests.change(one.value(name), one.nests.groupLoop(dimension)),
      ),
    ];
    expect(along('x')).toEqual([1, 0, 0, undefined, 0, 0]);
    expect(along('y')).toEqual([0, 1, 0, 0, 0, 0]);
    expect(along('g')).toEqual([0, 0, 0, 0, 0, undefined]);
    expect(along('n')).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

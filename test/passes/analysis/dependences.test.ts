import { describe, expect, it } from 'vitest';
import type { Access } from '../../../src/passes/analysis/access-map.ts';
import { type Carried, dependences } from '../../../src/passes/analysis/dependences.ts';
import type { NestLoop } from '../../../src/passes/analysis/loop-nests.ts';
import { type Analysed, analysed } from './analysed.ts';

const parameters = '%a: ptr<global>, %b: ptr<global>, %c: ptr<global> restrict, %n: i32';

function kernel(body: string, attributes = ''): Analysed {
  return analysed(`kernel @k(${parameters}) ${attributes}{
    %c0 = constant 0 : i32
    %c1 = constant 1 : i32
    %c2 = constant 2 : i32
    %c4 = constant 4 : i32
    %c6 = constant 6 : i32
    %c8 = constant 8 : i32
    %c16 = constant 16 : i32
    %x = query global_id 0 : i32
    %l = query local_id 0 : i32
    %y = query local_id 1 : i32
    %xb = shl %x, %c2 : i32
${body}
    return
}`);
}

/** A loop over %k from 0 to %bound, by %step, with %kb four times the counter. */
const loop = (bound: string, body: string, step = '%c1'): string => `
    loop @l (%k: i32 = %c0) {
      %go = slt %k, ${bound} : bool
      if %go { yield } else { break @l }
      %kb = shl %k, %c2 : i32
${body}
      %k1 = iadd %k, ${step} : i32
      continue @l %k1
    }`;

function carried(one: Analysed, first: Access, second: Access, along: NestLoop): string {
  const what: Carried = one.analyses.get(dependences[32]).carried(first, second, along);
  return what.kind === 'distance' ? `distance ${what.iterations}` : what.kind;
}

const inLoop = (one: Analysed, first: string, second: string): string =>
  carried(one, one.access(first), one.access(second), one.loop('k'));

describe('loops carry', () => {
  it('nothing between places of their own', () => {
    const one = kernel(
      loop(
        '%n',
        `
      %p = offset %a, %kb : ptr<global>
      %v = load %p align=4 : i32
      store %p, %v align=4`,
      ),
    );
    const [load, store] = one.accesses('p') as [Access, Access];
    expect(carried(one, load, store, one.loop('k'))).toBe('none');
    expect(carried(one, store, store, one.loop('k'))).toBe('none');
    const all = one.analyses.get(dependences[32]);
    expect(all.isParallel(one.loop('k'))).toBe(true);
    expect(all.mayMeetWithin(load, store)).toBe(true);
    // work-items all write the same
    expect(carried(one, store, store, one.nests.itemLoop(store.loop, 0)!)).toBe('unknown');
  });

  it('what is some iterations apart', () => {
    const one = kernel(
      loop(
        '%n',
        `
      %p = offset %a, %kb : ptr<global>
      %v = load %p align=4 : i32
      %q = offset %p, %c8 : ptr<global>
      store %q, %v align=4
      %r = offset %p, %c6 : ptr<global>
      store %r, %v align=2
      %s = offset %p, %c1 : ptr<global>
      %t = trunc %v : i8
      store %s, %t align=1`,
      ),
    );
    // what is stored two elements on is loaded two iterations later
    expect(inLoop(one, 'p', 'q')).toBe('distance -2');
    // two bytes of one element, and two of the next
    expect(inLoop(one, 'p', 'r')).toBe('unknown');
    // within the element itself
    expect(inLoop(one, 'p', 's')).toBe('none');
    expect(one.analyses.get(dependences[32]).mayMeetWithin(one.access('p'), one.access('s'))).toBe(true);
    expect(one.analyses.get(dependences[32]).mayMeetWithin(one.access('p'), one.access('q'))).toBe(false);
  });

  it('nothing where steps pass each other by, or the distance is never reached', () => {
    const one = kernel(
      loop(
        '%c8',
        `
      %p = offset %a, %kb : ptr<global>
      %v = load %p align=4 : i32
      %q = offset %p, %c4 : ptr<global>
      store %q, %v align=4`,
        '%c2',
      ),
    );
    // even elements are read, odd ones written
    expect(inLoop(one, 'p', 'q')).toBe('none');
    const far = kernel(
      loop(
        '%c4',
        `
      %p = offset %a, %kb : ptr<global>
      %v = load %p align=4 : i32
      %q = offset %p, %c16 : ptr<global>
      %q1 = offset %q, %c4 : ptr<global>
      store %q1, %v align=4`,
      ),
    );
    // four iterations: the first five elements are read, and written are those from the sixth on
    expect(inLoop(far, 'p', 'q1')).toBe('none');
  });

  it('what is at one place in every iteration, or where it is not known', () => {
    const one = kernel(
      loop(
        '%n',
        `
      %p = offset %a, %xb : ptr<global>
      %v = load %p align=4 : i32
      store %p, %v align=4
      %vb = shl %v, %c2 : i32
      %q = offset %a, %vb : ptr<global>
      store %q, %v align=4
      %r = offset %b, %kb : ptr<global>
      store %r, %v align=4
      %s = offset %c, %kb : ptr<global>
      store %s, %v align=4`,
      ),
    );
    const [load, store] = one.accesses('p') as [Access, Access];
    expect(carried(one, load, store, one.loop('k'))).toBe('every');
    expect(inLoop(one, 'q', 'q')).toBe('unknown');
    // %a and %b may be one buffer, %c is none of them
    expect(inLoop(one, 'p', 'r')).toBe('unknown');
    expect(inLoop(one, 'p', 's')).toBe('none');
    expect(one.analyses.get(dependences[32]).isParallel(one.loop('k'))).toBe(false);
  });

  it('nothing around a loop that stays within a row', () => {
    const outer = (row: string): string => {
      const one = kernel(`
    loop @o (%i: i32 = %c0) {
      %more = slt %i, %n : bool
      if %more { yield } else { break @o }
      %row = ${row} : i32
      loop @l (%k: i32 = %c0) {
        %kb = shl %k, %c2 : i32
        %at = iadd %row, %kb : i32
        %p = offset %a, %at : ptr<global>
        store %p, %k align=4
        %k1 = iadd %k, %c1 : i32
        %go = slt %k1, %c8 : bool
        if %go { yield } else { break @l }
        continue @l %k1
      }
      %i1 = iadd %i, %c1 : i32
      continue @o %i1
    }`);
      return carried(one, one.access('p'), one.access('p'), one.loop('i'));
    };
    // eight elements of four bytes: rows 64 bytes apart share none, those 16 bytes apart do
    expect(outer('shl %i, %c6')).toBe('none');
    expect(outer('shl %i, %c4')).toBe('unknown');
    expect(outer('imul %i, %n')).toBe('unknown');
  });
});

describe('work-items and groups', () => {
  it('have elements of their own, or share them', () => {
    const one = kernel(
      `
    %p = offset %a, %xb : ptr<global>
    %v = load %p align=4 : i32
    store %p, %v align=4
    %q = offset %p, %c4 : ptr<global>
    store %q, %v align=4
    %lb = shl %l, %c2 : i32
    %r = offset %b, %lb : ptr<global>
    store %r, %v align=4`,
      'reqd_work_group_size(16, 1, 1) ',
    );
    const store = one.accesses('p')[1]!;
    const lanes = one.nests.itemLoop(store.loop, 0)!;
    const groups = one.nests.groupLoop(0);
    expect(carried(one, store, store, lanes)).toBe('none');
    // sixteen elements of four bytes are the group's own
    expect(carried(one, store, store, groups)).toBe('none');
    expect(carried(one, store, one.access('q'), lanes)).toBe('distance -1');
    // the last work-item's neighbour is the next group's first
    expect(carried(one, store, one.access('q'), groups)).toBe('unknown');
    // by local ids, all groups write the same
    expect(carried(one, one.access('r'), one.access('r'), lanes)).toBe('none');
    expect(carried(one, one.access('r'), one.access('r'), groups)).toBe('unknown');
  });

  it('have private and local memory of their own', () => {
    const one = kernel(`
    %own = variable private "own" size=64 align=4 : ptr<private>
    %tile = variable local "tile" size=64 align=4 : ptr<local>
    store %own, %x align=4
    store %tile, %x align=4`);
    const [own, tile] = [one.access('own'), one.access('tile')];
    const lanes = one.nests.itemLoop(own.loop, 0)!;
    expect(carried(one, own, own, lanes)).toBe('none');
    expect(carried(one, tile, tile, lanes)).toBe('every');
    expect(carried(one, tile, tile, one.nests.groupLoop(0))).toBe('none');
    expect(carried(one, own, tile, lanes)).toBe('none');
  });

  it('meet in pairs of which one writes', () => {
    const one = kernel(`
    %p = offset %a, %xb : ptr<global>
    %u = load %p align=4 : i32
    %v = load %b align=4 : i32
    store %c, %v align=4
    store %p, %u align=4`);
    const { pairs } = one.analyses.get(dependences[32]);
    const names = pairs!.map(({ first, second }) =>
      [first, second].map(({ kind, pointer }) => `${kind} ${pointer.name}`).join(', '),
    );
    expect(names).toEqual(['write c, write c', 'read p, write p', 'read b, write p', 'write p, write p']);
  });
});

import { describe, expect, it } from 'vitest';
import type * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { walkFunction } from '../../src/ir/walk.ts';
import { analyseUniformity, type Shape } from '../../src/passes/analysis/uniformity.ts';

interface Shapes {
  readonly values: Readonly<Record<string, string>>;
  readonly divergent: readonly string[];
}

/** What the analysis says about every named value, and the structures (with their position) that are divergent. */
function shapesOf(body: string, parameters = '%p: ptr<global>, %n: i32'): Shapes {
  const module = parseModule(`module address=32\nkernel @k(${parameters}) {\n${body}\nreturn\n}`, 'test.ir');
  const fn = module.functions[0]!;
  const uniformity = analyseUniformity(fn);
  const values: Record<string, string> = {};
  const divergent: string[] = [];
  const note = (value: ir.Value): void => {
    if (value.name) values[value.name] = text(uniformity.of(value));
  };
  walkFunction(fn, (instruction) => {
    for (const result of instruction.results) note(result);
    for (const region of instruction.regions) region.parameters.forEach(note);
    if (instruction.regions.length > 0 && uniformity.isDivergent(instruction as ir.Structured)) {
      divergent.push(instruction.op);
    }
  });
  return { values, divergent };
}

function text(shape: Shape): string {
  return shape.kind === 'affine' ? `step ${shape.step}` : shape.kind;
}

describe('values', () => {
  it('are uniform, step along dimension 0, or vary', () => {
    const { values } = shapesOf(`
      %c4 = constant 4 : i32
      %x = query local_id 0 : i32
      %y = query local_id 1 : i32
      %g = query global_id 0 : i32
      %group = query group_id 0 : i32
      %linear = query linear_local_id : i32
      %row = imul %y, %n : i32
      %at = iadd %row, %x : i32
      %bytes = shl %at, %c4 : i32
      %address = offset %p, %bytes : ptr<global>
      %back = isub %n, %x : i32
      %twice = iadd %x, %g : i32
      %square = imul %x, %x : i32
      %scaled = imul %x, %n : i32
      %both = imul %group, %n : i32
      %v = load %address align=4 : i32
      %same = load %p align=4 : i32
      %narrow = trunc %x : i16
      %wide = sext %narrow : i32`);
    expect(values).toEqual({
      c4: 'uniform',
      x: 'step 1',
      y: 'step 0',
      g: 'step 1',
      group: 'uniform',
      linear: 'step 1',
      row: 'step 0',
      at: 'step 1',
      bytes: 'step 16',
      address: 'step 16',
      back: 'step -1',
      twice: 'step 2',
      square: 'varying',
      scaled: 'varying',
      both: 'uniform',
      v: 'varying',
      same: 'uniform',
      narrow: 'step 1',
      wide: 'varying',
    });
  });

  it('are not uniform when loaded from what the kernel may write', () => {
    const body = `
      %v = load %q align=4 : i32
      store %p, %v align=4`;
    expect(shapesOf(body, '%p: ptr<global>, %q: ptr<global>').values).toEqual({ v: 'varying' });
    expect(shapesOf(body, '%p: ptr<global>, %q: ptr<global> const restrict').values).toEqual({
      v: 'uniform',
    });
    expect(shapesOf(body, '%p: ptr<global>, %q: ptr<constant>').values).toEqual({ v: 'uniform' });
    expect(shapesOf(body, '%p: ptr<local>, %q: ptr<global>').values).toEqual({ v: 'uniform' });
    expect(shapesOf(body, '%p: ptr<global> restrict, %q: ptr<global>').values).toEqual({ v: 'uniform' });
  });
});

describe('control', () => {
  it('that diverges makes what it yields vary', () => {
    const { values, divergent } = shapesOf(`
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %x = query local_id 0 : i32
      %own = slt %x, %n : bool
      %all = slt %zero, %n : bool
      %a = if %own : i32 {
        yield %zero
      } else {
        yield %one
      }
      %b = if %all : i32 {
        yield %zero
      } else {
        yield %one
      }`);
    expect(values).toMatchObject({ own: 'varying', all: 'uniform', a: 'varying', b: 'uniform' });
    expect(divergent).toEqual(['if']);
  });

  it('in a loop with a uniform exit stays uniform, with steps', () => {
    const { values, divergent } = shapesOf(`
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %x = query local_id 0 : i32
      %r, %s = loop @l (%i: i32 = %zero, %at: i32 = %x) : i32, i32 {
        %more = slt %i, %n : bool
        if %more {
          yield
        } else {
          break @l %i, %at
        }
        %next = iadd %i, %one : i32
        %further = iadd %at, %n : i32
        continue @l %next, %further
      }`);
    expect(values).toMatchObject({ i: 'uniform', at: 'step 1', r: 'uniform', s: 'step 1' });
    expect(divergent).toEqual([]);
  });

  it('that leaves a loop at different times makes its results vary, but not the counter inside', () => {
    const { values, divergent } = shapesOf(`
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %x = query local_id 0 : i32
      %r = loop @l (%i: i32 = %zero) : i32 {
        %more = slt %i, %x : bool
        if %more {
          yield
        } else {
          break @l %i
        }
        %next = iadd %i, %one : i32
        continue @l %next
      }`);
    expect(values).toMatchObject({ i: 'uniform', next: 'uniform', more: 'varying', r: 'varying' });
    expect(divergent).toEqual(['loop', 'if']);
  });

  it('that continues from a divergent if makes the parameters vary', () => {
    const { values } = shapesOf(`
      %zero = constant 0 : i32
      %one = constant 1 : i32
      %two = constant 2 : i32
      %x = query local_id 0 : i32
      %own = slt %x, %n : bool
      loop @l (%i: i32 = %zero) {
        %more = slt %i, %n : bool
        if %more {
          yield
        } else {
          break @l
        }
        %next = iadd %i, %one : i32
        if %own {
          continue @l %next
        } else {
          yield
        }
        %skip = iadd %i, %two : i32
        continue @l %skip
      }`);
    expect(values).toMatchObject({ i: 'varying', more: 'varying' });
  });

  it('that breaks out of a block by a divergent jump makes the block diverge', () => {
    const { values, divergent } = shapesOf(`
      %one = constant 1 : i32
      %two = constant 2 : i32
      %x = query local_id 0 : i32
      %own = slt %x, %n : bool
      %all = slt %one, %n : bool
      %outer = block @outer : i32 {
        block @inner {
          if %own {
            break @inner
          } else {
            yield
          }
          if %all {
            break @outer %one
          } else {
            yield
          }
          yield
        }
        yield %two
      }`);
    expect(values).toMatchObject({ outer: 'varying' });
    expect(divergent).toEqual(['block', 'block', 'if']);
  });
});

describe('loops that hand on from variable to variable', () => {
  const count = 12;
  const all = (text: (index: number) => string, between = ', ') =>
    Array.from({ length: count }, (_, index) => text(index)).join(between);
  /** Each iteration moves all by one, and `last` follows. */
  const handing = (last: string, inside = '') => `
    %zero = constant 0 : i32
    %x = query local_id 0 : i32
    %square = imul %x, %x : i32
    ${all((index) => `%r${index}`)} = loop @l (${all((index) => `%v${index}: i32 = %zero`)}) : ${all(() => 'i32')} {
      %more = slt %n, %zero : bool
      if %more {
        yield
      } else {
        break @l ${all((index) => `%v${index}`)}
      }
      ${inside}
      continue @l ${all((index) => (index + 1 < count ? `%v${index + 1}` : last))}
    }`;
  const shapesIn = (body: string, name: string) => {
    const { values } = shapesOf(body);
    return new Set(Array.from({ length: count }, (_, index) => values[`${name}${index}`]));
  };

  it('have all of them vary where the last does, and no more', () => {
    expect(shapesIn(handing('%square'), 'v')).toEqual(new Set(['varying']));
    expect(shapesIn(handing('%square'), 'r')).toEqual(new Set(['varying']));
    expect(shapesIn(handing('%n'), 'v')).toEqual(new Set(['uniform']));
  });

  it('have them varying at the end if the first of them decides who leaves', () => {
    // What is found out of %v0 comes last of all, and only then that work-items leave at different times.
    const body = handing(
      '%square',
      `%leaves = slt %v0, %n : bool
      %counted = block @b : i32 {
        if %leaves {
          break @b %zero
        } else {
          yield
        }
        yield %n
      }
      loop @own (%own: i32 = %zero) {
        %less = slt %own, %counted : bool
        if %less {
          yield
        } else {
          break @own
        }
        %next = iadd %own, %n : i32
        if %leaves {
          continue @own %next
        } else {
          yield
        }
        continue @own %own
      }`,
    );
    const { values, divergent } = shapesOf(body);
    expect(values).toMatchObject({ v0: 'varying', leaves: 'varying', counted: 'varying', own: 'varying' });
    expect(divergent.filter((op) => op === 'loop')).toHaveLength(1);
    expect(divergent).toContain('block');
  });
});

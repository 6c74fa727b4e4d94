import { describe, expect, it } from 'vitest';
import { cloneFunction, cloneModule, cloneRegion } from '../../src/ir/clone.ts';
import { countUses } from '../../src/ir/count-uses.ts';
import type * as ir from '../../src/ir/ir.ts';
import { printFunction, printModule } from '../../src/ir/print.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { replaceOperands, walkFunction, walkRegionsInsideOut } from '../../src/ir/walk.ts';
import { moduleOf } from './run.ts';

const text = `
constant @a size=4 align=4 = zero reloc(0: @b)
global @b size=4 align=4 = zero

kernel @k(%p: ptr<global>, %n: i32) work-group {
  context_array $s : i32
  %zero = constant 0 : i32
  %r = block @B : i32 {
    loop @L (%i: i32 = %zero) {
      work_item_loop {
        %x = call @f(%n) : i32
        context_write $s, %x
        %y = context_read $s : i32
        yield
      }
      %g = global_address @b : ptr<global>
      %more = slt %i, %n : bool
      if %more {
        continue @L %n
      } else {
        break @B %i
      }
      break @L
    }
    yield %n
  }
  return
}

function @f(%n: i32) -> i32 {
  %m = iadd %n, %n : i32
  return %m
}
`;
// The loop's own break can never run: the branches above it leave. It is there for its target.

function everythingOf(fn: ir.Function): Set<object> {
  const objects = new Set<object>(fn.parameters.map((parameter) => parameter.value));
  walkFunction(fn, (instruction, region) => {
    objects.add(instruction);
    objects.add(region);
    for (const result of instruction.results) objects.add(result);
    for (const nested of instruction.regions)
      for (const parameter of nested.parameters) objects.add(parameter);
  });
  return objects;
}

describe('clones', () => {
  it('of a function are equal and share no value, region or instruction', () => {
    const module = moduleOf(text);
    const fn = module.functions[0]!;
    const copy = cloneFunction(fn);
    expect(printFunction(copy)).toBe(printFunction(fn));
    const originals = everythingOf(fn);
    const copies = everythingOf(copy);
    expect(copies.size).toBe(originals.size);
    for (const object of copies) expect(originals.has(object)).toBe(false);
    expect(verifyModule({ ...module, functions: [copy, module.functions[1]!] })).toEqual([]);
  });

  it('of a region refer to the outside, but for what the maps replace', () => {
    const module = moduleOf(text);
    const body = module.functions[0]!.body!;
    const [contextArray, zero, block] = body.instructions as [ir.ContextArray, ir.Constant, ir.Block];
    const loop = block.regions[0]!.instructions[0] as ir.Loop;
    const branch = loop.regions[0]!.instructions[3] as ir.If;
    const other = { ...block };
    const replacement: ir.Value = { type: zero.results[0]!.type };
    const values = new Map([[loop.regions[0]!.parameters[0]!, replacement]]);
    const region = cloneRegion(branch.regions[1]!, values, new Map([[block, other]]));
    const leave = region.instructions[0] as ir.Break;
    expect(leave.target).toBe(other);
    expect(leave.operands).toEqual([replacement]);
    const again = cloneRegion(branch.regions[0]!, new Map());
    expect((again.instructions[0] as ir.Continue).target).toBe(loop);
    const items = cloneRegion(loop.regions[0]!, new Map()).instructions[0] as ir.WorkItemLoop;
    expect((items.regions[0]!.instructions[1] as ir.ContextWrite).contextArray).toBe(contextArray);
  });

  it('of a module stay among themselves', () => {
    const module = moduleOf(text);
    const copy = cloneModule(module);
    expect(printModule(copy)).toBe(printModule(module));
    expect(verifyModule(copy)).toEqual([]);
    for (const fn of copy.functions) expect(module.functions).not.toContain(fn);
    expect(copy.globals[0]!.relocations[0]!.target).toBe(copy.globals[1]);
    expect(copy.globals[0]!.bytes).not.toBe(module.globals[0]!.bytes);
  });
});

describe('walks', () => {
  it('visit instructions before what is nested in them', () => {
    const seen: string[] = [];
    walkFunction(moduleOf(text).functions[0]!, (instruction) => seen.push(instruction.op));
    expect(seen.join(' ')).toBe(
      'context_array constant block loop work_item_loop call context_write context_read yield global_address compare if continue break break yield return',
    );
  });

  it('visit inner regions first', () => {
    const sizes: number[] = [];
    walkRegionsInsideOut(moduleOf(text).functions[0]!.body!, (region) =>
      sizes.push(region.instructions.length),
    );
    expect(sizes).toEqual([4, 1, 1, 5, 2, 4]);
  });

  it('count uses', () => {
    const fn = moduleOf(text).functions[0]!;
    const uses = countUses(fn);
    const byName = (name: string) => [...uses].find(([value]) => value.name === name)?.[1];
    expect([byName('n'), byName('i'), byName('zero'), byName('y')]).toEqual([4, 2, 1, undefined]);
  });

  it('replace operands, through chains', () => {
    const fn = moduleOf(text).functions[1]!;
    const n = fn.parameters[0]!.value;
    const [one, two]: [ir.Value, ir.Value] = [{ type: n.type }, { type: n.type }];
    replaceOperands(
      fn.body!,
      new Map([
        [n, one],
        [one, two],
      ]),
    );
    expect(fn.body!.instructions[0]!.operands).toEqual([two, two]);
    expect(fn.body!.instructions[0]!.operands[0]).toBe(two);
  });
});

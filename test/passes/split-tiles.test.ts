/** Which work-item loops are cut into one for each tile that they fill. */
import { expect, it } from 'vitest';
import * as ir from '../../src/ir/ir.ts';
import { parseModule } from '../../src/ir/parse.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { walkFunction, walkRegion } from '../../src/ir/walk.ts';
import { splitTiles } from '../../src/passes/ndrange/split-tiles.ts';

/** Fills two tiles in a loop. */
const kernel = (
  parts: { readonly before?: string; readonly value?: string; readonly behind?: string } = {},
) => `
module address=32
kernel @k(%in: ptr<global>, %out: ptr<global>, %n: i32) work-group {
  context_array $s : f32
  %tile_a = variable local "tile_a" size=64 align=4 : ptr<local>
  %tile_b = variable local "tile_b" size=64 align=4 : ptr<local>
  %zero = constant 0 : i32
  %two = constant 2 : i32
  loop @l (%i: i32 = %zero) {
    work_item_loop {
      ${parts.before ?? ''}
      %x = query local_id 0 : i32
      %at = shl %x, %two : i32
      %row = query global_id 1 : i32
      %from_a = offset %in, %row : ptr<global>
      %a = load %from_a align=4 : f32
      %to_a = offset %tile_a, %at : ptr<local>
      store %to_a, %a align=4
      %column = query global_id 0 : i32
      %from_b = offset %in, %column : ptr<global>
      %b = load %from_b align=4 : f32
      %to_b = offset %tile_b, %at : ptr<local>
      store %to_b, ${parts.value ?? '%b'} align=4
      ${parts.behind ?? ''}
      yield
    }
    %more = ult %i, %n : bool
    if %more {
      yield
    } else {
      break @l
    }
    continue @l %i
  }
  return
}`;

/** The tiles that each work-item loops of the kernel writes to, and how many instructions it has. */
function split(text: string): string[] {
  const module = parseModule(text, 'test.ir');
  const [fn] = module.functions;
  splitTiles(fn!);
  expect(verifyModule(module)).toEqual([]);
  const found: string[] = [];
  walkFunction(fn!, (instruction) => {
    if (instruction.op !== 'work_item_loop') return;
    let count = 0;
    const stores: string[] = [];
    walkRegion(instruction.regions[0]!, (inner) => {
      if (!ir.isTerminator(inner)) count += 1;
      if (inner.op === 'store') stores.push(inner.operands[0]!.name!);
    });
    found.push(`${stores.join(' ')}: ${count}`);
  });
  return found;
}

it('gives each tile what it needs', () => {
  // Each address takes the local id and a shift.
  expect(split(kernel())).toEqual(['to_a: 7', 'to_b: 7']);
});

it.each([
  ['what is written elsewhere, too', { behind: 'store %out, %b align=4' }],
  ['a value that is kept', { behind: 'context_write $s, %b' }],
  ['a tile that is read', { behind: '%c = load %to_a align=4 : f32\nstore %to_b, %c align=4' }],
  ['tiles that both depend on the row', { value: '%a' }],
  ['a value of the work-item', { before: '%own = context_read $s : f32', value: '%own' }],
])('leaves %s together', (_, parts) => {
  expect(split(kernel(parts))).toHaveLength(1);
});

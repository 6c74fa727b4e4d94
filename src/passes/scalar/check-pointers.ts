/**
 * For programs for the host whose author wants to know: before each access by a pointer, a test whether that leads to the first
 * kilobyte of memory, where nothing lies. Memory begins at 0 there, so that a null pointer can be read from and written to as any other. It runs before all other passes, which may read earlier than the source does, and so what is tested is what the
 * source says. Variables need no test.
 */
import { Builder } from '../../ir/builder.ts';
import type * as ir from '../../ir/ir.ts';
import { walkFunction, walkRegionsInsideOut } from '../../ir/walk.ts';

/** Below it there is nothing: code generators for host programs leave it free. */
const leastAddress = 1024;

/** @param complaint what is called, and does not return, where a pointer leads to nothing */
export function checkPointers(fn: ir.Function, complaint: ir.Function): void {
  if (!fn.body) return;
  const places = placesIn(fn);
  walkRegionsInsideOut(fn.body, (region) => {
    const { instructions } = region;
    region.instructions = [];
    const builder = new Builder(region, 32);
    for (const instruction of instructions) {
      builder.span = instruction.span;
      for (const pointer of pointersOf(instruction)) {
        if (places.has(pointer)) continue;
        const least = builder.integer(builder.addressType, leastAddress);
        const address = builder.convert('ptoi', pointer, builder.addressType);
        const isBad = builder.if(builder.compare('ult', address, least));
        builder.within(isBad.regions[0]!, () => {
          builder.call(complaint, []);
          builder.yield();
        });
        builder.within(isBad.regions[1]!, () => builder.yield());
      }
      region.instructions.push(instruction);
    }
  });
}

/** The pointers that an instruction follows. */
function pointersOf({ op, operands }: ir.Instruction): readonly ir.Value[] {
  switch (op) {
    case 'load':
    case 'store':
    case 'atomic':
    case 'fill':
      return operands.slice(0, 1);
    case 'copy':
      return operands.slice(0, 2);
    default:
      return [];
  }
}

/** Addresses of variables, and of what lies in them. */
function placesIn(fn: ir.Function): ReadonlySet<ir.Value> {
  const places = new Set<ir.Value>();
  walkFunction(fn, ({ op, operands, results }) => {
    const isPlace =
      op === 'variable' || op === 'global_address' || (op === 'offset' && places.has(operands[0]!));
    if (isPlace) places.add(results[0]!);
  });
  return places;
}

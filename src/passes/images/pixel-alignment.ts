/**
 * What is known of where a pixel lies: its address is a multiple of its size, as are the first pixel's and the pitches (OpenCL 1.2, 5.3.1;
 * docs/images.md). The functions that read and write images say nothing of it, for they reach all formats as bytes. Machines whose memory
 * is words want to know: four bytes that are one word need not be taken from two.
 *
 *     %p = itop (load %image)                               a multiple of 4
 *     %q = offset %p, %y * (load %image + 24) + %x * 4      a multiple of 4
 *     load %q : <4 x i8>, align 1                      =>   align 4
 */
import type * as ir from '../../ir/ir.ts';

/** Words of a descriptor that are multiples of a pixel's size: the address, and the pitches of rows and slices. */
const multiples: ReadonlySet<number> = new Set([0, 24, 28]);
/** More than any load or store is aligned. */
const most = 2 ** 16;

/** Says so of the loads and stores of a function for images of one format. Every constant of it is an instruction of its own. */
export function alignPixels(body: ir.Region, descriptor: ir.Value, pixelBytes: number): void {
  const constants = new Map<ir.Value, number>();
  /** Powers of two of which values are multiples; 1 for all others. */
  const factors = new Map<ir.Value, number>();
  /** Offsets of pointers into the descriptor. */
  const words = new Map<ir.Value, number>([[descriptor, 0]]);
  const factorOf = (value: ir.Value): number => factors.get(value) ?? 1;

  const factorOfResult = (instruction: ir.Instruction): number => {
    const [a, b] = instruction.operands as [ir.Value, ir.Value];
    switch (instruction.op) {
      case 'constant': {
        const value = Number(instruction.value);
        return value === 0 ? most : Number.isInteger(value) ? Math.min(most, lowestBit(value)) : 1;
      }
      case 'load':
        return multiples.has(words.get(a) ?? -1) ? pixelBytes : 1;
      case 'offset':
        return Math.min(factorOf(a), factorOf(b));
      case 'convert':
        return ['itop', 'ptoi', 'zext', 'sext', 'trunc', 'space'].includes(instruction.fn) ? factorOf(a) : 1;
      case 'binary':
        switch (instruction.fn) {
          case 'iadd':
          case 'isub':
            return Math.min(factorOf(a), factorOf(b));
          case 'imul':
            return Math.min(most, factorOf(a) * factorOf(b));
          case 'shl':
            return Math.min(most, factorOf(a) * 2 ** ((constants.get(b) ?? 0) & 31));
        }
        return 1;
      default:
        return 1;
    }
  };

  const visit = (region: ir.Region): void => {
    region.instructions.forEach((instruction, index) => {
      for (const nested of instruction.regions) visit(nested);
      const { op, operands, results } = instruction;
      const [result] = results;
      if (op === 'load' || op === 'store') {
        const align = Math.min(factorOf(operands[0]!), pixelBytes);
        if (align > instruction.align) region.instructions[index] = { ...instruction, align };
      }
      if (!result) return;
      if (op === 'constant' && !Array.isArray(instruction.value))
        constants.set(result, Number(instruction.value));
      const base = op === 'offset' ? words.get(operands[0]!) : undefined;
      const distance = op === 'offset' ? constants.get(operands[1]!) : undefined;
      if (base !== undefined && distance !== undefined) words.set(result, base + distance);
      const factor = factorOfResult(instruction);
      if (factor > 1) factors.set(result, factor);
    });
  };
  visit(body);
}

/** The lowest bit that is set; 2 ** 16 of numbers that have none below. */
function lowestBit(value: number): number {
  for (let bit = 1; bit < most; bit *= 2) if (value % (bit * 2) !== 0) return bit;
  return most;
}

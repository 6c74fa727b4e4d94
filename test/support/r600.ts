/** Runs kernels as programs of the R600 family on the simulator, with the arguments that other tests run them with. */
import { bitsOfFloat } from '../../src/codegen/r600/bits.ts';
import { type Chip, chips } from '../../src/codegen/r600/chips.ts';
import { compileR600 } from '../../src/codegen/r600/compile.ts';
import { keepHardwareCalls } from '../../src/codegen/r600/library-calls.ts';
import { memoryBytes, Parameters, wordsOf } from '../../src/codegen/r600/parameters.ts';
import type { Program } from '../../src/codegen/r600/program.ts';
import { memoryResource } from '../../src/codegen/r600/resources.ts';
import type { ParameterRoles } from '../../src/codegen/r600/roles.ts';
import { simulate } from '../../src/codegen/r600/simulate.ts';
import type * as ir from '../../src/ir/ir.ts';
import { elementOf } from '../../src/ir/types.ts';
import { optimise } from '../../src/passes/pipeline.ts';
import { r600 } from '../../src/target/r600.ts';
import { compileForTest, type TestArgument, type TestRange } from './run-kernel.ts';

/** The kernel of a source (the only one, or that of the name), as a chip's back end gets it. */
export function kernelOf(source: string, name?: string, buildOptions = ''): ir.Function {
  const module = compileForTest(source, buildOptions);
  keepHardwareCalls(module);
  optimise(module, { target: r600 });
  const kernels = module.functions.filter(({ kind }) => kind === 'kernel');
  return kernels.find((kernel) => name === undefined || kernel.name === name)!;
}

export function chip(name: 'RV630' | 'RV670' | 'RV770'): Chip {
  return chips.get(name)!;
}

/** Where the buffers of a launch begin in the simulated memory, so that no two meet. */
const spacing = 1 << 20;

/** Runs all work-items, one after another. Buffers are changed in place. Kernels must not wait for each other. */
export function runOnR600(
  kernel: ir.Function,
  program: Program,
  range: TestRange,
  args: readonly TestArgument[],
  roles: ParameterRoles = new Map(),
): void {
  const parameters = new Parameters(kernel, roles, program.kind === 'compute');
  const memory = args.map((argument) => ('buffer' in argument ? argument.buffer : undefined));
  const byResource = new Map<number, number>();
  const constants = new Map<number, number>();
  for (const [index, { parameter, constant, resource }] of parameters.places.entries()) {
    const argument = args[index]!;
    const { type } = parameter.value;
    if (type.kind === 'pointer' && !parameter.aggregate) {
      byResource.set(resource, index);
      constants.set(constant * 4, (index + 1) * spacing);
      constants.set(constant * 4 + 1, ((index + 1) * spacing) / 4);
      continue;
    }
    if (!('bytes' in argument)) continue;
    const { bytes } = argument;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const element = elementOf(type);
    const size = parameter.aggregate || element.kind === 'pointer' ? 4 : memoryBytes(element);
    const count = parameter.aggregate
      ? bytes.length / 4
      : (wordsOf(type) * Math.min(size, 4)) / Math.min(size, 4);
    for (let word = 0; word < count; word += 1) {
      const bits =
        size === 1
          ? view.getInt8(word)
          : size === 2
            ? view.getInt16(word * 2, true)
            : view.getInt32(word * 4, true);
      constants.set(constant * 4 + word, bits);
    }
  }
  const at = (list: readonly number[] | undefined, axis: number, otherwise: number): number =>
    list?.[axis] ?? otherwise;
  const launch = (word: number): number => {
    const axis = word % 4;
    switch (word >> 2) {
      case 0:
        return at(range.global, axis, 1);
      case 1:
        return at(range.local, axis, 1);
      case 2:
        return Math.ceil(at(range.global, axis, 1) / at(range.local, axis, 1));
      case 3:
        return at(range.offset, axis, 0);
      default:
        return range.global.length;
    }
  };
  const bytesAt = (address: number): readonly [Uint8Array, number] => {
    const index = Math.floor(address / spacing) - 1;
    const bytes = memory[index];
    if (!bytes) throw new Error(`no buffer at ${address}`);
    return [bytes, address - (index + 1) * spacing];
  };
  const sizes = [0, 1, 2].map((axis) => at(range.global, axis, 1));
  for (let z = 0; z < sizes[2]!; z += 1) {
    for (let y = 0; y < sizes[1]!; y += 1) {
      for (let x = 0; x < sizes[0]!; x += 1) {
        const place = [x, y, z];
        const flat = (ids: readonly number[], size: (axis: number) => number): readonly number[] => [
          ...ids,
          (ids[2]! * size(1) + ids[1]!) * size(0) + ids[0]!,
        ];
        const local = place.map((id, axis) => id % at(range.local, axis, 1));
        const group = place.map((id, axis) => Math.floor(id / at(range.local, axis, 1)));
        simulate(
          program,
          {
            inputs:
              program.kind === 'compute'
                ? [
                    flat(local, (axis) => at(range.local, axis, 1)),
                    flat(group, (axis) => Math.ceil(at(range.global, axis, 1) / at(range.local, axis, 1))),
                  ]
                : [[x, y].map((id) => bitsOfFloat(id + 0.5))],
          },
          {
            constant: (buffer, word) =>
              program.kind === 'compute' && buffer === 0 ? launch(word) : constants.get(word)!,
            fetch: (fetch, [address], component) => {
              const start =
                fetch.resource === memoryResource ? 0 : (byResource.get(fetch.resource)! + 1) * spacing;
              const [bytes, offset] = bytesAt(start + address! + fetch.offset);
              const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
              if (fetch.format!.startsWith('8')) return view.getInt8(offset + component);
              if (fetch.format!.startsWith('16')) return view.getInt16(offset + component * 2, true);
              return view.getInt32(offset + component * 4, true);
            },
            write: (_, index, words) => {
              const [bytes, offset] = bytesAt(index * 4);
              const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
              for (const [word, bits] of words.entries())
                if (bits !== undefined) view.setInt32(offset + word * 4, bits, true);
            },
          },
        );
      }
    }
  }
}

export { compileR600 };

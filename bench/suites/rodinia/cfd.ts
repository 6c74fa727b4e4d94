/** Rodinia's solver for the flow of a gas: three kernels over unstructured cells with four neighbours each. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, count, type Data, floats, int, type Launch } from '../../frame/bench-kernel.ts';
import { firstOf, near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

const gamma = 1.4;
const faces = 4;

interface Cell {
  readonly density: number;
  readonly momentum: readonly number[];
  readonly energy: number;
}

const velocityOf = ({ density, momentum }: Cell): number[] => momentum.map((part) => part / density);
const squared = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part * part, 0);
const pressureOf = (cell: Cell): number =>
  (gamma - 1) * (cell.energy - 0.5 * cell.density * squared(velocityOf(cell)));
const soundOf = (cell: Cell): number => Math.sqrt((gamma * pressureOf(cell)) / cell.density);

/** What a cell carries through a face: for each variable a vector. */
function fluxOf(cell: Cell): number[][] {
  const [velocity, pressure] = [velocityOf(cell), pressureOf(cell)];
  return [
    [...cell.momentum],
    ...cell.momentum.map((part, row) =>
      velocity.map((speed, column) => speed * part + (row === column ? pressure : 0)),
    ),
    velocity.map((speed) => speed * (cell.energy + pressure)),
  ];
}

export function flow(read: ReadSource): BenchKernel[] {
  const source = read('cfd/Kernels.cl');
  const cellsOf = (size: string): number => (size === 'full' ? 98304 : 6144);
  const variablesOf = (cells: number): Float32Array => {
    const variables = floats(5 * cells, 31, 0.2, 0.4);
    variables.set(floats(cells, 32, 1, 1.5), 0);
    variables.set(floats(cells, 33, 3, 4), 4 * cells);
    return variables;
  };
  const cellAt = (variables: Data, cells: number, at: number): Cell => ({
    density: variables[at]!,
    momentum: [1, 2, 3].map((row) => variables[at + row * cells]!),
    energy: variables[at + 4 * cells]!,
  });
  const shape = (cells: number): Pick<Launch, 'global' | 'local'> => ({ global: [cells], local: [192] });
  return [
    {
      name: 'Rodinia cfd step factor',
      source,
      prepare(size) {
        const cells = cellsOf(size);
        const [variables, areas] = [variablesOf(cells), floats(cells, 34, 0.5, 2)];
        return {
          size: `${count(cells)} cells`,
          buffers: { variables, areas, factors: 4 * cells },
          launches: [
            {
              kernel: 'compute_step_factor',
              ...shape(cells),
              arguments: ['variables', 'areas', 'factors', int(cells)],
            },
          ],
          work: { unit: 'M/s', amount: cells },
          check(result) {
            const expected = (at: number): number => {
              const cell = cellAt(variables, cells, at);
              return 0.5 / (Math.sqrt(areas[at]!) * (Math.sqrt(squared(velocityOf(cell))) + soundOf(cell)));
            };
            return near(result('factors', Float32Array), expected, { tolerance: 1e-5 });
          },
        };
      },
    },
    {
      name: 'Rodinia cfd flux',
      source,
      prepare(size) {
        const cells = cellsOf(size);
        const random = createRandom(35);
        const [variables, normals] = [variablesOf(cells), floats(3 * faces * cells, 36, -1, 1)];
        // Near in memory, as meshes are numbered; a few faces are a wing's or lie far out.
        const neighbours = Int32Array.from({ length: faces * cells }, (_, index) => {
          if (random.below(50) === 0) return random.below(2) === 0 ? -1 : -2;
          return Math.min(Math.max((index % cells) + random.below(2000) - 1000, 0), cells - 1);
        });
        const far = { density: 1.4, momentum: [1.68, 0, 0], energy: 3.5 };
        const farFlux = fluxOf(far);
        const flux = (row: number): Float32Array => Float32Array.from(farFlux[row]!);
        const expected = (index: number): number => {
          const [row, at] = [Math.floor(index / cells), index % cells];
          const own = cellAt(variables, cells, at);
          const variableOf = (cell: Cell): number => [cell.density, ...cell.momentum, cell.energy][row]!;
          let sum = 0;
          for (let face = 0; face < faces; face += 1) {
            const neighbour = neighbours[at + face * cells]!;
            const normal = [0, 1, 2].map((axis) => normals[at + (face + axis * faces) * cells]!);
            if (neighbour === -1) {
              if (row >= 1 && row <= 3) sum += normal[row - 1]! * pressureOf(own);
              continue;
            }
            const other = neighbour < 0 ? far : cellAt(variables, cells, neighbour);
            if (neighbour >= 0) {
              const speeds = Math.sqrt(squared(velocityOf(own))) + Math.sqrt(squared(velocityOf(other)));
              const factor = -Math.sqrt(squared(normal)) * 0.1 * (speeds + soundOf(own) + soundOf(other));
              sum += factor * (variableOf(own) - variableOf(other));
            }
            const [mine, theirs] = [fluxOf(own)[row]!, fluxOf(other)[row]!];
            for (let axis = 0; axis < 3; axis += 1)
              sum += 0.5 * normal[axis]! * (mine[axis]! + theirs[axis]!);
          }
          return sum;
        };
        return {
          size: `${count(cells)} cells`,
          buffers: {
            neighbours,
            normals,
            variables,
            far: Float32Array.of(far.density, ...far.momentum, far.energy),
            fluxes: 4 * 5 * cells,
            farEnergy: flux(4),
            farX: flux(1),
            farY: flux(2),
            farZ: flux(3),
          },
          launches: [
            {
              kernel: 'compute_flux',
              ...shape(cells),
              arguments: [
                'neighbours',
                'normals',
                'variables',
                'far',
                'fluxes',
                'farEnergy',
                'farX',
                'farY',
                'farZ',
                int(cells),
              ],
            },
          ],
          work: { unit: 'M/s', amount: cells },
          check: (result) =>
            near(result('fluxes', Float32Array), expected, {
              tolerance: 1e-4,
              scale: 1,
              indices: sample(5 * cells, 2000),
            }),
        };
      },
    },
    {
      name: 'Rodinia cfd time step',
      source,
      prepare(size) {
        const cells = cellsOf(size);
        const [variables, factors, fluxes] = [variablesOf(cells), floats(cells, 37), floats(5 * cells, 38)];
        return {
          size: `${count(cells)} cells`,
          buffers: { old: variables, variables: 4 * 5 * cells, factors, fluxes },
          launches: [
            {
              kernel: 'time_step',
              ...shape(cells),
              arguments: [int(1), int(cells), 'old', 'variables', 'factors', 'fluxes'],
            },
          ],
          work: { unit: 'GB/s', amount: 64 * cells },
          check(result) {
            const expected = (index: number): number =>
              variables[index]! + (factors[index % cells]! / 3) * fluxes[index]!;
            return firstOf(near(result('variables', Float32Array), expected, { tolerance: 1e-5, scale: 1 }));
          },
        };
      },
    },
  ];
}

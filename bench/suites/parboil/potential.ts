/** Parboil's electric potential of atoms within a distance (cutcp), at the points of a lattice; atoms lie in bins of eight. */
import { createRandom } from '../../../samples/support/random.ts';
import { type BenchKernel, float, int } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';
import { kernelsOf, titleOf, type Version } from './version.ts';

const [spacing, cutoff, binLength, depth] = [0.5, 12, 4, 8];
/** Bins around the lattice. */
const margin = Math.ceil(cutoff / binLength);

/** Bins that may have atoms within the distance of a region's points, relative to the region's own bin, as `int4`. */
function neighbours(): Int32Array {
  const reach = cutoff + Math.sqrt(3) * binLength;
  const found: number[] = [];
  for (let z = -margin; z <= margin; z += 1) {
    for (let y = -margin; y <= margin; y += 1) {
      for (let x = -margin; x <= margin; x += 1)
        if (binLength * Math.hypot(x, y, z) < reach) found.push(x, y, z, 0);
    }
  }
  return Int32Array.from(found);
}

/** As many atoms as water has, everywhere, with charges of both signs; of more than eight in a bin the host computes the rest. */
function atomsIn(dimensions: readonly number[]): Float32Array {
  const random = createRandom(281);
  const [bins, edges] = [dimensions.reduce((a, b) => a * b), dimensions.map((bin) => bin * binLength)];
  const [atoms, used] = [new Float32Array(4 * depth * bins), new Uint8Array(bins)];
  for (let count = 0; count < 0.1 * bins * binLength ** 3; count += 1) {
    const place = edges.map((edge) => random.between(0, edge));
    const [x, y, z] = place.map((part) => Math.floor(part / binLength)) as [number, number, number];
    const bin = (z * dimensions[1]! + y) * dimensions[0]! + x;
    if (used[bin]! === depth) continue;
    const charge = random.below(3) === 0 ? -0.8 : 0.4;
    // Coordinates are the lattice's, whose first point is behind the margin.
    const atom = [...place.map((part) => part - margin * binLength), charge];
    atoms.set(atom, 4 * (depth * bin + used[bin]!));
    used[bin]! += 1;
  }
  return atoms;
}

function potential(read: ReadSource, version: Version): BenchKernel {
  return {
    name: titleOf('cutcp', version),
    source: kernelsOf(read, 'cutcp', version),
    prepare(size) {
      // In regions of 8 x 8 x 8 points, each as large as a bin.
      const [nx, ny, nz] = size === 'full' ? [6, 5, 2] : [2, 2, 1];
      const dimensions = [nx, ny, nz].map((regions) => regions + 2 * margin);
      const offset = ((margin * dimensions[1]! + margin) * dimensions[0]! + margin) * depth;
      const [atoms, list] = [atomsIn(dimensions), neighbours()];
      const points = 512 * nx * ny * nz;
      const expected = (index: number): number => {
        const region = Math.floor(index / 512);
        const [x, y, z] = [
          8 * (region % nx) + (index & 7),
          8 * (Math.floor(region / nx) % ny) + ((index >> 3) & 7),
          8 * Math.floor(region / nx / ny) + ((index >> 6) & 7),
        ].map((at) => at * spacing) as [number, number, number];
        let energy = 0;
        for (let atom = 0; atom < atoms.length; atom += 4) {
          if (atoms[atom + 3] === 0) continue;
          const square = (atoms[atom]! - x) ** 2 + (atoms[atom + 1]! - y) ** 2 + (atoms[atom + 2]! - z) ** 2;
          if (square >= cutoff ** 2) continue;
          energy += (atoms[atom + 3]! / Math.sqrt(square)) * (1 - square / cutoff ** 2) ** 2;
        }
        return energy;
      };
      const [kernel, global, local] =
        version === 'nvidia'
          ? ['opencl_cutoff_potential_lattice6overlap', [8 * nx, 2 * ny, 8], [8, 2, 8]]
          : ['opencl_cutoff_potential_lattice', [4 * 8 * nx, 8 * ny, 2], [8, 8, 2]];
      return {
        size: `${8 * nx} x ${8 * ny} x ${8 * nz} points`,
        buffers: { atoms, energies: 4 * points, listLength: Int32Array.of(list.length / 4), list },
        // A launch for each layer of regions.
        launches: Array.from({ length: nz }, (_, layer) => ({
          kernel: kernel as string,
          global: global as number[],
          local: local as number[],
          arguments: [
            ...[int(dimensions[0]!), int(dimensions[1]!), 'atoms', int(offset)],
            ...[spacing, cutoff ** 2, 1 / cutoff ** 2].map(float),
            ...['energies', int(layer), 'listLength', 'list'],
          ],
        })),
        work: { unit: 'M/s', amount: points * (list.length / 4) * depth },
        check: (result) =>
          near(result('energies', Float32Array), expected, {
            tolerance: 2e-5,
            scale: 10,
            indices: sample(points, 300),
          }),
      };
    },
  };
}

export const potentials = (read: ReadSource): BenchKernel[] => [
  potential(read, 'base'),
  potential(read, 'nvidia'),
];

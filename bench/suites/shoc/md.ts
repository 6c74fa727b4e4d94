/** SHOC's molecular dynamics: forces on each atom by the 128 nearest others, whose places are gathered. */
import { type BenchKernel, count, float, floats, int } from '../../frame/bench-kernel.ts';
import { near, sample } from '../../frame/checks.ts';
import type { ReadSource } from '../suite.ts';

const neighbours = 128;
const [cutoffSquared, lj1, lj2] = [16, 1.5, 2];
const edge = 20;

/** For each atom the nearest others, by a grid of cells. */
function nearestOf(atoms: number, places: Float32Array): Int32Array {
  const cells = Math.max(1, Math.floor(Math.cbrt(atoms / 30)));
  const cellOf = (atom: number, axis: number): number =>
    Math.min(cells - 1, Math.floor((places[4 * atom + axis]! / edge) * cells));
  const grid: number[][] = Array.from({ length: cells ** 3 }, () => []);
  const indexOf = (x: number, y: number, z: number): number => (z * cells + y) * cells + x;
  for (let atom = 0; atom < atoms; atom += 1) {
    grid[indexOf(cellOf(atom, 0), cellOf(atom, 1), cellOf(atom, 2))]!.push(atom);
  }
  const list = new Int32Array(neighbours * atoms);
  for (let atom = 0; atom < atoms; atom += 1) {
    const found: { other: number; squared: number }[] = [];
    for (let reach = 1; found.length < neighbours + 20 && reach < cells + 1; reach += 1) {
      found.length = 0;
      const range = (axis: number): [number, number] => {
        const own = cellOf(atom, axis);
        return [Math.max(0, own - reach), Math.min(cells - 1, own + reach)];
      };
      const [[x0, x1], [y0, y1], [z0, z1]] = [range(0), range(1), range(2)];
      for (let z = z0; z <= z1; z += 1) {
        for (let y = y0; y <= y1; y += 1) {
          for (let x = x0; x <= x1; x += 1) {
            for (const other of grid[indexOf(x, y, z)]!) {
              if (other !== atom) found.push({ other, squared: distanceSquared(places, atom, other) });
            }
          }
        }
      }
    }
    found.sort((a, b) => a.squared - b.squared);
    for (let at = 0; at < neighbours; at += 1) list[at * atoms + atom] = found[at % found.length]!.other;
  }
  return list;
}

function distanceSquared(places: Float32Array, a: number, b: number): number {
  const along = (axis: number): number => (places[4 * a + axis]! - places[4 * b + axis]!) ** 2;
  return along(0) + along(1) + along(2);
}

export function molecularDynamics(read: ReadSource): BenchKernel {
  return {
    name: 'SHOC MD',
    source: read('level1/md/md.cl'),
    options: '-DSINGLE_PRECISION',
    prepare(size) {
      const atoms = size === 'full' ? 36864 : 3072;
      const places = floats(4 * atoms, 41, 0, edge);
      const list = nearestOf(atoms, places);
      const expected = (index: number): number => {
        const [atom, axis] = [index >> 2, index & 3];
        if (axis === 3) return 0;
        let force = 0;
        for (let at = 0; at < neighbours; at += 1) {
          const other = list[at * atoms + atom]!;
          const squared = distanceSquared(places, atom, other);
          if (squared >= cutoffSquared) continue;
          const r2 = 1 / squared;
          const r6 = r2 ** 3;
          force += (places[4 * atom + axis]! - places[4 * other + axis]!) * r2 * r6 * (lj1 * r6 - lj2);
        }
        return force;
      };
      // Forces of close neighbours cancel out: what is left is measured against the greatest of them.
      const scaleOf = (index: number): number => {
        const atom = index >> 2;
        const squared = distanceSquared(places, atom, list[atom]!);
        return lj1 / squared ** 6.5;
      };
      return {
        size: `${count(atoms)} atoms`,
        buffers: { force: 16 * atoms, places, list },
        launches: [
          {
            kernel: 'compute_lj_force',
            global: [atoms],
            local: [128],
            arguments: [
              'force',
              'places',
              int(neighbours),
              'list',
              float(cutoffSquared),
              float(lj1),
              float(lj2),
              int(atoms),
            ],
          },
        ],
        work: { unit: 'M/s', amount: atoms * neighbours },
        check(result) {
          const found = result('force', Float32Array);
          for (const index of sample(4 * atoms)) {
            const wrong = near(found, expected, {
              tolerance: 2e-4,
              scale: scaleOf(index) + 1,
              indices: [index],
            });
            if (wrong !== undefined) return wrong;
          }
          return undefined;
        },
      };
    },
  };
}

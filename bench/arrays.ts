/** Arrays against loops in plain JavaScript that compute the same: both in one process, in turn. Results are compared before. */
import { type Arrays, arrays, type NdArray } from 'millrace/array';
import { alternate, type Row, timed } from './measure.ts';

const count = 1 << 20;
const side = 256;
const rounds = 9;

interface Side {
  readonly name: string;
  readonly ours: () => Promise<ArrayLike<number | bigint>>;
  readonly plain: () => ArrayLike<number | bigint>;
  /** How far results may differ, in relation to the larger one. */
  readonly tolerance: number;
}

/** What both compute. Ours is read back, as plain JavaScript has it. */
function sides(np: Arrays, x: Float32Array, y: Float32Array): Side[] {
  const [a, b] = [np.array(x), np.array(y)];
  const [left, right] = [x, y].map((each) => each.subarray(0, side * side)) as [Float32Array, Float32Array];
  const [m, k] = [left, right].map((each) => np.array(each, 'float32', [side, side])) as [NdArray, NdArray];
  const one = async (array: NdArray) => [await array.item()];
  return [
    {
      name: 'x y + x, square root',
      ours: () => a.mul(b).add(a).sqrt().data() as Promise<ArrayLike<number>>,
      plain: () => x.map((value, i) => Math.sqrt(value * y[i]! + value)),
      tolerance: 1e-6,
    },
    {
      name: 'sin x + cos y',
      ours: () => a.sin().add(b.cos()).data() as Promise<ArrayLike<number>>,
      plain: () => x.map((value, i) => Math.sin(value) + Math.cos(y[i]!)),
      tolerance: 1e-5,
    },
    {
      name: 'sum of x y',
      ours: () => one(a.mul(b).sum()),
      plain: () => {
        let sum = 0;
        for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
        return [sum];
      },
      tolerance: 1e-5,
    },
    {
      name: 'cumulative sum',
      ours: () => a.cumsum().data() as Promise<ArrayLike<number>>,
      plain: () => {
        const out = new Float32Array(x.length);
        let sum = 0;
        for (let i = 0; i < x.length; i++) {
          sum += x[i]!;
          out[i] = sum;
        }
        return out;
      },
      tolerance: 1e-4,
    },
    {
      name: 'sort',
      ours: () => a.sort().data() as Promise<ArrayLike<number>>,
      plain: () => x.slice().sort(),
      tolerance: 0,
    },
    {
      name: `product of ${side} x ${side}`,
      ours: () => m.matmul(k).data() as Promise<ArrayLike<number>>,
      plain: () => {
        const out = new Float32Array(side * side);
        for (let i = 0; i < side; i++) {
          for (let l = 0; l < side; l++) {
            const value = left[i * side + l]!;
            for (let j = 0; j < side; j++) out[i * side + j]! += value * right[l * side + j]!;
          }
        }
        return out;
      },
      tolerance: 1e-4,
    },
  ];
}

export async function measureArrays(): Promise<Row[]> {
  const np = await arrays();
  try {
    const random = np.random(1);
    const [x, y] = [await random.uniform(count).data(), await random.uniform(count).data()];
    const rows: Row[] = [];
    for (const { name, ours, plain, tolerance } of sides(np, x, y)) {
      compare(name, await ours(), plain(), tolerance);
      const [own, other] = await alternate(
        rounds,
        () => timed(ours),
        () => timed(plain),
      );
      rows.push({ name, value: own!, unit: 'ms', against: { name: 'JavaScript', value: other! } });
    }
    return rows;
  } finally {
    np.release();
  }
}

function compare(
  name: string,
  ours: ArrayLike<number | bigint>,
  plain: ArrayLike<number | bigint>,
  tolerance: number,
): void {
  for (let i = 0; i < plain.length; i++) {
    const [a, b] = [Number(ours[i]), Number(plain[i])];
    if (!(Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)))) {
      throw new Error(`${name}: element ${i} is ${a}, not ${b}`);
    }
  }
}

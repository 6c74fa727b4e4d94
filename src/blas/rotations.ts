/** The routines that make Givens rotations: a handful of numbers, which the host computes as the reference does. */
import type { Complex } from './number-kinds.ts';

/** What rotg makes: c and s with `[c s; -s c] [a; b] = [r; 0]`, and z, from which both can be made again. */
export interface Rotation {
  readonly r: number;
  readonly z: number;
  readonly c: number;
  readonly s: number;
}

export interface ComplexRotation {
  readonly r: Complex;
  readonly c: number;
  readonly s: Complex;
}

/** What rotmg makes: the changed d1, d2 and b1, and the five numbers that rotm takes. */
export interface ModifiedRotation<A extends Float32Array | Float64Array = Float32Array | Float64Array> {
  readonly d1: number;
  readonly d2: number;
  readonly b1: number;
  readonly param: A;
}

type Round = (value: number) => number;

/** With the scaling of LAPACK 3.10. */
export function rotg(a: number, b: number, round: Round): Rotation {
  const [sizeA, sizeB] = [Math.abs(a), Math.abs(b)];
  if (sizeB === 0) return { r: a, z: 0, c: 1, s: 0 };
  if (sizeA === 0) return { r: b, z: 1, c: 0, s: 1 };
  const scale = Math.min(2 ** 1022, Math.max(2 ** -1022, sizeA, sizeB));
  const sigma = Math.sign(sizeA > sizeB ? a : b);
  const r = sigma * (scale * Math.sqrt((a / scale) ** 2 + (b / scale) ** 2));
  const [c, s] = [a / r, b / r];
  const z = sizeA > sizeB ? s : c !== 0 ? 1 / c : 1;
  return { r: round(r), z: round(z), c: round(c), s: round(s) };
}

export function complexRotg([ar, ai]: Complex, [br, bi]: Complex, round: Round): ComplexRotation {
  const sizeA = Math.hypot(ar, ai);
  if (sizeA === 0) return { r: [br, bi], c: 0, s: [1, 0] };
  const norm = Math.hypot(ar, ai, br, bi);
  const [ur, ui] = [ar / sizeA, ai / sizeA];
  return {
    r: [round(ur * norm), round(ui * norm)],
    c: round(sizeA / norm),
    // u * conj(b) / norm
    s: [round((ur * br + ui * bi) / norm), round((ui * br - ur * bi) / norm)],
  };
}

const gamma = 4096;

/** The loop of the reference, which keeps d1 and d2 within gamma^-2 and gamma^2. */
export function rotmg<A extends Float32Array | Float64Array>(
  given: readonly [d1: number, d2: number, b1: number, b2: number],
  array: new (length: number) => A,
  round: Round,
): ModifiedRotation<A> {
  let [d1, d2, x] = given;
  const y = given[3];
  let flag = -1;
  let [h11, h12, h21, h22] = [0, 0, 0, 0];
  const done = (): ModifiedRotation<A> => {
    const param = new array(5);
    param[0] = flag;
    if (flag < 0 && flag !== -2) param.set([h11, h21, h12, h22], 1);
    else if (flag === 0) param.set([h21, h12], 2);
    else if (flag === 1) {
      param[1] = h11;
      param[4] = h22;
    }
    return { d1: round(d1), d2: round(d2), b1: round(x), param };
  };
  const zero = (): ModifiedRotation<A> => {
    flag = -1;
    [h11, h12, h21, h22, d1, d2, x] = [0, 0, 0, 0, 0, 0, 0];
    return done();
  };
  if (d1 < 0) return zero();
  const p2 = round(d2 * y);
  if (p2 === 0) {
    flag = -2;
    return done();
  }
  const p1 = round(d1 * x);
  const [q2, q1] = [round(p2 * y), round(p1 * x)];
  if (Math.abs(q1) > Math.abs(q2)) {
    h21 = round(-y / x);
    h12 = round(p2 / p1);
    const u = round(1 - round(h12 * h21));
    if (u <= 0) return zero();
    flag = 0;
    [d1, d2, x] = [round(d1 / u), round(d2 / u), round(x * u)];
  } else {
    if (q2 < 0) return zero();
    flag = 1;
    h11 = round(p1 / p2);
    h22 = round(x / y);
    const u = round(1 + round(h11 * h22));
    [d1, d2] = [round(d2 / u), round(d1 / u)];
    x = round(y * u);
  }
  /** Writes out what the flag only implies. */
  const whole = (): void => {
    if (flag === 0) [h11, h22] = [1, 1];
    else if (flag === 1) [h21, h12] = [-1, 1];
    flag = -1;
  };
  if (d1 !== 0) {
    while (d1 <= gamma ** -2 || d1 >= gamma ** 2) {
      whole();
      if (d1 <= gamma ** -2) {
        d1 *= gamma ** 2;
        [x, h11, h12] = [x / gamma, h11 / gamma, h12 / gamma];
      } else {
        d1 /= gamma ** 2;
        [x, h11, h12] = [x * gamma, h11 * gamma, h12 * gamma];
      }
    }
  }
  if (d2 !== 0) {
    while (Math.abs(d2) <= gamma ** -2 || Math.abs(d2) >= gamma ** 2) {
      whole();
      if (Math.abs(d2) <= gamma ** -2) {
        d2 *= gamma ** 2;
        [h21, h22] = [h21 / gamma, h22 / gamma];
      } else {
        d2 /= gamma ** 2;
        [h21, h22] = [h21 * gamma, h22 * gamma];
      }
    }
  }
  return done();
}

/**
 * Distributions whose values are found by trial, or by going through the probabilities: gamma (Marsaglia and Tsang, 2000), Poisson and binomial
 * (inversion where the mean is below 10, else PTRS and BTRS of Hoermann, 1993). What does not depend on the value is computed here.
 */
import type { BlockDistribution, Distribution, TrialDistribution } from './random-source.ts';

/** Of one shape and the scale. */
export function gamma(shape: number, scale: number, type: 'float32' | 'float64'): TrialDistribution {
  const real = type === 'float32' ? 'float' : 'double';
  // Below 1 that of shape + 1, times a power of a uniform number.
  const isSmall = shape < 1;
  const d = (isSmall ? shape + 1 : shape) - 1 / 3;
  return {
    type,
    real,
    parameters: [`${real} middle`, `${real} width`, `${real} power`, `${real} scale`],
    arguments: [d, 1 / Math.sqrt(9 * d), 1 / shape, scale],
    trial: `    ${real} u, v, x, cube;
    do {
      NEXT(u, v);
      x = sqrt(-2 * log(u)) * cospi(2 * v);
      cube = 1 + width * x;
      cube = cube * cube * cube;
      NEXT(u, v);
    } while (cube <= 0 || log(u) >= ${real === 'float' ? '0.5f' : '0.5'} * x * x + middle - middle * cube + middle * log(cube));
    value = middle * cube * scale${isSmall ? ' * pow(1 - v, power)' : ''};
`,
  };
}

/** Goes through the probabilities from 0 on: `next` makes that of k of the one before. */
const inversion = (parameters: string, first: string, next: string, most: string): string =>
  `static int inverse(double u, ${parameters}) {
  int k = 0;
  double p = ${first}, sum = p;
  while (u > sum && k < ${most}) {
    k++;
    p *= ${next};
    sum += p;
  }
  return k;
}
`;

const inverses = (names: string): Pick<BlockDistribution, 'type' | 'block' | 'values'> => ({
  type: 'int32',
  block: 'doubles',
  values: (uniform) => [0, 1].map((index) => `inverse(${uniform.double(index)}, ${names})`),
});

export function poisson(mean: number): Distribution {
  if (mean < 10) {
    return {
      ...inverses('mean, none'),
      // What is beyond has no probability that doubles would show.
      helpers: inversion('double mean, double none', 'none', 'mean / k', '1000'),
      parameters: ['double mean', 'double none'],
      arguments: [mean, Math.exp(-mean)],
    };
  }
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  return {
    type: 'int32',
    real: 'double',
    parameters: ['double mean', 'double log_mean', 'double a', 'double b', 'double log_alpha', 'double vr'],
    arguments: [mean, Math.log(mean), a, b, Math.log(1.1239 + 1.1328 / (b - 3.4)), 0.9277 - 3.6224 / (b - 2)],
    trial: `    double u, v, us, k;
    for (;;) {
      NEXT(u, v);
      u -= 0.5;
      us = 0.5 - fabs(u);
      k = floor((2 * a / us + b) * u + mean + 0.43);
      if (us >= 0.07 && v <= vr) break;
      if (k < 0 || k > 0x7fffffff || (us < 0.013 && v > us)) continue;
      if (log(v) + log_alpha - log(a / (us * us) + b) <= k * log_mean - mean - lgamma(k + 1)) break;
    }
    value = (int)k;
`,
  };
}

/** How many of `n` trials with the probability `p` succeed. */
export function binomial(n: number, p: number): Distribution {
  // The rarer outcome is counted.
  const isRare = p <= 0.5;
  const rare = isRare ? p : 1 - p;
  const result = (value: string): string => (isRare ? value : `n - ${value}`);
  if (n * rare < 10) {
    const plain = inverses('n, odds, none');
    return {
      ...plain,
      values: (uniform) => plain.values(uniform).map(result),
      helpers: inversion('int n, double odds, double none', 'none', 'odds * (n - k + 1) / k', 'n'),
      parameters: ['int n', 'double odds', 'double none'],
      arguments: [n, rare / (1 - rare), Math.exp(n * Math.log1p(-rare))],
    };
  }
  const deviation = Math.sqrt(n * rare * (1 - rare));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * rare;
  return {
    type: 'int32',
    real: 'double',
    parameters: [
      'int n',
      'double a',
      'double b',
      'double centre',
      'double vr',
      'double alpha',
      'double log_odds',
      'double mode',
    ],
    arguments: [
      n,
      a,
      b,
      n * rare + 0.5,
      0.92 - 4.2 / b,
      (2.83 + 5.1 / b) * deviation,
      Math.log(rare / (1 - rare)),
      Math.floor((n + 1) * rare),
    ],
    trial: `    double u, v, us, k;
    for (;;) {
      NEXT(u, v);
      u -= 0.5;
      us = 0.5 - fabs(u);
      k = floor((2 * a / us + b) * u + centre);
      if (us >= 0.07 && v <= vr) break;
      if (k < 0 || k > n) continue;
      if (log(v * alpha / (a / (us * us) + b)) <= lgamma(mode + 1) + lgamma(n - mode + 1) - lgamma(k + 1) - lgamma(n - k + 1) + (k - mode) * log_odds) break;
    }
    value = ${result('(int)k')};
`,
  };
}

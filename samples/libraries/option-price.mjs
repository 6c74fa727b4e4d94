// Random numbers (millrace/array): the price of a European option by a million simulated share prices, against the formula of Black and Scholes.
import { strict as assert } from 'node:assert';
import { arrays } from 'millrace/array';

const [price, strike, rate, volatility, years] = [100, 105, 0.03, 0.2, 1];
const paths = 2 ** 20;

const np = await arrays();
const drift = (rate - volatility ** 2 / 2) * years;
const steps = np.random(2026).normal(paths, { mean: drift, deviation: volatility * Math.sqrt(years) });
const gains = steps
  .exp()
  .mul(price)
  .sub(strike)
  .maximum(0)
  .mul(Math.exp(-rate * years));
const [mean, deviation] = [await gains.mean().item(), await gains.deviation().item()];
const error = deviation / Math.sqrt(paths);

/** The normal distribution's function, by Simpson's rule. */
function normalBelow(x) {
  const parts = 2000;
  const density = (at) => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  let sum = density(0) + density(x);
  for (let i = 1; i < parts; i += 1) sum += density((i * x) / parts) * (i % 2 === 1 ? 4 : 2);
  return 0.5 + (sum * x) / parts / 3;
}
const spread = volatility * Math.sqrt(years);
const d = (Math.log(price / strike) + rate * years) / spread + spread / 2;
const formula = price * normalBelow(d) - strike * Math.exp(-rate * years) * normalBelow(d - spread);

console.log(`simulated ${mean.toFixed(3)} +- ${error.toFixed(3)}; by the formula ${formula.toFixed(3)}`);
assert(Math.abs(mean - formula) < 5 * error + 1e-3);
np.release();

/**
 * Sums of products: so many times each of some products of atoms. What an atom stands for is the business of who makes it; here it is a
 * number, and a product the sorted list of its atoms' numbers.
 *
 *     4 x + 4 y n + 16          { [x]: 4, [n, y]: 4, []: 16 }
 */
export interface Monomial {
  readonly factor: number;
  /** In order; an atom is there as often as it is multiplied. */
  readonly atoms: readonly number[];
}

/** By the names of the products; none of them has the factor 0. */
export type Polynomial = ReadonlyMap<string, Monomial>;

/** Longer ones are not worth the time, and products of many atoms are no addresses. */
const mostMonomials = 12;
const highestDegree = 4;
/** Larger factors might not be exact. */
const largest = 2 ** 40;

export const zero: Polynomial = new Map();

export function constantPolynomial(value: number): Polynomial {
  return value === 0 ? zero : new Map([['', { factor: value, atoms: [] }]]);
}

export function atomPolynomial(atom: number): Polynomial {
  return new Map([[String(atom), { factor: 1, atoms: [atom] }]]);
}

/** The number that a polynomial is; undefined if it has atoms. */
export function constantOf(polynomial: Polynomial): number | undefined {
  if (polynomial.size === 0) return 0;
  return polynomial.size === 1 ? polynomial.get('')?.factor : undefined;
}

/** `a + factor * b`; undefined for what grows too long. */
export function addPolynomials(a: Polynomial, b: Polynomial, factor = 1): Polynomial | undefined {
  if (factor === 0 || b.size === 0) return a;
  const sum = new Map(a);
  for (const [name, monomial] of b) {
    const total = (sum.get(name)?.factor ?? 0) + factor * monomial.factor;
    if (Math.abs(total) > largest) return undefined;
    if (total === 0) sum.delete(name);
    else sum.set(name, { factor: total, atoms: monomial.atoms });
  }
  return sum.size > mostMonomials ? undefined : sum;
}

export function multiplyPolynomials(a: Polynomial, b: Polynomial): Polynomial | undefined {
  if (a.size * b.size > mostMonomials * 2) return undefined;
  let product: Polynomial | undefined = zero;
  for (const left of a.values()) {
    for (const right of b.values()) {
      const factor = left.factor * right.factor;
      const atoms = [...left.atoms, ...right.atoms].sort((one, other) => one - other);
      if (atoms.length > highestDegree || Math.abs(factor) > largest) return undefined;
      product = product && addPolynomials(product, new Map([[atoms.join(' '), { factor, atoms }]]));
    }
  }
  return product;
}

export function samePolynomials(a: Polynomial, b: Polynomial): boolean {
  return a.size === b.size && [...a].every(([name, { factor }]) => b.get(name)?.factor === factor);
}

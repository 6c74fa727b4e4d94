/** How scalar constants are written in the text form, exactly: reading one back gives the same value. */
import type { ScalarConstant } from '../ir.ts';
import { elementOf, type Type } from '../types.ts';

/** The constant's text: `true`, `-5`, `0.1`, `1.0e+30`, `-inf`, `nan`. A float always shows that it is one. */
export function constantText(value: ScalarConstant, type: Type): string {
  if (typeof value !== 'number') return String(value);
  const element = elementOf(type);
  if (element.kind !== 'float') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = element.bits === 64 ? String(value) : shortest(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The shortest decimal that, read as a double and rounded to f32, is `value` (which may be an f16 as well). */
function shortest(value: number): string {
  for (let digits = 1; digits < 10; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(value);
}

/** Products of integers in vectors that WebAssembly has no instruction for, or a slow one: of bytes, of 64 bits by a constant, upper halves. */
import type * as ir from '../../../ir/ir.ts';
import type { Value } from '../../../ir/ir.ts';
import type { FunctionCompiler } from '../kernel/function-compiler.ts';
import type { CodeWriter } from '../module/code-writer.ts';

/** The constant that is the same for all lanes, if it is. */
export function constantForAll(fc: FunctionCompiler, value: Value): ir.ScalarConstant | undefined {
  const definition = fc.definition(value);
  if (definition?.op !== 'constant' || !Array.isArray(definition.value)) return undefined;
  const [first, ...rest] = definition.value as readonly ir.ScalarConstant[];
  return rest.some((one) => one !== first) ? undefined : first;
}

/** More terms take as long as the product. */
const mostTerms = 3;

/** A power of two that is added or taken away. */
interface Term {
  readonly shift: number;
  readonly isNegative: boolean;
}

/** A number of 64 bits as the fewest powers of two that are added or taken away, the greatest first. */
function termsOf(factor: bigint): Term[] {
  const terms: Term[] = [];
  let rest = BigInt.asUintN(64, factor);
  for (let shift = 0; rest > 0n && shift < 64; shift += 1, rest >>= 1n) {
    if ((rest & 1n) === 0n) continue;
    // A run of ones is the power of two above it, less that at its end.
    const isNegative = (rest & 3n) === 3n;
    terms.unshift({ shift, isNegative });
    rest += isNegative ? 1n : -1n;
  }
  return terms;
}

/**
 * A product of 64-bit lanes by a constant of few bits, by shifts and sums: five instructions at most, of eight that V8 makes of
 * one in general.
 * @returns false, having written nothing, if the factor is not like that
 */
export function emitWideMultiple(fc: FunctionCompiler, a: Value, b: Value, part: number): boolean {
  const known = constantForAll(fc, b);
  if (known === undefined) return false;
  const [greatest, ...others] = termsOf(BigInt(known));
  if (!greatest || greatest.isNegative || others.length >= mostTerms) return false;
  const { code } = fc;
  fc.withLocal(a, part, (x) => {
    const multiple = ({ shift }: Term): void => {
      code.get(x);
      if (shift === 0) return;
      code.i32(shift);
      code.op('i64x2.shl');
    };
    multiple(greatest);
    for (const term of others) {
      multiple(term);
      code.op(term.isNegative ? 'i64x2.sub' : 'i64x2.add');
    }
  });
  return true;
}

/** Products of bytes: of their even and odd halves as 16-bit lanes. */
export function emitByteProduct(fc: FunctionCompiler, a: Value, b: Value, part: number): void {
  fc.withLocal(a, part, (x) => fc.withLocal(b, part, (y) => multiplyBytes(fc.code, x, y)));
}

/** Pushes the products of two locals' bytes. */
export function multiplyBytes(code: CodeWriter, x: number, y: number): void {
  code.get(x);
  code.get(y);
  code.op('i16x8.mul');
  code.v128(new Uint8Array(16).map((_, byte) => (byte % 2 === 0 ? 0xff : 0)));
  code.op('v128.and');
  for (const local of [x, y]) {
    code.get(local);
    code.i32(8);
    code.op('i16x8.shr_u');
  }
  code.op('i16x8.mul');
  code.i32(8);
  code.op('i16x8.shl');
  code.op('v128.or');
}

/** The upper halves of 64-bit products. */
export function emitUpperProduct(
  fc: FunctionCompiler,
  sign: 's' | 'u',
  a: Value,
  b: Value,
  part: number,
): void {
  const { code } = fc;
  fc.withLocal(a, part, (x) =>
    fc.withLocal(b, part, (y) => {
      for (const half of ['low', 'high'] as const) {
        code.get(x);
        code.get(y);
        code.op(`i64x2.extmul_${half}_i32x4_${sign}`);
      }
      code.shuffle([4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]);
    }),
  );
}

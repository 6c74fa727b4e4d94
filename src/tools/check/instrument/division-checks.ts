/**
 * Checks that integer divisions have a result: not those by zero, and not that of the lowest number by -1, which its type cannot hold
 * (OpenCL 1.2, 6.3 a). What constants show to be right is not asked.
 */
import type * as ir from '../../../ir/ir.ts';
import { elementOf, type IntType } from '../../../ir/types.ts';
import { codes } from '../codes.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Objects } from './objects.ts';

export class DivisionChecks {
  readonly #writer: CheckWriter;
  readonly #objects: Objects;

  constructor(writer: CheckWriter, objects: Objects) {
    this.#writer = writer;
    this.#objects = objects;
  }

  /** Before an operation on two numbers. */
  check({ fn, operands }: ir.Binary): void {
    if (fn !== 'sdiv' && fn !== 'udiv' && fn !== 'srem' && fn !== 'urem') return;
    const [dividend, divisor] = operands as [ir.Value, ir.Value];
    const { builder } = this.#writer;
    const is = (value: ir.Value, number: bigint): ir.Value =>
      builder.compare('eq', value, builder.integer(value.type, number));
    if (this.#mayBe(divisor, 0n)) {
      this.#reportWhere(codes.divisionByZero, operands, (_, by) => is(by, 0n));
    }
    const lowest = -(2n ** BigInt((elementOf(divisor.type) as IntType).bits - 1));
    if (fn !== 'sdiv' || !this.#mayBe(divisor, -1n) || !this.#mayBe(dividend, lowest)) return;
    this.#reportWhere(codes.divisionOverflow, operands, (value, by) =>
      builder.binary('and', is(value, lowest), is(by, -1n)),
    );
  }

  /** Whether a number, or a lane of a vector, may have the value. */
  #mayBe(value: ir.Value, number: bigint): boolean {
    const definition = this.#objects.definition(value);
    if (definition?.op !== 'constant') return true;
    const lanes = Array.isArray(definition.value) ? definition.value : [definition.value];
    return lanes.some((lane) => BigInt(lane) === number);
  }

  /** One report for all lanes of a vector. */
  #reportWhere(
    code: number,
    [dividend, divisor]: readonly ir.Value[],
    isBad: (dividend: ir.Value, divisor: ir.Value) => ir.Value,
  ): void {
    const { builder } = this.#writer;
    const { type } = divisor!;
    const lanes =
      type.kind === 'vector'
        ? Array.from({ length: type.lanes }, (_, lane) =>
            isBad(builder.extract(dividend!, lane), builder.extract(divisor!, lane)),
          )
        : [isBad(dividend!, divisor!)];
    const any = lanes.reduce((a, b) => builder.binary('or', a, b));
    this.#writer.reportIf(any, { code, kind: 'division' });
  }
}

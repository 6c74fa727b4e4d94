/**
 * Products of matrices, of stacks of them too: each work-item computes four rows of a column, so that an element of the right matrix is
 * loaded once for four products.
 */
import type { DeviceBuffer } from '../api/javascript/device-buffer.ts';
import type { Engine } from './engine.ts';
import { roundUp } from './expression.ts';
import type { Node } from './node.ts';
import { type NumberType, numberTypes } from './number-types.ts';
import type { Product } from './plan-product.ts';
import { broadcastStrides, denseStrides, type Shape, sizeOf } from './shape.ts';

/** @param type of both and of the result */
export async function product(
  engine: Engine,
  a: Node,
  b: Node,
  { shape, rows, columns, depth, stack, left, right }: Product,
  type: NumberType,
): Promise<DeviceBuffer> {
  const out = engine.buffer(type, sizeOf(shape));
  if (sizeOf(shape) === 0) return out;
  const { c } = numberTypes[type];
  const [from, other] = [await engine.dense(a), await engine.dense(b)];
  const isBool = type === 'bool';
  const add = (row: string, value: string) =>
    isBool ? `sum${row} |= ${value} & y;` : `sum${row} += ${value} * y;`;
  const four = [0, 1, 2, 3];
  const source = `kernel void matmul(global const ${c} *a, global const ${c} *b, global ${c} *out, uint rows, uint columns, uint depth, uint at, uint bt, uint ot) {
  uint column = get_global_id(0), row = get_global_id(1) * 4;
  if (column >= columns) return;
${four.map((r) => `  uint r${r} = at + min(row + ${r}, rows - 1) * depth; ${c} sum${r} = 0;\n`).join('')}  for (uint k = 0; k < depth; k++) {
    ${c} y = b[bt + k * columns + column];
    ${four.map((r) => add(`${r}`, `a[r${r} + k]`)).join(' ')}
  }
${four.map((r) => `  if (row + ${r} < rows) out[ot + (row + ${r}) * columns + column] = sum${r};\n`).join('')}}
`;
  const leftStrides = stackStrides(left, stack);
  const rightStrides = stackStrides(right, stack);
  const place = (strides: readonly number[], index: number): number => {
    let rest = index;
    let sum = 0;
    for (let d = stack.length - 1; d >= 0; d -= 1) {
      sum += (rest % stack[d]!) * strides[d]!;
      rest = Math.floor(rest / stack[d]!);
    }
    return sum;
  };
  for (let s = 0; s < sizeOf(stack); s += 1) {
    await engine.launch(source, { global: [roundUp(columns, columns < 32 ? 1 : 32), Math.ceil(rows / 4)] }, [
      from,
      other,
      out,
      rows,
      columns,
      depth,
      place(leftStrides, s),
      place(rightStrides, s),
      s * rows * columns,
    ]);
  }
  return out;
}

/** Where the matrices of a stack begin. */
function stackStrides(shape: Shape, stack: Shape): number[] {
  return broadcastStrides(shape.slice(0, -2), denseStrides(shape).slice(0, -2), stack);
}

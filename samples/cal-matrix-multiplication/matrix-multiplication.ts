// The product of two matrices, an element at a time and in blocks. A is y + k in row y and column k, B is k - x: an element of the
// product is the sum of k^2 + (y - x) k - x y over all k, for which there is a formula. All sums are whole and fit into a float.
import * as cal from 'millrace/cal';
import { bind, check, given, load, mapped, type Print, run } from '../cal-support/cal-steps.ts';
import { basicKernel, blockedKernel } from './kernels.ts';

const size = 64;
const sum = (size * (size - 1)) / 2;
const sumOfSquares = (size * (size - 1) * (2 * size - 1)) / 6;
const product = (x: number, y: number): number => sumOfSquares + (y - x) * sum - size * x * y;

/** A matrix, or the rows of one; four elements of a row make one of a resource of FLOAT_4. */
function matrix(
  device: cal.CALdevice,
  rows: number,
  format: cal.CALformat,
  value: (x: number, y: number) => number,
): cal.CALresource {
  const packed = format === cal.CAL_FORMAT_FLOAT_4 ? 4 : 1;
  const resource = given(cal.calResAllocLocal2D(device, size / packed, rows, format, 0));
  mapped(resource, (data, pitch) => {
    for (let y = 0; y < rows; y += 1) {
      for (let x = 0; x < size; x += 1) data[y * pitch * packed + x] = value(x, y);
    }
  });
  return resource;
}

/** How many elements of `outputs`, whose rows are those of the product in turn, are wrong. */
function wrongElements(outputs: readonly cal.CALresource[], packed: number): number {
  let wrong = 0;
  for (const [part, output] of outputs.entries()) {
    mapped(output, (data, pitch) => {
      for (let row = 0; row < size / outputs.length; row += 1) {
        const y = row * outputs.length + part;
        for (let x = 0; x < size; x += 1) {
          if (data[row * pitch * packed + x] !== product(x, y)) wrong += 1;
        }
      }
    });
  }
  return wrong;
}

export async function matrixMultiplication(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { target } = given(cal.calDeviceGetInfo(0))!;
  const context = given(cal.calCtxCreate(device));

  for (const [name, kernel, format, parts] of [
    ['basic', basicKernel, cal.CAL_FORMAT_FLOAT_1, 1],
    ['blocked', blockedKernel, cal.CAL_FORMAT_FLOAT_4, 8],
  ] as const) {
    const packed = format === cal.CAL_FORMAT_FLOAT_4 ? 4 : 1;
    const module = load(context, target, kernel);
    const constants = given(cal.calResAllocRemote1D([device], 1, 1, cal.CAL_FORMAT_FLOAT_4, 0));
    mapped(constants, (data) => data.set([size / packed, 0, 0, 0]));
    bind(
      context,
      module,
      'i0',
      matrix(device, size, format, (k, y) => y + k),
    );
    bind(
      context,
      module,
      'i1',
      matrix(device, size, format, (x, k) => k - x),
    );
    bind(context, module, 'cb0', constants);
    const outputs = Array.from({ length: parts }, () => matrix(device, size / parts, format, () => -1));
    for (const [part, output] of outputs.entries()) bind(context, module, `o${part}`, output);
    await run(context, module, size / packed, size / parts);
    const wrong = wrongElements(outputs, packed);
    mapped(outputs[3 % parts]!, (data, pitch) => {
      const inRow3 = data[(parts === 1 ? 3 : 0) * pitch * packed + 5];
      print(`${name}: ${wrong} of ${size * size} elements wrong, the one in row 3, column 5 is ${inRow3}`);
    });
    check(cal.calModuleUnload(context, module));
  }
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}

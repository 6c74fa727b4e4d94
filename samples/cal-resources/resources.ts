// Resources: local and remote, in one and two dimensions. The host reaches their elements by mapping them; rows are `pitch`
// elements apart, of which the width is the part that counts.
import * as cal from 'millrace/cal';
import { check, given, mapped, type Print } from '../cal-support/cal-steps.ts';

export function resources(print: Print): void {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const [width, height] = [100, 4];
  const local = given(cal.calResAllocLocal2D(device, width, height, cal.CAL_FORMAT_FLOAT_1, 0));
  mapped(local, (data, pitch) => {
    print(`rows of ${width} elements, ${pitch} apart`);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) data[y * pitch + x] = y * width + x;
    }
  });
  mapped(local, (data, pitch) => {
    let sum = 0;
    for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) sum += data[y * pitch + x]!;
    print(`row 3 begins with ${data[3 * pitch]}, the sum is ${sum}`);
  });

  // Elements of four bytes each, in memory of the system that the processor's cache may hold.
  const flags = cal.CAL_RESALLOC_CACHEABLE;
  const remote = given(cal.calResAllocRemote1D([device], 1, 10, cal.CAL_FORMAT_UBYTE_4, flags));
  mapped(remote, (data) => print(`an element of UBYTE_4 has ${4 * data.BYTES_PER_ELEMENT} bytes`));

  const [result] = cal.calResAllocLocal1D(device, 8193, cal.CAL_FORMAT_FLOAT_1, 0);
  print(`8193 elements in a row: ${result}`);
  check(cal.calResFree(remote));
  check(cal.calResFree(local));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}

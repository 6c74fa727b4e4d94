// A device is opened before it is used, once at a time, and closed when it is not needed any more.
import * as cal from 'millrace/cal';
import { check, given, type Print } from '../cal-support/cal-steps.ts';

export function openClose(print: Print): void {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const { availLocalRAM } = given(cal.calDeviceGetStatus(device))!;
  print(`device 0 is open, with ${availLocalRAM} MB of local memory left`);

  const [again] = cal.calDeviceOpen(0);
  print(`opening it again gives ${again}: ${cal.calGetErrorString()}`);

  // 2048 x 2048 elements of 16 bytes are 64 megabytes.
  given(cal.calResAllocLocal2D(device, 2048, 2048, cal.CAL_FORMAT_FLOAT_4, 0));
  print(`with a resource of 64 MB, ${given(cal.calDeviceGetStatus(device))!.availLocalRAM} MB are left`);

  // Closing frees what belongs to the device.
  check(cal.calDeviceClose(device));
  const reopened = given(cal.calDeviceOpen(0));
  print(`closed and opened again: ${given(cal.calDeviceGetStatus(reopened))!.availLocalRAM} MB`);
  check(cal.calDeviceClose(reopened));
  check(cal.calShutdown());
}

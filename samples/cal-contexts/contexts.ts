// A device can have several contexts. Each knows resources by memory handles of its own.
import * as cal from 'millrace/cal';
import { check, given, type Print } from '../cal-support/cal-steps.ts';

export function contexts(print: Print): void {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const [first, second] = [given(cal.calCtxCreate(device)), given(cal.calCtxCreate(device))];
  const resource = given(cal.calResAllocLocal1D(device, 64, cal.CAL_FORMAT_FLOAT_1, 0));
  const ofFirst = given(cal.calCtxGetMem(first, resource));
  const ofSecond = given(cal.calCtxGetMem(second, resource));
  print(`two contexts, two handles of one resource: ${ofFirst !== ofSecond}`);
  print(`the second context releases a handle of the first: ${cal.calCtxReleaseMem(second, ofFirst)}`);
  print(`the resource is freed while it is used: ${cal.calResFree(resource)}`);
  check(cal.calCtxDestroy(first));
  print(`one context has ended: ${cal.calResFree(resource)}`);
  check(cal.calCtxReleaseMem(second, ofSecond));
  print(`the other one has released it: ${cal.calResFree(resource)}`);
  check(cal.calCtxDestroy(second));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}

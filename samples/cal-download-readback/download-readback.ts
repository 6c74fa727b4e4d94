// Data goes to the memory of a device and comes back by copies, which run by themselves while the host does something else.
import * as cal from 'millrace/cal';
import { check, given, mapped, type Print } from '../cal-support/cal-steps.ts';

export async function downloadReadback(print: Print): Promise<void> {
  check(cal.calInit());
  const device = given(cal.calDeviceOpen(0));
  const context = given(cal.calCtxCreate(device));
  const [width, height] = [256, 256];
  const format = cal.CAL_FORMAT_FLOAT_4;
  const source = given(cal.calResAllocRemote2D([device], 1, width, height, format, 0));
  const local = given(cal.calResAllocLocal2D(device, width, height, format, 0));
  const target = given(cal.calResAllocRemote2D([device], 1, width, height, format, 0));
  mapped(source, (data) => {
    for (let index = 0; index < data.length; index += 1) data[index] = index;
  });
  mapped(target, (data) => data.fill(-1));
  const [from, between, to] = [source, local, target].map((resource) =>
    given(cal.calCtxGetMem(context, resource)),
  );

  // The second copy uses what the first one writes, and waits for it.
  given(cal.calMemCopy(context, from!, between!, 0));
  const event = given(cal.calMemCopy(context, between!, to!, 0));
  check(await cal.calAwaitEvent(context, event));

  let wrong = 0;
  mapped(target, (data) => {
    for (let index = 0; index < data.length; index += 1) if (data[index] !== index) wrong += 1;
    print(
      `${data.length} numbers there and back, ${wrong} of them wrong, the last is ${data[data.length - 1]}`,
    );
  });
  check(cal.calCtxDestroy(context));
  check(cal.calDeviceClose(device));
  check(cal.calShutdown());
}

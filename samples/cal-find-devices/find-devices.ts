// Which devices there are, and what they can do. No device has to be open for that.
import * as cal from 'millrace/cal';
import { check, given, type Print } from '../cal-support/cal-steps.ts';

const targets = ['R600', 'RV610', 'RV630', 'RV670', 'R700', 'RV770', 'RV710', 'RV730'];

export function findDevices(print: Print): void {
  check(cal.calInit());
  const [, major, minor, implementation] = cal.calGetVersion();
  const count = given(cal.calDeviceGetCount());
  print(`CAL ${major}.${minor}.${implementation}, ${count} devices`);
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const info = given(cal.calDeviceGetInfo(ordinal))!;
    const attribs = given(cal.calDeviceGetAttribs(ordinal))!;
    print(
      `${targets[info.target]}: ${attribs.localRAM} MB, ${attribs.engineClock} MHz, ` +
        `${attribs.numberOfSIMD} SIMDs, wavefronts of ${attribs.wavefrontSize}, ` +
        `${info.maxResource2DWidth} x ${info.maxResource2DHeight}, ` +
        `double ${Number(attribs.doublePrecision)}, compute ${Number(attribs.computeShader)}`,
    );
  }
  check(cal.calShutdown());
}

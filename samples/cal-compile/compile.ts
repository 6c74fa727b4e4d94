// From a text in IL to an object, to an image, to its bytes and back. The compiler needs no device and no calInit.
import * as cal from 'millrace/cal';
import { check, given, type Print } from '../cal-support/cal-steps.ts';

const least = [
  'il_ps_2_0',
  'dcl_output_generic o0',
  'dcl_literal l0, 1.0, 2.0, 3.0, 4.0',
  'mov o0, l0',
  'end',
  '',
].join('\n');

export function compile(print: Print): void {
  const [, major, minor] = cal.calclGetVersion();
  print(`compiler ${major}.${minor}`);
  const object = given(cal.calclCompile(cal.CAL_LANGUAGE_IL, least, cal.CAL_TARGET_670));
  const image = given(cal.calclLink([object], 1));
  cal.calclDisassembleImage(image, (line) => print(line.trimEnd()));

  const wrong = least.replace('mov o0, l0', 'mov o0, l1');
  const [result] = cal.calclCompile(cal.CAL_LANGUAGE_IL, wrong, cal.CAL_TARGET_670);
  print(`with a mistake: ${result}`);
  print(cal.calclGetErrorString().split('\n')[0]!);

  // An image can be kept in a file.
  const bytes = new Uint8Array(given(cal.calclImageGetSize(image)));
  check(cal.calclImageWrite(bytes, bytes.length, image));
  check(cal.calInit());
  const read = given(cal.calImageRead(bytes, bytes.length));
  print(`written and read again: ${given(cal.calclImageGetSize(read)) === bytes.length}`);
  check(cal.calImageFree(read));
  check(cal.calShutdown());
  cal.calclFreeImage(image);
  cal.calclFreeObject(object);
}

/** Programs of the R600 family as text, and images of CAL, which hold such programs: damaged, and loaded as far as they go. */
import * as cal from 'millrace/cal';
import { kernelsAsIl } from '../../src/build/kernels-as-il.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { mutatedImages } from '../../test/api/cal/image-mutations.ts';
import { mutate } from '../../test/fuzz/mutate.ts';
import { damagedBytes, type HostileKind, textsUnder } from './kind.ts';

const head = `il_ps_2_0
dcl_input_position_interp(linear_noperspective) vWinCoord0.xy__
dcl_output_generic o0
dcl_cb cb0[1]
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
`;

const scaled = `${head}sample_resource(0)_sampler(0) r0, vWinCoord0.xyxx
mul o0, r0, cb0[0].x
end
`;

/** With a loop, branches and arithmetic of more than one unit. */
const counted = `${head}dcl_literal l0, 0.0, 1.0, 2.0, 8.0
mov r1, l0.x
mov r2, l0.x
whileloop
  ge r3.x, r2.x, l0.w
  break_logicalnz r3.x
  sample_resource(0)_sampler(0) r0, vWinCoord0.xyxx
  lt r3.y, r0.x, l0.y
  if_logicalnz r3.y
    mad r1, r0, cb0[0].x, r1
  else
    sqrt_vec r1, r0
  endif
  add r2.x, r2.x, l0.y
endloop
mov o0, r1
end
`;

/** Images of programs in IL: our samples', and kernels written as IL. */
function images(): Uint8Array[] {
  const kernels = textsUnder('samples', '.cl')
    .slice(0, 30)
    .flatMap((source) => {
      const { module } = compileOpenCL(source, {});
      if (!module) return [];
      return kernelsAsIl(module, {}).kernels.flatMap(({ program }) => program?.text ?? []);
    });
  const pixels = [scaled, counted];
  const found = [...pixels, ...pixels, ...pixels, ...textsUnder('samples', '.il'), ...kernels].flatMap(
    (text, index) => {
      const target = [cal.CAL_TARGET_600, cal.CAL_TARGET_670, cal.CAL_TARGET_770][index % 3]!;
      const [compiled, object] = cal.calclCompile(cal.CAL_LANGUAGE_IL, text, target);
      if (compiled !== cal.CAL_RESULT_OK || object === undefined) return [];
      const [linked, image] = cal.calclLink([object]);
      if (linked !== cal.CAL_RESULT_OK || image === undefined) return [];
      const [, size] = cal.calclImageGetSize(image);
      const bytes = new Uint8Array(size ?? 0);
      cal.calclImageWrite(bytes, bytes.length, image);
      return [bytes];
    },
  );
  if (found.length < 5) throw new Error(`only ${found.length} images are there to damage`);
  return found;
}

/** Lists an image, and loads it on a device, where it becomes a kernel. Each call gives a result code, and says why it refuses. */
function used(image: number): string {
  let lines = 0;
  cal.calclDisassembleImage(image, () => {
    lines += 1;
  });
  if (lines > 1_000_000) throw new Error(`a listing of ${lines} lines`);
  const [opened, device] = cal.calDeviceOpen(0);
  if (opened !== cal.CAL_RESULT_OK) throw new Error('there is no device');
  const [, context] = cal.calCtxCreate(device!);
  try {
    const [loaded, module] = cal.calModuleLoad(context!, image);
    if (loaded === cal.CAL_RESULT_OK) {
      cal.calModuleUnload(context!, module!);
      return 'loaded';
    }
    if (cal.calGetErrorString() === '') throw new Error(`a module is refused with ${loaded} and no word`);
    return 'listed, but not loaded';
  } finally {
    cal.calCtxDestroy(context!);
    cal.calDeviceClose(device!);
  }
}

function begin(): void {
  cal.calChooseDevices('webassembly,hd 2900,hd 3870,hd 4870');
  cal.calInit();
}

export function imageKind(): HostileKind {
  begin();
  const originals = images();
  return {
    originals: originals.length,
    make: (random) => {
      if (random.below(2) === 0) return damagedBytes(originals, random);
      // Half of these have a damaged program whose check sum is right again.
      const [image] = mutatedImages([random.pick(originals)], 1, random.bits());
      return image!;
    },
    run: (bytes) => {
      const [result, image] = cal.calImageRead(bytes as Uint8Array);
      if (result === cal.CAL_RESULT_OK) return used(image!);
      if (cal.calGetErrorString() === '') throw new Error('an image is refused without a word');
      return 'refused';
    },
  };
}

export function isaKind(): HostileKind {
  begin();
  const originals = images().flatMap((bytes) => {
    const [, image] = cal.calImageRead(bytes);
    let text = '';
    cal.calclDisassembleImage(image!, (line) => {
      text += line;
    });
    return /^\.target/m.test(text) ? [text] : [];
  });
  if (originals.length === 0) throw new Error('there are no listings to damage');
  return {
    originals: originals.length,
    make: (random) => mutate(random.pick(originals), originals, random),
    run: (text, random) => {
      const type = random.pick([cal.CAL_PROGRAM_TYPE_PS, cal.CAL_PROGRAM_TYPE_PS, cal.CAL_PROGRAM_TYPE_CS]);
      const target = random.pick([cal.CAL_TARGET_600, cal.CAL_TARGET_670, cal.CAL_TARGET_770]);
      const [assembled, object] = cal.calclAssembleObject(type, String(text), target);
      if (assembled !== cal.CAL_RESULT_OK) {
        if (cal.calclGetErrorString() === '') throw new Error('a text is refused without a word');
        return 'refused';
      }
      const [linked, image] = cal.calclLink([object!]);
      if (linked !== cal.CAL_RESULT_OK) throw new Error(`what was assembled is not linked: ${linked}`);
      return used(image!);
    },
  };
}

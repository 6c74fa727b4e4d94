/** Images: what they say to other tools, the way to text and back, several programs in one, and damaged ones. */
import * as cal from 'millrace/cal';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as il from './il-programs.ts';
import { mutatedImages } from './image-mutations.ts';

const { bind, filled, imageOf, numbers, ok, run } = il;
const { CAL_FORMAT_FLOAT_1: FLOAT_1, CAL_FORMAT_FLOAT_4: FLOAT_4 } = cal;

/** `MILLRACE_IMAGES=100000` makes it more. */
const count = Number(process.env['MILLRACE_IMAGES'] ?? 600);

beforeAll(() => {
  cal.calChooseDevices('webassembly,hd 2900,hd 3870,hd 4870');
});

afterEach(() => il.end());

afterAll(() => {
  cal.calShutdown();
});

function bytesOf(image: number): Uint8Array {
  const bytes = new Uint8Array(ok(cal.calclImageGetSize(image)));
  expect(cal.calclImageWrite(bytes, bytes.length, image)).toBe(cal.CAL_RESULT_OK);
  return bytes;
}

/** What `scale` in an image makes of 0 to 3 with a constant of 3. */
function scaled(context: number, device: number, image: number): number[] {
  const module = ok(cal.calModuleLoad(context, image));
  const output = filled(device, 4, 1, FLOAT_1, () => -1);
  bind(
    context,
    module,
    'i0',
    filled(device, 4, 1, FLOAT_1, (index) => index),
  );
  bind(context, module, 'o0', output);
  bind(
    context,
    module,
    'cb0',
    filled(device, 1, 1, FLOAT_4, () => 3),
  );
  run(context, ok(cal.calModuleGetEntry(context, module, 'main')), 4, 1);
  return numbers(output, 4, 1);
}

describe('an image', () => {
  it('is an ELF file of CAL, with its program in notes and text', () => {
    const bytes = bytesOf(imageOf(il.scale));
    const view = new DataView(bytes.buffer);
    const word = (at: number): number => view.getUint32(at, true);
    expect([...bytes.subarray(0, 9)]).toEqual([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 100, 1]);
    expect([view.getUint16(16, true), view.getUint16(18, true)]).toEqual([2, 0x7d]);
    // The first program header names the dictionary: one entry, for RV770 and a pixel program.
    const [segments, sections] = [word(28), word(32)];
    expect(word(segments)).toBe(0x70000002);
    const entry = word(segments + 4);
    expect(word(segments + 16)).toBe(20);
    expect([word(entry), word(entry + 4)]).toEqual([cal.CAL_TARGET_770, 0]);
    // The last section is the text.
    const last = sections + 40 * (view.getUint16(48, true) - 1);
    const text = bytes.subarray(word(last + 16), word(last + 16) + word(last + 20));
    expect(new TextDecoder().decode(text)).toBe(il.scale);
    // The first note, of type 2, lists the inputs: number 0.
    const notes = word(segments + 32 + 4);
    expect([0, 4, 8, 20].map((at) => word(notes + at))).toEqual([8, 4, 2, 0]);
    expect(new TextDecoder().decode(bytes.subarray(notes + 12, notes + 20))).toBe('ATI CAL\0');
  });

  it('is listed with the clauses of its target', () => {
    const lines: string[] = [];
    cal.calclDisassembleImage(imageOf(il.scale, cal.CAL_TARGET_670), (line) => lines.push(line.trimEnd()));
    expect(lines.filter((line) => /^\S/.test(line))).toEqual([
      '; pixel program for RV670',
      '.target RV670',
      '.program pixel',
      '.resource 0 2d unnorm',
      '.constants 0 1',
      '.output 0',
      '00 TEX: ADDR(48) CNT(1) VALID_PIX',
      '01 ALU: ADDR(32) CNT(4) KCACHE0(CB0:0-15)',
      '02 EXP_DONE: PIX0, R0',
      'END_OF_PROGRAM',
    ]);
    expect(lines[7]).toBe('      0  SAMPLE R0, R0.xyyy, t0, s0  UNNORM(XYZW)');
  });

  it('is listed in IL where clauses cannot say it', () => {
    const lines: string[] = [];
    const atomic =
      'il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\nuav_add_id(0) vaTid.x, vaTid.x\nend\n';
    cal.calclDisassembleImage(imageOf(atomic), (line) => lines.push(line.trimEnd()));
    expect(lines.slice(0, 3)).toEqual([
      '; compute program for RV770 in IL',
      '; no clauses: an atomic operation: the R600 family has nothing for it',
      'il_cs_2_0',
    ]);
  });

  it('runs as before after it was text', () => {
    const { device, context } = il.begin();
    let image = imageOf(il.scale);
    expect(scaled(context, device, image)).toEqual([0, 3, 6, 9]);
    for (let time = 0; time < 2; time += 1) {
      let text = '';
      cal.calclDisassembleImage(image, (line) => {
        text += line;
      });
      const object = ok(cal.calclAssembleObject(cal.CAL_PROGRAM_TYPE_PS, text, cal.CAL_TARGET_770));
      const next = ok(cal.calclLink([object]));
      image = ok(cal.calImageRead(bytesOf(next)));
      let again = '';
      cal.calclDisassembleImage(image, (line) => {
        again += line;
      });
      expect(again).toBe(text);
      expect(scaled(context, device, image)).toEqual([0, 3, 6, 9]);
    }
  });

  it('gives each device the program that fits it best', () => {
    const program = (factor: number): string =>
      il.scale.replace(
        'mul o0, r0, cb0[0].x',
        `dcl_literal l0, ${factor}.0, ${factor}.0, ${factor}.0, ${factor}.0\nmul o0, r0, l0`,
      );
    const compile = (source: string, target: number): number =>
      ok(cal.calclCompile(cal.CAL_LANGUAGE_IL, source, target));
    const objects = [
      compile(program(2), cal.CAL_TARGET_600),
      compile(program(4), cal.CAL_TARGET_670),
      // No device but an RV770 can load this one.
      compile(il.doubledIds, cal.CAL_TARGET_770),
    ];
    const image = ok(cal.calImageRead(bytesOf(ok(cal.calclLink(objects)))));
    const results = [1, 2].map((ordinal) => {
      const { device, context } = il.begin(ordinal);
      const module = ok(cal.calModuleLoad(context, image));
      const output = filled(device, 2, 1, FLOAT_1, () => -1);
      bind(
        context,
        module,
        'i0',
        filled(device, 2, 1, FLOAT_1, () => 10),
      );
      bind(context, module, 'o0', output);
      bind(
        context,
        module,
        'cb0',
        filled(device, 1, 1, FLOAT_4, () => 0),
      );
      run(context, ok(cal.calModuleGetEntry(context, module, 'main')), 2, 1);
      return numbers(output, 2, 1);
    });
    expect(results).toEqual([
      [20, 20],
      [40, 40],
    ]);
    const { context } = il.begin(3);
    const module = ok(cal.calModuleLoad(context, image));
    expect(cal.calModuleGetName(context, module, 'g')[0]).toBe(cal.CAL_RESULT_OK);
  });
});

describe('damaged images', () => {
  it('are errors, and never anything else', { timeout: 3_600_000 }, () => {
    const { context } = il.begin();
    const images = [il.scale, il.scatter, il.doubledIds].map((source) => bytesOf(imageOf(source)));
    let read = 0;
    for (const bytes of mutatedImages(images, count, 1)) {
      const [result, image] = cal.calImageRead(bytes);
      if (result === cal.CAL_RESULT_ERROR) {
        expect(image).toBe(0);
        expect(cal.calGetErrorString()).not.toBe('');
        continue;
      }
      // Another program, whose check sum was made anew: it is right in itself, or cannot be loaded.
      read += 1;
      expect(result).toBe(cal.CAL_RESULT_OK);
      expect(bytesOf(image)).toEqual(bytes);
      const [loaded, module] = cal.calModuleLoad(context, image);
      if (loaded === cal.CAL_RESULT_OK) cal.calModuleUnload(context, module);
      else expect(loaded).toBe(cal.CAL_RESULT_ERROR);
      cal.calImageFree(image);
    }
    expect(read).toBeLessThan(count / 3);
  });
});

/**
 * The binaries that are damaged: programs of every language and with everything that a binary can hold, as executables, objects and
 * libraries.
 */
import { readFileSync } from 'node:fs';
import { compileBrook } from '../../src/brook/compile.ts';
import { emitMap } from '../../src/brook/emit/map.ts';
import { emitReduce } from '../../src/brook/emit/reduce.ts';
import { buildBinary } from '../../src/build/build-binary.ts';
import { compileIl } from '../../src/build/compile-il.ts';
import { type BinaryKind, encodeProgram } from '../../src/build/program-binary.ts';
import type { Module } from '../../src/ir/ir.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import { generateKernel } from '../generator/generate.ts';
import { generateIdiom } from '../generator/idioms.ts';
import { filesUnder } from '../support/folder-files.ts';
import { features } from './features.ts';

export interface Original {
  readonly name: string;
  readonly kind: BinaryKind;
  readonly options: string;
  readonly bytes: Uint8Array;
}

/** The same at every call. The folders are those of a checkout, where the process runs. */
export function originals(): Original[] {
  return [
    ...features.flatMap(({ name, source, options = '' }) => [
      fromOpenCL(`${name}`, source, options, 'executable'),
      fromOpenCL(`${name} as an object`, source, options, 'object'),
    ]),
    ...filesUnder('samples', ['.cl']).map((path) =>
      fromOpenCL(path, readFileSync(path, 'utf8'), '-cl-std=CL2.0 -DRINGS=4', 'executable'),
    ),
    ...['test/execution/barriers.cl', 'test/fuzz/images.cl'].flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      return [fromOpenCL(path, text, '-g', 'executable'), fromOpenCL(path, text, '', 'library')];
    }),
    ...filesUnder('playground/src/gallery/kernels', ['.il']).map(fromIl),
    ...[...filesUnder('samples', ['.br']), ...filesUnder('test/brook/programs', ['.br'])].flatMap(fromBrook),
    ...[1, 2, 3, 4].map((seed) =>
      fromOpenCL(
        `generated ${seed}`,
        generateKernel(seed, { size: 'small', prints: seed === 2 }).source,
        '',
        'executable',
      ),
    ),
    ...[1, 2, 3, 4].map((seed) => {
      const { source, buildOptions } = generateIdiom(seed, { prints: seed === 2 });
      return fromOpenCL(`idiom ${seed}`, source, buildOptions, 'executable');
    }),
    forBothWidths(),
  ];
}

function fromOpenCL(name: string, source: string, buildOptions: string, kind: BinaryKind): Original {
  const { module, log } = compileOpenCL(source, { name, buildOptions, isUnit: kind !== 'executable' });
  if (!module) throw new Error(`${name}: ${log}`);
  return encoded(name, kind, buildOptions, module);
}

function encoded(name: string, kind: BinaryKind, options: string, module: Module): Original {
  return { name, kind, options, bytes: encodeProgram(kind, options, [module]) };
}

function fromIl(path: string): Original {
  const { program, log } = compileIl(readFileSync(path, 'utf8'), { name: path });
  if (!program) throw new Error(`${path}: ${log}`);
  return encoded(path, 'executable', '', program.module);
}

/** One for each kernel that is launched. */
function fromBrook(path: string): Original[] {
  const { kernels } = compileBrook(path, readFileSync(path, 'utf8'), { kernelsOnly: true });
  const variant = { rank: 2, isResized: false, isLinear: false, isAtOrigin: true, isInside: false };
  return kernels.flatMap((kernel) => {
    if (kernel.form !== 'map' && kernel.form !== 'reduce') return [];
    const text = kernel.form === 'reduce' ? emitReduce(kernel) : emitMap(kernel, variant);
    return [fromOpenCL(`${path}: ${kernel.name}`, text, '', 'executable')];
  });
}

/** With a module for each address width. */
function forBothWidths(): Original {
  const content = features[0]!.source;
  const { binary, log } = buildBinary([{ name: 'both.cl', content }]);
  if (!binary) throw new Error(log);
  return { name: 'for both widths', kind: 'executable', options: '', bytes: binary };
}

/** Running a program of tree.ts as a source in one of the languages, on one device. */
import { BuildError, compile, type Device, type KernelArgument } from 'millrace';
import { brook, getDevices } from 'millrace/brook';
import { compileHost, MemoryFiles, runProgram } from 'millrace/c-host';
import { widenAddresses } from '../../src/api/cal/widen.ts';
import { lowerIl } from '../../src/il/lower/lower.ts';
import { readIl } from '../../src/il/read.ts';
import { printModule } from '../../src/ir/print.ts';
import { finishProgram } from '../../src/opencl/link.ts';
import { Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { asBrook, asHostC, asOpenCL12, asOpenCL20 } from './as-c.ts';
import { asIl } from './as-il.ts';
import type { CommonProgram } from './tree.ts';

export interface Language {
  readonly name: string;
  /** What its sources are called. */
  readonly file: string;
  source(program: CommonProgram): string;
  /** Whether a device takes it; undefined for what runs on none. */
  readonly runsOn?: (device: Device) => boolean;
  /** @throws Error if it does not compile, or fails */
  run(program: CommonProgram, source: string, device: Device | undefined): Promise<Int32Array>;
}

/** Milliseconds for one launch. */
const timeout = 60_000;

async function launched(
  source: string,
  options: string,
  kernel: string,
  program: CommonProgram,
  device: Device,
  argumentsOf: (buffers: readonly KernelArgument[]) => readonly KernelArgument[] = (buffers) => buffers,
): Promise<Int32Array> {
  const built = await compile(source, { device, options, timeout }).catch((error: unknown) => {
    throw error instanceof BuildError ? new Error(error.log) : error;
  });
  try {
    const count = program.inputs[0]?.length ?? 1;
    const results = built.buffer(new Int32Array(count));
    const inputs = program.inputs.map((input) => built.buffer(input.slice()));
    await built.kernel(kernel)({ global: [count], local: [count] }, ...argumentsOf([...inputs, results]));
    return (await results.read(Int32Array)) as Int32Array;
  } finally {
    built.release();
  }
}

const opencl12: Language = {
  name: 'OpenCL C 1.2',
  file: 'generated.cl',
  source: asOpenCL12,
  runsOn: () => true,
  run: (program, source, device) => launched(source, '-cl-std=CL1.2', 'k', program, device!),
};

const opencl20: Language = {
  name: 'OpenCL C 2.0',
  file: 'generated-2.cl',
  source: asOpenCL20,
  // PoCL 3.1 on processors has no generic pointers in this version.
  runsOn: ({ id }) => !id.startsWith('icd:'),
  run: (program, source, device) => launched(source, '-cl-std=CL2.0', 'k', program, device!),
};

const brookPlus: Language = {
  name: 'Brook+',
  file: 'generated.br',
  source: asBrook,
  runsOn: () => true,
  async run(program, source, device) {
    const found = getDevices().find((one) => one.device.runtime.id === device!.id);
    if (!found) throw new Error(`Brook+ has no device '${device!.id}'`);
    const { kernels, stream } = brook(source, { device: found });
    const count = program.inputs[0]?.length ?? 1;
    const streams = [...program.inputs, new Int32Array(count)].map((content) => {
      const made = stream('int', [count]);
      made.read(content);
      return made;
    });
    const results = streams.at(-1)!;
    try {
      kernels['k']!(...streams);
      const found = new Int32Array(count);
      results.write(found);
      if (results.error() !== 'BR_NO_ERROR') throw new Error(results.errorLog());
      return found;
    } finally {
      for (const one of streams) one.release();
    }
  },
};

const il: Language = {
  name: 'AMD IL',
  file: 'generated.il',
  source: asIl,
  runsOn: () => true,
  run(program, source, device) {
    const diagnostics = new Diagnostics();
    const tree = readIl(new SourceFile('generated.il', source), diagnostics);
    const lowered = tree && lowerIl(tree, diagnostics);
    if (!lowered) throw new Error(renderDiagnostics(diagnostics.list));
    // As CAL does it (src/api/cal/module.ts).
    const isWide = device!.info.addressBits === 64;
    const module = isWide ? widenAddresses(lowered.module) : lowered.module;
    finishProgram(module, diagnostics);
    const count = program.inputs[0]?.length ?? 1;
    // Its parameters are memories and their sizes.
    const argumentsOf = (buffers: readonly KernelArgument[]): KernelArgument[] =>
      lowered.parameters.map((parameter) => {
        if (parameter.kind === 'uav') return buffers[parameter.index]!;
        if (parameter.kind === 'uav-size') return count * 4;
        throw new Error(`a parameter of kind '${parameter.kind}'`);
      });
    return launched(printModule(module), '', 'il_main', program, device!, argumentsOf);
  },
};

const hostC: Language = {
  name: 'C host',
  file: 'generated.c',
  source: asHostC,
  async run(_, source) {
    const { bytes, log } = compileHost([{ name: 'generated.c', text: source }], { suppressWarnings: true });
    if (!bytes) throw new Error(log);
    const decoder = new TextDecoder();
    let printed = '';
    const stdout = (piece: Uint8Array): void => {
      printed += decoder.decode(piece, { stream: true });
    };
    const code = runProgram(bytes, { inMemory: { files: new MemoryFiles(), stdout } });
    if (code !== 0) throw new Error(`it ended with ${code}`);
    return Int32Array.from(printed.trim().split('\n'), Number);
  },
};

export const languages: readonly Language[] = [opencl12, opencl20, brookPlus, il, hostC];

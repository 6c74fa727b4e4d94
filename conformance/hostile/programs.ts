/** Texts of programs: OpenCL C, Brook+, AMD IL, IR, and C hosts. */
import { type CompiledBrook, compileBrook } from '../../src/brook/compile.ts';
import { compileIr } from '../../src/build/compile-ir.ts';
import { compileForWasm } from '../../src/devices/wasm/compile-kernels.ts';
import { compileHost } from '../../src/hosted/compile.ts';
import { lowerIl } from '../../src/il/lower/lower.ts';
import { printIl } from '../../src/il/print.ts';
import { readIl } from '../../src/il/read.ts';
import type { Module } from '../../src/ir/ir.ts';
import { printModule } from '../../src/ir/print.ts';
import { verifyModule } from '../../src/ir/verify.ts';
import { compileOpenCL } from '../../src/opencl/compile.ts';
import type { CompileResult } from '../../src/opencl/compile-module.ts';
import { BuildFailure } from '../../src/runtime/device.ts';
import { BuildBudget } from '../../src/source/build-budget.ts';
import { type Diagnostic, Diagnostics } from '../../src/source/diagnostics.ts';
import { renderDiagnostics } from '../../src/source/render.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { outermostUse } from '../../src/source/span.ts';
import { brookBombs, cBombs, ilBombs, irBombs } from './bombs.ts';
import { type HostileKind, hostileText, refusedAs, textsUnder } from './kind.ts';

/** Messages have places in the text, are no novel, and can be shown. */
function checkMessages(list: readonly Diagnostic[]): void {
  for (const { span, message } of list) {
    const { file, start, end } = outermostUse(span);
    if (start < 0 || end < start || end > file.text.length)
      throw new Error(`a message at [${start}, ${end}) of ${file.text.length}: ${message}`);
    if (message === '' || message.length > 4000)
      throw new Error(`a message of ${message.length} characters: ${message.slice(0, 200)}`);
  }
  if (list.length > 1100) throw new Error(`${list.length} messages`);
  const shown = renderDiagnostics(list);
  if (shown.length > 1 << 20) throw new Error(`messages of ${shown.length} characters`);
}

/** As a build on the wasm device does. */
function builtForWasm(module: Module, budget: BuildBudget): Promise<string> {
  return refusedAs([BuildFailure], () => {
    const { bytes } = compileForWasm(module, { shared: true, maximumPages: 16_384, budget }, '');
    // Its error says what is wrong.
    new WebAssembly.Module(bytes as BufferSource);
    return 'built';
  });
}

function compiled({ module, diagnostics, work }: CompileResult): Promise<string> | string {
  checkMessages(diagnostics.list);
  if ((module === undefined) !== diagnostics.errorCount > 0)
    throw new Error(module ? 'a module in spite of errors' : 'no module, and no error');
  if (!module) return 'refused';
  const budget = new BuildBudget();
  budget.spend(work);
  return builtForWasm(module, budget);
}

export function openclKind(): HostileKind {
  const originals = [...textsUnder('samples', '.cl'), ...textsUnder('test', '.cl')];
  return {
    originals: originals.length,
    make: (random) => hostileText(originals, cBombs, random),
    run: (text, random) =>
      compiled(
        compileOpenCL(String(text), {
          name: 'hostile.cl',
          buildOptions: random.pick([
            '',
            '',
            '-cl-std=CL1.0',
            '-cl-std=CL2.0',
            '-cl-std=CL3.0',
            '-cl-fast-relaxed-math',
          ]),
        }),
      ),
  };
}

export function irKind(): HostileKind {
  const originals = [...textsUnder('samples', '.cl').slice(0, 40)].flatMap((source) => {
    const { module } = compileOpenCL(source, { isUnit: true });
    return module ? [printModule(module)] : [];
  });
  return {
    originals: originals.length,
    make: (random) => hostileText(originals, irBombs, random),
    run: (text) => compiled(compileIr(String(text), { name: 'hostile.ir' })),
  };
}

export function ilKind(): HostileKind {
  const originals = textsUnder('samples', '.il').concat(textsUnder('test', '.il'), ilPrograms);
  return {
    originals: originals.length,
    make: (random) => hostileText(originals, ilBombs, random),
    run: (text) => {
      const diagnostics = new Diagnostics();
      const program = readIl(new SourceFile('hostile.il', String(text)), diagnostics);
      checkMessages(diagnostics.list);
      if ((program === undefined) !== diagnostics.errorCount > 0)
        throw new Error('errors and a program, or neither');
      if (!program) return 'refused';
      const again = new Diagnostics();
      if (!readIl(new SourceFile('printed.il', printIl(program)), again))
        throw new Error(`what is printed is refused: ${renderDiagnostics(again.list).slice(0, 1000)}`);
      const lowered = lowerIl(program, diagnostics);
      checkMessages(diagnostics.list);
      if (!lowered) return 'refused';
      const [problem] = verifyModule(lowered.module, 1);
      if (problem) throw new Error(`IR that is not valid: ${problem}`);
      return 'lowered';
    },
  };
}

const ilPrograms = [
  'il_ps_2_0\ndcl_literal l0, 1.0, 2.0, 0x3f, 4.0\ndcl_cb cb0[4]\nwhileloop\n  mad_ieee r0, l0, cb0[r1.x+1], r1\n  break_logicalnz r0.x\nendloop\nmov g[r0.x], r0\nend\n',
  'il_ps_2_0\ndcl_input_position_interp(linear_noperspective) vWinCoord0.xy\ndcl_output_generic o0\ndcl_cb cb0[1]\ndcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\nsample_resource(0)_sampler(0) r0, vWinCoord0.xyxx\nmul o0, r0, cb0[0].x\nend\n',
];

export function brookKind(): HostileKind {
  const originals = [...textsUnder('samples', '.br'), ...textsUnder('test/brook', '.br')];
  return {
    originals: originals.length,
    make: (random) => hostileText(originals, brookBombs, random),
    run: (text, random) => {
      const result: CompiledBrook = compileBrook('hostile.br', String(text), {
        kernelsOnly: true,
        strongTypes: random.below(2) === 0,
        warningLevel: 3,
      });
      checkMessages(result.diagnostics.list);
      return result.hasErrors ? 'refused' : 'checked';
    },
  };
}

export function hostProgramKind(): HostileKind {
  const originals = [...textsUnder('samples', '.c'), ...textsUnder('test/chost', '.c')];
  return {
    originals: originals.length,
    make: (random) => hostileText(originals, cBombs, random),
    run: (text) => {
      const { bytes, diagnostics } = compileHost([{ name: 'hostile.c', text: String(text) }]);
      checkMessages(diagnostics);
      const isRefused = diagnostics.some(({ severity }) => severity === 'error');
      if ((bytes === undefined) !== isRefused)
        throw new Error(bytes ? 'a program in spite of errors' : 'no program, and no error');
      if (!bytes) return 'refused';
      new WebAssembly.Module(bytes as BufferSource);
      return 'built';
    },
  };
}

/** Which instructions there are: docs/il.md has them in two tables, and says of the second why not. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { absentOpcodes } from '../../src/il/absent-opcodes.ts';
import { allOpcodes, type Opcode } from '../../src/il/opcodes.ts';
import { compileLog } from './lower/run-il.ts';

const document = readFileSync(new URL('../../docs/il.md', import.meta.url), 'utf8');

/** The names in a column of a table: `lds_{read_,}add` stands for lds_read_add and lds_add. */
function namesIn(heading: string, column: number): string[] {
  const section = document.split(`### ${heading}\n`)[1]?.split(/\n#/)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .flatMap((row) => [...row.split('|')[column]!.matchAll(/`([\w{},]+)`/g)])
    .flatMap(([, text]) => expanded(text!));
}

function expanded(text: string): string[] {
  const [all, before, list, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text) ?? [];
  if (all === undefined) return [text];
  return list!.split(',').flatMap((one) => expanded(`${before}${one}${after}`));
}

const implemented = namesIn('Implemented', 2);
const refused = namesIn('Refused', 1);

/** A program with an instruction of the right operands, and with all that it may need declared. */
function programOf({ name, operands, modifiers }: Opcode): string {
  const texts = operands
    .filter(({ isOptional }) => !isOptional)
    .map(({ kind }, index) => (kind === 'd' ? 'r1' : kind === 's' ? `r${index + 2}` : '1'));
  const mnemonic = [
    name,
    ...['resource', 'sampler'].filter((one) => modifiers.has(one as 'resource')).map((one) => `_${one}(0)`),
    ...(modifiers.has('id') && !modifiers.has('resource') ? ['_id(0)'] : []),
    ...(modifiers.has('lOffset') ? ['_lOffset(0)'] : []),
  ].join('');
  const written = name.startsWith('uav_raw_store') || name.includes('write_vec') ? 'mem' : 'r1';
  return `il_cs_2_0
dcl_num_thread_per_group 64
dcl_resource_id(0)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
dcl_raw_uav_id(0)
dcl_lds_id(0) 64
dcl_lds_size_per_thread 4
${mnemonic} ${texts.join(', ').replace(/^r1/, written)}
end`;
}

describe('the instructions of the specification', () => {
  it('stand in one table each', () => {
    const names = [...implemented, ...refused];
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const known = [...allOpcodes().map(({ name }) => name), ...absentOpcodes.keys()];
    expect([...names].sort()).toEqual([...known].sort());
  });

  it('that are implemented compile', () => {
    const list = new Set(implemented);
    const tried = allOpcodes().filter(
      ({ name, family }) => list.has(name) && !['declaration', 'flow', 'macro'].includes(family),
    );
    expect(tried.length).toBeGreaterThan(250);
    const wrong = tried.flatMap((opcode) => {
      const log = compileLog(programOf(opcode));
      return /error/.test(log) ? [`${opcode.name}: ${log}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('that are refused say why', () => {
    const byName = new Map(allOpcodes().map((opcode) => [opcode.name, opcode]));
    for (const name of refused) {
      const opcode = byName.get(name);
      if (opcode?.family === 'declaration') continue;
      const log = compileLog(opcode ? programOf(opcode) : `il_cs_2_0\n ${name} r1, r2\nend`);
      expect(log, name).toMatch(new RegExp(`error: ${name} is not supported: \\w`));
    }
  });

  it('that are refused as declarations say why', () => {
    const log = (line: string): string => compileLog(`il_cs_2_0\n${line}\nend`);
    expect(log('dcl_gds_id(0) 64')).toMatch(/2:1: error: there is no memory that all groups share/);
    expect(log('dcl_struct_gds_id(0) 4, 64')).toMatch(/there is no memory that all groups share/);
    expect(log('dcl_raw_srv_id(0)')).toMatch(/raw and structured inputs/);
    expect(log('dcl_struct_srv_id(0) 16')).toMatch(/raw and structured inputs/);
    expect(log('dcl_shared_temp sr0')).toMatch(/shared registers/);
    expect(log('init_shared_registers')).toMatch(/shared registers/);
    expect(log('dcl_input_primitive_x r1')).toMatch(
      /2:1: error: dcl_input_primitive is not supported: it is of geometry/,
    );
    expect(log('fence_gds')).toMatch(/there are no registers or memories that all groups share/);
  });
});

describe('the end', () => {
  it('may come twice, and macros may come between', () => {
    const program = (...lines: string[]): string =>
      compileLog(
        ['il_ps_2_0', 'dcl_output_generic o0', 'mcall(1) (r0), (r0)', 'mov o0, r0', ...lines].join('\n'),
      );
    const macro = ['mdef(1)_out(1)_in(1)', 'mov out0, in0', 'mend'];
    expect(program('end', ...macro, 'end')).toBe('');
    expect(program('endmain', 'end', 'end', ...macro, '; a comment', '##!!BRCC')).toBe('');
    expect(program(...macro, 'func 1', 'ret', 'endfunc', 'end', 'end')).toBe('');
    expect(program(...macro, 'end', 'end', 'ret')).toMatch(/error: ret stands after the end of the program/);
    expect(program(...macro, 'end', 'il_ps_2_0')).toMatch(/a program has one header, and this is the second/);
  });
});

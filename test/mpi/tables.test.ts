/** The engines' numbers in src/mpi/engines, against the headers that their packages come with. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorClasses, type HandleName, handles, numbers } from '../../src/mpi/constants.ts';
import { mpichTable } from '../../src/mpi/engines/mpich.ts';
import { openMpiTable } from '../../src/mpi/engines/open-mpi.ts';
import { candidates } from '../../src/mpi/library.ts';
import { signatures } from '../../src/mpi/signatures.ts';
import { engines } from '../support/mpi.ts';

const tables = { 'Open MPI': openMpiTable, MPICH: mpichTable };
const compiled = engines.filter(({ compiler }) => spawnSync(compiler, ['--version']).status === 0);

/** What the preprocessor or a program makes of expressions, by their names. */
function ask(compiler: string, text: string, isRun: boolean): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-mpi-'));
  try {
    const [source, file] = [join(folder, 'ask.c'), join(folder, 'ask')];
    writeFileSync(source, text);
    const options = isRun ? [source, '-o', file] : ['-E', '-P', source];
    const made = spawnSync(compiler, options, { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stderr);
    const { stdout } = isRun ? spawnSync(file, { encoding: 'utf8' }) : made;
    const found = [...stdout.matchAll(/^"?(\w+)@"?[ ]?(.*)$/gm)];
    return new Map(found.map(([, name, value]) => [name!, value!.trim()]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const number = (name: string): string => `  printf("${name}@ %ld\\n", (long)${name});\n`;

const programOf = (statements: string): string =>
  `#include <mpi.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n${statements}  return 0;\n}\n`;

describe(`tables of engines${compiled.length === 0 ? ' (SKIPPED: there is no mpicc)' : ''}`, () => {
  it.each(compiled)('$name: numbers, statuses and classes of errors are the header’s', (engine) => {
    const table = tables[engine.name];
    const { status } = table;
    const classes = errorClasses.filter((name) => table.errorClasses.includes(name));
    const places = { source: 'MPI_SOURCE', tag: 'MPI_TAG', error: 'MPI_ERROR' };
    const found = ask(
      engine.compiler,
      programOf(
        [
          ...Object.keys(numbers),
          ...classes,
          'MPI_IN_PLACE',
          'MPI_BOTTOM',
          'MPI_STATUS_IGNORE',
          'MPI_STATUSES_IGNORE',
        ]
          .map(number)
          .join('') +
          Object.entries(places)
            .map(([name, field]) => `  printf("${name}@ %zu\\n", offsetof(MPI_Status, ${field}));\n`)
            .join('') +
          '  printf("bytes@ %zu\\n", sizeof(MPI_Status));\n  printf("handle@ %zu\\n", sizeof(MPI_Comm));\n',
      ),
      true,
    );
    const value = (name: string): number => Number(found.get(name));
    for (const [name, known] of Object.entries(table.numbers))
      expect([name, known]).toEqual([name, value(name)]);
    for (const name of classes) expect([name, table.errorClasses.indexOf(name)]).toEqual([name, value(name)]);
    expect(classes.length).toBeGreaterThan(50);
    for (const name of ['bytes', 'source', 'tag', 'error'] as const) expect(status[name]).toBe(value(name));
    expect(table.inPlace).toBe(value('MPI_IN_PLACE'));
    expect(value('MPI_BOTTOM')).toBe(0);
    expect(table.statusIgnore).toBe(value('MPI_STATUS_IGNORE'));
    expect(table.statusIgnore).toBe(value('MPI_STATUSES_IGNORE'));
    expect(table.handleType).toBe(value('handle') === 4 ? 'int32_t' : 'uintptr_t');
  });

  it.each(compiled)('$name: handles are the header’s', (engine) => {
    const table = tables[engine.name];
    const names = Object.keys(handles) as HandleName[];
    const isNumber = table.handleType === 'int32_t';
    const text = isNumber
      ? programOf(names.map(number).join(''))
      : `#include <mpi.h>\n${names.map((name) => `"${name}@" ${name}`).join('\n')}\n`;
    const found = ask(engine.compiler, text, isNumber);
    for (const name of names) {
      const known = table.handle(name);
      const value = found.get(name);
      if (isNumber) expect([name, (known as number) | 0]).toEqual([name, Number(value) | 0]);
      // A macro around the address of an object.
      else expect([name, /&?\(?\b(ompi_\w+)\b\)*$/.exec(value!)?.[1]]).toEqual([name, known]);
    }
  });
});

describe('MPI functions', () => {
  it.each(compiled)('$name has all that are called, with as many parameters', (engine) => {
    const calls = [...signatures].map(([name, { length }]) => ({ name, count: length }));
    expect(calls.length).toBeGreaterThan(130);
    const text = declared(engine.compiler);
    for (const { name, count } of calls) expect([name, text.get(name)]).toEqual([name, count]);
  });
});

/** How many parameters the header gives each function. */
function declared(compiler: string): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-mpi-'));
  try {
    const source = join(folder, 'ask.c');
    writeFileSync(source, '#include <mpi.h>\n');
    const { stdout } = spawnSync(compiler, ['-E', '-P', source], { encoding: 'utf8' });
    const found = new Map<string, number>();
    for (const [, name, list] of stdout.matchAll(/\b(MPI_\w+)\s*\(([^;{]*?)\)\s*(?:__attribute__[^;]*)?;/g)) {
      const inner = list!.trim();
      found.set(name!, inner === 'void' || inner === '' ? 0 : inner.split(',').length);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('which library is opened', () => {
  it('is the one that is asked for, else one that suits the launcher', () => {
    expect(candidates('linux', 'openmpi')).toContain('libmpi.so.40');
    expect(candidates('linux', 'mpich')).toContain('libmpich.so.12');
    expect(candidates('linux', 'abi')).toContain('libmpi_abi.so.0');
    expect(candidates('linux', '/opt/mpi/libmpi.so')).toEqual(['/opt/mpi/libmpi.so']);
    const kept = process.env['OMPI_COMM_WORLD_SIZE'];
    try {
      process.env['OMPI_COMM_WORLD_SIZE'] = '4';
      expect(candidates('linux', undefined)[0]).toBe('libmpi.so.40');
      delete process.env['OMPI_COMM_WORLD_SIZE'];
      process.env['PMI_SIZE'] = '4';
      const names = candidates('linux', undefined);
      expect(names.indexOf('libmpich.so.12')).toBeLessThan(names.indexOf('libmpi.so.40'));
    } finally {
      delete process.env['PMI_SIZE'];
      if (kept !== undefined) process.env['OMPI_COMM_WORLD_SIZE'] = kept;
    }
    expect(candidates('plan9', undefined)).toEqual([]);
  });
});

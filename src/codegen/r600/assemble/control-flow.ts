/** The instructions of control flow, a line each: clauses' heads, writes and branches. */
import type { AluClauseName, ControlFlow, WriteInstruction } from '../program.ts';
import type { Cursor } from './cursor.ts';
import { place, register, swizzle } from './operands.ts';

/** A clause whose instructions follow, or an instruction that is whole. Branches lead to numbers of the text. */
export type Head =
  | { readonly kind: 'alu'; readonly name: AluClauseName }
  | { readonly kind: 'fetch'; readonly name: 'TEX' | 'VTX' }
  | Extract<ControlFlow, { kind: 'write' | 'branch' }>;

const mostNumbers = 99_999;

/** Reads what is behind the number. Addresses, counts and locks of constants follow from the rest, and are not kept. */
export function controlFlow(cursor: Cursor): Head {
  const start = cursor.here();
  const name = cursor.word(/\w+/y);
  switch (name) {
    case 'ALU':
    case 'ALU_PUSH_BEFORE':
    case 'ALU_POP_AFTER':
    case 'ALU_BREAK':
      cursor.expect(':');
      clauseDetails(cursor, /KCACHE[01]\(CB\d+:\d+-\d+\)/y);
      return { kind: 'alu', name };
    case 'TEX':
    case 'VTX':
      cursor.expect(':');
      clauseDetails(cursor, /VALID_PIX\b/y);
      return { kind: 'fetch', name };
    case 'JUMP':
    case 'ELSE':
    case 'BREAK':
    case 'CONTINUE':
      return branch(cursor, start, name, 'ADDR(', cursor.accept('POP_CNT(1)') ? 1 : 0);
    case 'POP':
      cursor.accept('(1)');
      return branch(cursor, start, name, 'ADDR(', 1);
    case 'LOOP_DX10':
      cursor.word(/i\d+/y);
      return branch(cursor, start, name, 'FAIL_JUMP_ADDR(', 0);
    case 'ENDLOOP':
      cursor.word(/i\d+/y);
      return branch(cursor, start, name, 'PASS_JUMP_ADDR(', 0);
    case 'EXP':
    case 'EXP_DONE':
    case 'MEM_EXPORT_WRITE_IND':
    case 'MEM_SCRATCH_WRITE':
    case 'MEM_SCRATCH_WRITE_IND':
    case 'LOCAL_DS_WRITE':
      cursor.expect(':');
      return { kind: 'write', write: write(cursor, start, name) };
    default:
      return cursor.fail(
        start,
        name === '' ? 'expected an instruction' : `'${name}' is no instruction of control flow`,
      );
  }
}

function clauseDetails(cursor: Cursor, more: RegExp): void {
  while (!cursor.isLineDone) {
    if (cursor.word(/(?:ADDR|CNT)\(\d+\)/y) === '' && cursor.read(more) === '')
      cursor.lost('expected what belongs to the head of a clause');
  }
}

type Branch = Extract<ControlFlow, { kind: 'branch' }>;

function branch(cursor: Cursor, start: number, name: Branch['name'], opening: string, pops: 0 | 1): Branch {
  cursor.expect(opening);
  const to = cursor.number('the number of an instruction', mostNumbers);
  cursor.expect(')');
  return { kind: 'branch', name, to, pops, depth: 0, span: cursor.spanFrom(start) };
}

function write(
  cursor: Cursor,
  start: number,
  name: 'EXP' | 'EXP_DONE' | 'MEM_SCRATCH_WRITE' | Exclude<WriteInstruction['name'], 'EXP'>,
): WriteInstruction {
  if (name === 'EXP' || name === 'EXP_DONE') {
    cursor.expect('PIX');
    const base = cursor.number('the number of an output', 7);
    cursor.expect(',');
    const source = register(cursor);
    const channels = swizzle(cursor);
    const isLast = name === 'EXP_DONE';
    return { name: 'EXP', source, channels, index: undefined, base, isLast, span: cursor.spanFrom(start) };
  }
  let base = 0;
  if (name !== 'LOCAL_DS_WRITE') {
    cursor.expect(name === 'MEM_EXPORT_WRITE_IND' ? 'DWORD_PTR' : 'VEC_PTR');
    cursor.expect('[');
    base = cursor.number('where the memory begins', 0xffff);
    if (name !== 'MEM_SCRATCH_WRITE') cursor.expect('+');
  } else cursor.expect('[');
  const indexAt = cursor.here();
  const index = name === 'MEM_SCRATCH_WRITE' ? undefined : place(cursor);
  if (index?.file === 'temporary')
    cursor.fail(indexAt, 'a clause temporary is not there outside of its clause');
  cursor.expect(']');
  cursor.expect(',');
  const source = register(cursor);
  const maskAt = cursor.here();
  const channels = swizzle(cursor);
  if (channels.some((channel, lane) => channel !== undefined && channel !== lane))
    cursor.fail(maskAt, 'words are written in their order: x, y, z, w, with _ for those that are left out');
  if (name === 'MEM_EXPORT_WRITE_IND' && cursor.accept(',')) cursor.expect('ELEM_SIZE(3)');
  const kind = name === 'MEM_SCRATCH_WRITE' ? 'MEM_SCRATCH_WRITE_IND' : name;
  return { name: kind, source, channels, index, base, isLast: false, span: cursor.spanFrom(start) };
}

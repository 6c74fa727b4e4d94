/** What moves in front of loops of code written here, and what must stay. */
import { describe, expect, it } from 'vitest';
import {
  type GeneralRegister,
  immediate,
  label,
  memory,
} from '../../../../src/codegen/x64/assembler/instruction.ts';
import { Program } from '../../../../src/codegen/x64/assembler/program.ts';
import { MachineFunction } from '../../../../src/codegen/x64/machine/function.ts';
import { licm } from '../../../../src/codegen/x64/machine/licm.ts';

interface Writer {
  readonly fn: MachineFunction;
  /** Set before the loop. */
  readonly a: GeneralRegister;
  readonly b: GeneralRegister;
  /** Counts the iterations. */
  readonly counter: GeneralRegister;
  readonly r: () => GeneralRegister;
}

/** The mnemonics of a loop that counts to b, and of what is in front of it, behind the three that set the registers. */
function loop(body: (writer: Writer) => void): { before: string; within: string } {
  const fn = new MachineFunction('f', new Program());
  const r = (): GeneralRegister => fn.general(32);
  const [a, b, counter] = [r(), r(), r()];
  fn.emit('mov', a, immediate(5));
  fn.emit('mov', b, immediate(9));
  fn.emit('mov', counter, immediate(0));
  const head = fn.newLabel();
  fn.place(head);
  fn.depth = 1;
  body({ fn, a, b, counter, r });
  fn.emit('add', counter, immediate(1));
  fn.emit('cmp', counter, b);
  fn.jump('jl', head);
  fn.depth = 0;
  licm(fn);
  const at = fn.items.findIndex((item) => item.kind === 'label');
  const names = (from: number, to?: number): string =>
    fn.items
      .slice(from, to)
      .flatMap((item) => (item.kind === 'label' ? [] : [item.instruction.mnemonic]))
      .join(' ');
  return { before: names(3, at), within: names(at) };
}

const counting = 'add cmp jl';
/** Keeps a value: a write to memory stays where it is. */
const keep = ({ fn, counter }: Writer, value: GeneralRegister): void =>
  fn.emit('mov', memory(32, { base: { ...counter, bits: 64 } }), value);

describe('of a loop', () => {
  it('values of several instructions move, with the numbers that they need', () => {
    const { before, within } = loop((w) => {
      const { fn, a, b, r } = w;
      const [value, number, product] = [r(), r(), r()];
      fn.emit('mov', value, a);
      fn.emit('add', value, b);
      fn.emit('mov', number, immediate(77));
      fn.emit('mov', product, value);
      fn.emit('imul', product, number);
      keep(w, product);
    });
    expect(before).toBe('mov add mov mov imul');
    expect(within).toBe(`mov ${counting}`);
  });

  it('the comparison whose flags a value takes moves with it, and stays for those who do not', () => {
    const body =
      (jumps: boolean) =>
      (w: Writer): void => {
        const { fn, a, b, r } = w;
        const value = r();
        const end = fn.newLabel();
        fn.emit('mov', value, a);
        fn.emit('cmp', a, b);
        fn.emit('cmovl', value, b);
        if (jumps) fn.jump('je', end);
        keep(w, value);
        if (jumps) fn.place(end);
      };
    expect(loop(body(false))).toEqual({ before: 'mov cmp cmovl', within: `mov ${counting}` });
    expect(loop(body(true))).toEqual({ before: 'mov cmp cmovl', within: `cmp je mov ${counting}` });
  });

  const stays = {
    'what depends on the iteration': ({ fn, counter }, value) =>
      fn.emit('lea', value, memory(32, { base: { ...counter, bits: 64 }, offset: 4 })),
    'what is read from memory': ({ fn, a }, value) =>
      fn.emit('mov', value, memory(32, { base: { ...a, bits: 64 } })),
    'a number alone': ({ fn }, value) => fn.emit('mov', value, immediate(3)),
    'what the iteration before has left': ({ fn, a, b }, value) => {
      fn.emit('mov', a, value);
      fn.emit('mov', value, b);
    },
    'what is written in two places': ({ fn, a, b }, value) => {
      const end = fn.newLabel();
      fn.emit('mov', value, a);
      fn.emit('cmp', a, b);
      fn.jump('je', end);
      fn.emit('add', value, b);
      fn.place(end);
    },
    'what is read before it is complete': (w, value) => {
      const { fn, a, b } = w;
      fn.emit('mov', value, a);
      keep(w, value);
      fn.emit('add', value, b);
    },
    'what sets flags that a jump takes': ({ fn, a, b }, value) => {
      const end = fn.newLabel();
      fn.emit('mov', value, a);
      fn.emit('sub', value, b);
      fn.jump('je', end);
      fn.place(end);
    },
    'a division, which may fail': ({ fn, a, b }, value) => {
      fn.append({ mnemonic: 'div', operands: [b] }, { uses: [0, 2], definitions: [0, 2] });
      fn.emit('mov', value, { ...a, number: 0 });
    },
  } satisfies Record<string, (writer: Writer, value: GeneralRegister) => void>;

  it.each(Object.entries(stays))('%s stays', (_, write: (writer: Writer, value: GeneralRegister) => void) => {
    let written = '';
    const { before, within } = loop((w) => {
      const value = w.r();
      const first = w.fn.items.length;
      write(w, value);
      keep(w, value);
      written = w.fn.items
        .slice(first)
        .flatMap((item) => (item.kind === 'label' ? [] : [item.instruction.mnemonic]))
        .join(' ');
    });
    expect(before).toBe('');
    expect(within).toBe(`${written} ${counting}`);
  });

  it('what an inner loop computes alike leaves both', () => {
    const { before, within } = loop((w) => {
      const { fn, a, b, r } = w;
      const [inner, turns, value] = [fn.newLabel(), r(), r()];
      fn.emit('mov', turns, immediate(0));
      fn.place(inner);
      fn.depth = 2;
      fn.emit('lea', value, memory(32, { base: { ...a, bits: 64 }, offset: 1 }));
      keep(w, value);
      fn.emit('add', turns, immediate(1));
      fn.emit('cmp', turns, b);
      fn.jump('jl', inner);
      fn.depth = 1;
    });
    expect(before).toBe('lea');
    expect(within).toBe(`mov mov add cmp jl ${counting}`);
  });
});

it('code without loops is left as it is', () => {
  const fn = new MachineFunction('f', new Program());
  const end = fn.newLabel();
  fn.emit('mov', fn.general(32), immediate(1));
  fn.emit('jmp', label(end));
  fn.place(end);
  const { items } = fn;
  licm(fn);
  expect(fn.items).toBe(items);
});

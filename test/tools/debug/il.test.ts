/** Debugging programs in AMD IL by their instructions: the values of registers are worked out by hand. */
import { describe, expect, it } from 'vitest';
import { compileIl } from '../../../src/build/compile-il.ts';
import type { LaunchArgument } from '../../../src/ir/interpreter.ts';
import { DebugSession } from '../../../src/tools/debug/session.ts';

const program = `il_cs_2_0
dcl_num_thread_per_group 2
dcl_cb cb0[1]
dcl_literal l0, 0x3f800000, 2, 0x40400000, 0xffffffff
itof r10, vTid.x
mad_ieee r2.xy__, r10, cb0[0].x, l0.x
mov r1.x___, l0.y
call 1
call 1
mov g[vaTid.x], r2
endmain
func 1
iadd r1.x, r1.x, l0.w
ret
endfunc
end
`;

function ilSession(text = program) {
  const { program: lowered, log } = compileIl(text, { name: 'a.il', keepsRegisters: true });
  if (!lowered) throw new Error(log);
  const global = new Float32Array(16);
  const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer);
  const args = lowered.parameters.map(({ kind }): LaunchArgument => {
    if (kind === 'global-size') return { kind: 'bytes', bytes: bytesOf(Int32Array.of(4)) };
    const isGlobal = kind === 'global';
    const bytes = bytesOf(isGlobal ? global : Float32Array.of(0.5, 0, 0, 0));
    return { kind: 'buffer', space: isGlobal ? 'global' : 'constant', name: kind, bytes: () => bytes };
  });
  const range = { globalSize: [4], localSize: [2] };
  const session = new DebugSession({ module: lowered.module, kernel: 'il_main', range, args });
  return { session, global };
}

describe('programs in IL', () => {
  it('go by instructions, through functions where they are called', async () => {
    const { session } = ilSession();
    const lines = [(await session.start()).place?.line];
    for (let step = 0; step < 8; step += 1) lines.push((await session.stepOver()).place?.line);
    expect(lines).toEqual([5, 6, 7, 8, 13, 9, 13, 10, 16]);
    expect((await session.stepBack()).place?.line).toBe(10);
    expect((await session.stepBack()).place?.line).toBe(13);
  });

  it('stop in a function at each call of it', async () => {
    const { session } = ilSession();
    await session.start();
    session.addBreakpoint({ line: 13, item: [1] });
    const left: string[] = [];
    for (let stop = await session.continue(); stop.reason === 'breakpoint'; stop = await session.continue()) {
      left.push(session.evaluate('as_int(r1.x)').text);
    }
    expect(left).toEqual(['2', '1']);
  });

  it('show registers as floats and as integers, and the memory that is bound', async () => {
    const { session } = ilSession();
    await session.start();
    session.select([1]);
    await session.runTo(13);
    const { private: registers, arguments: given } = session.variables();
    expect(registers.map(({ name, text }) => [name, text])).toEqual([
      ['r1', '(2.8026e-45, not set, not set, not set), as integers (2, not set, not set, not set)'],
      ['r2', '(1.5, 1.5, not set, not set)'],
      ['r10', '(1, 1, 1, 1)'],
      ['vaTid', '(1.4013e-45, 0, 0, 0), as integers (1, 0, 0, 0)'],
      ['vTid', '(1.4013e-45, 0, 0, 0), as integers (1, 0, 0, 0)'],
    ]);
    const parts = registers[0]!.children();
    expect(parts.map(({ name }) => name)).toEqual(['x', 'y', 'z', 'w', 'as integers']);
    expect(parts[4]!.children(0, 1)[0]!.text).toBe('2');
    expect(given.map(({ name, type }) => [name, type])).toEqual([
      ['cb0', '__constant float4 *'],
      ['g', '__global float4 *'],
      ['g_size', 'int'],
    ]);
    expect(session.evaluate('cb0[0].x').text).toBe('0.5');
    expect(session.evaluate('r2', 0, 'hexadecimal').text).toContain('(0x3fc00000, 0x3fc00000,');
  });

  it('compute with registers that somebody has changed', async () => {
    const { session, global } = ilSession();
    await session.start();
    await session.runTo(7);
    session.change('r2.x = 8');
    await session.continue();
    // r2 = id * 0.5 + 1, but for the first.
    expect([global[0], global[1], global[4], global[5]]).toEqual([8, 1, 1.5, 1.5]);
  });

  it('may divide by zero, for IL says what that gives', async () => {
    const divided = program.replace(
      /call 1\ncall 1\n/,
      'udiv r2, l0.y, vTid.x\numod r2._y__, l0.y, vTid.x\n',
    );
    const { session, global } = ilSession(divided);
    await session.start();
    expect((await session.continue()).reason).toBe('ended');
    expect([...new Int32Array(global.buffer, 0, 6)]).toEqual([-1, -1, -1, -1, 2, 0]);
  });
});

/** An independent disassembler: binutils' objdump, where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether there is an objdump that knows x86-64. */
export const hasObjdump = (() => {
  try {
    return /x86-64/.test(
      execFileSync('objdump', ['-i'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return false;
  }
})();

/** What objdump says is at each place, without its remarks. Addresses relative to the instruction are given as what they reach. */
export function disassemble(code: Uint8Array): Map<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-x64-'));
  try {
    const file = join(folder, 'code');
    writeFileSync(file, code);
    const options = '-D -b binary -m i386:x86-64 -M intel -w --no-show-raw-insn'.split(' ');
    const text = execFileSync('objdump', [...options, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const found = new Map<number, string>();
    for (const line of text.split('\n')) {
      const parts = /^\s*([0-9a-f]+):\t(.*)$/.exec(line);
      if (parts) found.set(Number.parseInt(parts[1]!, 16), plain(parts[2]!));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function plain(text: string): string {
  const reached = /# (0x[0-9a-f]+)/.exec(text)?.[1];
  const address = reached ? text.replace(/\[rip[+-]0x[0-9a-f]+\]/, `[${reached}]`) : text;
  return normal(address.replace(/#.*/, '').replace('{evex} ', ''));
}

/** Text without what disassemblers write in different ways: spaces, displacements of 0, `1` for `0x1`. */
export function normal(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\+0x0\]/, ']')
    .replace(/,1$/, ',0x1');
}

/** What editors are told of Brook+ and AMD IL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBrookSource } from '../../../src/hosted/check-brook.ts';
import { readText, type TextLanguage } from '../../../src/tools/language-service/index.ts';
import { Random } from '../../support/random.ts';

const brook = `#include "sizes.h"
int before; // Nothing of the kernel's.
// Twice the input,
// element by element.
kernel void twice(float a<>, out float b<>) {
  b = a * FACTOR + LENGTH;
}
/*
 * Adds up.
 */
reduce void total(float a<>, reduce float sum<>) {
  sum += a;
}
int main(void) {
  streamRead(A, x);
}
`;

describe('Brook+', () => {
  it('is read with the definitions and folders of the build options', () => {
    const asked: string[] = [];
    const files = {
      read: (path: string) => {
        asked.push(path);
        return path.endsWith('include/sizes.h') ? '#define LENGTH 3.0f\n' : undefined;
      },
    };
    const messages = (buildOptions: string) =>
      readText('brook', brook, { name: 'a.br', buildOptions, files })
        .diagnostics()
        .map(({ message }) => message);
    expect(messages('-DFACTOR=2.0f -I include')).toEqual([]);
    expect(asked).toContain('include/sizes.h');
    expect(messages('-I include').join()).toContain('FACTOR');
    expect(messages('-DFACTOR=2.0f').join()).toContain('LENGTH');
  });

  it('tells of the host part, if its headers are there', () => {
    const messages = (text: string, name = 'a.br') =>
      readText('brook', text, { name, checkHost: checkBrookSource })
        .diagnostics()
        .map(({ message, span }) => `${span.file.presumed(span.start).line}: ${message}`);
    const kernel = 'kernel void twice(float a<>, out float b<>) {\n  b = a * 2.0f;\n}\n';
    const host = `#include <stdio.h>
int main(void) {
  float data[4] = {1, 2, 3, 4};
  float s<4>, t<4>;
  streamRead(s, data);
  twice(s, t);
  streamWrite(t, data);
  printf("%g\\n", data[0]);
  return 0;
}
`;
    expect(messages(kernel + host)).toEqual([]);
    expect(messages(kernel + host.replace('return 0', 'return nothing'))).toEqual([
      "12: use of undeclared identifier 'nothing'",
    ]);
    expect(messages(kernel.replace('a * 2', 'c * 2') + host).join()).toMatch(/^2: .*c/);
    // A header of C++, of which there is none, and a header of kernels.
    const inCpp = `${kernel}#include <iostream>\nint main() { std::cout << 1; }\n`;
    expect(messages(inCpp)).toEqual([]);
    expect(messages(inCpp.replace('a * 2', 'c * 2')).join()).toMatch(/^2: .*c/);
    expect(messages(`${kernel}int x = nothing;\n`, 'a.brh')).toEqual([]);
  });

  it('has the comments above kernels, and what hosts call', () => {
    const reading = readText('brook', brook);
    const hover = (word: string) => reading.hover(brook.indexOf(word))?.text;
    expect(hover('twice(')).toMatch(/out float b<>\)\n```\n\nTwice the input,\nelement by element\.$/);
    expect(hover('total(')).toMatch(/Adds up\.$/);
    expect(hover('streamRead')).toContain('streamRead(stream, array)');
  });
});

describe('AMD IL', () => {
  const help = (line: string) =>
    readText('il', `il_ps_2_0\n${line}`).signatureHelp(`il_ps_2_0\n${line}`.length);

  it('tells the operands of the instruction that is being written', () => {
    const found = help('  mad_ieee r0.x___, cb0[r1.x, 2], ')!;
    const { label, parameters } = found.signatures[0]!;
    const { start, end } = parameters[found.activeParameter]!;
    expect([label, label.slice(start, end)]).toEqual(['mad dst, src0, src1, src2', 'src1']);
    expect(help('sample_resource(0)_sampler(0) ')?.signatures[0]?.label).toBe('sample dst, src0, [src1]');
    expect(help('end ')).toBeUndefined();
    expect(help('nothing r0, ')).toBeUndefined();
    expect(help('mad')).toBeUndefined();
    expect(help('mad r0, ; a comment, ')).toBeUndefined();
  });
});

it('answers whatever is cut out of a text', () => {
  const samples = join(import.meta.dirname, '../../../samples');
  const il =
    'il_ps_2_0\ndcl_cb cb0[1]\nmad r0, v0, cb0[0].x, l0\nwhileloop\nbreak_logicalnz r1.x\nendloop\nend\n';
  const texts: readonly (readonly [TextLanguage, string])[] = [
    ['opencl', readFileSync(join(samples, 'image-filters/image-filters.cl'), 'utf8')],
    ['brook', readFileSync(join(samples, 'brook-sum/sum.br'), 'utf8')],
    ['brook', brook],
    ['il', il],
  ];
  const random = new Random(7);
  for (let round = 0; round < 80; round += 1) {
    const [language, whole] = texts[round % texts.length]!;
    const from = random.below(whole.length);
    const text = whole.slice(0, from) + whole.slice(from + random.below(round % 3 === 0 ? 300 : 8));
    const reading = readText(language, text);
    const ask = () => {
      reading.diagnostics();
      reading.symbols();
      reading.folding();
      reading.semanticTokens();
      for (const at of [from, random.below(text.length + 1)]) {
        reading.hover(at);
        reading.completions(at);
        reading.signatureHelp(at);
        reading.definition(at);
        reading.references(at);
        reading.renameable(at);
      }
    };
    expect(ask, text).not.toThrow();
  }
});

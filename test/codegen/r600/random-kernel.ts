/**
 * Makes up kernels of what the R600 family can compute exactly: words and floats without division, vectors, conditions, loops
 * that are left early, switches. Buffers hold a word and a float a work-item, and four words for reads of others.
 */

export interface RandomKernel {
  readonly source: string;
  readonly items: number;
}

export class Numbers {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 12345) >>> 0;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

export function randomKernel(seed: number, statements = 5): RandomKernel {
  const numbers = new Numbers(seed);
  const ints = ['i0', 'i1', 'i2'];
  const floats = ['f0', 'f1', 'f2'];
  let loops = 0;

  const int = (depth: number): string => {
    if (depth <= 0) return numbers.below(3) === 0 ? String(numbers.below(41) - 20) : numbers.of(ints);
    const [a, b] = [int(depth - 1), int(depth - 1)];
    switch (numbers.below(12)) {
      case 0:
        return `(${a} * ${b})`;
      case 1:
        return `(${a} << (${b} & 7))`;
      case 2:
        return `(${a} >> (${b} & 15))`;
      case 3:
        return `max(${a}, ${b})`;
      case 4:
        return `(${condition(depth - 1)} ? ${a} : ${b})`;
      case 5:
        return `(int)floor(fmin(fmax(${float(depth - 1)}, -1e6f), 1e6f))`;
      case 6:
        return `in[(${a} & 7)]`;
      case 7:
        return `(${a} / ((${b} & 15) + 1))`;
      case 8:
        return `(int)((uint)${a} % ((uint)(${b} & 63) + 1u))`;
      case 9:
        return `popcount(${a})`;
      default:
        return `(${a} ${numbers.of(['+', '-', '&', '|', '^'])} ${b})`;
    }
  };
  const float = (depth: number): string => {
    if (depth <= 0)
      return numbers.below(3) === 0 ? `${(numbers.below(64) / 8 - 4).toFixed(3)}f` : numbers.of(floats);
    const [a, b] = [float(depth - 1), float(depth - 1)];
    switch (numbers.below(9)) {
      case 0:
        return `fabs(${a})`;
      case 1:
        return `(- ${a})`;
      case 2:
        return `floor(${a})`;
      case 3:
        return `(float)(${int(depth - 1)} & 1023)`;
      case 4:
        return `(${condition(depth - 1)} ? ${a} : ${b})`;
      case 5:
        return `dot(v, (float4)(${a}, ${b}, 1.0f, 0.5f))`;
      case 6:
        return `v.${numbers.of([...'xyzw'])}`;
      default:
        return `(${a} ${numbers.of(['+', '-', '*'])} ${b})`;
    }
  };
  const condition = (depth: number): string =>
    numbers.below(2) === 0
      ? `(${int(depth)} ${numbers.of(['<', '>', '==', '!=', '<=', '>='])} ${int(depth)})`
      : `(${float(depth)} ${numbers.of(['<', '>', '<=', '>='])} ${float(depth)})`;
  const block = (depth: number, isInLoop: boolean, count: number, indent: string): string =>
    Array.from({ length: count }, () => statement(depth, isInLoop, indent)).join('');
  const statement = (depth: number, isInLoop: boolean, indent: string): string => {
    const inner = `${indent}  `;
    switch (numbers.below(depth > 0 ? 10 : 5)) {
      case 0:
      case 1:
        return `${indent}${numbers.of(ints)} = ${int(2)};\n`;
      case 2:
        return `${indent}${numbers.of(floats)} = ${float(2)};\n`;
      case 3:
        return `${indent}v.${numbers.of([...'xyzw'])} = ${float(1)};\n`;
      case 4:
        if (!isInLoop) return `${indent}v = v.${numbers.of(['wzyx', 'yzwx', 'xxzz'])} * ${float(1)};\n`;
        return `${indent}if (${condition(1)}) ${numbers.of(['break', 'continue', 'continue', 'break'])};\n`;
      case 5:
      case 6:
        return `${indent}if (${condition(1)}) {\n${block(depth - 1, isInLoop, 2, inner)}${indent}} else {\n${block(depth - 1, isInLoop, 2, inner)}${indent}}\n`;
      case 7:
        return `${indent}if (${condition(1)}) {\n${block(depth - 1, isInLoop, 2, inner)}${indent}}\n`;
      case 8: {
        loops += 1;
        const name = `n${loops}`;
        return `${indent}for (int ${name} = 0; ${name} < (${numbers.of(ints)} & 3) + 1; ${name}++) {\n${block(depth - 1, true, 3, inner)}${indent}}\n`;
      }
      default: {
        const cases = [0, 1].map(
          (value) => `${inner}case ${value}:\n${block(0, false, 1, `${inner}  `)}${inner}  break;\n`,
        );
        const otherwise = `${inner}default:\n${block(0, false, 1, `${inner}  `)}`;
        return `${indent}switch (${int(1)} & 3) {\n${cases.join('')}${otherwise}${indent}}\n`;
      }
    }
  };

  const body = block(3, false, statements, '  ');
  const source = `kernel void k(global int *out, global float *reals, global const int *in, int i2, float f2) {
  int id = get_global_id(0);
  int i0 = in[id & 7], i1 = id;
  float f0 = (float)i0 * 0.25f, f1 = 1.5f;
  float4 v = (float4)(f0, f1, f2, 2.0f);
${body}  out[id * 2] = i0 ^ i1;
  out[id * 2 + 1] = i2;
  vstore4((float4)(f0, f1, f2, v.x + v.y), id, reals);
}
`;
  return { source, items: 6 };
}

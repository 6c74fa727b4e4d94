/** What the work-items of a group do together in an idiom: they fill memory of the group's, meet, and read what others wrote. */
import type { IdiomBody, Scope } from './idiom-body.ts';
import { type Expression, essential, guard, line, type Statement } from './syntax.ts';
import { int } from './types.ts';

/** Elements of an array in local memory. */
const length = 512;

const meet: Statement = essential`barrier(CLK_LOCAL_MEM_FENCE);`;

/** Adds the statements of one such exchange. */
export function tilePhase(body: IdiomBody, scope: Scope): void {
  const tile = body.name('tile');
  const k = body.name('k');
  const type = body.random.pick(['int', 'int', 'float', 'uchar', 'short']);
  const value = (): Expression => body.value(scope);
  const sum = body.random.pick(['s +=', 'f +=', 's ^= (int)']);
  const phases: (() => Statement[])[] = [
    () => [
      essential`${tile}[li] = ${value()};`,
      meet,
      line`for (int ${k} = 0; ${k} < width; ${k}++) ${sum} ${tile}[li - lx + ${k}];`,
    ],
    () => [
      essential`${tile}[li] = ${body.condition(scope)} ? ${body.load(scope)} : 0;`,
      meet,
      line`for (int ${k} = 0; ${k} < height; ${k}++) ${sum} (${tile}[${k} * width + lx] * ${body.random.pick(['1', k, 'ly'])});`,
    ],
    () => [
      essential`if (${body.condition(scope)}) ${tile}[li] = ${body.load(scope)}; else ${tile}[li] = 0;`,
      meet,
      line`${sum} ${tile}[items - 1 - li];`,
    ],
    () => [
      essential`for (int ${k} = li; ${k} < ${length}; ${k} += items) ${tile}[${k}] = b[${k} + ${body.random.pick(['0', 'w', 'n'])}]${body.memberOf(1)};`,
      meet,
      line`for (int ${k} = 0; ${k} < ${body.random.pick(['9', 'm', 'width'])}; ${k}++) ${sum} ${tile}[(${k} * width + lx) & ${length - 1}];`,
    ],
    () => [
      essential`${tile}[ly * (width + 2) + lx + 1] = ${body.load(scope)};`,
      essential`if (lx == 0) ${tile}[ly * (width + 2)] = ${value()};`,
      essential`if (lx == width - 1) ${tile}[ly * (width + 2) + width + 1] = ${value()};`,
      meet,
      line`${sum} (${tile}[ly * (width + 2) + lx] - ${tile}[ly * (width + 2) + lx + 2]);`,
    ],
    () => {
      // Both tiles of a product, along a row and down a column.
      const other = body.name('tile');
      body.locals.push(essential`local ${type} ${other}[${length}];`);
      const t = body.name('k');
      const most = 32;
      const inside = body.inside(scope, {
        counters: [...scope.counters, { text: guard(int)`${t}`, most, isUniform: true }],
      });
      return [
        line`for (int ${t} = 0; ${t} < ${body.random.pick(['m', 'width', 'h'])}; ${t} += width) ${[
          essential`${tile}[li] = ${body.condition(inside)} ? ${body.load(inside)} : 0;`,
          essential`${other}[li] = ${body.load(inside)};`,
          meet,
          line`for (int ${k} = 0; ${k} < width; ${k}++) ${sum} (${tile}[li - lx + ${k}] * ${other}[${k} % height * width + lx]);`,
          meet,
        ]}`,
      ];
    },
    () => [essential`if (${body.isFirst()}) ${tile}[0] = ${value()};`, meet, line`${sum} ${tile}[0];`],
    () => [
      essential`${tile}[li] = ${value()};`,
      meet,
      line`if (${body.isFirst()}) ${[
        line`for (int ${k} = 1; ${k} < items; ${k}++) ${tile}[0] += ${tile}[${k}];`,
        line`atomic_add(&totals[7], (int)${tile}[0]);`,
      ]}`,
      ...(body.chance(60) ? [meet, line`${sum} ${tile}[0];`] : []),
    ],
    () => [
      essential`${tile}[li] = ${value()};`,
      meet,
      line`for (int ${k} = items / 2; ${k} > 0; ${k} /= 2) ${[
        line`if (li < ${k}) ${tile}[li] += ${tile}[li + ${k}];`,
        meet,
      ]}`,
      line`${sum} ${tile}[0];`,
    ],
  ];
  body.locals.push(essential`local ${type} ${tile}[${length}];`);
  scope.statements.push(...body.random.pick(phases)(), meet);
}

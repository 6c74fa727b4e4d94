/**
 * What work-items of an idiom do besides computing and storing, most of it under conditions: they print, use what atomics give,
 * load volatile. Passes that move, skip or repeat what stands around must do each of these as often as the kernel says, and in order.
 * What is printed begins with the work-item's number, for nobody knows the order among work-items.
 */
import type { IdiomBody, Scope } from './idiom-body.ts';
import { type Expression, essential, expr, guard, line, type Statement } from './syntax.ts';
import { int } from './types.ts';

/** Adds a statement or two. */
export function effect(body: IdiomBody, scope: Scope): void {
  const { random } = body;
  const value = (): Expression => body.value(scope);
  const condition = (): Expression => body.condition(scope);
  const own = `&out[at * 4 + ${random.below(4)}]`;
  const single = (text: string, given: Expression): Statement => line`${text}${given};`;
  const effects: (() => Statement[])[] = [
    () => [line`if (${condition()}) ${print(body, scope)};`],
    () => [line`if (${condition()}) ${print(body, scope)}; else ${print(body, scope)};`],
    () => [line`if (${condition()}) s += 1 + ${print(body, scope)};`],
    () => [line`${print(body, scope)};`],
    () => [
      line`if (${condition()}) ${[single('s ^= ', value()), line`${print(body, scope)};`, single('out[at * 4 + 1] = ', value())]}`,
    ],
    () => {
      // Loaded before, printed perhaps, used behind.
      const name = body.name('v');
      const statements = [
        essential`int ${name} = (int)(${body.load(scope)}) & 15;`,
        line`if (${condition()}) printf("%d ${name} %d\\n", at, ${name});`,
        line`s += ${name};`,
      ];
      scope.wholes.push({ text: guard(int)`${name}`, most: 15, isUniform: false });
      return statements;
    },
    () => [line`if (${condition()}) s ${random.pick(['+', '^'])}= ${atomic(body, scope, own)};`],
    () => [line`if (${condition()}) ${atomic(body, scope, own)};`],
    () => {
      const name = body.name('v');
      const statement = essential`int ${name} = ${atomic(body, scope, own)} & 15;`;
      scope.wholes.push({ text: guard(int)`${name}`, most: 15, isUniform: false });
      return [statement];
    },
    () => [line`if (${condition()}) ${random.pick(['s += ', ''])}*(volatile global int *)${own};`],
    () => [line`if (${condition()}) s += (int)${volatileLoad(body, scope)};`],
  ];
  if (body.chance(25) && body.mayMeet(scope)) {
    const meet = essential`barrier(CLK_LOCAL_MEM_FENCE);`;
    const ask = random.pick(['any', 'all']);
    scope.statements.push(
      ...random.pick(effects)(),
      body.isNew ? line`s += work_group_${ask}(${condition()});` : meet,
      ...random.pick(effects)(),
      meet,
    );
  } else scope.statements.push(...random.pick(effects)());
}

function print(body: IdiomBody, scope: Scope): Expression {
  const value = (): Expression => body.value(scope);
  const name = body.name('p');
  return body.random.pick([
    () => expr(int)`printf("%d ${name} %d\\n", at, ${value()})`,
    () => expr(int)`printf("%d ${name} %d %d\\n", at, ${value()}, ${value()})`,
    () => expr(int)`printf("%d ${name} %.1f\\n", at, f)`,
    () => expr(int)`printf("%d ${name} %s %ld\\n", at, "text", (long)${value()})`,
    () => expr(int)`printf("%d ${name} %v4d\\n", at, (int4)(s, ${value()}, ${value()}, 1))`,
    () => expr(int)`printf("%d ${name}\\n", at)`,
  ])();
}

/** An atomic on the work-item's own memory, so that it is known what it gives. */
function atomic(body: IdiomBody, scope: Scope, place: string): Expression {
  const value = (): Expression => body.value(scope);
  return body.random.pick([
    () => expr(int)`atomic_add(${place}, ${value()})`,
    () => expr(int)`atomic_xchg(${place}, ${value()})`,
    () => expr(int)`atomic_max(${place}, ${value()})`,
    () => expr(int)`atomic_cmpxchg(${place}, ${value()}, ${value()})`,
    () => expr(int)`atomic_inc(${place})`,
  ])();
}

function volatileLoad(body: IdiomBody, scope: Scope): Expression {
  const which = body.random.below(2);
  const place = guard(int)`((${body.subscript(scope).text}) & 1023)`;
  return expr(
    int,
  )`((volatile ${body.pointee(which)} *)${['a', 'b'][which]!})[${place}]${body.memberOf(which)}`;
}

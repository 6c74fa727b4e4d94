/** What the pass manager does for passes: order, analyses that last until a function changes, times, needed and optional passes. */
import { describe, expect, it } from 'vitest';
import { parseModule } from '../../src/ir/parse.ts';
import { assertValid } from '../../src/ir/verify.ts';
import type { Pass, PassRun } from '../../src/passes/manager.ts';
import { OptimiseError, PassManager } from '../../src/passes/manager.ts';
import { BuildBudget } from '../../src/source/build-budget.ts';

const text = `module address=32

kernel @one(%out: ptr<global>) {
  %a = constant 1 : i32
  store %out, %a align=4
  return
}
`;

function managed(passes: readonly Pass[], options: ConstructorParameters<typeof PassManager>[1] = {}) {
  const module = parseModule(text);
  const manager = new PassManager(module, options);
  return { module, found: manager.run(passes, module.functions) };
}

describe('analyses', () => {
  /** What a pass sees as the definitions of a function, before it answers. */
  function definitionsSeen(answer: unknown): unknown[] {
    const seen: unknown[] = [];
    const pass = (name: string): Pass => ({
      name,
      run: (_, { analyses }) => {
        seen.push(analyses.definitions);
        return answer;
      },
    });
    managed([pass('first'), pass('second')]);
    return seen;
  }

  it('are kept while passes say that they changed nothing', () => {
    const [first, second] = definitionsSeen(false);
    expect(second).toBe(first);
  });

  it.each([true, undefined])('are found anew behind a pass that answers %s', (answer) => {
    const [first, second] = definitionsSeen(answer);
    expect(second).not.toBe(first);
    expect(second).toEqual(first);
  });
});

describe('passes', () => {
  it('report the functions in which they found something', () => {
    const { module, found } = managed([{ name: 'finds', run: () => true }]);
    expect(found).toEqual(module.functions);
    expect(managed([{ name: 'changes', run: () => undefined }]).found).toEqual([]);
  });

  it('are told of one by one, with times and sizes', () => {
    const runs: PassRun[] = [];
    const names: string[] = [];
    managed(
      [
        { name: 'first', run: () => false },
        { name: 'second', run: () => false },
      ],
      {
        onPass: (run) => runs.push(run),
        after: (name) => names.push(name),
      },
    );
    expect(names).toEqual(['first', 'second']);
    expect(runs.map(({ pass, functions, instructions }) => [pass, functions, instructions])).toEqual([
      ['first', 1, 3],
      ['second', 1, 3],
    ]);
  });

  it('that break a module are named when modules are verified', () => {
    const breaks: Pass = { name: 'breaks', run: (fn) => fn.body!.instructions.pop() };
    expect(() => managed([breaks], { verify: assertValid })).toThrow(/breaks/);
    expect(() => managed([breaks])).not.toThrow();
  });
});

describe('the budget', () => {
  /** A budget for `units` visits of the function's three instructions. */
  const visits = (units: number): BuildBudget => new BuildBudget(3 * units);
  const counted = (isNeeded?: Pass['isNeeded']): { pass: Pass; count: () => number } => {
    let count = 0;
    const run = (): void => {
      count += 1;
    };
    const pass: Pass = { name: 'counted', run, ...(isNeeded ? { isNeeded } : {}) };
    return { pass, count: () => count };
  };

  it('lets optional passes spend half of it, and leaves the others out', () => {
    const { pass, count } = counted();
    managed([pass, pass, pass, pass], { budget: visits(4) });
    expect(count()).toBe(2);
  });

  it('counts what a pass weighs', () => {
    const { pass, count } = counted();
    managed([{ ...pass, weight: 3 }], { budget: visits(4) });
    expect(count()).toBe(0);
  });

  it('pays for what must run, and refuses the program if it cannot', () => {
    const { pass, count } = counted('once');
    managed([pass], { budget: visits(1) });
    expect(count()).toBe(1);
    expect(() => managed([pass], { budget: new BuildBudget(2) })).toThrow(OptimiseError);
  });
});

import { describe, expect, it } from 'vitest';
import { type KernelWriter, writeKernel } from './kernel-writer.ts';
import { expectSameThroughout, numbers, type Range } from './run-stages.ts';

const ranges: readonly Range[] = [
  { global: [8], local: [4] },
  { global: [1], local: [1] },
  { global: [4, 4], local: [2, 2] },
  { global: [4, 2, 4], local: [2, 2, 2] },
];

/** Checks a kernel on groups of one to three dimensions; work-item form is the reference. */
function check(write: (k: KernelWriter) => void, n = 5): void {
  for (const range of ranges) {
    expectSameThroughout(writeKernel(write), range, { input: numbers(256), n });
  }
}

/** Every work-item gives its neighbour a number through local memory. */
function exchange(
  k: KernelWriter,
  value: ReturnType<KernelWriter['item']>,
): ReturnType<KernelWriter['item']> {
  const size = k.mul(k.mul(k.localSize(0), k.localSize(1)), k.localSize(2));
  k.store(k.local, k.item(), value);
  k.barrier();
  const got = k.load(k.local, k.rem(k.add(k.item(), 1), size));
  k.barrier();
  return got;
}

describe('barriers in straight lines', () => {
  it('one', () => {
    check((k) => {
      k.store(k.local, k.item(), k.mul(k.item(), 3));
      k.barrier();
      k.store(k.output, k.globalItem(), k.load(k.local, 0));
    });
  });
  it('none', () => check((k) => k.store(k.output, k.globalItem(), k.load(k.input, k.item()))));
  it('none, with early returns', () => {
    check((k) => {
      k.if(k.lt(k.item(), 2), () => k.return());
      k.for('i', 0, 3, (i) => k.if(k.eq(k.get(i), k.item()), () => k.return()));
      k.store(k.output, k.globalItem(), 7);
    });
  });
  it('only barriers', () => check((k) => [k.barrier(), k.barrier(), k.barrier()]));
  it('values live across', () => {
    check((k) => {
      const a = k.variable('a', k.load(k.input, k.item()));
      k.set(a, k.add(exchange(k, k.get(a)), k.get(a)));
      k.set(a, k.add(exchange(k, k.get(a)), k.mul(k.get(a), 3)));
      k.store(k.output, k.globalItem(), k.get(a));
    });
  });
  it('many values live across many barriers', () => {
    check((k) => {
      const all = Array.from({ length: 6 }, (_, index) =>
        k.variable(`v${index}`, k.load(k.input, k.add(k.item(), index))),
      );
      for (const v of all) k.set(v, exchange(k, k.get(v)));
      const sum = k.variable('sum', 0);
      for (const v of all) k.mix(sum, k.get(v));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a private array live across', () => {
    check((k) => {
      const array = k.array('array', 4);
      k.for('i', 0, 4, (i) => k.store(array, k.get(i), k.add(k.item(), k.get(i))));
      k.barrier();
      k.store(array, k.and(k.item(), 3), 100);
      k.barrier();
      const sum = k.variable('sum', 0);
      k.for('i', 0, 4, (i) => k.mix(sum, k.load(array, k.get(i))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a private array used in one piece only', () => {
    check((k) => {
      k.store(k.local, k.item(), k.item());
      k.barrier();
      const array = k.array('array', 4);
      k.for('i', 0, 4, (i) => k.store(array, k.get(i), k.load(k.local, 0)));
      k.store(k.output, k.globalItem(), k.load(array, k.and(k.item(), 3)));
    });
  });
  it('a pointer to one of two private arrays live across', () => {
    check((k) => {
      const a = k.array('a', 4);
      const b = k.array('b', 4);
      k.for('i', 0, 4, (i) => {
        k.store(a, k.get(i), k.get(i));
        k.store(b, k.get(i), k.mul(k.get(i), 10));
      });
      const chosen = k.builder.select(k.lt(k.item(), 2), a, b);
      k.barrier();
      k.store(chosen, 1, k.item());
      k.barrier();
      k.store(k.output, k.globalItem(), k.add(k.load(chosen, 1), k.add(k.load(a, 1), k.load(b, 3))));
    });
  });
  it('a local array declared in the body', () => {
    check((k) => {
      const tile = k.array('tile', 8, 'local');
      k.store(tile, k.item(), k.item());
      k.barrier();
      k.store(k.output, k.globalItem(), k.load(tile, k.xor(k.item(), 0)));
    });
  });
});

describe('barriers in loops', () => {
  it('a constant trip count', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 3, (i) => k.set(sum, k.add(exchange(k, k.get(sum)), k.get(i))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('an argument as trip count', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, k.n, () => k.mix(sum, exchange(k, k.get(sum))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a trip count from memory, the same for all', () => {
    check((k) => {
      k.store(k.output, k.add(k.globalItem(), 0), 4);
      k.barrier();
      const sum = k.variable('sum', k.item());
      k.for('i', 0, k.load(k.output, k.globalItem()), () => k.mix(sum, exchange(k, k.get(sum))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a uniform condition from constant input', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, k.and(k.load(k.input, 0), 3), () => k.mix(sum, exchange(k, k.get(sum))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('halving strides, as in a reduction', () => {
    check((k) => {
      const size = k.mul(k.mul(k.localSize(0), k.localSize(1)), k.localSize(2));
      k.store(k.local, k.item(), k.load(k.input, k.item()));
      k.barrier();
      const stride = k.variable('stride', k.div(size, 2));
      k.while(
        () => k.lt(0, k.get(stride)),
        () => {
          k.if(k.lt(k.item(), k.get(stride)), () => {
            const other = k.load(k.local, k.add(k.item(), k.get(stride)));
            k.store(k.local, k.item(), k.add(k.load(k.local, k.item()), other));
          });
          k.barrier();
        },
        () => k.set(stride, k.div(k.get(stride), 2)),
      );
      k.if(k.eq(k.item(), 0), () => k.store(k.output, k.globalItem(), k.load(k.local, 0)));
    });
  });
  it('nested loops, several barriers each', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 3, (i) => {
        k.mix(sum, exchange(k, k.add(k.get(sum), k.get(i))));
        k.for('j', 0, k.get(i), (j) => k.mix(sum, exchange(k, k.add(k.get(sum), k.get(j)))));
        k.barrier();
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('do while', () => {
    check((k) => {
      const i = k.variable('i', 0);
      const sum = k.variable('sum', k.item());
      k.doWhile(
        () => {
          k.mix(sum, exchange(k, k.get(sum)));
          k.set(i, k.add(k.get(i), 1));
        },
        () => k.lt(k.get(i), k.n),
      );
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('two values swapped in every iteration', () => {
    check((k) => {
      const a = k.variable('a', k.item());
      const b = k.variable('b', k.mul(k.item(), 100));
      k.for('i', 0, k.n, () => {
        const old = k.get(a);
        k.set(a, exchange(k, k.get(b)));
        k.set(b, old);
      });
      k.store(k.output, k.globalItem(), k.sub(k.get(a), k.get(b)));
    });
  });
  it('a private array carried through the loop', () => {
    check((k) => {
      const array = k.array('array', 4);
      k.for('i', 0, 4, (i) => k.store(array, k.get(i), k.item()));
      k.for('i', 0, 4, (i) => {
        k.store(array, k.get(i), exchange(k, k.add(k.load(array, k.get(i)), k.load(array, 0))));
      });
      const sum = k.variable('sum', 0);
      k.for('i', 0, 4, (i) => k.mix(sum, k.load(array, k.get(i))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a variable that outlives its iteration', () => {
    check((k) => {
      const sum = k.variable('sum', 0);
      const kept = k.variable('kept', 0);
      k.for('i', 0, 4, (i) => {
        k.if(k.eq(k.and(k.get(i), 1), 0), () => k.set(kept, k.add(k.item(), k.get(i))));
        k.barrier();
        k.mix(sum, k.get(kept));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a loop without barrier between', () => {
    check((k) => {
      const sum = k.variable('sum', 0);
      k.for('i', 0, k.item(), (i) => k.mix(sum, k.get(i)));
      k.set(sum, exchange(k, k.get(sum)));
      k.for('i', 0, k.item(), (i) => k.mix(sum, k.get(i)));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a break after a uniform test', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 100, (i) => {
        k.mix(sum, exchange(k, k.get(sum)));
        k.if(k.eq(k.get(i), k.n), () => k.break());
        k.mix(sum, exchange(k, k.get(i)));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a continue after a uniform test', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 6, (i) => {
        k.mix(sum, exchange(k, k.get(sum)));
        k.if(k.eq(k.and(k.get(i), 1), 0), () => k.continue());
        k.mix(sum, exchange(k, k.get(i)));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a break out of two loops', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 6, (i) => {
        k.for('j', 0, 6, (j) => {
          k.mix(sum, exchange(k, k.add(k.get(i), k.get(j))));
          k.if(k.eq(k.mul(k.get(i), k.get(j)), 6), () => k.break(1));
          k.if(k.lt(k.get(i), k.get(j)), () => k.continue(1));
          k.barrier();
        });
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a continue straight to the head', () => {
    check((k) => {
      const i = k.variable('i', 0);
      const sum = k.variable('sum', k.item());
      k.forever((again) => {
        k.set(i, k.add(k.get(i), 1));
        k.if(k.lt(7, k.get(i)), () => k.break());
        k.if(k.eq(k.and(k.get(i), 1), 0), again);
        k.mix(sum, exchange(k, k.get(sum)));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
});

describe('barriers in branches', () => {
  it('if', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.if(k.lt(k.groupId(), 1), () => k.mix(sum, exchange(k, k.get(sum))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('if and else', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.if(
        k.eq(k.n, 5),
        () => k.mix(sum, exchange(k, k.get(sum))),
        () => k.set(sum, exchange(k, k.item())),
      );
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('nested ifs', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.if(k.lt(k.n, 10), () => {
        k.mix(sum, exchange(k, k.get(sum)));
        k.if(
          k.lt(k.groupId(), 1),
          () => k.mix(sum, exchange(k, k.get(sum))),
          () => k.mix(sum, 3),
        );
        k.barrier();
        k.mix(sum, 5);
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('switch', () => {
    for (const n of [0, 1, 2, 3]) {
      check((k) => {
        const sum = k.variable('sum', k.item());
        k.switch(
          k.n,
          [[0], [1, 2]],
          [
            () => k.mix(sum, exchange(k, k.get(sum))),
            () => [
              k.mix(sum, exchange(k, k.get(sum))),
              k.mix(sum, exchange(k, 1 as never as ReturnType<typeof k.item>)),
            ],
            () => k.mix(sum, 17),
          ],
        );
        k.store(k.output, k.globalItem(), k.get(sum));
      }, n);
    }
  });
  it('a switch in a loop that continues and breaks', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 20, (i) => {
        k.switch(
          k.and(k.get(i), 3),
          [[0], [1], [2]],
          [
            () => k.mix(sum, exchange(k, k.get(sum))),
            () => k.continue(),
            () => k.if(k.lt(10, k.get(i)), () => k.break()),
            () => k.mix(sum, k.get(i)),
          ],
        );
        k.barrier();
        k.mix(sum, 1);
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a branch in a loop in a branch', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.if(k.ne(k.n, 0), () => {
        k.for('i', 0, k.n, (i) => {
          k.if(
            k.lt(k.get(i), 2),
            () => k.mix(sum, exchange(k, k.get(sum))),
            () => k.mix(sum, k.get(i)),
          );
        });
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a block with an early way out', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.block((exit) => {
        k.mix(sum, exchange(k, k.get(sum)));
        k.if(k.lt(k.n, 100), exit);
        k.mix(sum, exchange(k, k.get(sum)));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a uniform early return', () => {
    check((k) => {
      k.store(k.output, k.globalItem(), 1);
      k.barrier();
      k.if(k.lt(k.n, k.groupId()), () => k.return());
      k.if(k.lt(k.groupId(), 1), () => k.return());
      k.store(k.output, k.globalItem(), exchange(k, k.item()));
    });
  });
  it('a uniform return from inside loops', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.for('i', 0, 5, (i) => {
        k.for('j', 0, 5, (j) => {
          k.mix(sum, exchange(k, k.get(j)));
          k.store(k.output, k.globalItem(), k.get(sum));
          k.if(k.eq(k.add(k.get(i), k.get(j)), 6), () => k.return());
        });
      });
    });
  });
});

describe('conditions that happen to be equal', () => {
  /** True for everybody, but only at run time. */
  const always = (k: KernelWriter) => k.compare('sge', k.item(), 0);
  const never = (k: KernelWriter) => k.lt(k.load(k.input, k.item()), 0);

  it('if', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.if(
        always(k),
        () => k.mix(sum, exchange(k, k.get(sum))),
        () => k.mix(sum, exchange(k, k.item())),
      );
      k.if(never(k), () => k.mix(sum, exchange(k, k.get(sum))));
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('loop', () => {
    check((k) => {
      const i = k.variable('i', 0);
      const sum = k.variable('sum', k.item());
      k.while(
        () => k.lt(k.add(k.get(i), k.mul(k.item(), 0)), k.and(k.load(k.input, k.mul(k.item(), 0)), 7)),
        () => k.mix(sum, exchange(k, k.get(sum))),
        () => k.set(i, k.add(k.get(i), 1)),
      );
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('loop over a count kept by each work-item', () => {
    check((k) => {
      k.store(k.output, k.globalItem(), 4);
      const sum = k.variable('sum', k.item());
      k.for('i', 0, k.load(k.output, k.globalItem()), (i) =>
        k.mix(sum, exchange(k, k.add(k.get(i), k.get(sum)))),
      );
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('break and continue', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.store(k.output, k.globalItem(), 3);
      k.for('i', 0, 6, (i) => {
        k.mix(sum, exchange(k, k.get(sum)));
        k.if(k.eq(k.load(k.output, k.globalItem()), k.get(i)), () => k.continue());
        k.mix(sum, exchange(k, k.get(i)));
        k.if(k.eq(k.add(k.load(k.output, k.globalItem()), 1), k.get(i)), () => k.break());
        k.mix(sum, exchange(k, k.get(i)));
      });
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('break out of two loops, and return', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.store(k.output, k.globalItem(), 3);
      const three = k.variable('three', k.load(k.output, k.globalItem()));
      k.for('i', 0, 5, (i) => {
        k.for('j', 0, 5, (j) => {
          k.mix(sum, exchange(k, k.add(k.get(i), k.get(j))));
          k.if(k.eq(k.add(k.get(i), k.get(j)), k.get(three)), () => k.continue(1));
          k.if(k.eq(k.get(i), k.get(three)), () => k.break(1));
          k.mix(sum, exchange(k, k.get(sum)));
        });
      });
      k.store(k.output, k.globalItem(), k.get(sum));
      k.if(k.eq(k.get(three), 3), () => k.return());
      k.store(k.output, k.globalItem(), exchange(k, k.get(sum)));
    });
  });
  it('switch', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.store(k.output, k.globalItem(), 2);
      k.switch(
        k.load(k.output, k.globalItem()),
        [[0, 1], [2, 5], [7]],
        [
          () => k.mix(sum, exchange(k, k.get(sum))),
          () => k.mix(sum, exchange(k, k.add(k.get(sum), 1))),
          () => k.mix(sum, 3),
          () => k.mix(sum, exchange(k, k.get(sum))),
        ],
      );
      k.store(k.output, k.globalItem(), k.get(sum));
    });
  });
  it('a return from a loop without barriers, before a barrier', () => {
    check((k) => {
      const sum = k.variable('sum', k.item());
      k.store(k.output, k.globalItem(), 2);
      k.barrier();
      k.for('i', 0, k.n, (i) => {
        k.mix(sum, k.get(i));
        k.if(k.lt(k.load(k.output, k.globalItem()), 0), () => k.return());
      });
      k.store(k.output, k.globalItem(), exchange(k, k.get(sum)));
    });
  });
});

describe('work-items that part', () => {
  const range: Range = { global: [8], local: [4] };
  const input = numbers(64);

  /** Checks against numbers computed here: the interpreter refuses such kernels in work-item form. */
  function expectOutput(
    write: (k: KernelWriter) => void,
    expected: (item: number, group: number) => number,
    n = 5,
  ): void {
    const output = new Int32Array(32);
    for (let index = 0; index < 8; index += 1) output[index] = expected(index % 4, Math.floor(index / 4));
    expectSameThroughout(writeKernel(write), range, { input, n }, output);
  }

  it('an early return of some before a barrier', () => {
    expectOutput(
      (k) => {
        k.if(k.compare('sge', k.globalId(), k.n), () => k.return());
        k.store(k.local, k.item(), k.globalId());
        k.barrier();
        k.store(k.output, k.globalId(), k.add(k.load(k.local, 0), 10));
      },
      (item, group) => (group * 4 + item < 5 ? group * 4 + 10 : 0),
    );
  });
  it('an early return of all', () => {
    expectOutput(
      (k) => {
        k.if(k.compare('sge', k.globalId(), 0), () => k.return());
        k.for('i', 0, k.load(k.input, k.globalId()), () => k.barrier());
        k.store(k.output, k.globalId(), 1);
      },
      () => 0,
    );
  });
  it('an early return before a loop with a count from memory that nobody reads any more', () => {
    expectOutput(
      (k) => {
        k.if(k.compare('sge', k.item(), 0), () => k.return());
        const count = k.load(k.input, 0);
        k.forever((again) => {
          k.barrier();
          k.if(k.eq(count, -5), () => k.break(), again);
        });
        k.store(k.output, k.globalId(), 1);
      },
      () => 0,
    );
  });
  it('a barrier in a branch that some take', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', k.item());
        k.if(
          k.lt(k.item(), 2),
          () => {
            k.store(k.local, k.item(), k.item());
            k.barrier();
            k.mix(sum, k.load(k.local, 1));
          },
          () => {
            k.mix(sum, 7);
            k.barrier();
            k.mix(sum, 8);
          },
        );
        k.store(k.output, k.globalId(), k.get(sum));
      },
      (item) => (item < 2 ? item * 31 + 1 : (item * 31 + 7) * 31 + 8),
    );
  });
  it('a loop that each work-item leaves at its own time', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', 0);
        k.for('i', 0, k.item(), (i) => {
          k.mix(sum, k.get(i));
          k.barrier();
          k.mix(sum, 1);
        });
        k.store(k.output, k.globalId(), k.get(sum));
      },
      (item) => {
        let sum = 0;
        for (let i = 0; i < item; i += 1) sum = (sum * 31 + i) * 31 + 1;
        return sum;
      },
    );
  });
  it('a sum that a branch adds to or leaves the loop with', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', k.item());
        k.for('i', 0, 4, (i) => {
          k.if(k.lt(k.get(i), k.add(k.item(), 2)), () => {
            k.if(k.eq(k.get(i), k.item()), () => k.break());
            k.mix(sum, k.get(i));
          });
          k.barrier();
        });
        k.store(k.output, k.globalId(), k.get(sum));
      },
      (item) => {
        let sum = item;
        for (let i = 0; i < 4; i += 1) {
          if (i < item + 2) {
            if (i === item) break;
            sum = (Math.imul(sum, 31) + i) | 0;
          }
        }
        return sum;
      },
    );
  });
  it('break, continue and return of some in nested loops', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', 0);
        k.for('i', 0, 4, (i) => {
          k.for('j', 0, 4, (j) => {
            k.mix(sum, k.add(k.get(i), k.get(j)));
            k.barrier();
            k.if(k.eq(k.get(j), k.item()), () => k.break());
            k.if(k.lt(k.get(j), k.get(i)), () => k.continue());
            k.barrier();
            k.store(k.output, k.globalId(), k.get(sum));
            k.if(k.eq(k.add(k.get(i), k.item()), 5), () => k.return());
            k.if(k.eq(k.add(k.get(i), k.item()), 4), () => k.break(1));
            k.if(k.eq(k.get(j), 2), () => k.continue(1));
            k.mix(sum, 9);
          });
          k.barrier();
          k.mix(sum, 3);
        });
        k.store(k.output, k.globalId(), k.get(sum));
      },
      (item) => {
        let sum = 0;
        outer: for (let i = 0; i < 4; i += 1) {
          for (let j = 0; j < 4; j += 1) {
            sum = (Math.imul(sum, 31) + i + j) | 0;
            if (j === item) break;
            if (j < i) continue;
            if (i + item === 5) return sum;
            if (i + item === 4) break outer;
            if (j === 2) continue outer;
            sum = (Math.imul(sum, 31) + 9) | 0;
          }
          sum = (Math.imul(sum, 31) + 3) | 0;
        }
        return sum;
      },
    );
  });
  it('very many early returns in a row', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', k.item());
        for (let at = 0; at < 60; at += 1) {
          k.if(k.eq(k.add(k.globalId(), 40), at), () => k.return());
          k.mix(sum, k.load(k.input, at));
          k.store(k.output, k.globalId(), k.get(sum));
        }
        k.barrier();
        k.store(k.output, k.globalId(), 1);
      },
      (item, group) => {
        let sum = item;
        for (let at = 0; at < 40 + group * 4 + item; at += 1) sum = (Math.imul(sum, 31) + input[at]!) | 0;
        return sum;
      },
    );
  });
  it('a switch that sends everyone elsewhere', () => {
    expectOutput(
      (k) => {
        const sum = k.variable('sum', k.item());
        k.switch(
          k.item(),
          [[0], [1, 3]],
          [
            () => k.mix(sum, 5),
            () => {
              k.mix(sum, 6);
              k.barrier();
              k.mix(sum, 7);
            },
            () => k.return(),
          ],
        );
        k.barrier();
        k.store(k.output, k.globalId(), k.get(sum));
      },
      (item) => (item === 0 ? 5 : item === 2 ? 0 : (item * 31 + 6) * 31 + 7),
    );
  });
});

it('a private array inside a branch that each work-item takes on its own', () => {
  check((k) => {
    const sum = k.variable('sum', k.item());
    k.barrier();
    k.if(k.compare('slt', k.item(), 3), () => {
      const array = k.array('array', 2);
      k.store(array, 0, k.item());
      k.store(array, 1, 7);
      k.mix(sum, k.load(array, k.rem(k.item(), 2)));
    });
    k.store(k.output, k.globalItem(), k.get(sum));
  });
});

it('leaves no barrier, and no per-item query at group level', () => {
  const module = writeKernel((k) => k.store(k.output, k.globalItem(), exchange(k, k.item())));
  expectSameThroughout(module, ranges[0]!, { input: numbers(8), n: 1 });
  expect(module.functions).toHaveLength(1);
});

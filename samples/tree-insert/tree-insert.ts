// Fills one tree from both sides: work-items insert their keys while the host inserts its own, each by atomic operations
// on the same words.
import { checkEqual } from '../support/checks.ts';
import { roundUp } from '../support/device.ts';
import { createRandom } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { inOrderReference } from './reference.ts';

export const treeInsertSample: Sample = {
  name: 'tree-insert',
  title: 'Insertion into a binary tree, by host and kernel at once',
  needs: 'shared virtual memory',
  about:
    'Grows one search tree from the work-items of a kernel and from the host at the same time. ' +
    "Fine-grained shared memory: the kernel's C11 atomics and JavaScript's Atomics are about the same words.",
  run,
};

const groupSize = 64;
/** Words of a node: its key, and the addresses of the smaller and of the greater ones. */
const nodeWords = 3;

async function run(context: SampleContext): Promise<SampleResult> {
  const [byKernel, byHost] = context.size === 'full' ? [100_000, 10_000] : [317, 41];
  const random = createRandom(12);
  const count = 1 + byKernel + byHost;
  // In the middle the root, so that neither side is empty.
  const keys = Int32Array.from({ length: count }, () => random.next() | 0);
  keys[0] = 0;
  const reference = timeReference(context.size, () => inOrderReference(keys));

  const program = await context.compile(
    await context.readKernel('tree-insert/tree-insert.cl'),
    '-cl-std=CL2.0',
  );
  const bytes = nodeWords * 4;
  const root = program.shared(bytes);
  const ofKernel = program.shared(byKernel * bytes);
  const ofHost = program.shared(byHost * bytes);
  // Addresses lead anywhere in the device's memory, so the host sees it as one array of words.
  const memory = new Int32Array(root.view(Int32Array).buffer);
  const insert = program.kernel('insert_keys');
  context.progress(0.5, 'insert_keys');
  const time = await timeKernel(
    context.size,
    async () => {
      const launch = insert(
        { global: [roundUp(byKernel, groupSize)], local: [groupSize] },
        root,
        ofKernel,
        byKernel,
      );
      for (let i = 0; i < byHost; i++) insertHere(memory, root.address, ofHost.address + i * bytes);
      return [await launch];
    },
    async () => {
      plant(root.view(Int32Array), keys.subarray(0, 1));
      plant(ofKernel.view(Int32Array), keys.subarray(1, 1 + byKernel));
      plant(ofHost.view(Int32Array), keys.subarray(1 + byKernel));
    },
  );
  const output = inOrder(memory, root.address, count);
  program.release();
  const check = checkEqual(output, reference.result);
  return {
    runs: [{ kernel: 'insert_keys', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`${byKernel} keys by the kernel and ${byHost} by the host, in one tree`],
  };
}

/** Nodes with these keys and without children. */
function plant(words: Int32Array, keys: Int32Array): void {
  keys.forEach((key, index) => {
    words.set([key, 0, 0], index * nodeWords);
  });
}

/** What the kernel does, for one node, by its address. */
function insertHere(memory: Int32Array, root: number, mine: number): void {
  const key = memory[mine / 4]!;
  for (let at = root / 4; ; ) {
    const child = at + (key < memory[at]! ? 1 : 2);
    const next = Atomics.compareExchange(memory, child, 0, mine);
    if (next === 0) return;
    at = (next >>> 0) / 4;
  }
}

/** The keys from the leftmost node to the rightmost. */
function inOrder(memory: Int32Array, root: number, count: number): Int32Array {
  const keys = new Int32Array(count);
  const open: number[] = [];
  let found = 0;
  let at = root / 4;
  while (at !== 0 || open.length > 0) {
    while (at !== 0) {
      open.push(at);
      at = (memory[at + 1]! >>> 0) / 4;
    }
    const node = open.pop()!;
    keys[found++] = memory[node]!;
    at = (memory[node + 2]! >>> 0) / 4;
  }
  return keys.subarray(0, found);
}

// Builds a tree in shared virtual memory, with addresses for pointers, and lets a kernel search it.
import { checkEqual } from '../support/checks.ts';
import { roundUp } from '../support/device.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { Sample, SampleContext, SampleResult } from '../support/sample.ts';
import { timeKernel, timeReference } from '../support/timing.ts';
import { stepsReference } from './reference.ts';

export const treeSearchSample: Sample = {
  name: 'tree-search',
  title: 'Search in a binary tree',
  needs: 'shared virtual memory',
  about:
    'Looks 300,000 keys up in a tree of pointers that the host has built. ' +
    'Shared virtual memory: an address that the host stores is one that a kernel follows.',
  run,
};

const groupSize = 64;
/** Words of a node: its key, and the addresses of the smaller and of the greater ones. */
const nodeWords = 3;

async function run(context: SampleContext): Promise<SampleResult> {
  const [nodes, searches] = context.size === 'full' ? [50_000, 300_000] : [203, 509];
  context.progress(0, `building a tree of ${nodes.toLocaleString('en')} nodes`);
  const random = createRandom(11);
  // Even keys are in the tree, odd ones are not.
  const keys = shuffled(
    Int32Array.from({ length: nodes }, (_, i) => 2 * i),
    random,
  );
  const wanted = Int32Array.from({ length: searches }, () => random.below(2 * nodes));
  const reference = timeReference(context.size, () => stepsReference(keys, wanted));

  const program = await context.compile(
    await context.readKernel('tree-search/tree-search.cl'),
    '-cl-std=CL2.0',
  );
  const tree = program.shared(nodes * nodeWords * 4);
  plant(keys, tree.view(Int32Array), tree.address);
  const wantedBuffer = program.buffer(wanted);
  const steps = program.buffer(searches * 4);
  const search = program.kernel('search_tree');
  context.progress(0.5, 'search_tree');
  const time = await timeKernel(context.size, async () => [
    await search(
      { global: [roundUp(searches, groupSize)], local: [groupSize] },
      tree,
      wantedBuffer,
      searches,
      steps,
    ),
  ]);
  const output = await steps.read(Uint32Array);
  program.release();

  const check = checkEqual(output, reference.result);
  const deepest = output.reduce((most, way) => Math.max(most, way), 0);
  return {
    runs: [{ kernel: 'search_tree', ...time, cpuMilliseconds: reference.milliseconds, check, output }],
    pictures: [],
    findings: [`the longest way leads over ${deepest} nodes`],
  };
}

/** Puts the keys into the tree one after another: the first is the root. */
function plant(keys: Int32Array, words: Int32Array, address: number): void {
  keys.forEach((key, index) => {
    words.set([key, 0, 0], index * nodeWords);
    if (index === 0) return;
    for (let at = 0; ; ) {
      const child = at + (key < words[at]! ? 1 : 2);
      if (words[child] === 0) {
        words[child] = address + index * nodeWords * 4;
        return;
      }
      at = ((words[child]! >>> 0) - address) / 4;
    }
  });
}

function shuffled(keys: Int32Array, random: Random): Int32Array {
  for (let i = keys.length - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [keys[i], keys[other]] = [keys[other]!, keys[i]!];
  }
  return keys;
}

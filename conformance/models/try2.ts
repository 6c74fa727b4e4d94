import { CoroutineLoader } from './coroutines.ts';
import { exploreAll, exploreRandomly } from './explore.ts';
import { modelOf } from './model-of.ts';
import { protocols } from './protocols.ts';

const loader = await CoroutineLoader.create();
const only = process.argv[2]?.split(',');
for (const [name, protocol] of Object.entries(protocols)) {
  if (only && !only.includes(name)) continue;
  const make = modelOf(loader, protocol);
  let bad: string | undefined;
  for (let i = 1; i <= 1000 && !bad; i++) bad = exploreRandomly(make, i).failure;
  const { failure, runs, pruned, isWhole } = exploreAll(make, protocol.isLarge ? 1500 : 40000);
  console.log(name, runs, pruned, isWhole, bad ?? '', failure ?? '');
  for (const mutation of protocol.mutations) {
    const m = modelOf(loader, protocol, mutation);
    let found: string | undefined;
    let n = 0;
    for (n = 1; n <= 4000 && !found; n++) found = exploreRandomly(m, n).failure;
    if (!found) found = exploreAll(m, 4000).failure;
    console.log('   ', found ? 'found' : 'NOT FOUND', n, mutation.name, '|', found?.split('\n')[0]);
  }
}

/** A process of drivers.ts: uses the first driver's device as a program would, and says what became of it. An error code may come from any call. */
import { CL, type CLContext, createContext, getPlatforms } from 'millrace/opencl';
import { Random } from '../../test/support/random.ts';
import { buildFor, endAll, enqueueAll, makeLanes, mustBeRefusal } from './workload.ts';

const random = new Random(Number(process.argv[2]));
console.log(`fate: ${await use()}`);
process.exit(0);

async function use(): Promise<string> {
  const device = getPlatforms()
    .slice(1)
    .flatMap((platform) => platform.getDevices(CL.DEVICE_TYPE_ALL))[0];
  // A driver that cannot even be listed is left out of the list.
  if (!device) return 'not listed';
  let context: CLContext | undefined;
  try {
    context = createContext(device);
    const program = buildFor(context, false);
    const lanes = makeLanes(context, 2);
    enqueueAll(lanes, { context, program, random, commands: 20, hasQueues: false });
    const ending = await endAll(lanes, random.below(2) === 0);
    if (ending === 'right') return ending;
    const later = makeLanes(context, 1);
    enqueueAll(later, { context, program, random, commands: 4, hasQueues: false });
    return (await endAll(later, true)) === 'right' ? 'goes on' : 'fails again';
  } catch (error) {
    mustBeRefusal(error);
    return 'refused';
  } finally {
    context?.releaseAll();
  }
}

import { expect, it } from 'vitest';
import { insertStores, MixedLoad } from '../../support/node/load/mixed-load.ts';
import { startDemo } from '../../support/node/runtime/demo.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { readIsolateHeap } from '../../support/node/runtime/isolate-heap.ts';

const maxHeapBytes = 64 * 2 ** 20;

it('holds at most 64 MiB in the isolate after 6,000 mixed requests of 6,000 stores', async () => {
  const inspectorPort = await freePort('127.0.0.1');
  const demo = await startDemo({ inspectorPort });
  const load = await MixedLoad.prepare(demo.origin, await insertStores(demo.env, 6_000));
  await load.send(6_000);
  const { total, buffers } = await readIsolateHeap(inspectorPort, () =>
    fetch(`${demo.origin}/health`),
  );
  load.close();
  await demo.close();
  expect(total + buffers).toBeLessThan(maxHeapBytes);
  // Beside other work the requests take some minutes.
}, 900_000);

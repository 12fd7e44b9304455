import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { insertStores, MixedLoad } from '../../support/node/load/mixed-load.ts';
import { startDemo } from '../../support/node/runtime/demo.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { readIsolateHeap } from '../../support/node/runtime/isolate-heap.ts';
import { MemoryMonitor } from '../../support/node/runtime/memory.ts';

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

it('holds little of bodies of 256 KiB that stand for 256 MiB', async () => {
  const demo = await startDemo();
  const bomb = gzipSync(Buffer.alloc(2 ** 28, ' '));
  const send = async (path: string, type: string) => {
    const headers = {
      'User-Token': 'demo-user-token',
      'User-Secret-Key': 'sk_demo_secret_key',
      'Content-Type': type,
      'Content-Encoding': 'gzip',
    };
    const url = `${demo.origin}/v2/demo/catalog/${path}`;
    const post = () => fetch(url, { method: 'POST', headers, body: bomb });
    // The runtime ends a connection whose body is not read to its end, perhaps after the next
    // request began.
    const answer = await post().catch(post);
    await answer.arrayBuffer();
    return answer.status;
  };
  // What the first request loads does not count.
  await send('brands', 'application/json');
  using memory = new MemoryMonitor(process.pid);
  for (let count = 0; count < 20; count += 1) {
    expect(await send('brands', 'application/json')).toBe(413);
  }
  // All of it is decoded, and has no line.
  expect(await send('imports', 'application/x-ndjson')).toBe(422);
  await demo.close();
  expect(memory.peak - memory.before).toBeLessThan(128);
});

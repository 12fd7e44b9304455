import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver, type WebhookReceiver } from '../../support/node/receivers/receiver.ts';
import { buildWorker, type WorkerBuild } from '../../support/node/runtime/bundle.ts';
import { KillableRuntime } from '../../support/node/runtime/killable-runtime.ts';
import { arrivedIds, countOpen, subscribeInbox } from '../../support/node/runtime/kills.ts';
import { deliveredEvents } from '../../support/node/runtime/shard-file.ts';
import { patience } from '../../support/patience.ts';

let build: WorkerBuild;
let runtime: KillableRuntime;
let inbox: WebhookReceiver;

beforeAll(async () => {
  build = await buildWorker();
});

beforeEach(() => {
  runtime = new KillableRuntime(build.script);
});

afterEach(async () => {
  await runtime.end();
  inbox.server.close();
});

describe('a kill of the runtime', () => {
  it('fault 14: a kill between a 2xx and its flush repeats exactly the unrecorded deliveries, with their ids', async () => {
    let killed: Promise<void> | undefined;
    inbox = await startReceiver(() => {
      // The runtime is killed in this turn, so no flush holds the third result.
      if (inbox.received.length === 3) {
        setImmediate(() => {
          killed = runtime.kill();
        });
      }
      return 200;
    });
    await runtime.start({ ignoresQueues: true });
    const { id, product } = await subscribeInbox(runtime, inbox);
    for (let n = 0; n < 10; n += 1)
      await runtime.call('POST', '/catalog/products', product(`${n}`));
    await runtime.kill();
    await runtime.start();
    await expect.poll(() => killed !== undefined, patience).toBe(true);
    await killed;
    // Data that had left the runtime has arrived once its connections are closed.
    const countConnections = () =>
      new Promise((resolve) => inbox.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(countConnections, patience).toBe(0);
    const before = arrivedIds(inbox);
    // None as a rule; some if a busy machine took a second for the three requests.
    const recorded = deliveredEvents(runtime.state, id);
    await runtime.start();
    await expect.poll(() => new Set(arrivedIds(inbox)).size, patience).toBe(10);
    await expect.poll(() => countOpen(runtime, id), patience).toBe(0);
    const repeated = arrivedIds(inbox).slice(before.length);
    expect(repeated.length).toBe(new Set(repeated).size);
    expect(repeated).toContain(before[2]);
    expect(new Set(repeated.filter((event) => before.includes(event)))).toEqual(
      new Set(before.filter((event = '') => !recorded.has(event))),
    );
  });
});

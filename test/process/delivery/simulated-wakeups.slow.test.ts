import { describe, expect, it } from 'vitest';
import { createChange, consumeMessages } from '../../support/webhooks/simulation/actions.ts';
import { simulationSchema } from '../../support/webhooks/simulation/schema.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';
import { useSimulatedRuntime } from '../../support/webhooks/simulation/setup.ts';
import { clearTables, checkWorld } from '../../support/webhooks/simulation/simulate.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';
import { useSynchronousCrypto } from '../../support/webhooks/simulation/synchronous-crypto.ts';
import { SimulatedWorld } from '../../support/webhooks/simulation/world.ts';

useSimulatedRuntime();

const runs = 1_000;

describe('the simulated wake-ups', () => {
  it(`fault 69: delivers an event published at any moment of a drain without cron, in ${runs} runs`, async () => {
    const random = seededRandom(69);
    using _crypto = useSynchronousCrypto(random);
    const db = createSqliteD1(simulationSchema);
    const moments: Record<string, number> = {};
    for (let turn = 0; turn < runs; turn += 1) {
      await clearTables(db);
      const world = new SimulatedWorld(db, random);
      await world.addEndpoint(random() < 0.5, 2);
      await world.invoke(createChange(world));
      // Publishes before or after the lease, one send, or the flush that releases the lease.
      let [left, moment] = [Math.floor(random() * 6), ''];
      world.duringFailpoint = async (failpoint, side) => {
        if (left === 0) {
          moment = `${side} ${failpoint}`;
          world.duringFailpoint = undefined;
          await world.begin(createChange(world)).ended;
        }
        left -= 1;
      };
      for (let batch = 0; batch < 6; batch += 1) await consumeMessages(world, true);
      moments[moment] = (moments[moment] ?? 0) + 1;
      expect([await checkWorld(world, true), world.arrivals.length]).toEqual([[], 2]);
    }
    expect(Object.keys(moments).toSorted()).toEqual([
      'after database',
      'after receiver',
      'before database',
      'before receiver',
    ]);
  });
});

/**
 * `npm run bench:hot-store`: how many orders one store places in a second, and what another store
 * of the same shard notices meanwhile. One, eight and 32 callers place orders of one SKU, each as
 * soon as its last one was answered.
 */
import { createCaller, seedSellableSku } from '../support/node/runtime/api.ts';
import { startService } from '../support/node/runtime/service.ts';
import { compare, createNeighbours } from './neighbour.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 15);

const service = await startService();
const neighbours = await createNeighbours(service);
const { order } = await seedSellableSku(service.api, 1_000_000);
// A busy store is told to wait by 429 and 503.
const api = createCaller(service.url, [201, 429, 503]);

/** Places orders until the time is over. Returns the number of answers of each status. */
async function placeOrders(callers: number, until: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const placeOne = async () => {
    while (performance.now() < until) {
      const { status } = await api('POST /orders', order);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, placeOne));
  return counts;
}

await placeOrders(1, performance.now() + 2_000);
for (const callers of [1, 8, 32]) {
  let counts = new Map<number, number>();
  const run = async () => {
    counts = await placeOrders(callers, performance.now() + seconds * 1000);
  };
  await compare(`${callers} callers placing orders`, neighbours, [run]);
  const others = [...counts].filter(([status]) => status !== 201);
  const rate = (counts.get(201) ?? 0) / seconds;
  console.log(
    `${callers} callers: ${rate.toFixed(0)} orders/s of one store; other answers: ${JSON.stringify(Object.fromEntries(others))}`,
  );
}
await service.stop();

/**
 * The runtime in a process of its own, so that a test can kill it: prints its address on one line. Arguments:
 * script, state folder, port, lease of a lane in seconds, `first` for a new state, `deaf` for queues that nobody reads
 * (then there is no cron either). Fires the cron every second.
 */
import { fireCron, migrate, startRuntime } from './runtime.ts';
import { seedStore } from './store.ts';

const [script = '', persist = '', port = '0', lease = '2', turn = '', manner = ''] =
  process.argv.slice(2);

const runtime = await startRuntime({
  script,
  persist,
  port: Number(port),
  isDeaf: manner === 'deaf',
  bindings: { LANE_LEASE_SECONDS: lease },
});
if (turn === 'first') {
  await migrate(runtime);
  await seedStore(runtime);
}
const url = (await runtime.ready).href;
console.log(`ready ${url}`);
if (manner !== 'deaf') {
  setInterval(() => {
    fireCron(runtime).catch((error: unknown) => console.error(error));
  }, 1_000);
}

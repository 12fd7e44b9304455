/**
 * The runtime in a process of its own, so that a test can kill it: prints its address on one line. Arguments:
 * script, state folder, port, lease of a lane in seconds. Fires the cron every second.
 */
import { fireCron, migrate, startRuntime } from './runtime.ts';
import { seedStore } from './store.ts';

const [script = '', persist = '', port = '0', lease = '2', isFirst = ''] = process.argv.slice(2);

const runtime = await startRuntime({
  script,
  persist,
  port: Number(port),
  bindings: { LANE_LEASE_SECONDS: lease },
});
if (isFirst === 'first') {
  await migrate(runtime);
  await seedStore(runtime);
}
const url = (await runtime.ready).href;
console.log(`ready ${url}`);
setInterval(() => {
  fireCron(runtime).catch((error: unknown) => console.error(error));
}, 1_000);

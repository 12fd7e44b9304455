/**
 * Runs the Worker in a process that a test can kill. Prints `ready <address>` when it serves.
 * Triggers cron every second.
 *
 * Arguments: script, state folder, port, endpoint lease in seconds, `first` for an empty state or
 * `again`, and `ignore-queues` to run neither queue consumers nor cron.
 */
import { fireCron, migrateRuntime, startRuntime } from './runtime.ts';
import { seedStore } from './seed-store.ts';

const [script = '', persist = '', port = '0', lease = '2', start = '', mode = ''] =
  process.argv.slice(2);
const ignoresQueues = mode === 'ignore-queues';

const runtime = await startRuntime({
  script,
  persist,
  port: Number(port),
  ignoresQueues,
  bindings: { ENDPOINT_LEASE_SECONDS: lease },
});
if (start === 'first') {
  await migrateRuntime(runtime);
  await seedStore(runtime);
}
const url = (await runtime.ready).href;
console.log(`ready ${url}`);
if (!ignoresQueues) {
  setInterval(() => {
    fireCron(runtime).catch((error: unknown) => console.error(error));
  }, 1_000);
}

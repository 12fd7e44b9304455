/**
 * `npm start` (Node, not part of the Worker): the demo on the real runtime, from nothing to the first answer in
 * seconds. Databases, keys and the inbox survive in the state folder.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readArguments, usage, type Arguments } from './arguments.ts';
import { banner } from './banner.ts';
import { demandFreePort } from './port.ts';
import type { Runtime } from './runtime.ts';

const root = resolve(import.meta.dirname, '../..');

let runtime: Runtime | undefined;
let isEnding = false;

/** Ends what was started. A second signal, such as the one that npm passes on, changes nothing. */
async function end(code: number) {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => process.exit(code), 5_000).unref();
  await runtime?.close();
  process.exit(code);
}

/** Also takes signals away from Miniflare, which would end with a failure before it has closed its databases. */
function listenToSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).on(signal, () => void end(0));
  }
}

/** Does one step; a failure is shown with what can be done about it, and ends the program. */
async function step<T>(name: string, advice: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isEnding) console.error(`npm start: ${name}: ${reasonOf(error)}\n${advice}`.trimEnd());
    await end(1);
    // Whoever comes here while the program ends has nothing more to do.
    return new Promise(() => undefined);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause ? [reasonOf(error.cause)] : [])].join('\n  ')
    : String(error);

async function start({ port, state: given }: Arguments) {
  const state = resolve(root, given);
  const anew = `To begin with empty databases, delete ${state} and run npm start again.`;
  listenToSignals();
  await step('listening', '', () => demandFreePort(port));

  const opened = await step(
    'opening the databases',
    `Is everything installed? Try npm ci. ${anew}`,
    async () => {
      const { openRuntime } = await import('./runtime.ts');
      // A folder that cannot be made is told here in a sentence.
      mkdirSync(state, { recursive: true });
      return (runtime = await openRuntime({ root, port, state, onLog: show }));
    },
  );
  listenToSignals();
  await step('applying the migrations', anew, async () => {
    const { migrate } = await import('./migrate.ts');
    for (const { database, folder } of opened.migrations) await migrate(database, folder);
  });
  const local =
    'The demo needs the local configuration: wrangler.toml, and no .dev.vars that changes it.';
  await step('seeding the demo', `${local}\n${anew}`, async () => {
    const { seed } = await import('./seed.ts');
    await seed(opened.env, Date.now());
  });
  const origin = `http://localhost:${port}`;
  await step('starting the Worker', 'Look at the lines above.', async () => {
    await opened.serve();
    const { status } = await fetch(`${origin}/health`);
    if (status !== 200) throw new Error(`/health answers ${status}.`);
  });
  console.log(banner(origin, process.platform === 'win32'));
  keepTime(opened);
}

/** A line of the Worker's log, as it was written. */
function show(level: string, line: string) {
  if (isEnding) return;
  if (level === 'error' || level === 'warn') console.error(line);
  else console.log(line);
}

/**
 * Fires what a deployment fires every minute, and once now, so that deliveries left from the last run go out.
 * The local runtime has no clock of its own.
 */
function keepTime({ crons, fire }: Runtime) {
  const tick = async () => {
    for (const cron of crons.filter((cron) => cron === '* * * * *')) {
      const outcome = await fire(cron).catch(reasonOf);
      if (outcome !== 'ok') show('error', `npm start: cron ${cron}: ${outcome}`);
    }
  };
  void tick();
  setInterval(() => void tick(), 60_000);
}

/** npm tells a signal to its shell alone, which then ends without a word to this program. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void end(0);
  }, 500);
}

endWithParent();

await start(
  await step('reading the command line', usage, () => readArguments(process.argv.slice(2))),
);

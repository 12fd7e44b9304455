/**
 * One side of `compare.ts`: a process that serves a checkout, which is its working directory, with
 * the modules of that checkout. Its arguments are the built script, the folder of its state, and
 * `filled` if that is there already. Sends a `Contender` when it is ready, and ends with its
 * parent.
 */
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Miniflare } from 'miniflare';
import { findWorkerPid } from './worker-pid.ts';

/**
 * Data that the parent needs to load a contender. `workerPid` is the process of the Worker runtime.
 */
export interface Contender {
  url: string;
  headers: Record<string, string>;
  workerPid: number;
}

/** Exports of the modules of a checkout; older versions had other names. */
interface RuntimeModule {
  startRuntime: (options: {
    script: string;
    persist: string;
    ignoresQueues?: boolean;
    isDeaf?: boolean;
    bindings?: Record<string, string>;
  }) => Promise<Miniflare>;
  migrateRuntime?: (runtime: Miniflare) => Promise<void>;
  migrate?: (runtime: Miniflare) => Promise<void>;
}
interface SeedModule {
  seedStore: (runtime: Miniflare) => Promise<void>;
  apiKeyHeaders?: Record<string, string>;
  pair?: Record<string, string>;
}

async function load<M>(...candidates: string[]): Promise<M> {
  const file = candidates.find((path) => existsSync(path));
  if (file === undefined) throw new Error(`no ${candidates.join(' or ')} in ${process.cwd()}`);
  return (await import(pathToFileURL(join(process.cwd(), file)).href)) as M;
}

const [, , script = '', state, filled] = process.argv;
const persist = state ?? mkdtempSync(join(tmpdir(), 'store-api-contender-'));
const support = 'test/support/node';
const { startRuntime, ...runtimes } = await load<RuntimeModule>(
  `${support}/runtime/runtime.ts`,
  `${support}/runtime.ts`,
);
const seeds = await load<SeedModule>(`${support}/runtime/seed-store.ts`, `${support}/store.ts`);

// As a deployment logs; a version that has no such setting logs every read.
const bindings = { READS_PER_LOG_LINE: '10', SUCCESSES_PER_ROW: '100' };
const runtime = await startRuntime({
  script,
  persist,
  ignoresQueues: true,
  isDeaf: true,
  bindings,
});
if (filled === undefined) await seed();

async function seed(): Promise<void> {
  await (runtimes.migrateRuntime ?? runtimes.migrate)?.(runtime);
  await seeds.seedStore(runtime);
  const store = await runtime.getD1Database('STORE_0');
  const insertBrands = () =>
    store.batch(
      Array.from({ length: 200 }, (_, n) =>
        store
          .prepare(
            'insert or ignore into brands (store_id, name, name_key, name_folded, active, featured, created_at, updated_at) values (1, ?1, ?1, ?1, 1, 0, ?2, ?2)',
          )
          .bind(`brand ${n}`, Date.now()),
      ),
    );
  // The runtime closes a connection that was idle for five seconds, which a busy machine takes to
  // seed. Then another one is made.
  await insertBrands().catch(insertBrands);
}

const contender: Contender = {
  url: (await runtime.ready).href,
  headers: seeds.apiKeyHeaders ?? seeds.pair ?? {},
  workerPid: findWorkerPid(process.pid),
};
const stop = async () => {
  await runtime.dispose();
  if (state === undefined) rmSync(persist, { recursive: true, force: true });
  process.exit();
};
process.on('disconnect', () => void stop());
process.send?.(contender);

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { createCaller } from './api.ts';
import { buildWorker } from './bundle.ts';
import { makeOnce } from './make-once.ts';
import { migrateRuntime, startRuntime } from './runtime.ts';
import { seedStore } from './seed-store.ts';

/** The built service on a port, with empty databases and the store `bench`. */
export interface RunningService {
  runtime: Miniflare;
  /** The address of the service, with a trailing slash. */
  url: string;
  /** Calls an operation of the store `bench`; throws unless it succeeds. */
  api: ReturnType<typeof createCaller>;
  /** Stops the service and deletes its databases. */
  stop: () => Promise<void>;
}

/** Builds and starts the service. Takes the options of `startRuntime`. */
export async function startService(
  options: Omit<Parameters<typeof startRuntime>[0], 'script' | 'persist'> = {},
): Promise<RunningService> {
  const { script } = await buildWorker();
  const seeded = await makeOnce('service', async (folder) => {
    const runtime = await startRuntime({ script, persist: folder });
    await migrateRuntime(runtime);
    await seedStore(runtime);
    await runtime.dispose();
  });
  const state = mkdtempSync(join(tmpdir(), 'store-api-service-'));
  cpSync(seeded, state, { recursive: true });
  const runtime = await startRuntime({ ...options, script, persist: state });
  const url = (await runtime.ready).href;
  return {
    runtime,
    url,
    api: createCaller(url),
    stop: async () => {
      await runtime.dispose();
      rmSync(state, { recursive: true });
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { createCaller } from './api.ts';
import { buildWorker } from './bundle.ts';
import { migrateRuntime, startRuntime } from './runtime.ts';
import { seedStore } from './seed-store.ts';

/** The built service on a port, with empty databases and the store `bench`. */
export interface RunningService {
  runtime: Miniflare;
  /** The address of the service, with a trailing slash. */
  url: string;
  /** Calls an operation of the store `bench`; throws unless it succeeds. */
  api: ReturnType<typeof createCaller>;
  /** Stops the service and deletes its build and its databases. */
  stop: () => Promise<void>;
}

/** Builds and starts the service. Takes the options of `startRuntime`. */
export async function startService(
  options: Omit<Parameters<typeof startRuntime>[0], 'script' | 'persist'> = {},
): Promise<RunningService> {
  const build = buildWorker();
  const state = mkdtempSync(join(tmpdir(), 'store-api-service-'));
  const runtime = await startRuntime({ ...options, script: build.script, persist: state });
  await migrateRuntime(runtime);
  await seedStore(runtime);
  const url = (await runtime.ready).href;
  return {
    runtime,
    url,
    api: createCaller(url),
    stop: async () => {
      await runtime.dispose();
      rmSync(state, { recursive: true });
      rmSync(build.folder, { recursive: true });
    },
  };
}

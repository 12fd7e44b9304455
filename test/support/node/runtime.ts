import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const limit = { simple: { limit: 1_000_000, period: 60 as const } };

/** The variables of wrangler.toml, for a runtime without wrangler. */
export const variables = {
  DEPLOYMENT: 'local',
  SERVICE_NAME: 'Service',
  ALLOW_LOCAL_RECEIVERS: 'true',
  LANE_LEASE_SECONDS: '60',
  SEALING_KEY: 'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=',
};

/** The real runtime on a port, with the built Worker and its databases in a folder. */
export async function startRuntime(options: {
  script: string;
  port?: number;
  persist: string;
  bindings?: Partial<typeof variables>;
}): Promise<Miniflare> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: 'ESModule', path: options.script }],
      modulesRoot: join(options.script, '..'),
      host: '127.0.0.1',
      port: options.port ?? 0,
      compatibilityDate: '2026-10-23',
      bindings: { ...variables, ...options.bindings },
      d1Databases: { DIRECTORY: 'directory', STORE_0: 'store-0' },
      d1Persist: join(options.persist, 'd1'),
      kvNamespaces: { GRANTS: 'grants', DEMO: 'demo' },
      kvPersist: join(options.persist, 'kv'),
      queueProducers: { HINTS: { queueName: 'hints' } },
      queueConsumers: { hints: { maxBatchSize: 6, maxBatchTimeout: 0, maxRetries: 5 } },
      ratelimits: {
        API_LIMIT: { namespace_id: '1', ...limit },
        ME_LIMIT: { namespace_id: '2', ...limit },
        REFUSED_LIMIT: { namespace_id: '3', ...limit },
      },
      unsafeTriggerHandlers: true,
    } as never),
  );
  await runtime.ready;
  return runtime;
}

/** Applies the migrations to a fresh runtime. */
export async function migrate(runtime: Miniflare): Promise<void> {
  for (const [binding, folder] of [
    ['DIRECTORY', 'drizzle/directory'],
    ['STORE_0', 'drizzle/store'],
  ] as const) {
    const database = await runtime.getD1Database(binding);
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()) {
      const statements = readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint');
      await database.batch(statements.map((statement) => database.prepare(statement)));
    }
  }
}

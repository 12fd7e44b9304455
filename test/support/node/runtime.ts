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
  API_PER_MINUTE: '1000000',
  ME_PER_MINUTE: '1000000',
  REFUSED_PER_MINUTE: '1000000',
  SEALING_KEY: 'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=',
  TOKEN_KEY: 'bG9jYWwtdG9rZW4ta2V5LW5ldmVyLWluLXByb2R1Y3Q=',
  NAMED_CLIENTS: 'demo-app catalog-app draft-app',
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
      resourcePersistencePath: options.persist,
      compatibilityDate: '2026-10-23',
      compatibilityFlags: ['nodejs_compat'],
      bindings: { ...variables, ...options.bindings },
      d1Databases: { DIRECTORY: 'directory', STORE_0: 'store-0' },
      kvNamespaces: { GRANTS: 'grants', DEMO: 'demo' },
      queueProducers: { HINTS: { queueName: 'hints' } },
      queueConsumers: { hints: { maxBatchSize: 6, maxBatchTimeout: 0, maxRetries: 5 } },
      ratelimits: {
        API_LIMIT: { namespace_id: '1', ...limit },
        ME_LIMIT: { namespace_id: '2', ...limit },
        REFUSED_LIMIT: { namespace_id: '3', ...limit },
      },
      // The request log would be the larger part of the output.
      handleStructuredLogs: ({ level, message }) => {
        if (level !== 'log') console.error(message);
      },
    }),
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

/** Fires the cron once. */
export async function fireCron(runtime: Miniflare): Promise<void> {
  // Miniflare's own types name a package that is not published.
  const worker = (await runtime.getWorker()) as unknown as {
    scheduled: (options: { cron: string }) => Promise<unknown>;
  };
  await worker.scheduled({ cron: '* * * * *' });
}

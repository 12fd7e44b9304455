import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

const limit = { simple: { limit: 1_000_000, period: 60 as const } };

/** The variables of wrangler.toml, for a runtime without wrangler. */
export const variables = {
  DEPLOYMENT: 'local',
  SERVICE_NAME: 'Service',
  ALLOW_LOCAL_RECEIVERS: 'true',
  OWN_HOSTS: '',
  RESOLVER_URL: '',
  RESTORING: '',
  LANE_LEASE_SECONDS: '60',
  EVENT_DAYS: '30',
  DELIVERED_EVENT_DAYS: '30',
  API_PER_MINUTE: '1000000',
  ME_PER_MINUTE: '1000000',
  REFUSED_PER_MINUTE: '1000000',
  SEALING_KEY: 'bG9jYWwta2V5LW5ldmVyLXVzZWQtaW4tcHJvZHVjdGk=',
  TOKEN_KEY: 'bG9jYWwtdG9rZW4ta2V5LW5ldmVyLWluLXByb2R1Y3Q=',
  NAMED_CLIENTS: 'demo-app catalog-app draft-app',
};

const hints = {
  maxBatchSize: 10,
  maxBatchTimeout: 0,
  maxRetries: 5,
  deadLetterQueue: 'webhook-dead-hints',
};

/** The queues of wrangler.toml. */
const queues = [
  ...[0, 1, 2, 3].map((number) => ({
    binding: `HINTS_FAST_${number}`,
    queueName: `webhook-fast-${number}`,
    consumer: hints,
  })),
  ...[0, 1].map((number) => ({
    binding: `HINTS_SLOW_${number}`,
    queueName: `webhook-slow-${number}`,
    consumer: hints,
  })),
  {
    binding: 'DEAD_HINTS',
    queueName: 'webhook-dead-hints',
    consumer: { maxBatchSize: 10, maxBatchTimeout: 5, maxRetries: 100 },
  },
];
/** Another Worker, which reaches this one through the service binding `REPORTS`. */
const neighbour = (contents: string) => ({
  name: 'neighbour',
  compatibilityDate: '2026-10-23',
  modules: [{ type: 'ESModule' as const, path: 'neighbour.js', contents }],
  serviceBindings: { REPORTS: { name: 'service', entrypoint: 'Reports' } },
});

/** The real runtime on a port, with the built Worker and its databases in a folder. */
export async function startRuntime(options: {
  script: string;
  port?: number;
  persist: string;
  bindings?: Partial<typeof variables>;
  /** Source of the Worker `neighbour`, where a test needs one. */
  neighbour?: string;
  /** Nobody reads the queues. */
  isDeaf?: boolean;
}): Promise<Miniflare> {
  const service = {
    name: 'service',
    modules: [{ type: 'ESModule' as const, path: options.script }],
    modulesRoot: join(options.script, '..'),
    compatibilityDate: '2026-10-23',
    compatibilityFlags: ['nodejs_compat', 'queue_consumer_no_wait_for_wait_until'],
    bindings: { ...variables, ...options.bindings },
    d1Databases: { DIRECTORY: 'directory', STORE_0: 'store-0' },
    kvNamespaces: { GRANTS: 'grants', DEMO: 'demo' },
    queueProducers: Object.fromEntries(
      queues.map(({ binding, queueName }) => [binding, { queueName }]),
    ),
    queueConsumers: options.isDeaf
      ? {}
      : Object.fromEntries(queues.map(({ queueName, consumer }) => [queueName, consumer])),
    ratelimits: {
      API_LIMIT: { namespace_id: '1', ...limit },
      ME_LIMIT: { namespace_id: '2', ...limit },
      REFUSED_LIMIT: { namespace_id: '3', ...limit },
    },
  };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port ?? 0,
      resourcePersistencePath: options.persist,
      // The request log would be the larger part of the output.
      handleStructuredLogs: ({ level, message }) => {
        if (level !== 'log') console.error(message);
      },
      workers: [service, ...(options.neighbour ? [neighbour(options.neighbour)] : [])],
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

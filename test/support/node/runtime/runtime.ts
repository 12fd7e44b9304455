import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as MiniflareModule from 'miniflare';
import { splitMigration } from '../../../../drizzle/complete-migration.ts';
import { numberShardStatements } from '../../../../src/data/shards/shard-numbers.ts';
import { readConfiguration } from '../../../../src/demo/node/configuration.ts';
import { serveFolder } from '../../../../src/demo/node/documentation.ts';
import { runScheduled } from '../../../../src/demo/node/runtime.ts';

/** The names of `[vars]`; only a deployment sets `AUTH_URL`. */
type Variables = {
  [
    Name in Exclude<keyof Env, 'AUTH_URL'> as NonNullable<Env[Name]> extends string ? Name : never
  ]-?: string;
};

// A package of this kind that is imported is parsed once more, only to see which kind it is.
const { convertV4MiniflareOptions, Miniflare } = createRequire(import.meta.url)(
  'miniflare',
) as typeof MiniflareModule;

// Kept between processes, since wrangler takes two seconds of CPU in each that loads it.
const { workerOptions } = await readConfiguration('.');
const { compatibilityDate } = workerOptions as { compatibilityDate: string };

/** The variables of wrangler.toml, for a runtime that starts without wrangler. */
export const wranglerVars = workerOptions.bindings as Variables;

/** A second Worker that reaches the service through the binding `REPORTS`. */
const neighbour = (contents: string) => ({
  name: 'neighbour',
  compatibilityDate,
  modules: [{ type: 'ESModule' as const, path: 'neighbour.js', contents }],
  serviceBindings: { REPORTS: { name: 'service', entrypoint: 'Reports' } },
});

/** The modules of a built Worker: its script, and the texts beside it. */
const modulesOf = (folder: string) =>
  readdirSync(folder)
    .filter((file) => /-.+\.md$|\.js$/.test(file))
    .map((file) => ({
      type: file.endsWith('.js') ? ('ESModule' as const) : ('Text' as const),
      path: join(folder, file),
    }))
    .toSorted((a, b) => Number(a.type === 'Text') - Number(b.type === 'Text'));

/** Starts the real runtime on a port, with a built Worker and its databases in a folder. */
export async function startRuntime(options: {
  script: string;
  port?: number;
  persist: string;
  bindings?: Partial<Variables>;
  /** Source of the Worker `neighbour`, if a test needs it. */
  neighbour?: string;
  /** Starts no queue consumers. */
  ignoresQueues?: boolean;
  /** Starts the Worker `twin`: another isolate of the service. */
  hasTwin?: boolean;
  /** The lines that the Workers logged. */
  lines?: string[];
  /**
   * The folder of the built Worker that watches, with its variables; it reads the log of the
   * service.
   */
  watch?: { folder: string; bindings: Record<string, string> };
}): Promise<MiniflareModule.Miniflare> {
  // As the local runtime does: static assets would put two Workers of the runtime in front of each
  // request.
  const { assets: _, ...withoutAssets } = workerOptions;
  const ASSETS = serveFolder('dist/docs');
  const service = {
    ...withoutAssets,
    name: 'service',
    serviceBindings: { ASSETS },
    modules: [{ type: 'ESModule' as const, path: options.script }],
    modulesRoot: join(options.script, '..'),
    bindings: { ...wranglerVars, ...options.bindings },
    ...(options.ignoresQueues && { queueConsumers: {} }),
    ...(options.watch && { tails: ['watch'] }),
  };
  const watch = options.watch && {
    name: 'watch',
    compatibilityDate,
    modules: modulesOf(options.watch.folder),
    modulesRoot: options.watch.folder,
    bindings: options.watch.bindings,
    kvNamespaces: ['WATCH'],
  };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port ?? 0,
      resourcePersistencePath: options.persist,
      unsafeTriggerHandlers: true,
      // Drops the request log, which would drown the rest.
      handleStructuredLogs: ({ level, message }) => {
        options.lines?.push(message);
        if (level !== 'log') console.error(message);
      },
      workers: [
        service,
        ...(options.hasTwin ? [{ ...service, name: 'twin', queueConsumers: {} }] : []),
        ...(options.neighbour ? [neighbour(options.neighbour)] : []),
        ...(watch ? [watch] : []),
      ],
    }),
  );
  await runtime.ready;
  return runtime;
}

/**
 * Runs statements in one call: in Node, the binding of a runtime crosses to it for each `prepare`,
 * and waits.
 */
const execute = (database: D1Database, statements: readonly string[]) =>
  database.exec(statements.map((sql) => sql.trim().replaceAll(/\s*\n\s*/g, ' ')).join('\n'));

/** Applies the migrations to the empty databases of a runtime. */
export async function migrateRuntime(runtime: MiniflareModule.Miniflare): Promise<void> {
  for (const [binding, folder, shard] of [
    ['DIRECTORY', 'drizzle/directory', undefined],
    ['STORE_0', 'drizzle/store', 0],
    ['STORE_1', 'drizzle/store', 1],
  ] as const) {
    const database = await runtime.getD1Database(binding);
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()) {
      await execute(database, splitMigration(readFileSync(join(folder, file), 'utf8')));
    }
    if (shard !== undefined) await execute(database, numberShardStatements(shard));
  }
}

/** Fires the cron once. */
export async function fireCron(runtime: MiniflareModule.Miniflare): Promise<void> {
  await runScheduled(runtime, '* * * * *');
}

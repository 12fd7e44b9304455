import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { bundleWorker, watchWorker } from './bundle.ts';

export interface LocalRuntimeOptions {
  /** Folder of the project. */
  root: string;
  port: number;
  /** Folder of the local state, as in `wrangler dev --persist-to`. */
  state: string;
  /** Called with each line that the Worker logs. */
  onLog: (level: string, line: string) => void;
  /** Source of a module that replaces the Worker and imports it as `./index.js`. */
  wrapperSource?: string;
}

/** The local runtime. Its databases are usable before the Worker is served. */
export interface LocalRuntime {
  env: Env;
  /** The databases, each with the folder of its migrations. */
  migrations: { database: D1Database; folder: string }[];
  crons: readonly string[];
  /** Starts the Worker on the port. */
  serve: () => Promise<void>;
  /** Restarts the Worker after each change of its sources. Calls `onReload` with a message about each change. */
  watch: (onReload: (level: 'info' | 'error', message: string) => void) => Promise<void>;
  /** Runs the `scheduled` handler. Resolves to its outcome (`ok`, `exception`, ...). */
  triggerCron: (cron: string) => Promise<string>;
  close: () => Promise<void>;
}

// The published types of wrangler and miniflare refer to packages that are not published.
interface Config {
  d1_databases: { binding: string; migrations_dir?: string }[];
  triggers: { crons?: string[] };
}
interface Scheduled {
  scheduled: (options: { cron: string }) => Promise<{ outcome: string }>;
}

/**
 * Opens the local configuration of wrangler.toml in workerd, with the same state as `wrangler dev` and
 * `wrangler d1 ... --local`. It asks no questions and sends no telemetry.
 */
export async function openLocalRuntime(options: LocalRuntimeOptions): Promise<LocalRuntime> {
  const { root, port, state, onLog, wrapperSource } = options;
  const config = unstable_readConfig({ config: resolve(root, 'wrangler.toml') });
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config);
  if (!main) throw new Error('wrangler.toml has no main.');
  const optionsOf = (contents: string, port: number) =>
    convertV4MiniflareOptions({
      ...workerOptions,
      modules: [
        ...(wrapperSource === undefined
          ? []
          : [{ type: 'ESModule' as const, path: 'wrapper.js', contents: wrapperSource }]),
        { type: 'ESModule', path: 'index.js', contents },
      ],
      host: 'localhost',
      port,
      resourcePersistencePath: join(state, 'v3'),
      cf: false,
      telemetry: { enabled: false },
      unsafeTriggerHandlers: true,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ level, message }) => onLog(level, message),
    });
  const bundling = bundleWorker(main);
  // `serve` awaits it; until then a failure must not end the process.
  bundling.catch(() => undefined);
  const miniflare = new Miniflare(optionsOf('export default {}', 0));
  await miniflare.ready;
  // wrangler generates `Env` from the same file.
  const env = await miniflare.getBindings<Env>();
  const { d1_databases: databases, triggers }: Config = config;
  let stopWatching: (() => Promise<void>) | undefined;
  return {
    env,
    migrations: databases.flatMap(({ binding, migrations_dir: folder }) =>
      folder ? [{ database: env[binding as 'DIRECTORY'], folder: resolve(root, folder) }] : [],
    ),
    crons: triggers.crons ?? [],
    serve: async () => miniflare.setOptions(optionsOf(await bundling, port)),
    triggerCron: async (cron) => {
      const worker = (await miniflare.getWorker()) as unknown as Scheduled;
      return (await worker.scheduled({ cron })).outcome;
    },
    watch: async (onReload) => {
      stopWatching = await watchWorker(main, (result) => {
        if ('errors' in result) return onReload('error', result.errors.join('\n'));
        miniflare.setOptions(optionsOf(result.source, port)).then(
          () => onReload('info', 'The Worker was reloaded.'),
          (error: unknown) => onReload('error', String(error)),
        );
      });
    },
    close: async () => {
      await stopWatching?.();
      await miniflare.dispose();
    },
  };
}

import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { bundle } from './bundle.ts';

export interface RuntimeOptions {
  /** Folder of the project. */
  root: string;
  port: number;
  /** Folder of the local state, as in `wrangler dev --persist-to`. */
  state: string;
  /** Gets each line that the Worker logs. */
  onLog: (level: string, line: string) => void;
  /** Source of a module that takes the Worker's place and imports it as `./index.js`. */
  around?: string;
}

/** The local platform: databases first, then the Worker on top of them. */
export interface Runtime {
  env: Env;
  /** The databases that have migrations, and where those are. */
  migrations: { database: D1Database; folder: string }[];
  crons: readonly string[];
  /** Lets the Worker answer on the port; before, nothing does. */
  serve: () => Promise<void>;
  /** Fires a cron trigger; answers how the handler ended (`ok`, `exception`, ...). */
  fire: (cron: string) => Promise<string>;
  close: () => Promise<void>;
}

// What the published types of wrangler and miniflare leave open: they name packages that are not published.
interface Config {
  d1_databases: { binding: string; migrations_dir?: string }[];
  triggers: { crons?: string[] };
}
interface Scheduled {
  scheduled: (options: { cron: string }) => Promise<{ outcome: string }>;
}

/**
 * Opens what wrangler.toml describes in workerd, with the state that `wrangler dev` and `wrangler d1 ... --local`
 * use. One process migrates, seeds and serves, and nothing asks or calls home.
 */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { root, port, state, onLog, around } = options;
  const config = unstable_readConfig({ config: resolve(root, 'wrangler.toml') });
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config);
  if (!main) throw new Error('wrangler.toml names no main.');
  const optionsOf = (contents: string, port: number) =>
    convertV4MiniflareOptions({
      ...workerOptions,
      modules: [
        ...(around === undefined
          ? []
          : [{ type: 'ESModule' as const, path: 'around.js', contents: around }]),
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
  const bundling = bundle(main);
  // Looked at in `serve`; until then its failure must not end the process.
  bundling.catch(() => undefined);
  const miniflare = new Miniflare(optionsOf('export default {}', 0));
  await miniflare.ready;
  // `Env` is generated from the file that these bindings are made from.
  const env = await miniflare.getBindings<Env>();
  const { d1_databases: databases, triggers }: Config = config;
  return {
    env,
    migrations: databases.flatMap(({ binding, migrations_dir: folder }) =>
      folder ? [{ database: env[binding as 'DIRECTORY'], folder: resolve(root, folder) }] : [],
    ),
    crons: triggers.crons ?? [],
    serve: async () => miniflare.setOptions(optionsOf(await bundling, port)),
    fire: async (cron) => {
      const worker = (await miniflare.getWorker()) as unknown as Scheduled;
      return (await worker.scheduled({ cron })).outcome;
    },
    close: () => miniflare.dispose(),
  };
}

import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { shardOfBinding } from '../../data/core/open-database.ts';
import { ensureDocs } from '../../docs/build/ensure-docs.ts';
import { demoBrand } from '../seed/demo-brand.ts';
import { bundleWorker, watchWorker } from './bundle.ts';
import { readConfiguration } from './configuration.ts';
import { serveFolder } from './documentation.ts';
import { openSetupDatabase, setupWorker } from './setup-database.ts';

export interface LocalRuntimeOptions {
  /** Folder of the project. */
  root: string;
  port: number;
  /** Folder of the local state, as in `wrangler dev --persist-to`. */
  state: string;
  /** Called with each line that the Worker logs. */
  onLog: (level: string, line: string) => void;
  /** The token of the set-up link. */
  setupToken?: string;
  /** The bundled Worker; it is bundled anew by default. */
  script?: string;
  /** Source of a module that replaces the Worker and imports it as `./index.js`. */
  wrapperSource?: string;
  /** Serves the Worker at once, since its databases are complete; otherwise `serve` does. */
  isPrepared?: boolean;
  /** Port of the inspector, 0 for a free one; it has none by default. */
  inspectorPort?: number;
}

/** A database with the folder of its migrations, and its number if it is a shard. */
export interface LocalDatabase {
  database: D1Database;
  folder: string;
  shard: number | undefined;
}

/** The local runtime. Its databases are usable before the Worker is served. */
export interface LocalRuntime {
  /**
   * The bindings. Their calls block this process, as {@link runScheduled} says: not for a Worker
   * that others call.
   */
  getBindings: () => Promise<Env>;
  /** The same with databases for seeds, which are fast and end when the Worker is served. */
  getSetupBindings: () => Promise<Env>;
  databases: LocalDatabase[];
  crons: readonly string[];
  /** Starts the Worker on the port. */
  serve: () => Promise<void>;
  /**
   * Restarts the Worker after each change of its sources or of the documentation. Calls `onReload`
   * with a message about each change.
   */
  watch: (onReload: (level: 'info' | 'error', message: string) => void) => Promise<void>;
  /** Runs the `scheduled` handler. Resolves to its outcome (`ok`, `exception`, ...). */
  triggerCron: (cron: string) => Promise<string>;
  close: () => Promise<void>;
}

/**
 * Runs the `scheduled` handler of the first Worker, by a request. A call of its binding would block
 * this process until it ends, and nothing would read the log meanwhile. A Worker that has filled
 * the pipe waits for ever, and answers nothing more.
 */
export async function runScheduled(
  miniflare: Pick<Miniflare, 'dispatchFetch'>,
  cron: string,
): Promise<string> {
  const path = `/cdn-cgi/local/scheduled?${new URLSearchParams({ cron }).toString()}`;
  return (await miniflare.dispatchFetch(`http://localhost${path}`)).text();
}

/**
 * Opens the local configuration of wrangler.toml in workerd, with the same state as `wrangler dev`
 * and `wrangler d1 ... --local`. It asks no questions and sends no telemetry.
 */
export async function openLocalRuntime(options: LocalRuntimeOptions): Promise<LocalRuntime> {
  const {
    root,
    port,
    state,
    onLog,
    setupToken,
    script,
    wrapperSource,
    isPrepared = false,
    inspectorPort,
  } = options;
  const { workerOptions, main, databases, crons } = await readConfiguration(root);
  const { assets: _, ...withoutAssets } = workerOptions;
  const optionsOf = (contents: string, port: number) =>
    convertV4MiniflareOptions({
      ...withoutAssets,
      serviceBindings: { ASSETS: serveFolder(join(root, 'dist/docs')) },
      // Links in mails lead to the port that is served.
      bindings: {
        ...demoBrand,
        ...workerOptions.bindings,
        LOCAL_ORIGIN: `http://localhost:${port || 8787}`,
        ...(setupToken !== undefined && { SETUP_TOKEN: setupToken }),
      },
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
      ...(inspectorPort !== undefined && { inspectorPort }),
      unsafeTriggerHandlers: true,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ level, message }) => onLog(level, message),
    });
  const bundling = script === undefined ? bundleWorker(main) : Promise.resolve(script);
  // `serve` awaits it; until then a failure must not end the process.
  bundling.catch(() => undefined);
  const miniflare = new Miniflare(
    isPrepared ? optionsOf(await bundling, port) : optionsOf(setupWorker, 0),
  );
  await miniflare.ready;
  // wrangler generates `Env` from the same file.
  const getBindings = () => miniflare.getBindings<Env>();
  let stopWatching: (() => Promise<void>) | undefined;
  const setupDatabases = databases.map(
    ({ binding }) => [binding, openSetupDatabase(miniflare, binding)] as const,
  );
  return {
    getBindings,
    getSetupBindings: async () => ({
      ...(await getBindings()),
      ...Object.fromEntries(setupDatabases),
    }),
    databases: databases.flatMap(({ binding, migrations_dir: folder }) =>
      folder === undefined
        ? []
        : [
            {
              database: openSetupDatabase(miniflare, binding),
              folder: resolve(root, folder),
              shard: shardOfBinding(binding),
            },
          ],
    ),
    crons,
    serve: async () => {
      if (!isPrepared) await miniflare.setOptions(optionsOf(await bundling, port));
    },
    triggerCron: (cron) => runScheduled(miniflare, cron),
    watch: async (onReload) => {
      let source = await bundling;
      let reloading = Promise.resolve();
      /** One reload after the other, since each may build the documentation. */
      const reload = () => {
        reloading = reloading
          .then(async () => {
            for (const problem of await ensureDocs(root)) onReload('error', problem);
            await miniflare.setOptions(optionsOf(source, port));
            onReload('info', 'The Worker was reloaded.');
          })
          .catch((error: unknown) => onReload('error', String(error)));
      };
      const stopBundler = await watchWorker(main, (result) => {
        if ('errors' in result) return onReload('error', result.errors.join('\n'));
        ({ source } = result);
        reload();
      });
      let pause: NodeJS.Timeout | undefined;
      const texts = watch(join(root, 'src/docs'), { recursive: true }, () => {
        clearTimeout(pause);
        pause = setTimeout(reload, 200);
      });
      stopWatching = async () => {
        texts.close();
        await stopBundler();
      };
    },
    close: async () => {
      await stopWatching?.();
      await miniflare.dispose();
    },
  };
}

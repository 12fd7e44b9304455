import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { migrate } from '../../../src/demo/migrate.ts';
import { openRuntime } from '../../../src/demo/runtime.ts';
import { seed } from '../../../src/demo/seed.ts';
import { freePort } from './free-port.ts';

/** The service with the demo's people, stores and apps, on a port. */
export interface Demo {
  /** Without a slash at the end; it is the issuer as well. */
  origin: string;
  env: Env;
  /** Each line that the Worker logged. */
  lines: string[];
  /** Folder of the databases. */
  state: string;
  /** Fires the cron of every minute once. */
  tick: () => Promise<string>;
  close: () => Promise<void>;
}

/** What `npm start` serves, with a state of its own; `around` is the source of a module around the Worker. */
export async function startDemo({ around }: { around?: string } = {}): Promise<Demo> {
  const state = mkdtempSync(join(tmpdir(), 'store-api-demo-'));
  const port = await freePort();
  const lines: string[] = [];
  const runtime = await openRuntime({
    root: resolve(import.meta.dirname, '../../..'),
    port,
    state,
    onLog: (_level, line) => void lines.push(line),
    ...(around !== undefined && { around }),
  });
  for (const { database, folder } of runtime.migrations) await migrate(database, folder);
  await seed(runtime.env, Date.now());
  await runtime.serve();
  return {
    origin: `http://localhost:${port}`,
    env: runtime.env,
    lines,
    state,
    tick: () => runtime.fire('* * * * *'),
    close: async () => {
      await runtime.close();
      rmSync(state, { recursive: true });
    },
  };
}

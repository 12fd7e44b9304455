import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundleWorker } from '../../../../src/demo/node/bundle.ts';
import { readConfiguration } from '../../../../src/demo/node/configuration.ts';
import { openLocalRuntime } from '../../../../src/demo/node/runtime.ts';
import { freePort } from './free-port.ts';
import { makeOnce } from './make-once.ts';

/** The service on a port, with the users, stores and apps of the demo. */
export interface RunningDemo {
  /** The origin, without a trailing slash. It is also the OAuth issuer. */
  origin: string;
  env: Env;
  /** The lines that the Worker logged. */
  lines: string[];
  /** The folder of the databases. */
  state: string;
  /** Triggers the cron of every minute once. */
  triggerCron: () => Promise<string>;
  close: () => Promise<void>;
}

interface DemoOptions {
  /** Source of a module that wraps the Worker. */
  wrapperSource?: string;
  /** Changes the source of the Worker. */
  change?: (script: string) => string;
  /** Starts without demo data, with this token of the set-up link. */
  setupToken?: string;
  /** Port of the inspector of the runtime. */
  inspectorPort?: number;
}

const root = resolve(import.meta.dirname, '../../../..');

/** Builds the Worker that `npm start` serves, once in a test run. Returns its script. */
export async function buildDemo(): Promise<string> {
  const built = await makeOnce('demo-worker', async (folder) => {
    const { main } = await readConfiguration(root);
    // Without its source map, which is half of it: each start copies all of it some ninety times.
    const script = (await bundleWorker(main)).replace(/^\/\/# sourceMappingURL=.*$/m, '');
    writeFileSync(join(folder, 'index.js'), script);
  });
  return readFileSync(join(built, 'index.js'), 'utf8');
}

/** Starts what `npm start` serves, on a fresh state. */
export async function startDemo({
  wrapperSource,
  change = (script) => script,
  setupToken,
  inspectorPort,
}: DemoOptions = {}): Promise<RunningDemo> {
  const isEmpty = setupToken !== undefined;
  const script = await buildDemo();
  // Node reads the sources of the seed in a fraction of the time that a worker of the tests takes.
  const seeded = await makeOnce(isEmpty ? 'empty' : 'demo', async (folder) => {
    const script = join(import.meta.dirname, 'seed-process.ts');
    await promisify(execFile)(process.execPath, [script, folder, isEmpty ? 'empty' : 'demo']);
  });
  const state = mkdtempSync(join(tmpdir(), 'store-api-demo-'));
  cpSync(seeded, state, { recursive: true });
  const port = await freePort();
  const lines: string[] = [];
  const runtime = await openLocalRuntime({
    root,
    port,
    state,
    script: change(script),
    isPrepared: true,
    onLog: (_level, line) => void lines.push(line),
    ...(wrapperSource !== undefined && { wrapperSource }),
    ...(setupToken !== undefined && { setupToken }),
    ...(inspectorPort !== undefined && { inspectorPort }),
  });
  await runtime.serve();
  return {
    origin: `http://localhost:${port}`,
    env: await runtime.getBindings(),
    lines,
    state,
    triggerCron: () => runtime.triggerCron('* * * * *'),
    close: async () => {
      await runtime.close();
      rmSync(state, { recursive: true });
    },
  };
}

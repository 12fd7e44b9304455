import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approve, callback, clientId, seedApp } from '../../support/node/authorization.ts';
import { bundle } from '../../support/node/bundle.ts';
import { migrate, startRuntime } from '../../support/node/runtime.ts';
import { seedStore } from '../../support/node/store.ts';
import type { Rival } from './rival.ts';

/** This service, as it would be deployed. */
export async function ours(): Promise<Rival> {
  const { folder } = bundle();
  const persist = mkdtempSync(join(tmpdir(), 'store-api-ours-'));
  const runtime = await startRuntime({ script: join(folder, 'index.js'), persist });
  await migrate(runtime);
  await seedStore(runtime);
  await seedApp(runtime);
  return {
    name: 'this service',
    tokenUrl: `${(await runtime.ready).origin}/oauth/token`,
    client: { client_id: clientId },
    approve: async () => {
      const { code, verifier } = await approve(runtime);
      return { code, redirect_uri: callback, code_verifier: verifier };
    },
    stop: async () => {
      await runtime.dispose();
      rmSync(persist, { recursive: true });
      rmSync(folder, { recursive: true });
    },
  };
}

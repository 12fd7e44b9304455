import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Starts an authorization server that is a Worker on KV, in the same runtime as this service. */
export async function startWorker(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-oauth-server-'));
  const script = join(folder, 'index.js');
  execFileSync('esbuild', [
    join(import.meta.dirname, source),
    '--bundle',
    '--format=esm',
    '--conditions=workerd,worker,browser',
    '--external:cloudflare:*',
    '--external:node:*',
    '--log-level=error',
    `--outfile=${script}`,
  ]);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      modules: [{ type: 'ESModule', path: script }],
      modulesRoot: folder,
      compatibilityDate: '2026-10-23',
      compatibilityFlags: ['nodejs_compat', 'global_fetch_strictly_public'],
      kvNamespaces: { OAUTH_KV: 'oauth' },
      resourcePersistencePath: join(folder, 'state'),
      handleStructuredLogs: () => undefined,
    }),
  );
  return {
    origin: (await runtime.ready).origin,
    stop: async () => {
      await runtime.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

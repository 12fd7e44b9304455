import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoApiKeys, demoUsers } from '../../../src/demo/seed/account-data.ts';
import { writeProductionConfig } from '../../support/node/deploy/production-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-api-main-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Builds the Worker of a configuration, and returns the script that would be uploaded. */
function buildScript(name: string, script: string, options: readonly string[]): string {
  const outdir = join(folder, name);
  execFileSync('wrangler', ['deploy', '--dry-run', '--outdir', outdir, ...options], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: 'ignore',
  });
  return readFileSync(join(outdir, script), 'utf8');
}

const demoTexts = [
  '/demo/inbox',
  ...demoApiKeys.flatMap(({ token, secret }) => [token, secret]),
  ...demoUsers.map(({ email }) => email),
];

describe('main of a configuration', () => {
  it('is the service alone in a derived one: neither inbox nor API keys nor users of the demo', () => {
    const config = writeProductionConfig(folder);
    const script = buildScript('production', 'index.js', ['--config', config]);
    for (const text of demoTexts) expect(script.toLowerCase()).not.toContain(text);
  });

  it('serves the inbox and shows the API key of the demo in wrangler.toml', () => {
    const script = buildScript('local', 'worker.js', []);
    expect(script).toContain('/demo/inbox');
    expect(script).toContain(demoApiKeys[0].token);
  });
});

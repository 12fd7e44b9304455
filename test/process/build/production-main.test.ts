import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoApiKeys, demoUsers } from '../../../src/demo/seed/account-data.ts';
import { writeProductionConfig } from '../../support/node/deploy/production-config.ts';
import { buildDemo } from '../../support/node/runtime/demo.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-api-main-'));

afterAll(() => rmSync(folder, { recursive: true }));

const demoTexts = [
  '/demo/inbox',
  ...demoApiKeys.flatMap(({ token, secret }) => [token, secret]),
  ...demoUsers.map(({ email }) => email),
];

describe('main of a configuration', () => {
  it('is the service alone in a derived one: neither inbox nor API keys nor users of the demo', () => {
    const words = ['deploy', '--dry-run', '--config', writeProductionConfig(folder)];
    execFileSync('wrangler', [...words, '--outdir', folder], {
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      stdio: 'ignore',
    });
    const script = readFileSync(join(folder, 'index.js'), 'utf8');
    for (const text of demoTexts) expect(script.toLowerCase()).not.toContain(text);
  });

  it('serves the inbox and shows the API key of the demo in wrangler.toml', async () => {
    const script = await buildDemo();
    expect(script).toContain('/demo/inbox');
    expect(script).toContain(demoApiKeys[0].token);
  });
});

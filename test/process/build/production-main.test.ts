import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { demoApiKeys, demoUsers } from '../../../src/demo/seed/account-data.ts';
import { writeProductionConfig } from '../../support/node/deploy/production-config.ts';
import { buildWorker } from '../../support/node/runtime/bundle.ts';
import { buildDemo } from '../../support/node/runtime/demo.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-api-main-'));

afterAll(() => rmSync(folder, { recursive: true }));

/**
 * What a configuration says about the build of its Worker, apart from its main. Paths are relative
 * to the file.
 */
function buildOptionsOf(config: string) {
  const {
    alias = {},
    define,
    rules,
    minify,
    keep_names,
    no_bundle,
    tsconfig,
  } = unstable_readConfig({ config });
  const aliases = Object.entries<string>(alias).map(([name, path]) => [
    name,
    resolve(config, '..', path),
  ]);
  return { aliases, define, rules, minify, keep_names, no_bundle, tsconfig };
}

const demoTexts = [
  '/demo/inbox',
  ...demoApiKeys.flatMap(({ token, secret }) => [token, secret]),
  ...demoUsers.map(({ email }) => email),
];

describe('main of a configuration', () => {
  it('is the service alone in a derived one: neither inbox nor API keys nor users of the demo', async () => {
    const config = writeProductionConfig(folder);
    // So the script that all files share is the one that a deployment would upload.
    expect(unstable_readConfig({ config }).main).toBe(resolve('src/index.ts'));
    expect(buildOptionsOf(config)).toEqual(buildOptionsOf('./wrangler.toml'));
    const { script } = await buildWorker();
    const text = readFileSync(script, 'utf8').toLowerCase();
    expect(text).toContain('/openapi.json');
    expect(demoTexts.filter((one) => text.includes(one))).toEqual([]);
  });

  it('serves the inbox and shows the API key of the demo in wrangler.toml', async () => {
    const text = await buildDemo();
    expect(text).toContain('/demo/inbox');
    expect(text).toContain(demoApiKeys[0].token);
  });
});

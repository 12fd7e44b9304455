import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { randomBase64 } from '../../src/base/crypto/random.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { parseDeployment } from '../../src/deploy/deployment-file.ts';
import { readLocalConfig } from '../../src/deploy/local-config.ts';
import { createProductionConfig } from '../../src/deploy/production-config.ts';
import { latencyTable } from '../bench/latency.ts';
import {
  deploymentFile,
  deriveProductionConfig,
  projectRoot,
  resourceId,
  writeProductionConfig,
} from '../support/node/deploy/production-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'deploy-config-'));

afterAll(() => rmSync(folder, { recursive: true }));

const local = readLocalConfig(projectRoot);
const config = deriveProductionConfig(folder);

/** The limit of each setting, by the name of its limiter. */
const limitsOf = ({ limits }: ReturnType<typeof settingsOf>) => ({
  API_LIMIT: limits.api,
  ME_LIMIT: limits.me,
  STORE_LIMIT: limits.store,
  FAILED_AUTH_LIMIT: limits.failedAuth,
  FAILED_AUTH_WIDE_LIMIT: limits.failedAuthWide,
  PAGES_LIMIT: limits.pages,
  PAGES_WIDE_LIMIT: limits.pagesWide,
  REVOCATIONS_LIMIT: limits.revocations,
  REGISTRATIONS_LIMIT: limits.registrations,
  REGISTRATIONS_WIDE_LIMIT: limits.registrationsWide,
});

const keyNames = Object.keys(local.vars).filter((name) => name.endsWith('_KEY'));
const secrets = Object.fromEntries(keyNames.map((name) => [name, randomBase64(32)]));

describe.each([
  ['the local configuration', local, {}],
  ['a deployment', config, secrets],
])('the limiters of %s', (_name, { vars, ratelimits }, keys) => {
  it('equal the settings', () => {
    const settings = settingsOf({ ...vars, ...keys } as unknown as Env);
    const limiters = ratelimits.map(({ name, simple }) => [name, simple.limit]);
    expect(Object.fromEntries(limiters)).toEqual(limitsOf(settings));
    expect(ratelimits.every(({ simple }) => simple.period === 60)).toBe(true);
  });

  it('count apart', () => {
    const ids = ratelimits.map(({ namespace_id }) => namespace_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('wrangler.toml', () => {
  it('is local: under a name of its own, without an address, without a real database', () => {
    const { workers_dev, preview_urls }: { workers_dev?: boolean; preview_urls?: boolean } =
      readConfig({ config: join(projectRoot, 'wrangler.toml') });
    expect(local.name).toMatch(/-local$/);
    expect([workers_dev, preview_urls]).toEqual([false, false]);
    expect(local.d1_databases.map(({ database_id }) => database_id)).toEqual(
      local.d1_databases.map(({ binding }) => `${binding.toLowerCase().replace('_', '-')}-local`),
    );
    expect(local).not.toHaveProperty('env');
  });

  it('holds keys that no deployment accepts', () => {
    const forgotten = { ...config.vars, ...local.vars, DEPLOYMENT: 'production' };
    expect(() => settingsOf(forgotten as unknown as Env)).toThrow('Must not be a local key');
  });
});

describe('the configuration of a deployment', () => {
  it('has the limits of the contract', () => {
    expect(config.vars).toMatchObject({
      STORE_PER_MINUTE: '3000',
      PAGES_PER_MINUTE: '120',
      REVOCATIONS_PER_MINUTE: '30',
      REGISTRATIONS_PER_MINUTE: '10',
    });
  });

  it('has one database per shard and every other binding of wrangler.toml but those of the demo', () => {
    expect(
      config.d1_databases.map(({ binding, database_name }) => [binding, database_name]),
    ).toEqual([
      ['DIRECTORY', 'store-api-directory'],
      ['STORE_0', 'store-api-store-0'],
      ['STORE_1', 'store-api-store-1'],
      ['STORE_2', 'store-api-store-2'],
    ]);
    const bindings = (list: readonly { binding: string }[]) => list.map(({ binding }) => binding);
    expect(bindings(config.kv_namespaces)).toEqual(
      bindings(local.kv_namespaces).filter((binding) => binding !== 'DEMO'),
    );
    expect(bindings(config.queues.producers)).toEqual(bindings(local.queues.producers));
    expect(bindings(config.r2_buckets)).toEqual(bindings(local.r2_buckets));
    expect(bindings(config.analytics_engine_datasets)).toEqual(
      bindings(local.analytics_engine_datasets),
    );
    expect(config).toMatchObject({
      main: expect.stringMatching(/src\/index\.ts$/),
      compatibility_date: local.compatibility_date,
      compatibility_flags: local.compatibility_flags,
      triggers: local.triggers,
    });
  });

  it('has a fast queue for each shard, up to 32, each with a consumer like the first', () => {
    const fastOf = (shards: number) => {
      const file = { ...deploymentFile, shards };
      const { producers, consumers } = deriveProductionConfig(folder, file).queues;
      const fast = producers.filter(({ binding }) => binding.startsWith('WAKEUP_FAST_'));
      const rules = fast.map(({ queue }) => ({
        ...consumers.find((consumer) => consumer.queue === queue),
        queue: '',
      }));
      expect(rules.every((rule) => Object.keys(rule).length > 1)).toBe(true);
      expect(new Set(rules.map((rule) => JSON.stringify(rule))).size).toBe(1);
      expect(new Set(fast.map(({ queue }) => queue)).size).toBe(fast.length);
      return fast.map(({ binding }) => binding);
    };
    expect(fastOf(1)).toHaveLength(4);
    expect(fastOf(6)).toEqual([0, 1, 2, 3, 4, 5].map((number) => `WAKEUP_FAST_${number}`));
    expect(fastOf(40)).toHaveLength(32);
  });

  it('has a bucket for copies with its secret only, and refuses one without https', () => {
    const copies = { url: 'https://s3.sa-east-1.example.com/nova/', access_id: 'AKID', days: 7 };
    const { vars } = deriveProductionConfig(folder, { ...deploymentFile, copies });
    const settings = (more: object) =>
      settingsOf({ ...vars, ...secrets, ...more } as unknown as Env).copies;
    expect(settings({})).toBeUndefined();
    expect(settings({ COPIES_SECRET: 'secret of the key' })).toEqual({
      url: 'https://s3.sa-east-1.example.com/nova',
      region: 'auto',
      accessId: 'AKID',
      secret: 'secret of the key',
      keptMs: 7 * 86_400_000,
    });
    expect(() => settings({ COPIES_URL: 'http://s3.example.com/nova' })).toThrow('COPIES_URL');
  });

  it('gives all resources names of their own, so that two deployments share an account', () => {
    const other = deriveProductionConfig(folder, { ...deploymentFile, name: 'staging-api' });
    const namesOf = (one: typeof config) => [
      one.name,
      ...one.d1_databases.map(({ database_name: name }) => name),
      ...one.queues.consumers.flatMap(({ queue, dead_letter_queue: dead }) => [
        queue,
        dead ?? queue,
      ]),
      ...one.queues.producers.map(({ queue }) => queue),
      ...one.r2_buckets.map(({ bucket_name: name }) => name),
      ...one.analytics_engine_datasets.map(({ dataset }) => dataset),
      ...one.ratelimits.map(({ namespace_id: id }) => id),
    ];
    const names = new Set(namesOf(config));
    expect(namesOf(other).filter((name) => names.has(name))).toEqual([]);
  });

  it('has its host as the only address, logs without queries and a limit of CPU', () => {
    expect(config).toMatchObject({
      workers_dev: false,
      preview_urls: false,
      routes: [{ pattern: 'api.store.example', custom_domain: true }],
      limits: { cpu_ms: 10_000 },
      observability: { enabled: true, head_sampling_rate: 1, redact_query_string: true },
    });
  });

  it('runs near its databases, unless it says where', () => {
    const placementOf = (more: object) =>
      deriveProductionConfig(folder, { ...deploymentFile, ...more }).placement;
    expect(placementOf({})).toEqual({ region: 'aws:eu-central-1' });
    expect(placementOf({ location: 'enam' })).toEqual({ region: 'aws:us-east-1' });
    expect(placementOf({ placement: 'aws:sa-east-1' })).toEqual({ region: 'aws:sa-east-1' });
    expect(placementOf({ placement: 'callers' })).toBeUndefined();
    expect(() => placementOf({ placement: 'mars' })).toThrow('Must be "callers"');
  });

  it('waits as the page on scale says', () => {
    const page = readFileSync('src/ops/SCALE.md', 'utf8');
    expect(page).toContain(latencyTable());
  });

  it('contains no key, and no variable that only a local runtime has', () => {
    const names = Object.keys(config.vars);
    expect(names.filter((name) => /KEY|LOCAL_HOSTS|FIXED_CLIENT_IDS/.test(name))).toEqual([]);
    expect(config.vars).toMatchObject({ DEPLOYMENT: 'production', ALLOW_LOCAL_RECEIVERS: 'false' });
  });

  it('refuses webhooks at the host of the deployment and at further own hosts', () => {
    const { vars } = deriveProductionConfig(folder, {
      ...deploymentFile,
      own_hosts: ['pages.store.example'],
    });
    expect(settingsOf({ ...vars, ...secrets } as unknown as Env).ownHosts).toEqual([
      'pages.store.example',
      'api.store.example',
    ]);
  });

  it('takes limits and retention from the deployment file', () => {
    const { vars, ratelimits } = deriveProductionConfig(folder, {
      ...deploymentFile,
      retention_days: 14,
      restoring_shards: [1, 2],
      vars: { FAILED_AUTH_PER_MINUTE: '90' },
    });
    expect(vars).toMatchObject({ EVENT_DAYS: '14', RESTORING_SHARDS: '1 2' });
    const limits = Object.fromEntries(ratelimits.map(({ name, simple }) => [name, simple.limit]));
    expect(limits).toMatchObject({ FAILED_AUTH_LIMIT: 90, FAILED_AUTH_WIDE_LIMIT: 900 });
  });

  it('sends mails only from the sender of the deployment file, and without one has no binding to send with', () => {
    expect(config.send_email).toEqual([]);
    expect(config.vars).toMatchObject({ MAIL_FROM: '', OPERATOR_MFA: 'required' });
    const from = 'store@store.example';
    const sending = deriveProductionConfig(folder, { ...deploymentFile, mail: { from } });
    expect(sending.send_email).toEqual([{ name: 'EMAIL', allowed_sender_addresses: [from] }]);
    expect(settingsOf({ ...sending.vars, ...secrets } as unknown as Env).mailFrom).toBe(from);
    expect(config.queues.consumers.map(({ queue }) => queue)).toContain('store-api-mail');
  });

  it('passes the brand on, and refuses one that is hard to read or loads something', () => {
    expect(settingsOf({ ...config.vars, ...secrets } as unknown as Env).brand).toMatchObject({
      name: 'Service',
      accent: undefined,
    });
    const brand = { name: 'Loja & Cia', accent: '#0b57d0', logo: '<svg></svg>' };
    const { vars } = deriveProductionConfig(folder, { ...deploymentFile, brand });
    const settings = settingsOf({ ...vars, ...secrets } as unknown as Env);
    expect(settings.brand).toMatchObject({ name: 'Loja & Cia', logo: '<svg></svg>' });
    for (const wrong of [{ accent: '#ffcc00' }, { logo: '<svg><script/></svg>' }, { support: 'x' }])
      expect(() => parseDeployment({ ...deploymentFile, brand: wrong })).toThrow('brand.');
  });

  it('is what wrangler understands, without a warning', () => {
    const warn = vi.spyOn(console, 'warn');
    const parsed = readConfig({ config: writeProductionConfig(folder) });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    expect(parsed).toMatchObject({ name: 'store-api', topLevelName: 'store-api' });
    expect(parsed.d1_databases).toHaveLength(4);
    expect(parsed.queues.consumers).toHaveLength(local.queues.consumers.length);
  });

  it.each([
    ['a placeholder', '00000000-0000-0000-0000-000000000000', 'is a placeholder'],
    ['a local id', 'store-0-local', 'is a placeholder'],
    ['the id of another database', resourceId(1), 'the same id'],
  ])('is refused with %s as the id of a database', (_what, id, message) => {
    const ids = {
      databases: { DIRECTORY: resourceId(1), STORE_0: id },
      namespaces: { GRANTS: resourceId(9) },
    };
    const deployment = parseDeployment(deploymentFile);
    expect(() =>
      createProductionConfig({ local, deployment, ids, root: projectRoot, folder }),
    ).toThrow(message);
  });
});

describe('the deployment file', () => {
  it.each<[string, object, string]>([
    ['a local host', { host: 'localhost' }, 'host: Must be a host name'],
    ['a host with a path', { host: 'api.store.example/v2' }, 'host: Must be a host name'],
    ['an address', { host: '203.0.113.7' }, 'host: Must be a host name'],
    ['a local name', { name: 'store-api-local' }, 'name: Must not be a local name'],
    ['no name', { name: undefined }, 'name: Required.'],
    ['a number as its name', { name: 3 }, 'name: Must be a text.'],
    ['no shards', { shards: 0 }, 'shards: Must be at least 1.'],
    ['an unknown location', { location: 'mars' }, 'location: Must be one of wnam, enam, weur'],
    ['a field that it does not know', { shard: 3 }, 'Does not know shard (the nearest is shards).'],
    ['a part of a day', { retention_days: 0.5 }, 'retention_days: Must be a whole number.'],
    ['too many days', { retention_days: 400 }, 'retention_days: Must be at most 365.'],
    ['no share', { log_sampling: 0 }, 'log_sampling: Must be more than 0.'],
    [
      'a misspelt field of the brand',
      { brand: { nme: 'x' } },
      'brand: Does not know nme (the nearest is name).',
    ],
    ['an account of another form', { account_id: '1' }, 'account_id: Must be the 32 digits'],
    [
      'a variable in small letters',
      { vars: { a: '1' } },
      'vars.a: Must have a name of capital letters',
    ],
    ['a sender that is no address', { mail: { from: 'store' } }, 'mail.from'],
    ['a shard to restore that it does not have', { restoring_shards: [3] }, 'restoring_shards'],
  ])('is refused with %s', (_what, change, message) => {
    expect(() => parseDeployment({ ...deploymentFile, ...change })).toThrow(message);
  });

  it.each([
    ['a derived variable', { AUTH_URL: 'https://other.example' }, 'AUTH_URL'],
    ['a key', { SEALING_KEY: randomBase64(32) }, 'SEALING_KEY'],
    ['a variable that the Worker does not have', { API_PER_MINUT: '1' }, 'API_PER_MINUT'],
    ['a value that the Worker refuses', { API_PER_MINUTE: 'many' }, 'API_PER_MINUTE'],
  ])('is refused if vars has %s', (_what, vars, message) => {
    expect(() => deriveProductionConfig(folder, { ...deploymentFile, vars })).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { calledPaths } from '../support/node/deploy/account-calls.ts';
import { accountId, apiToken } from '../support/node/deploy/fake-account.ts';
import { FakeCloudflare } from '../support/node/deploy/fake-cloudflare.ts';
import { findMisfit, isPublished } from '../support/node/deploy/published-calls.ts';

/** Calls the fake account. Resolves to what it finds wrong with the call. */
async function callWrongly(line: string, body?: object): Promise<string> {
  const cloudflare = new FakeCloudflare();
  const [method = '', path = ''] = line.split(' ');
  const url = `${cloudflare.origin}/client/v4${path.replace('ACCOUNT', `/accounts/${accountId}`)}`;
  await cloudflare.fetch(url, {
    method,
    headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return cloudflare.wrong.join();
}

const database = '/d1/database/00000000-0000-4000-8000-000000000001';
const worker = '/workers/scripts/store-api';

/** A binding of each kind that a version of the service may have, as wrangler sends it. */
const bindings: readonly Record<string, unknown>[] = [
  { type: 'd1', name: 'DIRECTORY', id: '00000000-0000-4000-8000-000000000001' },
  { type: 'kv_namespace', name: 'CACHE', namespace_id: 'f'.repeat(32) },
  { type: 'queue', name: 'SWEEP', queue_name: 'store-api-sweep' },
  { type: 'r2_bucket', name: 'ARCHIVE', bucket_name: 'store-api-archive' },
  { type: 'plain_text', name: 'AUTH_URL', text: 'https://api.store.example' },
  { type: 'secret_text', name: 'TOKEN_KEY', text: 'secret' },
  { type: 'analytics_engine', name: 'METRICS', dataset: 'store_api_points' },
  { type: 'assets', name: 'ASSETS' },
  { type: 'version_metadata', name: 'VERSION' },
  { type: 'ratelimit', name: 'API_LIMIT', namespace_id: '7', simple: { limit: 9, period: 60 } },
  { type: 'send_email', name: 'MAIL', allowed_sender_addresses: ['store@example.com'] },
];

/** Fields without which the platform takes a binding. */
const optional = new Set(['allowed_sender_addresses']);

describe.each([
  'PUT /accounts/{}/workers/scripts/{}',
  'POST /accounts/{}/workers/scripts/{}/versions',
])('a binding of %s', (call) => {
  const misfitOf = (binding: unknown) =>
    findMisfit(call, {
      query: {},
      body: { metadata: { main_module: 'index.js', bindings: [binding] } },
    });

  it.each(bindings)('of the kind $type fits, and with any wrong field does not', (binding) => {
    expect(misfitOf(binding)).toBeUndefined();
    expect(misfitOf({ ...binding, title: 'x' })).toContain('title');
    for (const field of Object.keys(binding)) {
      const { [field]: _gone, ...rest } = binding;
      const [without, wrong] = [misfitOf(rest), misfitOf({ ...binding, [field]: false })];
      expect(wrong, field).toContain(`metadata.bindings[0].${field}`);
      if (optional.has(field)) expect(without, field).toBeUndefined();
      else expect(without, field).toContain(`metadata.bindings[0].${field}`);
      expect(misfitOf({ ...rest, [`${field}s`]: binding[field] }), field).toBeDefined();
    }
  });

  it.each([
    { type: 'd2', name: 'DIRECTORY', id: 'x' },
    { type: 'kv_namespace', name: 'CACHE', id: 'f'.repeat(32) },
    { type: 'queue', name: 'SWEEP', queue: 'store-api-sweep' },
    { type: 'r2_bucket', name: 'ARCHIVE', bucket_name: 'a', jurisdiction: 'sam' },
    { type: 'ratelimit', name: 'API_LIMIT', namespace_id: '7', simple: { limit: '9', period: 60 } },
    { name: 'AUTH_URL', text: 'x' },
    'AUTH_URL',
  ])('that is %o does not fit', (binding) => {
    expect(misfitOf(binding)).toContain('metadata.bindings[0]');
  });
});

describe('the calls of a deployment', () => {
  it('are published by the platform, but for three that only wrangler makes', () => {
    expect(calledPaths().filter((call) => !isPublished(call))).toEqual([
      'GET /accounts/{}/workers/services/{}',
      'POST /accounts/{}/workers/scripts/{}/domains/changeset',
      'PUT /accounts/{}/workers/scripts/{}/domains/records',
    ]);
  });

  it.each<[string, object | undefined, string]>([
    ['GET ACCOUNT/d1/databases', undefined, 'not in the table'],
    ['DELETE ACCOUNT/queues', undefined, 'not in the table'],
    ['GET ACCOUNT/queues?pages=2', undefined, 'pages'],
    ['GET ACCOUNT/d1/database?limit=2', undefined, 'limit'],
    ['POST ACCOUNT/d1/database', { title: 'x' }, 'name'],
    ['POST ACCOUNT/d1/database', { name: 'x', primary_location_hint: 'sam' }, 'primary_location'],
    [`POST ACCOUNT${database}/query`, { sql: 'select 1', args: [] }, 'args'],
    ['POST ACCOUNT/queues', { queue_name: 'x', settings: {} }, 'settings'],
    [`POST ACCOUNT${worker}/deployments`, { strategy: 'percentage' }, 'versions'],
    [`PUT ACCOUNT${worker}/schedules`, [{ crons: '* * * * *' }], 'cron'],
  ])('%s with %o is a wrong call', async (line, body, problem) => {
    expect(await callWrongly(line, body)).toContain(problem);
  });
});

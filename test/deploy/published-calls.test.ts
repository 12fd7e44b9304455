import { describe, expect, it } from 'vitest';
import { calledPaths } from '../support/node/deploy/account-calls.ts';
import { accountId, apiToken } from '../support/node/deploy/fake-account.ts';
import { FakeCloudflare } from '../support/node/deploy/fake-cloudflare.ts';
import { isPublished } from '../support/node/deploy/published-calls.ts';

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
    ['GET ACCOUNT/r2/buckets?page=2', undefined, 'page'],
    ['GET ACCOUNT/d1/database?limit=2', undefined, 'limit'],
    ['POST ACCOUNT/d1/database', { title: 'x' }, 'name'],
    ['POST ACCOUNT/d1/database', { name: 'x', primary_location_hint: 'sam' }, 'primary_location'],
    [`PATCH ACCOUNT${database}`, { read_replication: { mode: 'on' } }, 'mode'],
    [`POST ACCOUNT${database}/query`, { sql: 'select 1', args: [] }, 'args'],
    ['POST ACCOUNT/queues', { queue_name: 'x', settings: {} }, 'settings'],
    [`POST ACCOUNT${worker}/deployments`, { strategy: 'percentage' }, 'versions'],
    [`PUT ACCOUNT${worker}/schedules`, [{ crons: '* * * * *' }], 'cron'],
  ])('%s with %o is a wrong call', async (line, body, problem) => {
    expect(await callWrongly(line, body)).toContain(problem);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import {
  issueSeededCode,
  postTokenForm,
  seedApp,
  seededClientId,
  seededRedirectUri,
} from '../../support/node/oauth/authorization.ts';
import { apiKeyHeadersOf, seedStore } from '../../support/node/runtime/seed-store.ts';
import { startService } from '../../support/node/runtime/service.ts';
import { isSlow } from '../../support/slow.ts';

const service = await startService({ hasTwin: true, ignoresQueues: true });
afterAll(() => service.stop());

/** Another isolate, which does not run the operations of operators. */
const { fetch: askTwin } = (await service.runtime.getWorker('twin')) as unknown as {
  fetch: typeof fetch;
};

const requestsPerCaller = isSlow ? 100 : 8;

async function run(binding: string, sql: string) {
  await (await service.runtime.getD1Database(binding)).prepare(sql).run();
}

interface Answer {
  data?: { id: number };
  meta: { pagination: { total: number } };
}

const callOf =
  (headers: Record<string, string>, ask = fetch) =>
  async (request: string, body?: object, more: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const response = await ask(`${service.url}v2${path}`, {
      method,
      headers: { ...headers, ...more, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    return { status: response.status, headers: response.headers, body: answer };
  };

it('a renaming under load loses no request of those who go on with the old alias, and nobody else gets it', async () => {
  for (const alias of ['lisbon', 'rival', 'staff']) await seedStore(service.runtime, alias);
  await run('STORE_0', 'delete from placements where store_id = 2');
  await run('STORE_1', 'insert into placements (store_id, works) values (2, 1)');
  await run('DIRECTORY', 'update stores set shard = 1 where id = 2');
  await run('DIRECTORY', `update users set super_user = 1, mfa_enabled = 1 where name = 'staff'`);
  await run('DIRECTORY', 'update api_keys set for_operator = 1 where user_id = 4');
  await seedApp(service.runtime);
  const { code, verifier } = await issueSeededCode(service.runtime);
  const redeemed = await postTokenForm(service.url, {
    grant_type: 'authorization_code',
    redirect_uri: seededRedirectUri,
    code,
    code_verifier: verifier,
  });
  const byToken = callOf({
    Authorization: `Bearer ${redeemed.body.access_token}`,
    'X-Partner-Client-ID': seededClientId,
  });
  const operator = callOf(apiKeyHeadersOf('staff'));

  const sent = { bench: 0, lisbon: 0 };
  let announced = 0;
  const failures: unknown[] = [];
  /**
   * Creates brands under the old alias, some twice with one key, as a caller does who lost the
   * answer.
   */
  const goOn = async (alias: 'bench' | 'lisbon', call: ReturnType<typeof callOf>) => {
    for (let index = 0; index < requestsPerCaller; index += 1) {
      const key = { 'Idempotency-Key': randomUUID() };
      const brand = { name: randomUUID(), active: true };
      const path = `POST /${alias}/catalog/brands`;
      const answers = [await call(path, brand, key), await call(path, brand, key)];
      sent[alias] += 1;
      for (const { status, body, headers } of answers) {
        if (status !== 201) failures.push([alias, status, body]);
        if (headers.get('Link')?.includes('rel="canonical"')) announced += 1;
      }
      if (answers[0]?.body.data?.id !== answers[1]?.body.data?.id) failures.push('made twice');
    }
  };
  const rename = (id: number, alias: string) =>
    operator(`POST /operator/stores/${id}/rename`, { alias, reason: 'Under load' });
  const takes: number[] = [];
  /** Renames both stores again and again, while others ask for the aliases that they leave. */
  const renameAll = async () => {
    for (let round = 0; Math.min(sent.bench, sent.lisbon) < requestsPerCaller; round += 1) {
      const results = await Promise.all([
        rename(1, `bench-${round}`),
        rename(2, `lisbon-${round}`),
        rename(3, 'bench'),
        rename(3, 'lisbon'),
        operator('POST /operator/stores', {
          alias: 'bench',
          name: 'Thief',
          timezone: 'UTC',
          owner_email: 'rival@store.test',
          reason: 'Under load',
        }),
      ]);
      const [one, two, ...others] = results.map(({ status }) => status);
      if (one !== 200 || two !== 200) failures.push(results.slice(0, 2).map(({ body }) => body));
      takes.push(...others);
    }
  };
  await Promise.all([
    goOn('bench', callOf(apiKeyHeadersOf('bench'))),
    goOn('bench', byToken),
    goOn('lisbon', callOf(apiKeyHeadersOf('lisbon'), askTwin)),
    renameAll(),
  ]);

  expect(failures).toEqual([]);
  expect(new Set(takes)).toEqual(new Set([409]));
  expect(announced).toBeGreaterThan(0);
  for (const [alias, count] of Object.entries(sent)) {
    const { body } = await callOf(apiKeyHeadersOf(alias))(`GET /${alias}/catalog/brands?limit=1`);
    expect(body.meta.pagination.total).toBe(count);
  }
});

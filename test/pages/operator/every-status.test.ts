import { env } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { readJob, finishJob } from '../../support/jobs.ts';
import { createTestApp } from '../../support/oauth/partner.ts';

const reason = { reason: 'Asked for by letter' };
let operator: Awaited<ReturnType<typeof createTestOperator>>;
let store: TestStore;

beforeAll(async () => {
  operator = await createTestOperator();
  store = await createTestStore();
});

const ask = (request: string, body?: object) => operator.api(request, body);

const read = (path: string, headers: Record<string, string>) =>
  callApi('GET', `/v2${path}`, { headers: { ...operator.headers, ...headers } });

/** Reads a record three times: as it is, unchanged (304), and with a condition that fails (412). */
async function expectConditions(path: string) {
  const tag = (await read(path, {})).headers.get('ETag') ?? '';
  expect((await read(path, { 'If-None-Match': tag })).status, path).toBe(304);
  expect((await read(path, { 'If-Match': '"AAAAAAAAAAAAAAAAAAAAAA"' })).status, path).toBe(412);
}

it('returns 200 for every list of operators, and for every action on stores, users and apps', async () => {
  const app = await createTestApp();
  const user = (
    await ask('POST /operator/users', {
      name: 'Rui',
      email: `${crypto.randomUUID()}@loja.test`,
      language: 'es',
    })
  ).body.data.id;
  const member = await createTestOperator({ isOperator: false });
  await env.DIRECTORY.prepare(
    "insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'viewer', 1)",
  )
    .bind(member.userId, store.id)
    .run();
  for (const [request, body] of [
    ['GET /operator/stores'],
    ['GET /operator/users'],
    ['GET /operator/apps'],
    ['GET /operator/audit'],
    [`GET /operator/stores/${store.id}`],
    [`POST /operator/stores/${store.id}/deactivate`, reason],
    [`POST /operator/stores/${store.id}/reactivate`],
    [`POST /operator/stores/${store.id}/close`, reason],
    [`POST /operator/stores/${store.id}/reopen`, reason],
    [`POST /operator/stores/${store.id}/rename`, { ...reason, alias: `${store.alias}x` }],
    [`POST /operator/stores/${store.id}/members/${member.userId}/remove`, reason],
    [`GET /operator/users/${user}`],
    [`POST /operator/users/${user}/end-sessions`, reason],
    [`POST /operator/users/${user}/deactivate`, reason],
    [`POST /operator/users/${user}/reactivate`],
    [`POST /operator/users/${user}/make-operator`, reason],
    [`POST /operator/users/${user}/revoke-operator`, reason],
    [`GET /operator/apps/${app.id}`],
    [`POST /operator/apps/${app.id}/disable`, reason],
    [`POST /operator/apps/${app.id}/enable`, reason],
  ] as const) {
    const { status, body: answer } = await ask(request, body);
    expect([status, answer.code], request).toEqual([200, undefined]);
  }
  await expectConditions(`/operator/stores/${store.id}`);
});

it('returns 304 and 412 for the records that operators read', async () => {
  const app = await createTestApp();
  // The health says for how many seconds work has waited, so the time stands still between two
  // reads.
  using _clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  for (const path of [
    `/operator/stores/${store.id}`,
    `/operator/users/${operator.userId}`,
    `/operator/apps/${app.id}`,
    '/operator/health',
  ]) {
    await expectConditions(path);
  }
});

it('returns 200 with the file of an export', async () => {
  const other = await createTestStore({ shard: 0 });
  const { id } = (await ask(`POST /operator/stores/${other.id}/exports`, reason)).body.data;
  await finishJob(await readJob({ id }), Date.now());
  expect((await read(`/operator/stores/${other.id}/exports/${id}/file`, {})).status).toBe(200);
});

it('returns 409 for a user who is locked out, and 409 (too_many_invitations) for the 51st', async () => {
  const made = await ask('POST /operator/users', {
    name: 'Rui',
    email: `${crypto.randomUUID()}@loja.test`,
  });
  const path = `POST /operator/users/${made.body.data.id}`;
  await ask(`${path}/deactivate`, reason);
  for (const action of ['password-resets', 'make-operator']) {
    const { status, body } = await ask(`${path}/${action}`, reason);
    expect([status, body.code], action).toEqual([409, 'user_inactive']);
  }
  const members = `POST /operator/stores/${store.id}/members`;
  for (let n = 0; n < 50; n += 1) {
    await ask(members, { email: `m${n}@many.test`, role: 'viewer' });
  }
  const { status, body } = await ask(members, { email: 'm50@many.test', role: 'viewer' });
  expect([status, body.code]).toEqual([409, 'too_many_invitations']);
});

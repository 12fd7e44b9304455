import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { jobOperations } from '../../../src/ops/operator/jobs.ts';
import { operatedAppOperations } from '../../../src/ops/operator/service.ts';
import { operatedStoreOperations } from '../../../src/ops/operator/stores.ts';
import { operatedUserOperations } from '../../../src/ops/operator/users.ts';
import { callApi } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';

const operator = await createTestOperator();

const changes = [
  ...operatedStoreOperations,
  ...operatedUserOperations,
  ...operatedAppOperations,
  ...jobOperations,
].filter(({ method, id }) => method !== 'GET' && !id.startsWith('cancel'));

/** The fields of each operation besides the reason. */
const fields: Readonly<Record<string, object>> = {
  createUser: { name: 'Maria', email: 'maria@reasons.test' },
  createStore: {
    alias: 'reasons',
    name: 'Loja',
    timezone: 'America/Bahia',
    owner_email: 'maria@reasons.test',
  },
  inviteMember: { email: 'maria@reasons.test', role: 'viewer' },
  renameStore: { alias: 'reasons' },
  moveStore: { shard: 1 },
  restoreStore: { shard: 1 },
};

const countOf = async (table: 'audit' | 'mails' | 'jobs' | 'invitations' | 'users' | 'stores') =>
  (await env.DIRECTORY.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())!.n;

describe('an operator who gives no reason', () => {
  it.each(changes)('changes nothing with $id (422)', async ({ id, path }) => {
    const store = await createTestStore();
    const { userId } = await createTestUser();
    const target = path
      .replace('{id}', String(path.includes('/users/') ? userId : store.id))
      .replace('{user_id}', String(userId))
      .replace('{key_id}', '1')
      .replace('{jobId}', '1')
      .replace('{number}', '0');
    const count = async () =>
      Promise.all(
        (['audit', 'mails', 'jobs', 'invitations', 'users', 'stores'] as const).map(countOf),
      );
    const before = await count();
    for (const reason of [undefined, '', ' ', '​', 'x'.repeat(501)]) {
      const { status, body } = await callApi('POST', `/v2${target}`, {
        headers: operator.headers,
        body: { ...fields[id], reason },
      });
      expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, ['reason']]);
    }
    expect(await count()).toEqual(before);
  });
});

describe('an operator who invites into the store of another', () => {
  it('is announced to its owner, with role and reason, by operation and page', async () => {
    const store = await createTestStore();
    const ownersMail = `${store.alias}@store.test`;
    const byOperation = { email: 'one@reasons.test', role: 'manager', reason: 'A call' };
    const path = `/operator/stores/${store.id}`;
    expect((await operator.api(`POST ${path}/members`, byOperation)).status).toBe(201);
    const olga = await new Browser().signIn(operator.userId);
    const byPage = { email: 'two@reasons.test', role: 'viewer', reason: 'A letter' };
    expect((await olga.submit(`${path}/invite`, byPage)).status).toBe(303);
    expect((await sentMails(ownersMail, 'member_invited')).map(({ data }) => data)).toMatchObject([
      byPage,
      byOperation,
    ]);
  });

  it('is not announced when no one is invited', async () => {
    const store = await createTestStore();
    const ownersMail = `${store.alias}@store.test`;
    const again = { email: ownersMail, role: 'viewer' };
    expect((await operator.api(`POST /operator/stores/${store.id}/members`, again)).status).toBe(
      201,
    );
    expect(await sentMails(ownersMail, 'member_invited')).toEqual([]);
  });
});

it('an owner who invites gets no mail about it', async () => {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const path = `/account/stores/${store.alias}/members/invite`;
  const sent = await browser.submit(path, { email: 'three@reasons.test', role: 'viewer' });
  expect(sent.status).toBe(303);
  expect(await sentMails(`${store.alias}@store.test`, 'member_invited')).toEqual([]);
});

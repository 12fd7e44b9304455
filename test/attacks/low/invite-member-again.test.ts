import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';

it('an operator who invites a member reads that nothing was sent (409), however many members there are', async () => {
  const [operator, store] = [await createTestOperator(), await createTestStore()];
  const member = await addTestMember(store, 'viewer');
  const start = crypto.randomUUID();
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare("update users set name = 'Zoe' where lower(email) = lower(?)").bind(
      member.email,
    ),
    env.DIRECTORY.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 250)
        insert into users (email, name, created_at, updated_at)
        select ?1 || '-' || n || '@users.test', 'Ana', 1, 1 from numbers`,
    ).bind(start),
    env.DIRECTORY.prepare(
      `insert into memberships (user_id, store_id, role, created_at)
        select id, ?2, 'viewer', 1 from users where email >= ?1 || '-' and email < ?1 || '.'`,
    ).bind(start, store.id),
  ]);
  const browser = await new Browser().signIn(operator.userId);
  const { status, text } = await browser.submit(`/operator/stores/${store.id}/invite`, {
    email: member.email.toUpperCase(),
    role: 'viewer',
    reason: 'A test',
  });
  expect([status, text]).toEqual([
    409,
    expect.stringContaining('This person is a member already.'),
  ]);
  expect(await sentMails(member.email)).toHaveLength(0);
});

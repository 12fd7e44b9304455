import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { sentMails } from '../../support/mail.ts';

const operator = await createTestOperator();

interface User {
  id: number;
  email: string;
  state: string;
  operator: boolean;
  sessions: number;
}

async function ask(request: string, body?: object) {
  const response = await operator.api(request, body);
  const { data } = response.body as { data: User };
  return { status: response.status, data, body: response.body as { code: string } };
}

const newUser = () => ({
  name: 'Maria',
  email: `u${crypto.randomUUID().slice(0, 10)}@user.test`,
  language: 'pt-BR',
});

/** The actions of the audit about a user, oldest first. */
async function actionsOf(userId: number) {
  const { results } = await env.DIRECTORY.prepare(
    "select action from audit where target_kind = 'user' and target_id = ? order by id",
  )
    .bind(String(userId))
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

const reason = 'A test';

describe('POST /operator/users', () => {
  it('returns 201, and sends an invitation in the language of the user', async () => {
    const user = newUser();
    const { status, data } = await ask('POST /operator/users', user);
    expect(status).toBe(201);
    expect(data).toMatchObject({ email: user.email, state: 'invited', operator: false });
    expect(await sentMails(user.email)).toMatchObject([{ kind: 'invitation', language: 'pt-BR' }]);
  });

  it('returns 201 with the same user again, and 409 (email_taken) for another name', async () => {
    const user = newUser();
    const first = await ask('POST /operator/users', user);
    const again = await ask('POST /operator/users', { ...user, email: user.email.toUpperCase() });
    expect([again.status, again.data.id]).toEqual([201, first.data.id]);
    const other = await ask('POST /operator/users', { ...user, name: 'Mara' });
    expect([other.status, other.body.code]).toEqual([409, 'email_taken']);
    expect(await sentMails(user.email)).toHaveLength(1);
  });

  it('creates one user from ten requests at once', async () => {
    const user = newUser();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST /operator/users', user)),
    );
    expect(new Set(answers.map(({ status, data }) => `${status} ${data.id}`)).size).toBe(1);
    expect(await sentMails(user.email)).toHaveLength(1);
  });

  it('returns 422 for a name that would add a header to a mail', async () => {
    const user = { ...newUser(), name: 'Maria\r\nBcc: all@user.test' };
    const { status, data } = await ask('POST /operator/users', user);
    // Line breaks of a name become spaces.
    expect([status, data]).toMatchObject([201, { name: 'Maria Bcc: all@user.test' }]);
    expect((await ask('POST /operator/users', { ...user, email: 'a b@user.test' })).status).toBe(
      422,
    );
  });
});

describe('the actions on a user', () => {
  it('locks a user out and lets them in again, once each', async () => {
    const user = await createTestOperator({ isOperator: false });
    await addSession(user.userId);
    const path = `POST /operator/users/${user.userId}`;
    const [one, other] = await Promise.all([
      ask(`${path}/deactivate`, { reason }),
      ask(`${path}/deactivate`, { reason }),
    ]);
    for (const { status, data } of [one, other]) {
      expect(status).toBe(200);
      expect(data).toMatchObject({ state: 'inactive', sessions: 0 });
    }
    expect((await user.api('GET /operator/health')).status).toBe(401);
    const reset = await ask(`${path}/password-resets`, { reason });
    expect([reset.status, reset.body.code]).toEqual([409, 'user_inactive']);
    const made = await ask(`${path}/make-operator`, { reason });
    expect([made.status, made.body.code]).toEqual([409, 'user_inactive']);
    expect((await ask(`${path}/reactivate`)).data.state).toBe('invited');
    expect(await actionsOf(user.userId)).toEqual(['user.deactivated', 'user.reactivated']);
  });

  it('ends all sessions, and writes a line only if there were any', async () => {
    const { userId } = await createTestOperator({ isOperator: false });
    await addSession(userId);
    const end = () => ask(`POST /operator/users/${userId}/end-sessions`, { reason });
    expect((await end()).data.sessions).toBe(0);
    expect((await end()).status).toBe(200);
    expect(await actionsOf(userId)).toEqual(['user.sessions_ended']);
  });

  it('sends a password reset with 201', async () => {
    const { userId, email } = await createTestOperator({ isOperator: false });
    const { status, data } = await ask(`POST /operator/users/${userId}/password-resets`);
    expect([status, data]).toEqual([201, { user_id: userId, sent_to: email }]);
    expect((await sentMails(email)).map(({ kind }) => kind)).toEqual(['password_reset']);
  });

  it('makes and revokes an operator, and notifies the new one', async () => {
    const user = await createTestOperator({ isOperator: false });
    const path = `POST /operator/users/${user.userId}`;
    expect((await user.api('GET /operator/apps')).status).toBe(403);
    expect((await ask(`${path}/make-operator`, { reason })).data.operator).toBe(true);
    expect((await ask(`${path}/make-operator`, { reason })).data.operator).toBe(true);
    expect((await user.api('GET /operator/apps')).status).toBe(200);
    expect((await ask(`${path}/revoke-operator`, { reason })).data.operator).toBe(false);
    expect((await user.api('GET /operator/apps')).status).toBe(401);
    expect((await sentMails(user.email)).map(({ kind }) => kind)).toEqual(['operator_made']);
    expect(await actionsOf(user.userId)).toEqual(['user.made_operator', 'user.unmade_operator']);
  });

  it('finds users by address and lists the operators', async () => {
    const { body } = await operator.api(
      `GET /operator/users?email=${operator.email.toUpperCase()}`,
    );
    expect(body).toMatchObject({ data: [{ id: operator.userId, operator: true }] });
    const all = await operator.api('GET /operator/users?operator=1&limit=100');
    const { data } = all.body as { data: User[] };
    expect(data.map(({ id }) => id)).toContain(operator.userId);
    expect(data.every((user) => user.operator)).toBe(true);
    expect((await ask('GET /operator/users?state=gone')).status).toBe(400);
  });
});

describe('the last operator', () => {
  it('is neither revoked nor locked out: 409 (last_operator); of two who revoke each other, one stays', async () => {
    const [one, other] = [await createTestOperator(), await createTestOperator()];
    // There is no other operator for a moment.
    const { results } = await env.DIRECTORY.prepare(
      'update users set super_user = 0 where super_user = 1 and id not in (?, ?) returning id',
    )
      .bind(one.userId, other.userId)
      .all<{ id: number }>();
    try {
      const answers = await Promise.all([
        one.api(`POST /operator/users/${other.userId}/revoke-operator`, { reason }),
        other.api(`POST /operator/users/${one.userId}/revoke-operator`, { reason }),
      ]);
      const left = await env.DIRECTORY.prepare('select id from users where super_user = 1').all<{
        id: number;
      }>();
      expect(left.results).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const last = left.results[0]!.id === one.userId ? one : other;
      for (const action of ['revoke-operator', 'deactivate']) {
        const { status, body } = await last.api(`POST /operator/users/${last.userId}/${action}`, {
          reason,
        });
        expect([status, body]).toMatchObject([409, { code: 'last_operator' }]);
      }
    } finally {
      const ids = JSON.stringify(results.map(({ id }) => id));
      await env.DIRECTORY.prepare(
        'update users set super_user = 1 where id in (select value from json_each(?))',
      )
        .bind(ids)
        .run();
    }
  });
});

const addSession = (userId: number) =>
  env.DIRECTORY.prepare(
    'insert into sessions (id_hash, user_id, created_at, seen_at, expires_at) values (?, ?, ?, ?, ?)',
  )
    .bind(crypto.randomUUID(), userId, Date.now(), Date.now(), Date.now() + 60_000)
    .run();

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callPathWithBindings } from '../../support/api/measure.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';

const required = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
const actions = ['revoke-operator', 'deactivate', 'erasures'];

/** Runs a test while a service has no operators but these. */
async function withOperators(ids: readonly number[], test: () => Promise<void>) {
  const { results } = await env.DIRECTORY.prepare(
    'update users set super_user = 0 where super_user = 1 and id not in (select value from json_each(?)) returning id',
  )
    .bind(JSON.stringify(ids))
    .all<{ id: number }>();
  try {
    await test();
  } finally {
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(
        'update users set super_user = 1 where id in (select value from json_each(?))',
      ).bind(JSON.stringify(results.map(({ id }) => id))),
      env.DIRECTORY.prepare(
        'update users set super_user = 0 where id in (select value from json_each(?))',
      ).bind(JSON.stringify(ids)),
    ]);
  }
}

describe('the last operator who can sign in', () => {
  it.each([
    ['has no password yet', { hasPassword: false }],
    ['has no two-step sign-in where operators must have one', { hasSecondFactor: false }],
  ])('attack: stays (409) beside an operator who %s', async (_who, lacks) => {
    const last = await createTestOperator();
    const other = await createTestOperator(lacks);
    await withOperators([last.userId, other.userId], async () => {
      for (const action of actions) {
        const answer = await callPathWithBindings(
          'POST',
          `/v2/operator/users/${last.userId}/${action}`,
          { headers: last.headers, body: { reason: 'test' }, bindings: required },
        );
        expect([action, answer.status, answer.body]).toMatchObject([
          action,
          409,
          { code: 'last_operator' },
        ]);
      }
      const row = await env.DIRECTORY.prepare(
        'select active, super_user, email from users where id = ?',
      )
        .bind(last.userId)
        .first();
      expect(row).toEqual({ active: 1, super_user: 1, email: last.email });
    });
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { callPathWithBindings } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { givePassword } from '../../support/password.ts';
import { addSecondFactor, codeOf } from '../../support/second-factor.ts';

const required = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
const factorPath = '/account/security/second-factor';

/**
 * A session that began at the same moment as the user's factor, so it was neither ended by it nor
 * asked for a code.
 */
async function signInWithoutCode(userId: number) {
  const browser = await new Browser().signIn(userId);
  await env.DIRECTORY.prepare('update sessions set factor_at = null where user_id = ?')
    .bind(userId)
    .run();
  browser.bindings = required;
  return browser;
}

/** A user with a second factor whose password a thief has, and the thief's browser. */
async function createVictim({ isOperator = false } = {}) {
  const { id, userId, alias } = await createTestStore();
  await givePassword(userId);
  await env.DIRECTORY.prepare('update users set super_user = ? where id = ?')
    .bind(Number(isOperator), userId)
    .run();
  const factor = await addSecondFactor(userId);
  return { storeId: id, userId, alias, thief: await signInWithoutCode(userId), ...factor };
}

const factorsOf = (userId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from second_factors where user_id = ?')
    .bind(userId)
    .first<number>('n');

const isOperator = (userId: number) =>
  env.DIRECTORY.prepare('select super_user from users where id = ?')
    .bind(userId)
    .first<number>('super_user');

/** The operator leaves: other files count operators. */
const revoke = (userId: number) =>
  env.DIRECTORY.prepare('update users set super_user = 0 where id = ?').bind(userId).run();

describe('a session that never showed a code', () => {
  it('attack: reads no page of operators and does nothing there after its user has set two-step sign-in up', async () => {
    const { userId, thief, secret } = await createVictim({ isOperator: true });
    for (const path of ['/operator', '/operator/users', `/operator/users/${userId}`]) {
      expect((await thief.get(path)).text, path).toContain('Enter a code to go on');
    }
    const { text } = await thief.get('/operator/users/new');
    expect(text).toContain('Enter a code to go on');
    // The session becomes trusted by a code, and by nothing else.
    const proof = hiddenFieldsOf(await thief.get('/operator'), '/session/proof');
    expect((await thief.post('/session/proof', { ...proof, code: codeOf(secret) })).status).toBe(
      303,
    );
    expect((await thief.get('/operator')).text).not.toContain('Enter a code to go on');
    await revoke(userId);
  });

  it('attack: switches the factor not off, makes no codes and no key, although its password was just given', async () => {
    const { userId, thief } = await createVictim();
    for (const path of [`${factorPath}/off`, `${factorPath}/codes/new`, '/account/keys/new']) {
      const sent = await thief.submit(path, { name: 'n', stores: 'all', powers: 'all' });
      expect(sent.text, path).toContain('Enter a code to go on');
    }
    expect(await factorsOf(userId)).toBe(1);
  });

  it('attack: a form that it opened before the factor was set up changes nothing', async () => {
    const { userId } = await createTestStore();
    await addSecondFactor(userId);
    const owner = await new Browser().signIn(userId);
    const path = `${factorPath}/off`;
    const fields = hiddenFieldsOf(await owner.get(path), path);
    await owner.post(path, fields);
    expect(await factorsOf(userId)).toBe(0);
    // A code of a factor that is gone says nothing about the next one.
    const kept = await sha256(owner.cookies.get('__Host-session') ?? '');
    await addSecondFactor(userId, kept);
    await env.DIRECTORY.prepare('update sessions set factor_at = factor_at - 1 where user_id = ?')
      .bind(userId)
      .run();
    expect((await owner.post(path, fields)).text).toContain('Enter a code to go on');
    expect(await factorsOf(userId)).toBe(1);
  });

  it('attack: opens no store that requires two-step sign-in of its members, nor lists it', async () => {
    const { storeId, alias, thief } = await createVictim();
    await env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?')
      .bind(storeId)
      .run();
    expect((await thief.get(`/account/stores/${alias}`)).text).toContain('Enter a code to go on');
  });

  it('is trusted by the code that sets the factor up in it, and the user goes on without another', async () => {
    const { userId } = await createTestStore();
    const owner = await new Browser().signIn(userId);
    const page = await owner.get(factorPath);
    const secret =
      /<pre><code>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1]?.replaceAll(' ', '') ?? '';
    const fields = hiddenFieldsOf(page, factorPath);
    expect((await owner.post(factorPath, { ...fields, code: codeOf(secret) })).status).toBe(303);
    expect((await owner.get(`${factorPath}/off`)).text).toContain('Switch two-step sign-in off?');
  });
});

describe('making an operator', () => {
  it('returns 409 second_factor_missing for a user without a factor where operators must have one', async () => {
    const operator = await createTestOperator();
    const { userId } = await createTestStore();
    const make = () =>
      callPathWithBindings('POST', `/v2/operator/users/${userId}/make-operator`, {
        headers: operator.headers,
        body: { reason: 'Looks after the service.' },
        bindings: required,
      });
    const refused = await make();
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'second_factor_missing' }]);
    expect(await isOperator(userId)).toBe(0);
    await addSecondFactor(userId);
    expect((await make()).status).toBe(200);
    expect(await isOperator(userId)).toBe(1);
    await revoke(userId);
    await revoke(operator.userId);
  });
});

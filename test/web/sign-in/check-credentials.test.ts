import type { Context } from 'hono';
import { expect, it, vi } from 'vitest';
import { dummyPasswordHash } from '../../../src/accounts/sign-in/password.ts';
import type { AppEnv } from '../../../src/http/app-env.ts';
import { checkPassword } from '../../../src/web/sign-in/check-credentials.ts';

const compared = vi.hoisted((): string[] => []);

vi.mock('../../../src/accounts/sign-in/password.ts', async (load) => ({
  ...(await load<Record<string, unknown>>()),
  verifyPassword: (_password: string, hash: string) => {
    compared.push(hash);
    return Promise.resolve(false);
  },
}));

vi.mock('../../../src/accounts/sign-in/attempt-counters.ts', () => ({
  computeAttemptCounters: () => [],
  signInThrottle: {},
}));

vi.mock('../../../src/data/directory/sign-in-attempts.ts', () => ({
  countSignInAttempt: (_directory: unknown, { email }: { email: string }) => ({
    isAllowed: true,
    account: email === 'known@store.test' ? { hash: 'the hash of the user' } : undefined,
    blockedUntil: 0,
  }),
}));

it('attack J3: an unknown address costs one comparison of the usual cost, as a wrong password does', async () => {
  const context = { req: { header: () => '198.51.100.1' } } as unknown as Context<AppEnv>;
  const action = { now: 0 } as Parameters<typeof checkPassword>[1];
  const check = async (email: string) =>
    checkPassword(context, action, { email, password: 'wrong', trustedBy: undefined });
  const outcomes = [await check('known@store.test'), await check('unknown@store.test')];
  expect(outcomes).toEqual([{ kind: 'wrong' }, { kind: 'wrong' }]);
  // `password.test.ts` says what the second one costs.
  expect(compared).toEqual(['the hash of the user', dummyPasswordHash]);
});

it('attack J3: a wrong password that is typed in another form than it is hashed in costs two comparisons, known or not', async () => {
  const context = { req: { header: () => '198.51.100.1' } } as unknown as Context<AppEnv>;
  const action = { now: 0 } as Parameters<typeof checkPassword>[1];
  compared.length = 0;
  for (const email of ['known@store.test', 'unknown@store.test']) {
    for (const password of ['senha cançada'.normalize('NFD'), 'senha cançada']) {
      await checkPassword(context, action, { email, password, trustedBy: undefined });
    }
  }
  const [own, dummy] = ['the hash of the user', dummyPasswordHash];
  expect(compared).toEqual([own, own, own, dummy, dummy, dummy]);
});

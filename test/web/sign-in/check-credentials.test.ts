import { expect, it, vi } from 'vitest';
import { checkPassword } from '../../../src/accounts/sign-in/check-credentials.ts';
import { dummyPasswordHash } from '../../../src/accounts/sign-in/password.ts';

const compared = vi.hoisted((): string[] => []);

vi.mock('../../../src/accounts/sign-in/password.ts', async (load) => ({
  ...(await load<Record<string, unknown>>()),
  verifyPassword: (_password: string, hash: string) => {
    compared.push(hash);
    return Promise.resolve(false);
  },
}));

vi.mock('../../../src/accounts/sign-in/credential-counters.ts', () => ({
  passwordCounters: () => [],
}));

vi.mock('../../../src/data/directory/sign-in-accounts.ts', () => ({
  selectSignInAccount: (_directory: unknown, email: string) =>
    email === 'known@store.test' ? [{ hash: 'the hash of the user' }] : [],
}));

vi.mock('../../../src/data/directory/attempt-counters.ts', () => ({
  countAttempt: (_visit: unknown, _counters: unknown, read: unknown) => ({
    isAllowed: true,
    waitSeconds: 0,
    read: [read],
  }),
}));

const visit = { now: 0, clientAddress: '198.51.100.1' } as Parameters<typeof checkPassword>[0];

it('attack J3: an unknown address costs one comparison of the usual cost, as a wrong password does', async () => {
  const check = async (email: string) =>
    checkPassword(visit, { email, password: 'wrong', trustedBy: undefined });
  const outcomes = [await check('known@store.test'), await check('unknown@store.test')];
  expect(outcomes).toEqual([{ kind: 'wrong' }, { kind: 'wrong' }]);
  // `password.test.ts` says what the second one costs.
  expect(compared).toEqual(['the hash of the user', dummyPasswordHash]);
});

it('attack J3: a wrong password that is typed in another form than it is hashed in costs two comparisons, known or not', async () => {
  compared.length = 0;
  for (const email of ['known@store.test', 'unknown@store.test']) {
    for (const password of ['senha cançada'.normalize('NFD'), 'senha cançada']) {
      await checkPassword(visit, { email, password, trustedBy: undefined });
    }
  }
  const [own, dummy] = ['the hash of the user', dummyPasswordHash];
  expect(compared).toEqual([own, own, own, dummy, dummy, dummy]);
});

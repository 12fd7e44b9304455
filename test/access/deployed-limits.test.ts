import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { randomBase64 } from '../../src/crypto/random.ts';
import { settingsOf } from '../../src/settings.ts';

const secrets = { SEALING_KEY: randomBase64(32), TOKEN_KEY: randomBase64(32) };

/** The part of wrangler.toml that the limits are in. */
interface LimitConfig {
  vars: Record<string, string>;
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
}

/** What each setting limits, by the name of its limiter. */
const limitsOf = ({ limits }: ReturnType<typeof settingsOf>) => ({
  API_LIMIT: limits.api,
  ME_LIMIT: limits.me,
  STORE_LIMIT: limits.store,
  FAILED_AUTH_LIMIT: limits.failedAuth,
  FAILED_AUTH_WIDE_LIMIT: limits.failedAuthWide,
  PAGES_LIMIT: limits.pages,
  PAGES_WIDE_LIMIT: limits.pagesWide,
  REVOCATIONS_LIMIT: limits.revocations,
});

describe.each([
  ['the local configuration', undefined],
  ['a deployment', 'production'],
])('the limiters of %s', (_name, environment) => {
  const { vars, ratelimits }: LimitConfig = unstable_readConfig({
    config: './wrangler.toml',
    ...(environment !== undefined && { env: environment }),
  });

  it('equal the settings', () => {
    const sent = environment === undefined ? {} : secrets;
    const settings = settingsOf({ ...vars, ...sent } as unknown as Env);
    const limiters = ratelimits.map(({ name, simple }) => [name, simple.limit]);
    expect(Object.fromEntries(limiters)).toEqual(limitsOf(settings));
    expect(ratelimits.every(({ simple }) => simple.period === 60)).toBe(true);
  });

  it('count apart', () => {
    const ids = ratelimits.map(({ namespace_id }) => namespace_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('the limits of a deployment are those of the contract', () => {
  const { vars } = unstable_readConfig({ config: './wrangler.toml', env: 'production' });
  expect(vars).toMatchObject({
    STORE_PER_MINUTE: '3000',
    PAGES_PER_MINUTE: '120',
    REVOCATIONS_PER_MINUTE: '30',
  });
});

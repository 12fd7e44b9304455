import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  issueSeededCode,
  seededRedirectUri,
  seedApp,
  postTokenForm,
} from '../../support/node/oauth/authorization.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';

/** `RACE_ROUNDS` runs more of them. */
const rounds = Number(process.env.RACE_ROUNDS ?? 15);
let service: RunningService;

beforeAll(async () => {
  service = await startService();
  await seedApp(service.runtime);
});

afterAll(() => service.stop());

const redeem = ({ code, verifier }: { code: string; verifier: string }) =>
  postTokenForm(service.url, {
    grant_type: 'authorization_code',
    redirect_uri: seededRedirectUri,
    code,
    code_verifier: verifier,
  });

const inParallel = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, work));

describe('the token endpoint over a real port', () => {
  it(`redeems a code exactly once, in ${rounds} rounds of 50 parallel requests`, async () => {
    let rejected = 0;
    for (let round = 0; round < rounds; round += 1) {
      const issued = await issueSeededCode(service.runtime);
      const responses = await inParallel(50, () => redeem(issued));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      rejected += responses.filter(
        ({ body }) => body.hint === 'Authorization code has been revoked',
      ).length;
    }
    expect(rejected).toBe(rounds * 49);
  });

  it(`returns the same two tokens to 60 parallel refreshes, in ${rounds} rounds`, async () => {
    let { body } = await redeem(await issueSeededCode(service.runtime));
    const refreshTokens = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const { refresh_token = '' } = body;
      const responses = await inParallel(60, () =>
        postTokenForm(service.url, { grant_type: 'refresh_token', refresh_token }),
      );
      expect(responses.every(({ status }) => status === 200)).toBe(true);
      const pairs = responses.map(({ body }) => `${body.refresh_token} ${body.access_token}`);
      expect(new Set(pairs).size).toBe(1);
      body = responses[0]!.body;
      refreshTokens.add(body.refresh_token!);
    }
    expect(refreshTokens.size).toBe(rounds);
  });
});

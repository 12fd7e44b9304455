import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approve, callback, seedApp, token } from '../support/node/authorization.ts';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { seedStore } from '../support/node/store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-races-'));
const rounds = 100;
let built: Bundle;
let runtime: Miniflare;
let url: string;

beforeAll(async () => {
  built = bundle();
  runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  await seedStore(runtime);
  await seedApp(runtime);
  url = (await runtime.ready).href;
});

afterAll(async () => {
  await runtime.dispose();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

const redeem = ({ code, verifier }: { code: string; verifier: string }) =>
  token(url, {
    grant_type: 'authorization_code',
    redirect_uri: callback,
    code,
    code_verifier: verifier,
  });

const times = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, work));

describe('over a real port', () => {
  it(`${rounds} rounds of 50 parallel redemptions of a code have one winner each`, async () => {
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const approved = await approve(runtime);
      const answers = await times(50, () => redeem(approved));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      refused += answers.filter(
        ({ body }) => body.hint === 'Authorization code has been revoked',
      ).length;
    }
    expect(refused).toBe(rounds * 49);
  });

  it(`${rounds} rounds of 60 parallel refreshes give one refresh and one access token each`, async () => {
    let { body } = await redeem(await approve(runtime));
    const refreshTokens = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const { refresh_token = '' } = body;
      const answers = await times(60, () =>
        token(url, { grant_type: 'refresh_token', refresh_token }),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const pairs = answers.map(({ body }) => `${body.refresh_token} ${body.access_token}`);
      expect(new Set(pairs).size).toBe(1);
      body = answers[0]!.body;
      refreshTokens.add(body.refresh_token!);
    }
    expect(refreshTokens.size).toBe(rounds);
  });
});

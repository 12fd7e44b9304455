import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import statements from '../../src/db/after-restore.sql?raw';
import { revokeEndpoint } from '../../src/oauth/revoke-endpoint.ts';
import { mintToken, readToken } from '../../src/oauth/token.ts';
import { settingsOf } from '../../src/settings.ts';
import {
  app,
  approve,
  connect,
  post,
  redemption,
  refreshment,
  type Approved,
} from '../support/partner.ts';
import { store } from '../support/store.ts';

const hour = 3_600_000;
const db = env.STORE_1;
const { tokenKeys } = settingsOf(env);
const dead = [400, 'Token has been revoked'];

/** The row of a grant, and how to set it back to what it is now, as a restore does. */
async function bookmark({ grantId }: Approved) {
  const row = await db.prepare('select * from oauth_grants where id = ?').bind(grantId).first();
  const names = Object.keys(row!);
  const set = names.map((name, at) => `${name} = ?${at + 1}`).join(', ');
  return {
    restore: async () => {
      const update = db.prepare(`update oauth_grants set ${set} where id = ?${names.length + 1}`);
      await update.bind(...Object.values(row!), grantId).run();
    },
    /** The runbook's file, in one transaction. */
    run: () =>
      db.batch(
        statements
          .replaceAll(/^--.*$/gm, '')
          .split(';')
          .filter((statement) => statement.trim() !== '')
          .map((statement) => db.prepare(statement)),
      ),
  };
}

const refresh = async ({ app: of }: Approved, token: string, now = Date.now()) => {
  const { status, body } = await post(refreshment(of, token), { now });
  return { told: [status, body.hint], token: body.refresh_token as string };
};

const eventsOf = async ({ grantId }: Approved) => {
  const all = db.prepare('select kind from oauth_events where grant_id = ? order by id');
  return (await all.bind(grantId).all<{ kind: string }>()).results.map(({ kind }) => kind);
};

/** An app that refreshed `times` after the bookmark; its tokens, the one of the bookmark first. */
async function setBack(times: number) {
  const own = await connect(await store({ shard: 1 }), { shard: 1 });
  const tokens = [own.tokens.refresh_token];
  const back = await bookmark(own);
  for (let n = 0; n < times; n += 1) tokens.push((await refresh(own, tokens.at(-1)!)).token);
  await back.restore();
  return { own, tokens, ...back };
}

describe('fault 70: a shard that was set back, after the file of the runbook', () => {
  it('does not redeem a code a second time that was redeemed since', async () => {
    const code = await approve(await store({ shard: 1 }), await app(), { shard: 1 });
    const { restore, run } = await bookmark(code);
    expect((await post(redemption(code))).status).toBe(200);
    await restore();
    await run();
    const { status, body } = await post(redemption(code), { now: Date.now() + 1_000 });
    expect([status, body.hint]).toEqual([400, 'Authorization code has expired']);
  });

  it.each([1, 2, 5])(
    'brings a grant up to the token of %i refreshes later, once',
    async (times) => {
      const { own, tokens, run } = await setBack(times);
      expect((await refresh(own, tokens.at(-1)!)).told).toEqual(dead);
      await run();
      const next = await refresh(own, tokens.at(-1)!);
      expect(next.told).toEqual([200, undefined]);
      expect(await eventsOf(own)).toEqual(['grant_forwarded']);
      // The answer may have been lost as ever, and the chain goes on.
      expect((await refresh(own, tokens.at(-1)!)).token).toBe(next.token);
      expect((await refresh(own, next.token)).told).toEqual([200, undefined]);
      const facts = await readToken(tokenKeys, 'refresh', next.token);
      const later = await mintToken(tokenKeys, 'refresh', { ...facts!, generation: 40 });
      expect((await refresh(own, later)).told).toEqual(dead);
    },
  );

  it('brings a grant up whose code was redeemed since', async () => {
    const code = await approve(await store({ shard: 1 }), await app(), { shard: 1 });
    const { restore, run } = await bookmark(code);
    const { body } = await post(redemption(code));
    await restore();
    await run();
    expect((await refresh(code, body.refresh_token)).told).toEqual([200, undefined]);
    expect((await post(redemption(code))).body.hint).toBe('Authorization code has expired');
    // The code's second use ended the grant, as it always does.
    expect((await refresh(code, body.refresh_token)).told).toEqual(dead);
  });

  it('ends the grant when a token comes that was spent before one that brought it up', async () => {
    const { own, tokens, run } = await setBack(3);
    await run();
    const { token } = await refresh(own, tokens[3]!);
    expect((await refresh(own, tokens[1]!)).told).toEqual(dead);
    expect((await refresh(own, token)).told).toEqual(dead);
    expect(await eventsOf(own)).toEqual(['grant_forwarded', 'refresh token reused']);
  });

  it.each([1, 2])(
    'ends the grant when a spent token came back to life first (%i refreshes)',
    async (times) => {
      const { own, tokens, run } = await setBack(times);
      await run();
      const stolen = await refresh(own, tokens[0]!);
      expect(stolen.told).toEqual([200, undefined]);
      await refresh(own, tokens[times]!);
      // Whoever uses the chain of the spent token now has lost it.
      expect((await refresh(own, stolen.token)).told).toEqual(dead);
      expect(await eventsOf(own)).toContain('refresh token reused');
    },
  );

  it('goes on without a word where nothing was refreshed since', async () => {
    const { own, tokens, run } = await setBack(0);
    await run();
    expect((await refresh(own, tokens[0]!)).told).toEqual([200, undefined]);
    expect(await eventsOf(own)).toEqual([]);
  });

  it('brings nothing up a day later, nor of another app, nor that was revoked before', async () => {
    const { own, tokens, run } = await setBack(2);
    await run();
    expect((await refresh(own, tokens[2]!, Date.now() + 24 * hour + 2_000)).told).toEqual(dead);
    const other = { ...own, app: await app() };
    expect((await refresh(other, tokens[2]!)).told[0]).toBe(401);
    const form = new URLSearchParams({ client_id: own.app.client_id, token: tokens[0]! });
    const request = new Request('https://api.test/oauth/revoke', { method: 'POST', body: form });
    await revokeEndpoint(env, request, Date.now());
    expect((await refresh(own, tokens[2]!)).told).toEqual(dead);
  });

  it('costs a token that is as it should be nothing', async () => {
    const { own, tokens, run } = await setBack(1);
    await run();
    const seen: string[] = [];
    const watched = {
      prepare: (text: string) => {
        seen.push(text);
        return db.prepare(text);
      },
      batch: <T>(all: D1PreparedStatement[]) => db.batch<T>(all),
    };
    const bindings = { STORE_1: watched } as unknown as Partial<Env>;
    await post(refreshment(own.app, tokens[0]!), { bindings });
    expect(seen.some((text) => text.includes('generation = generation + 1'))).toBe(true);
    expect(seen.some((text) => text.includes('forward_until = null'))).toBe(false);
  });
});

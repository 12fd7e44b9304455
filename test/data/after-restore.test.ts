import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { handleRevocationRequest } from '../../src/oauth/revoke-endpoint.ts';
import { mintToken, readToken } from '../../src/oauth/token/grant-tokens.ts';
import { runAfterRestore } from '../support/after-restore.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  approveConsent,
  connectApp,
  createTestApp,
  postToken,
  redemptionForm,
  refreshForm,
  type ApprovedCode,
} from '../support/oauth/partner.ts';
const hour = 3_600_000;
const db = env.STORE_1;
const { tokenKeys } = settingsOf(env);
const revoked = [400, 'Token has been revoked'];
const accepted = [200, undefined];

/** Remembers the row of a grant. `restore` sets the row back, as a restore of the database does. */
async function bookmarkGrant({ grantId }: ApprovedCode) {
  const row = await db.prepare('select * from oauth_grants where id = ?').bind(grantId).first();
  const names = Object.keys(row!);
  const set = names.map((name, at) => `${name} = ?${at + 1}`).join(', ');
  return {
    restore: async () => {
      const update = db.prepare(`update oauth_grants set ${set} where id = ?${names.length + 1}`);
      await update.bind(...Object.values(row!), grantId).run();
    },
    /**
     * Runs `drizzle/after-restore.sql` in one transaction. The directory confirms that no store has
     * moved since.
     */
    runScript: async () => {
      await runAfterRestore(db);
      await db.batch([
        db.prepare('update placements set state = 0 where state = 1'),
        db.prepare('update shard_identity set unconfirmed = 0'),
      ]);
    },
  };
}

const refresh = async ({ app }: ApprovedCode, token: string, now = Date.now()) => {
  const { status, body } = await postToken(refreshForm(app, token), { now });
  return { outcome: [status, body.hint], token: body.refresh_token as string };
};

const eventsOf = async ({ grantId }: ApprovedCode) => {
  const select = db.prepare('select kind from oauth_events where grant_id = ? order by id');
  return (await select.bind(grantId).all<{ kind: string }>()).results.map(({ kind }) => kind);
};

/**
 * Connects an app, refreshes `times` after a bookmark, and restores the bookmark. The first token
 * is that of the bookmark.
 */
async function rollBack(times: number) {
  const connected = await connectApp(await createTestStore({ shard: 1 }), { shard: 1 });
  const tokens = [connected.tokens.refresh_token];
  const bookmark = await bookmarkGrant(connected);
  for (let n = 0; n < times; n += 1) tokens.push((await refresh(connected, tokens.at(-1)!)).token);
  await bookmark.restore();
  return { connected, tokens, ...bookmark };
}

describe('a restored shard, once drizzle/after-restore.sql has run', () => {
  it('rejects a code that was redeemed after the point of the restore', async () => {
    const code = await approveConsent(await createTestStore({ shard: 1 }), await createTestApp(), {
      shard: 1,
    });
    const { restore, runScript } = await bookmarkGrant(code);
    expect((await postToken(redemptionForm(code))).status).toBe(200);
    await restore();
    await runScript();
    const { status, body } = await postToken(redemptionForm(code), { now: Date.now() + 1_000 });
    expect([status, body.hint]).toEqual([400, 'Authorization code has expired']);
  });

  it.each([1, 2, 5])(
    'fast-forwards a grant to the token of %i refreshes later, once',
    async (times) => {
      const { connected, tokens, runScript } = await rollBack(times);
      expect((await refresh(connected, tokens.at(-1)!)).outcome).toEqual(revoked);
      await runScript();
      const next = await refresh(connected, tokens.at(-1)!);
      expect(next.outcome).toEqual(accepted);
      expect(await eventsOf(connected)).toEqual(['grant_fast_forwarded']);
      // A retry gets the same response, and the chain continues.
      expect((await refresh(connected, tokens.at(-1)!)).token).toBe(next.token);
      expect((await refresh(connected, next.token)).outcome).toEqual(accepted);
      const facts = await readToken(tokenKeys, 'refresh', next.token);
      const later = await mintToken(tokenKeys, 'refresh', { ...facts!, generation: 40 });
      expect((await refresh(connected, later)).outcome).toEqual(revoked);
    },
  );

  it('fast-forwards a grant whose code was redeemed after the point of the restore', async () => {
    const code = await approveConsent(await createTestStore({ shard: 1 }), await createTestApp(), {
      shard: 1,
    });
    const { restore, runScript } = await bookmarkGrant(code);
    const { body } = await postToken(redemptionForm(code));
    await restore();
    await runScript();
    expect((await refresh(code, body.refresh_token)).outcome).toEqual(accepted);
    expect((await postToken(redemptionForm(code))).body.hint).toBe(
      'Authorization code has expired',
    );
    // The second use of the code revoked the grant.
    expect((await refresh(code, body.refresh_token)).outcome).toEqual(revoked);
  });

  it('revokes the grant when an older token follows the one that fast-forwarded it', async () => {
    const { connected, tokens, runScript } = await rollBack(3);
    await runScript();
    const { token } = await refresh(connected, tokens[3]!);
    expect((await refresh(connected, tokens[1]!)).outcome).toEqual(revoked);
    expect((await refresh(connected, token)).outcome).toEqual(revoked);
    expect(await eventsOf(connected)).toEqual(['grant_fast_forwarded', 'refresh_token_reused']);
  });

  it.each([1, 2])(
    'revokes the grant when a token that the restore made usable again was used first (%i refreshes)',
    async (times) => {
      const { connected, tokens, runScript } = await rollBack(times);
      await runScript();
      const stolen = await refresh(connected, tokens[0]!);
      expect(stolen.outcome).toEqual(accepted);
      await refresh(connected, tokens[times]!);
      // The chain of the spent token is revoked too.
      expect((await refresh(connected, stolen.token)).outcome).toEqual(revoked);
      expect(await eventsOf(connected)).toContain('refresh_token_reused');
    },
  );

  it('refreshes without an event when nothing was refreshed after the point of the restore', async () => {
    const { connected, tokens, runScript } = await rollBack(0);
    await runScript();
    expect((await refresh(connected, tokens[0]!)).outcome).toEqual(accepted);
    expect(await eventsOf(connected)).toEqual([]);
  });

  it('fast-forwards no grant after a day, for another app, or after a revocation', async () => {
    const { connected, tokens, runScript } = await rollBack(2);
    await runScript();
    expect((await refresh(connected, tokens[2]!, Date.now() + 24 * hour + 2_000)).outcome).toEqual(
      revoked,
    );
    const other = { ...connected, app: await createTestApp() };
    expect((await refresh(other, tokens[2]!)).outcome[0]).toBe(401);
    const form = new URLSearchParams({ client_id: connected.app.client_id, token: tokens[0]! });
    const request = new Request('https://api.test/oauth/revoke', { method: 'POST', body: form });
    await handleRevocationRequest(env, request, Date.now(), () => undefined);
    expect((await refresh(connected, tokens[2]!)).outcome).toEqual(revoked);
  });

  it('runs no additional statement for a token that was not rolled back', async () => {
    const { connected, tokens, runScript } = await rollBack(1);
    await runScript();
    const statements: string[] = [];
    const watchedDatabase = {
      prepare: (text: string) => {
        statements.push(text);
        return db.prepare(text);
      },
      batch: <T>(prepared: D1PreparedStatement[]) => db.batch<T>(prepared),
    };
    const bindings = { STORE_1: watchedDatabase } as unknown as Partial<Env>;
    await postToken(refreshForm(connected.app, tokens[0]!), { bindings });
    expect(statements.some((text) => text.includes('generation = generation + 1'))).toBe(true);
    expect(statements.some((text) => text.includes('fast_forward_until = null'))).toBe(false);
  });
});

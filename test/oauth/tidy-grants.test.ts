import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { tidyGrants, sliceOf } from '../../src/oauth/tidy-grants.ts';
import { app, approve, connect, post, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;

/** The minute of the day in which an id has its turn. */
function minuteOf(id: string): number {
  for (let minute = 0; minute < 1_440; minute += 1) {
    const { from, to } = sliceOf(minute);
    if (id >= from && (to === undefined || id < to)) return minute;
  }
  return -1;
}

const tidyOn = (days: number, id: string) =>
  tidyGrants(env, start + days * day + minuteOf(id) * 60_000);

const rowOf = (id: string) =>
  env.STORE_0.prepare('select * from oauth_grants where id = ?').bind(id).first();

describe('tidyGrants', () => {
  it('gives every id its turn once a day', () => {
    const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
    for (const first of alphabet) {
      for (const second of alphabet)
        expect(minuteOf(`${first}${second}x`)).toBeGreaterThanOrEqual(0);
    }
    for (let minute = 1; minute < 1_440; minute += 1) {
      expect(sliceOf(minute - 1).to).toBe(sliceOf(minute).from);
    }
    expect([sliceOf(0).from, sliceOf(1_439).to]).toEqual(['', undefined]);
  });

  it('deletes a code that nobody redeemed, a day after its end', async () => {
    const { grantId } = await approve(await store(), await app(), { now: start });
    await tidyOn(0, grantId);
    expect(await rowOf(grantId)).not.toBeNull();
    await tidyOn(2, grantId);
    expect(await rowOf(grantId)).toBeNull();
  });

  it('forgets the successor a day after the rotation and gives late retries back', async () => {
    const own = await connect(await store(), { now: start });
    const token = own.tokens.refresh_token;
    await post(refreshment(own.app, token), { now: start });
    await post(refreshment(own.app, token), { now: start + 200_000 });
    expect(await rowOf(own.grantId)).toMatchObject({ budget: 2, sealed: expect.any(String) });
    await tidyOn(2, own.grantId);
    expect(await rowOf(own.grantId)).toMatchObject({
      budget: 3,
      sealed: null,
      previous_hash: null,
    });
  });

  it('deletes grants 60 days after their end, and old events', async () => {
    const own = await connect(await store(), { now: start });
    await post({ ...refreshment(own.app, own.tokens.refresh_token) }, { now: start });
    await tidyOn(89, own.grantId);
    expect(await rowOf(own.grantId)).not.toBeNull();
    await env.STORE_0.prepare(
      `insert into oauth_events (grant_id, store_id, client_id, kind, at) values (?, 1, 'x', 'y', ?)`,
    )
      .bind(own.grantId, start)
      .run();
    await tidyOn(92, own.grantId);
    expect(await rowOf(own.grantId)).toBeNull();
    const sql = 'select count(*) as n from oauth_events where grant_id = ?';
    expect(await env.STORE_0.prepare(sql).bind(own.grantId).first()).toEqual({ n: 0 });
  });
});

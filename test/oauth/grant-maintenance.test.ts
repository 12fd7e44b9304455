import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sliceForMinute } from '../../src/oauth/grant-maintenance.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  connectApp,
  postToken,
  refreshForm,
} from '../support/oauth/partner.ts';
import { maintainAllGrants } from '../support/sweep.ts';
import '../support/fixtures/first-shard.ts';

const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;

/** Returns the minute of the day that visits a grant id. */
function minuteOf(id: string): number {
  for (let minute = 0; minute < 1_440; minute += 1) {
    const { from, to } = sliceForMinute(minute);
    if (id >= from && (to === undefined || id < to)) return minute;
  }
  return -1;
}

const maintainOnDay = (dayNumber: number, id: string) =>
  maintainAllGrants(env, start + dayNumber * day + minuteOf(id) * 60_000);

const grantRow = (id: string) =>
  env.STORE_0.prepare('select * from oauth_grants where id = ?').bind(id).first();

describe('maintainGrants', () => {
  it('visits every grant id once a day', () => {
    const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
    for (const first of alphabet) {
      for (const second of alphabet)
        expect(minuteOf(`${first}${second}x`)).toBeGreaterThanOrEqual(0);
    }
    for (let minute = 1; minute < 1_440; minute += 1) {
      expect(sliceForMinute(minute - 1).to).toBe(sliceForMinute(minute).from);
    }
    expect([sliceForMinute(0).from, sliceForMinute(1_439).to]).toEqual(['', undefined]);
  });

  it('deletes an unredeemed code one day after it expired', async () => {
    const { grantId } = await approveConsent(await createTestStore(), await createTestApp(), {
      now: start,
    });
    await maintainOnDay(0, grantId);
    expect(await grantRow(grantId)).not.toBeNull();
    await maintainOnDay(2, grantId);
    expect(await grantRow(grantId)).toBeNull();
  });

  it('deletes the encrypted successor one day after the rotation and restores late retries', async () => {
    const own = await connectApp(await createTestStore(), { now: start });
    const token = own.tokens.refresh_token;
    await postToken(refreshForm(own.app, token), { now: start });
    await postToken(refreshForm(own.app, token), { now: start + 200_000 });
    expect(await grantRow(own.grantId)).toMatchObject({
      late_retries_left: 2,
      encrypted_successor: expect.any(String),
    });
    await maintainOnDay(2, own.grantId);
    expect(await grantRow(own.grantId)).toMatchObject({
      late_retries_left: 3,
      encrypted_successor: null,
      previous_hash: null,
    });
  });

  it('deletes grants 60 days after they ended, and old events', async () => {
    const own = await connectApp(await createTestStore(), { now: start });
    await postToken({ ...refreshForm(own.app, own.tokens.refresh_token) }, { now: start });
    await maintainOnDay(89, own.grantId);
    expect(await grantRow(own.grantId)).not.toBeNull();
    await env.STORE_0.prepare(
      `insert into oauth_events (grant_id, store_id, client_id, kind, at) values (?, 1, 'x', 'y', ?)`,
    )
      .bind(own.grantId, start)
      .run();
    await maintainOnDay(92, own.grantId);
    expect(await grantRow(own.grantId)).toBeNull();
    const sql = 'select count(*) as n from oauth_events where grant_id = ?';
    expect(await env.STORE_0.prepare(sql).bind(own.grantId).first()).toEqual({ n: 0 });
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { mailNotices } from '../../../src/ops/mail-notices.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { emptyOutboxes } from '../../support/empty-outboxes.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';

emptyOutboxes();

const url = 'http://127.0.0.1:9/hook?token=hush-hush';
const webhook = { name: 'ERP', url, events: ['product.created'] };

const idOf = async (store: TestStore) =>
  (await store.api('POST /webhooks', webhook)).body.data.id as number;

/** The hosts that the mails to the owner name, newest first. */
async function announcedHosts({ shard, alias }: TestStore) {
  const db = shardBinding(env, shard);
  await mailNotices({ env, shard, db, now: Date.now, hasTime: () => true });
  const mails = await sentMails(`${alias}@store.test`, 'webhook_destination');
  for (const { text, html } of mails) expect(`${text}${html}`).not.toContain('hush-hush');
  return mails.map(({ data }) => (data as { host: string }).host);
}

/** A browser whose user was last asked for a password eleven minutes ago. */
const signInEarlier = ({ userId }: TestStore) =>
  new Browser().signIn(userId, Date.now() - 11 * 60_000);

const thiefUrl = 'http://127.0.0.1:9/thief';

describe('a stranger at a browser that is still signed in', () => {
  it.each(['edit', 'resume'])('cannot %s a webhook without a proof', async (action) => {
    const store = await createTestStore();
    const id = await idOf(store);
    await store.api(`PUT /webhooks/${id}`, { active: false });
    const path = `/account/webhooks/${store.alias}/${id}/${action}`;
    const browser = await signInEarlier(store);
    const values = { name: 'ERP', url: thiefUrl, events: 'product.created', resume: 'all' };
    expect((await browser.submit(path, values)).html).toContain('action="/session/proof"');
    // With the token of a page of the owner's own session, who has just signed in.
    const owner = await new Browser().signIn(store.userId);
    const fields = { ...hiddenFieldsOf(await owner.get(path), path), ...values };
    const sent = await browser.post(path, fields);
    expect([sent.status, sent.location]).toEqual([303, path]);
    const { body } = await store.api(`GET /webhooks/${id}`);
    expect([body.data.url, body.data.active]).toEqual([url, false]);
  });
});

describe('the owner of a store', () => {
  it('causes a mail about where events go, when a key or an app creates a webhook or moves it', async () => {
    const store = await createTestStore();
    const id = await idOf(store);
    expect(await announcedHosts(store)).toEqual(['127.0.0.1:9']);
    await store.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:10/hook' });
    expect(await announcedHosts(store)).toEqual(['127.0.0.1:10', '127.0.0.1:9']);
  });

  it('causes a mail when a manager does it by page', async () => {
    const store = await createTestStore();
    const id = await idOf(store);
    const browser = await new Browser().signIn(store.userId);
    const path = `/account/webhooks/${store.alias}/${id}/edit`;
    const fields = { name: 'ERP', url: 'http://127.0.0.1:11/', events: 'product.created' };
    expect((await browser.submit(path, fields)).status).toBe(303);
    expect(await announcedHosts(store)).toEqual(['127.0.0.1:11', '127.0.0.1:9']);
  });

  it('causes no mail when a webhook gets a name, is paused, or is deleted', async () => {
    const store = await createTestStore();
    const id = await idOf(store);
    await announcedHosts(store);
    await store.api(`PUT /webhooks/${id}`, { name: 'Other' });
    await store.api(`PUT /webhooks/${id}`, { url, active: false });
    await store.api(`DELETE /webhooks/${id}`);
    expect(await announcedHosts(store)).toEqual(['127.0.0.1:9']);
  });

  it('keeps the webhook when it is moved twice in a millisecond', async () => {
    const store = await createTestStore();
    const id = await idOf(store);
    const db = shardBinding(env, store.shard);
    const move = (to: string) =>
      db.prepare('update webhook_endpoints set url = ?, updated_at = 1 where id = ?').bind(to, id);
    await db.batch([move('http://127.0.0.1:12/'), move('http://127.0.0.1:13/')]);
    expect(await announcedHosts(store)).toEqual(['127.0.0.1:12', '127.0.0.1:9']);
  });
});

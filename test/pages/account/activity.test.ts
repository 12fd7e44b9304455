import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { acceptsIdempotencyKey } from '../../../src/http/operation.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { storeOperations } from '../../support/api/operations.ts';
import { Browser } from '../../support/browser/browser.ts';
import '../../support/fixtures/first-shard.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const url = 'https://hooks.shop.test/orders?token=hush-hush';

async function busyStore() {
  const own = await createTestStore();
  const { body } = await own.api('POST /webhooks', { name: 'ERP', url, events: ['order.paid'] });
  await own.api('PUT /config/settings', { cart_idle_minutes: 90 });
  const path = `/account/stores/${own.alias}/activity`;
  return { own, path, webhook: body.data.id as number };
}

/** Those operations leave lines with actions of their own, or none. */
const withOwnLines =
  /Webhook|Event$|^configureEmails|^changeSettings|^updatePaymentConfig|^exportCustomer/;

const changesOfAssistants = storeOperations.filter(
  (operation) => acceptsIdempotencyKey(operation) && !withOwnLines.test(operation.id),
);

describe('GET /account/stores/{alias}/activity', () => {
  it('returns 200 with sentences, links and no secret, also to a viewer', async () => {
    const { own, path, webhook } = await busyStore();
    const { userId } = await addTestMember(own, 'viewer');
    const page = await (await new Browser().signIn(userId)).get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Created webhook ERP');
    expect(page.text).toContain('Minutes until a cart is idle: 60 → 90');
    expect(page.text).toContain('test API key');
    expect(page.html).toContain(`href="/account/webhooks/${own.alias}/${webhook}"`);
    expect(page.html).not.toContain('hush');
    await own.api(`DELETE /webhooks/${webhook}`);
    const after = await (await new Browser().signIn(userId)).get(path);
    expect(after.text).toContain('Deleted webhook ERP');
    expect(after.html).not.toContain(`/account/webhooks/${own.alias}/${webhook}`);
  });

  it('returns 200 in every language, and 404 to a user who is no member', async () => {
    const { own, path } = await busyStore();
    const browser = await new Browser().signIn(own.userId);
    expect((await browser.get(`${path}?lang=pt-BR`)).text).toContain('Criou o webhook ERP');
    expect((await browser.get(`${path}?lang=es`)).text).toContain('Creó el webhook ERP');
    const { userId } = await createTestStore();
    expect((await (await new Browser().signIn(userId)).get(path)).status).toBe(404);
  });

  it.each([
    ['en', 'Created brand 7'],
    ['pt-BR', 'Criou a marca 7'],
    ['es', 'Creó la marca 7'],
  ])('has a sentence for all that an assistant changes (%s)', async (language, created) => {
    const own = await createTestStore();
    const lines = changesOfAssistants.map(({ id }, at) =>
      env.STORE_0.prepare(
        `insert into store_audit (store_id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
         values (?, ?, 'api_key', '1', 'key', ?, 'record', '7')`,
      ).bind(own.id, at, id),
    );
    await env.STORE_0.batch(lines);
    const browser = await new Browser().signIn(own.userId);
    let [path, text, html] = [`/account/stores/${own.alias}/activity?lang=${language}`, '', ''];
    for (let pages = 0; path !== '' && pages < 9; pages += 1) {
      const page = await browser.get(path);
      [text, html] = [text + page.text, html + page.html];
      const [, older = ''] = /href="([^"]*cursor=[^"]*)"[^>]*rel="next"/.exec(page.html) ?? [];
      path = older.replaceAll('&amp;', '&');
    }
    expect(text).toContain(created);
    const code = changesOfAssistants.filter(({ id }) => html.includes(`<code>${id}</code>`));
    expect(code.map(({ id }) => id)).toEqual([]);
    expect(text.match(/\b7\b/g)?.length).toBeGreaterThan(60);
  });

  it('filters, says so, and goes on to older entries and back', async () => {
    const { own, path } = await busyStore();
    const browser = await new Browser().signIn(own.userId);
    const filtered = await browser.get(`${path}?kind=settings&actor_kind=`);
    expect(filtered.text).toContain('Changed the settings');
    expect(filtered.text).not.toContain('Created webhook');
    expect(filtered.text).toContain('Show everything');
    const none = await browser.get(`${path}?kind=app&cursor=nonsense`);
    expect([none.status, none.text.includes('Nothing here matches your filter.')]).toEqual([
      200,
      true,
    ]);
    for (let minutes = 1; minutes <= 31; minutes += 1) {
      await own.api('PUT /config/settings', { cart_idle_minutes: minutes });
    }
    const first = await browser.get(`${path}?kind=settings`);
    const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(first.html) ?? [];
    const second = await browser.get(older.replaceAll('&amp;', '&'));
    expect(second.text).toContain('60 → 90');
    expect(second.html).toContain(`href="${path}?kind=settings"`);
  });

  it('costs two round trips to the directory and one to the store', async () => {
    const { own, path } = await busyStore();
    const browser = await new Browser().signIn(own.userId);
    const [directory, data] = [noCost(), noCost()];
    browser.bindings = {
      DIRECTORY: countingDatabase(env.DIRECTORY, directory),
      STORE_0: countingDatabase(env.STORE_0, data),
      STORE_1: countingDatabase(env.STORE_1, data),
    };
    await browser.get(path);
    expect([directory.roundTrips, data.roundTrips, data.rowsWritten]).toEqual([2, 1, 0]);
  });
});

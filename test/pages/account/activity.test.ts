import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
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

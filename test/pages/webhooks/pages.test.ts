import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { formActionsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { fillDeliveryLog, createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import {
  signInWithWebhook,
  insertNotice,
  webhookPagePath,
  setEndpointColumns,
} from '../../support/webhooks/pages.ts';
import '../../support/fixtures/first-shard.ts';

const list = '/account/webhooks';
const hour = 3_600_000;
const datetime = (at: number) => `<time datetime="${new Date(at).toISOString()}"`;

describe('GET /account/webhooks', () => {
  it('returns 200 with name, host without path, described events, and the creator', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const webhook = {
      url: 'https://hooks.partner.test/in?token=hidden-token',
      events: ['order.paid', 'product.created'],
    };
    const { body } = await own.api('POST /webhooks', { ...webhook, name: 'By key' });
    await setEndpointColumns(body.data.id, { name: 'By <b>key</b>' });
    const connected = await connectApp(own);
    await connected.api('POST /webhooks', { ...webhook, name: 'By app' });
    const { status, text, html } = await browser.get(list);
    expect(status).toBe(200);
    expect(text).toContain('By app hooks.partner.test Active 0 Nothing has arrived yet');
    expect(html).toContain('By &lt;b&gt;key&lt;/b&gt;');
    expect(html).not.toContain('hidden-token');
    const [byApp, byKey] = Array.from(
      html.matchAll(/(?<=<th scope="row"><a href=")[^"]+/g),
      String,
    );
    const shown = `Events Order approved · Product created Created by`;
    expect((await browser.get(byApp!)).text).toContain(`${shown} Test App`);
    const details = await browser.get(byKey!);
    expect(details.text).toContain('State Active. Events of your store are sent to it.');
    expect(details.text).toContain(`${shown} A program with the API key test`);
  });

  it('shows how many deliveries the last 24 hours brought, those of this minute included', async () => {
    const { own, id, browser } = await signInWithWebhook({ count: 3 });
    const ages = [0, 30, 23 * 60, 25 * 60];
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.gaveUp });
    for (const [index, minutes] of ages.entries()) {
      const at = Date.now() - minutes * 60_000;
      await env.STORE_0.prepare(
        'update webhook_deliveries set created_at = ?1 where endpoint_id = ?2 and seq = ?3',
      )
        .bind(at, id, ages.length - index)
        .run();
    }
    const { html } = await browser.get(list);
    expect(html).toContain('aria-label="Last 24 hours: 3"');
    const bars = html.match(/<rect [^>]*>/g) ?? [];
    expect(bars.map((bar) => !bar.includes('none'))).toEqual([
      true,
      ...Array(10).fill(false),
      true,
    ]);
  });

  it('returns 200 for a failing webhook with its first failure, its notices and its next attempt', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    const now = Date.now();
    const times = { first_failure_at: now - 30 * hour, last_success_at: now - 31 * hour };
    await setEndpointColumns(id, {
      ...times,
      consecutive_failures: 3,
      next_attempt_at: now + hour,
    });
    await insertNotice(own, id, 'failing_24h', now - 6 * hour);
    expect((await browser.get(list)).text).toMatch(/Failing Failing since 30 h ago \d+ 31 h ago/);
    const { text, html } = await browser.get(path);
    expect(text).toContain('State Failing.');
    expect(text).toContain('Notices Nothing has arrived for 24 hours.');
    for (const at of [...Object.values(times), now + hour, now - 6 * hour]) {
      expect(html).toContain(datetime(at));
    }
  });

  it.each([
    ['paused', 'disabled', 'Paused. Nothing is sent.'],
    ['autoDisabled', 'disabled', 'Switched off. Nothing arrived for five days'],
    [
      'autoDisabled',
      'gone',
      'Switched off by its receiver. The receiver replied that it no longer exists',
    ],
  ] as const)('returns 200 in status %s after the notice %s: %s', async (status, kind, words) => {
    const { own, id, browser, path } = await signInWithWebhook();
    await insertNotice(own, id, kind, Date.now() - hour);
    // A later notice of another kind does not change the status.
    await insertNotice(own, id, 'restored', Date.now());
    await setEndpointColumns(id, {
      status: EndpointStatus[status],
      next_attempt_at: Date.now() + hour,
    });
    expect((await browser.get(list)).text).toContain(words.slice(0, words.indexOf('. ')));
    const { text } = await browser.get(path);
    expect(text).toContain(words);
    expect(text).not.toContain('Next attempt');
  });

  it('returns 200 without deleted webhooks and those of other stores, and links to how to create one', async () => {
    const { own, id, browser } = await signInWithWebhook();
    const other = await createTestStore();
    await other.api('POST /webhooks', {
      url: 'https://other.partner.test/in',
      name: 'Theirs',
      events: ['order.paid'],
    });
    await own.api(`DELETE /webhooks/${id}`);
    const { text, html } = await browser.get(list);
    expect(text).not.toContain('Theirs');
    expect(text).toContain('This store has no webhook.');
    expect(html).toContain('href="/docs/guides/webhooks"');
    expect((await browser.get(webhookPagePath(own, id))).status).toBe(404);
  });

  it('returns 200 with the next step for a user without a store', async () => {
    const { userId } = await createTestStore({ active: false });
    const { text } = await (await new Browser().signIn(userId)).get(list);
    expect(text).toContain('Ask the owner of a store');
  });

  it('costs one round trip to the directory and one to the shard for any number of webhooks', async () => {
    const costs = [];
    for (const count of [1, 8]) {
      const own = await createTestStore();
      const connected = await connectApp(own);
      for (let created = 0; created < count; created += 1) {
        const body = { url: 'https://a.partner.test/in', name: 'n', events: ['order.paid'] };
        await connected.api('POST /webhooks', body);
      }
      const browser = await new Browser().signIn(own.userId);
      const directory = noCost();
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: countingDatabase(env.DIRECTORY, directory),
        STORE_0: countingDatabase(env.STORE_0, shard),
      };
      expect((await browser.get(list)).text.match(/a\.partner\.test/g)).toHaveLength(count);
      costs.push([directory.roundTrips, shard.roundTrips, shard.statements, shard.rowsWritten]);
    }
    expect(costs).toEqual([
      [1, 1, 1, 0],
      [1, 1, 1, 0],
    ]);
  });
});

describe('GET /account/webhooks/{alias}/{id}', () => {
  it('returns 200 with the newest 20 deliveries and links to older pages', async () => {
    const { browser, path } = await signInWithWebhook({ count: 45 });
    const seen: number[] = [];
    let next: string | undefined = path;
    for (let pages = 0; next !== undefined && pages < 9; pages += 1) {
      const { html, status } = await browser.get(next);
      expect(status).toBe(200);
      seen.push(...Array.from(html.matchAll(/deliveries\/(\d+)"/g), ([, seq]) => Number(seq)));
      next = /href="([^"]*before=\d+)">\s*Older/.exec(html)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_one, at) => 45 - at));
  });

  it('returns 200 with event, state, response, duration, attempts and next attempt of each delivery', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.open, event: 'order.paid' });
    const due = Date.now() + hour + 30_000;
    await env.STORE_0.prepare(
      `update webhook_deliveries set due_at = ?, attempts = 2, response_status = 503, error = 'http_5xx',
       duration_ms = 1234 where endpoint_id = ? and seq = 2`,
    )
      .bind(due, id)
      .run();
    const { text, html } = await browser.get(path);
    expect(text).toContain(
      '2 · Order approved Failed, next try in 61 min 503. The receiver reported an error',
    );
    expect(text).not.toContain('On its way');
    expect(html).toMatch(/<time datetime="[^"]+" title="[^"]+:\d\d:\d\d\s[AP]M\s[^"]+">in 61 min</);
    expect(text).toContain('1,234 ms 2 ');
    expect(text).toContain('1 · Product created Delivered 200. Receipt confirmed. 40 ms 1 ');
    expect(html).toContain(datetime(due));
  });

  it('returns 200 with only the deliveries of the chosen state, and with all notices', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 2, state: DeliveryState.gaveUp });
    await insertNotice(own, id, 'failing_24h', Date.now() - 50 * hour);
    await insertNotice(own, id, 'failing_72h', Date.now() - 2 * hour);
    await insertNotice(own, id, 'restored', Date.now() - hour);
    const { html, text } = await browser.get(`${path}?state=gaveUp`);
    expect(Array.from(html.matchAll(/deliveries\/(\d+)"/g), ([, seq]) => seq)).toEqual(['3', '2']);
    expect(html).toContain(`${path}?state=gaveUp&amp;lang=es`);
    expect(text).toMatch(
      /restored an earlier state.*arrived for 72 hours\..*arrived for 24 hours\./,
    );
    expect((await browser.get(`${path}?state=held`)).text).toContain(
      'No delivery is in this state',
    );
  });

  it('shows, filters and counts a delivery by the same word: one whose last attempt failed is Failed', async () => {
    const { own, id, browser, path } = await signInWithWebhook({ count: 3 });
    await fillDeliveryLog(own, id, { count: 2, state: DeliveryState.open });
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.gaveUp });
    await env.STORE_0.batch([
      env.STORE_0.prepare(
        `update webhook_deliveries set attempts = 1, error = 'http_5xx', response_status = 503
          where endpoint_id = ? and seq in (4, 6)`,
      ).bind(id),
      env.STORE_0.prepare(
        `insert into webhook_attempts (endpoint_id, seq, number, at, error, duration_ms, host)
          select ?, value, 1, 1, 'http_5xx', 1, 'h' from json_each('[4,6]')`,
      ).bind(id),
    ]);
    const rowsOf = async (filter: string) =>
      Array.from(
        (await browser.get(`${path}${filter}`)).text.matchAll(
          /(\d+) · Product created (Failed|Given up|Delivered|On its way)/g,
        ),
        ([, seq, state]) => `${seq} ${state}`,
      );
    expect(await rowsOf('')).toEqual([
      '6 Given up',
      '5 On its way',
      '4 Failed',
      '3 Delivered',
      '2 Delivered',
      '1 Delivered',
    ]);
    expect(await rowsOf('?state=failed')).toEqual(['6 Given up', '4 Failed']);
    expect(await rowsOf('?state=gaveUp')).toEqual(['6 Given up']);
    const { html, text } = await browser.get(path);
    expect(text).toContain('All Failed Given up Held');
    expect(html).toContain('aria-label="Last 24 hours. Delivered: 3, Failed: 2, Waiting: 1."');
  });

  it('returns 200 for a webhook without deliveries', async () => {
    const { browser, path } = await signInWithWebhook({ count: 0 });
    expect((await browser.get(path)).text).toContain('Nothing has been sent yet.');
  });

  it('returns 200 and says so when the creator of the webhook is not recorded', async () => {
    const { id, browser, path } = await signInWithWebhook();
    await setEndpointColumns(id, { created_at: Date.now() - 400 * 24 * hour });
    expect((await browser.get(path)).text).toContain('Created by Not recorded');
  });

  it('returns 200 for a webhook that began to fail, and says when there will be a notice', async () => {
    const { id, browser, path } = await signInWithWebhook();
    await setEndpointColumns(id, { first_failure_at: Date.now() - 180_000 });
    const { text, html } = await browser.get(path);
    expect(text).toContain('No notice yet, because the webhook has not been failing for 24 hours.');
    expect(text).toContain('Failing since 3 min ago');
    expect(html).toMatch(/<time datetime="[^"]+" title="[^"]+:\d\d:\d\d\s[AP]M\s[^"]+">3 min ago</);
  });

  it.each(['?before=0', '?before=x', '?state=nonsense'])('returns 404 for %s', async (query) => {
    const { browser, path } = await signInWithWebhook();
    expect((await browser.get(`${path}${query}`)).status).toBe(404);
  });

  it('costs one round trip to the directory and three to the shard for a log of any length', async () => {
    const costs = [];
    for (const count of [1, 60]) {
      const { browser, path } = await signInWithWebhook({ count });
      const directory = noCost();
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: countingDatabase(env.DIRECTORY, directory),
        STORE_0: countingDatabase(env.STORE_0, shard),
      };
      expect((await browser.get(path)).status).toBe(200);
      costs.push([directory.roundTrips, shard.roundTrips, shard.rowsWritten]);
      // The charts count each delivery, and up to 20,000 of them; the rest of the page reads a page
      // of the log.
      expect(shard.rowsRead).toBeLessThan(150 + 5 * count);
    }
    expect(costs).toEqual([
      [1, 3, 0],
      [1, 3, 0],
    ]);
  });
});

describe('the charts of GET /account/webhooks/{alias}/{id}', () => {
  it('count what was delivered, what was not and what waits, by hour and by day', async () => {
    const { own, id, path, browser } = await signInWithWebhook({ count: 0 });
    const now = Date.now();
    const recent = { since: now - 2 * hour };
    await fillDeliveryLog(own, id, { count: 40, since: now - 20 * 24 * hour });
    await fillDeliveryLog(own, id, { count: 16, since: now - 30 * hour });
    await fillDeliveryLog(own, id, { count: 7, ...recent });
    await fillDeliveryLog(own, id, { count: 2, state: DeliveryState.gaveUp, ...recent });
    await fillDeliveryLog(own, id, { count: 3, state: DeliveryState.held, ...recent });
    const { html, text } = await browser.get(path);
    expect(html).toContain('aria-label="Last 24 hours. Delivered: 7, Failed: 2, Waiting: 3."');
    expect(html).toContain('aria-label="Last 30 days. Delivered: 63, Failed: 2, Waiting: 3."');
    expect(text).toContain('Last 24 hours 12 25% less than the day before');
    expect(text).toContain('Last 30 days 68 Last 7 days: 28, 0 the week before');
    expect(text).toContain('Half of the last responses came within 40 ms, 95% within 40 ms.');
  });

  it('read at most 20,000 deliveries, in one round trip', async () => {
    const { own, id, path, browser } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 25_000, since: Date.now() - 8 * hour });
    const shard = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, shard) };
    expect((await browser.get(path)).html).toContain('Delivered: 20,000');
    // The history, the health and the log; 1,000 more for the percentiles.
    expect(shard.roundTrips).toBe(3);
    expect(shard.rowsRead).toBeLessThan(42_500);
  });

  it('say what to do about a day without a delivery, and that there are as many as before', async () => {
    const { own, id, path, browser } = await signInWithWebhook({ count: 0 });
    for (const days of [3, 10])
      await fillDeliveryLog(own, id, { count: 4, since: Date.now() - days * 24 * hour });
    const { html, text } = await browser.get(path);
    expect(text).toContain('Last 24 hours Nothing was sent in this time. Send a ping');
    expect(text).toContain('Last 7 days: 4, the same as the week before');
    expect(html.match(/<figure class="chart/g)).toHaveLength(1);
  });

  it('are absent before the first delivery', async () => {
    const { path, browser } = await signInWithWebhook({ count: 0 });
    expect((await browser.get(path)).html).not.toContain('class="chart');
  });
});

describe('GET /account/webhooks/{alias}/{id}/deliveries/{seq}', () => {
  it('returns 200 with the indented body and the response of every attempt, all of it escaped', async () => {
    const own = await createTestStore();
    const id = await createTestWebhook(own);
    const event = { event: 'product.created', resource: { name: '<script>alert(1)</script>' } };
    await fillDeliveryLog(own, id, { count: 1, body: JSON.stringify(event) });
    const insert = env.STORE_0.prepare(
      `insert into webhook_attempts (endpoint_id, seq, number, at, response_status, error, duration_ms,
         response_headers, response_body, host) values (?, 1, ?, ?, ?, ?, 85, ?, ?, 'h')`,
    );
    const answer = { text: '<img src=x onerror=alert(2)>', encoding: 'utf-8', truncated: true };
    const headers = JSON.stringify({ 'content-type': 'text/html' });
    await env.STORE_0.batch([
      insert.bind(id, 1, Date.now() - hour, 500, 'http_5xx', headers, JSON.stringify(answer)),
      insert.bind(id, 2, Date.now(), null, 'timeout', null, null),
    ]);
    await env.STORE_0.prepare('update webhook_events set changed = ? where store_id = ?')
      .bind('name,skus.price_sale', own.id)
      .run();
    const browser = await new Browser().signIn(own.userId);
    const { status, text, html } = await browser.get(`${webhookPagePath(own, id)}/deliveries/1`);
    expect(status).toBe(200);
    expect(text).toContain('Changed fields name, skus.price_sale');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
    expect(text).toContain(JSON.stringify(event, null, 2).replaceAll(/\s+/g, ' '));
    expect(html).toContain('\n  &quot;resource&quot;: {');
    expect(text).toContain('500. The receiver reported an error of its own.');
    expect(text).toContain('content-type: text/html <img src=x onerror=alert(2)>');
    expect(text).toContain('The rest is not stored.');
    expect(text).toContain('No response within the time allowed.');
  });

  it('returns 200 without a form to replay once the body has been purged', async () => {
    const own = await createTestStore();
    const id = await createTestWebhook(own);
    await fillDeliveryLog(own, id, { count: 1, body: null });
    const browser = await new Browser().signIn(own.userId);
    const page = await browser.get(`${webhookPagePath(own, id)}/deliveries/1`);
    expect(page.text).toContain('no longer stored, so it cannot be shown or sent again');
    expect(formActionsOf(page)).toEqual([]);
  });

  it.each(['pt-BR', 'es'])('returns 200 in %s without English words', async (language) => {
    const { browser, path } = await signInWithWebhook();
    for (const page of [path, `${path}/deliveries/1`]) {
      const { status, html, text } = await browser.get(page, { 'Accept-Language': language });
      expect([status, html.match(/<h1[ >]/g)?.length]).toEqual([200, 1]);
      expect(text).not.toMatch(/\b(?:Delivery|State|Response|Created by|Send|Cancel|webhook is)\b/);
    }
  });
});

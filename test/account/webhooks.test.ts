import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { counting } from '../support/counted.ts';
import { fillLog, webhookOf } from '../support/log.ts';
import { connect } from '../support/partner.ts';
import { store } from '../support/store.ts';
import { merchantWithWebhook, notice, pathOf, setWebhook } from '../support/webhook-pages.ts';

const list = '/account/webhooks';
const hour = 3_600_000;
const datetime = (at: number) => `<time datetime="${new Date(at).toISOString()}">`;

describe('GET /account/webhooks', () => {
  it('200 with name, host alone, events in words, and who made it', async () => {
    const own = await store();
    const browser = await new Browser().signedIn(own.userId);
    const webhook = {
      url: 'https://hooks.partner.test/in?token=hidden-token',
      events: ['order.paid', 'product.created'],
    };
    const { body } = await own.api('POST /webhooks', { ...webhook, name: 'By key' });
    await setWebhook(body.data.id, { name: 'By <b>key</b>' });
    const connected = await connect(own);
    await connected.api('POST /webhooks', { ...webhook, name: 'By app' });
    const { status, text, html } = await browser.get(list);
    expect(status).toBe(200);
    expect(text).toContain('By app State Active. What happens in your store is sent to it.');
    expect(text).toContain('Goes to hooks.partner.test Tells of Order approved · Product created');
    expect(text).toContain('Made by Test App');
    expect(text).toContain('Made by A program with an API key');
    expect(html).toContain('By &lt;b&gt;key&lt;/b&gt;');
    expect(html).not.toContain('hidden-token');
  });

  it('200 for a webhook that fails: since when, what was said of it, when it is tried next', async () => {
    const { own, id, browser } = await merchantWithWebhook();
    const now = Date.now();
    const times = { first_fail_at: now - 30 * hour, last_ok_at: now - 31 * hour };
    await setWebhook(id, { ...times, fail_streak: 3, wake_at: now + hour });
    await notice(own, id, 'failing_24h', now - 6 * hour);
    const { text, html } = await browser.get(list);
    expect(text).toContain('State Failing.');
    expect(text).toContain('What we told you Nothing has arrived for 24 hours.');
    for (const at of [...Object.values(times), now + hour, now - 6 * hour]) {
      expect(html).toContain(datetime(at));
    }
  });

  it.each([
    [1, 'disabled', 'Paused. Nothing is sent.'],
    [2, 'disabled', 'Switched off. Nothing had arrived for five days'],
    [2, 'gone', 'Switched off by its receiver. The receiver answered that it is gone'],
  ])('200 in status %i after the notice %s: %s', async (status, kind, words) => {
    const { own, id, browser } = await merchantWithWebhook();
    await notice(own, id, kind, Date.now() - hour);
    // What is told later is of another matter.
    await notice(own, id, 'restored', Date.now());
    await setWebhook(id, { status, wake_at: Date.now() + hour });
    const { text } = await browser.get(list);
    expect(text).toContain(words);
    expect(text).not.toContain('Next attempt');
  });

  it('200 without deleted webhooks and those of stores of others, and says how to make one', async () => {
    const { own, id, browser } = await merchantWithWebhook();
    const other = await store();
    await other.api('POST /webhooks', {
      url: 'https://other.partner.test/in',
      name: 'Theirs',
      events: ['order.paid'],
    });
    await own.api(`DELETE /webhooks/${id}`);
    const { text, html } = await browser.get(list);
    expect(text).not.toContain('Theirs');
    expect(text).toContain('This store has no webhook.');
    expect(html).toContain('href="/docs#createWebhook"');
    expect((await browser.get(pathOf(own, id))).status).toBe(404);
  });

  it('200 for somebody without a store, saying what to do next', async () => {
    const { userId } = await store({ active: false });
    const { text } = await (await new Browser().signedIn(userId)).get(list);
    expect(text).toContain('Ask the owner of a store');
  });

  it('costs the same for one webhook and for many: two trips to the directory, one to the shard', async () => {
    const costs = [];
    for (const count of [1, 8]) {
      const own = await store();
      const connected = await connect(own);
      for (let made = 0; made < count; made += 1) {
        const body = { url: 'https://a.partner.test/in', name: 'n', events: ['order.paid'] };
        await connected.api('POST /webhooks', body);
      }
      const browser = await new Browser().signedIn(own.userId);
      const directory = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: counting(env.DIRECTORY, directory),
        STORE_0: counting(env.STORE_0, shard),
      };
      expect((await browser.get(list)).text.match(/Goes to/g)).toHaveLength(count);
      costs.push([directory.trips, shard.trips, shard.statements, shard.rowsWritten]);
    }
    expect(costs).toEqual([
      [2, 1, 1, 0],
      [2, 1, 1, 0],
    ]);
  });
});

describe('GET /account/webhooks/{alias}/{id}', () => {
  it('200 with the newest 20 deliveries, and the others page by page', async () => {
    const { browser, path } = await merchantWithWebhook({ count: 45 });
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

  it('200 with event, state, answer, duration, attempts and the next attempt of each delivery', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    await fillLog(own, id, { count: 1, state: 0, event: 'order.paid' });
    const due = Date.now() + hour;
    await env.STORE_0.prepare(
      `update webhook_deliveries set due_at = ?, attempts = 2, code = 503, error = 'http_5xx',
       duration_ms = 1234 where endpoint_id = ? and seq = 2`,
    )
      .bind(due, id)
      .run();
    const { text, html } = await browser.get(path);
    expect(text).toContain('2 · Order approved On its way 503. The receiver reported a fault');
    expect(text).toContain('1,234 ms 2 ');
    expect(text).toContain('1 · Product created Delivered 200. Receipt confirmed. 40 ms 1 ');
    expect(html).toContain(datetime(due));
  });

  it('200 with what was given up or held alone, and with all notices', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    await fillLog(own, id, { count: 2, state: 2 });
    await notice(own, id, 'failing_24h', Date.now() - 50 * hour);
    await notice(own, id, 'failing_72h', Date.now() - 2 * hour);
    await notice(own, id, 'restored', Date.now() - hour);
    const { html, text } = await browser.get(`${path}?state=gaveUp`);
    expect(Array.from(html.matchAll(/deliveries\/(\d+)"/g), ([, seq]) => seq)).toEqual(['3', '2']);
    expect(html).toContain(`${path}?state=gaveUp&amp;lang=es`);
    expect(text).toMatch(/new epoch.*arrived for 72 hours\..*arrived for 24 hours\./);
    expect((await browser.get(`${path}?state=held`)).text).toContain(
      'No delivery is in this state',
    );
  });

  it('200 for a webhook that has sent nothing yet', async () => {
    const { browser, path } = await merchantWithWebhook({ count: 0 });
    expect((await browser.get(path)).text).toContain('Nothing has been sent yet.');
  });

  it.each(['?before=0', '?before=x', '?state=nonsense'])('404 for %s', async (query) => {
    const { browser, path } = await merchantWithWebhook();
    expect((await browser.get(`${path}${query}`)).status).toBe(404);
  });

  it('costs one trip to the directory and two to the shard, however long the log is', async () => {
    const costs = [];
    for (const count of [1, 60]) {
      const { browser, path } = await merchantWithWebhook({ count });
      const directory = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: counting(env.DIRECTORY, directory),
        STORE_0: counting(env.STORE_0, shard),
      };
      expect((await browser.get(path)).status).toBe(200);
      costs.push([directory.trips, shard.trips, shard.rowsWritten]);
      expect(shard.rowsRead).toBeLessThan(150);
    }
    expect(costs).toEqual([
      [1, 2, 0],
      [1, 2, 0],
    ]);
  });
});

describe('GET /account/webhooks/{alias}/{id}/deliveries/{seq}', () => {
  it('200 with the message on several lines and every try with its answer, all of it as text', async () => {
    const own = await store();
    const id = await webhookOf(own);
    const event = { event: 'product.created', resource: { name: '<script>alert(1)</script>' } };
    await fillLog(own, id, { count: 1, body: JSON.stringify(event) });
    const insert = env.STORE_0.prepare(
      `insert into webhook_attempts (endpoint_id, seq, number, at, code, error, duration_ms,
         response_headers, response_body, host) values (?, 1, ?, ?, ?, ?, 85, ?, ?, 'h')`,
    );
    const answer = { text: '<img src=x onerror=alert(2)>', encoding: 'utf-8', truncated: true };
    const headers = JSON.stringify({ 'content-type': 'text/html' });
    await env.STORE_0.batch([
      insert.bind(id, 1, Date.now() - hour, 500, 'http_5xx', headers, JSON.stringify(answer)),
      insert.bind(id, 2, Date.now(), null, 'timeout', null, null),
    ]);
    const browser = await new Browser().signedIn(own.userId);
    const { status, text, html } = await browser.get(`${pathOf(own, id)}/deliveries/1`);
    expect(status).toBe(200);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
    expect(text).toContain(JSON.stringify(event, null, 2).replaceAll(/\s+/g, ' '));
    expect(html).toContain('\n  &quot;resource&quot;: {');
    expect(text).toContain('500. The receiver reported a fault of its own.');
    expect(text).toContain('content-type: text/html <img src=x onerror=alert(2)>');
    expect(text).toContain('The rest is not kept.');
    expect(text).toContain('No answer within the time allowed.');
  });

  it('200 without a way to send again once the message is kept no longer', async () => {
    const own = await store();
    const id = await webhookOf(own);
    await fillLog(own, id, { count: 1, body: null });
    const browser = await new Browser().signedIn(own.userId);
    const { text, html } = await browser.get(`${pathOf(own, id)}/deliveries/1`);
    expect(text).toContain('kept no longer, so it cannot be shown or sent again');
    expect(html).not.toContain('<form');
  });

  it.each(['pt-BR', 'es'])('200 in %s, with no word of English left', async (language) => {
    const { browser, path } = await merchantWithWebhook();
    for (const page of [path, `${path}/deliveries/1`, `${path}/ping`, `${path}/pause`]) {
      const { status, html, text } = await browser.get(page, { 'Accept-Language': language });
      expect([status, html.match(/<h1[ >]/g)?.length]).toEqual([200, 1]);
      expect(text).not.toMatch(/\b(?:Delivery|State|Answer|Made by|Send|Cancel|webhook is)\b/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { operatorPaths } from '../../../src/base/page-paths.ts';
import { Browser } from '../../support/browser/browser.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';

const operator = await createTestOperator();
const today = new Date().toISOString().slice(0, 10);

const settings = {
  METRICS_URL: 'https://metrics.example/sql',
  METRICS_DATASET: 'shop_points',
  METRICS_TOKEN: 'reads-the-data-points',
};

async function open(bindings: Partial<typeof settings>) {
  const browser = await new Browser().signIn(operator.userId);
  browser.bindings = bindings as unknown as Partial<Env>;
  return browser.get(operatorPaths.objectives);
}

/**
 * Answers as Analytics Engine does: whole numbers as texts, a row for each day or data centre that
 * has points.
 */
const answer = (query: string) => {
  if (query.includes('AS place'))
    return [
      { place: 'GRU', bad: '400', total: '1000' },
      { place: 'IAD', bad: '1', total: '9000' },
    ];
  const day = `${today} 00:00:00`;
  if (query.includes("'sweep'")) return [];
  if (query.includes("'GET'")) return [{ day, bad: '401', total: '10000' }];
  return [
    { day: '2020-01-01 00:00:00', bad: 6, total: '8000' },
    { day, bad: '9', total: '12000' },
  ];
};

describe('the objectives of operators', () => {
  it('are shown by day with what is left of each error budget', async () => {
    using network = mockNetwork(async (request) =>
      Response.json({ meta: [], data: answer(await request.text()) }),
    );
    const { status, html } = await open(settings);
    expect(status).toBe(200);
    // 15 of 20,000 where 20 are allowed; 401 of 10,000 where 500 are.
    expect(html).toContain('25% of the error budget is left');
    expect(html).toContain('19.8% of the error budget is left');
    expect(html).toContain('Nothing measured');
    expect(html).toMatch(/GRU.*1,000.*40%.*The error budget is used up.*IAD.*0\.01%.*99\.78% of/s);
    expect(html.match(/<rect[^>]*class="bad"/g)).toHaveLength(2);
    expect(network.requests).toHaveLength(4);
    for (const { url, headers, text } of network.requests) {
      expect(url).toBe(settings.METRICS_URL);
      expect(headers.get('Authorization')).toBe(`Bearer ${settings.METRICS_TOKEN}`);
      expect(text).toContain("FROM shop_points WHERE index1 = '");
      expect(text).toContain("timestamp > now() - INTERVAL '30' DAY");
    }
    expect(html).not.toContain(settings.METRICS_TOKEN);
  });

  it.each([
    ['an error', () => new Response('Unauthorized', { status: 401 })],
    ['something else', () => Response.json({ data: [{ day: 'today' }] })],
  ])('say that they are not known while %s is returned', async (_, respond) => {
    using _network = mockNetwork(respond);
    const { status, html } = await open(settings);
    expect([status, html.includes('Analytics Engine does not answer')]).toEqual([200, true]);
  });

  it('name the secret that is missing, and call nothing', async () => {
    using network = mockNetwork(() => Response.error());
    expect((await open({})).html).toContain('<code>METRICS_TOKEN</code>');
    expect(network.requests).toEqual([]);
  });
});

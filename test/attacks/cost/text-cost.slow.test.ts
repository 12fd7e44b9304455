import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Brand } from '../../../src/base/brand.ts';
import { cleanText } from '../../../src/base/codecs/fields/normalize-text.ts';
import { text } from '../../../src/base/codecs/fields/text.ts';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { decodeJson } from '../../../src/http/read-request.ts';
import { validateRedirectUri } from '../../../src/oauth/redirect-uris.ts';
import { appFields } from '../../../src/pages/partners/app-fields.ts';
import { messagesFor } from '../../../src/web/texts/messages.ts';
import { validateUrl } from '../../../src/webhooks/url-rules.ts';
import { bodyFields } from '../../properties/body-fields.ts';
import { operations } from '../../support/api/operations.ts';
import { publishedBody } from '../../support/api/published-body.ts';
import { hostileUnits } from '../../support/hostile-units.ts';

const { paths } = getOpenApiDocument('Service', '/v2');

/** A place for a text: a field of a body, or a query parameter. `parse` reads a text there. */
interface TextPlace {
  name: string;
  parse: (text: string) => unknown;
}

const places: TextPlace[] = operations.flatMap(({ id, method, path, body, query }) => {
  const media = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  const fields = body && media ? [...bodyFields(publishedBody({ id, path, method }))] : [];
  return [
    ...fields.map(({ field, build }) => ({
      name: `${id} ${field}`,
      parse: (sent: string) => body!.safeParse(build(sent)),
    })),
    ...(query?.names ?? []).map((name) => ({
      name: `${id} ?${name}`,
      parse: (sent: string) => query!.schema.safeParse({ [name]: sent }),
    })),
  ];
});

const kilobytes = 65_536;
const encoder = new TextEncoder();

/** Repeats a text up to a size in bytes. */
const filled = (unit: string, bytes = kilobytes) =>
  unit.repeat(Math.floor(bytes / encoder.encode(unit).length));

/** The time of a function, in milliseconds. */
function measure(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const least = (runs: number, work: () => unknown) =>
  Math.min(...Array.from({ length: runs }, () => measure(work)));

/**
 * A limit: so many times the cost of ordinary words of a size. `milliseconds` is what that was at
 * the beginning.
 */
interface Limit {
  times: number;
  bytes: number;
  milliseconds: number;
}

/**
 * Cost of so many harmless bodies of a size: ordinary words that are decoded, cleaned and measured.
 * All in one go, since a busy machine interrupts what takes longer more often.
 */
function costOfWords({ times, bytes }: Omit<Limit, 'milliseconds'>): number {
  const schema = text(bytes);
  const body = encoder.encode(JSON.stringify({ text: filled('Palavras comuns, ação. ', bytes) }));
  return least(3, () => {
    for (let time = 0; time < times; time += 1) {
      const { text: sent } = decodeJson(body, 'application/json') as { text: string };
      expect(schema.safeParse(sent).success).toBe(true);
    }
  });
}

const timesWords = (times: number, bytes: number): Limit => ({
  times,
  bytes,
  milliseconds: costOfWords({ times, bytes }),
});

/**
 * Pairs of slow work and ordinary words. Both are slow on a busy machine, so one fair pair is
 * enough.
 */
const maxPairs = 25;

/**
 * Asserts that some work is within a limit. Only slow work is repeated, each time beside ordinary
 * words.
 */
function expectWithin(limit: Limit, work: () => unknown, name: string) {
  let cost = measure(work);
  let allowed = limit.milliseconds;
  for (let pair = 0; cost > allowed && pair < maxPairs; pair += 1) {
    allowed = Math.max(limit.milliseconds, costOfWords(limit));
    cost = least(3, work);
  }
  expect(cost, `${name}: milliseconds`).toBeLessThanOrEqual(allowed);
}

const inZone = (place: TextPlace, sent: string) => () =>
  runInZone('America/Sao_Paulo', () => place.parse(sent));

describe('a text of 64 KB in any field of any body or in any query parameter costs at most fifteen times ordinary words', () => {
  const limit = timesWords(15, kilobytes);

  it.each(Object.entries(hostileUnits))('as %s', (_name, unit) => {
    const sent = filled(unit);
    expect(places.length).toBeGreaterThan(1000);
    for (const place of places) expectWithin(limit, inZone(place, sent), place.name);
  });

  it('as any mixture of them', () => {
    const mixture = fc
      .array(
        fc.tuple(fc.constantFrom(...Object.values(hostileUnits)), fc.integer({ min: 1, max: 40 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((parts) => filled(parts.map(([unit, times]) => unit.repeat(times)).join('')));
    const place = fc.constantFrom(...places);
    fc.assert(
      fc.property(mixture, fc.array(place, { minLength: 40, maxLength: 40 }), (sent, chosen) => {
        for (const one of chosen) expectWithin(limit, inZone(one, sent), one.name);
      }),
      { numRuns: 30 },
    );
  });

  it('as the URL of a webhook, as a redirect URI, and in the form of an app', () => {
    const rules = {
      allowLocalReceivers: false,
      ownHosts: [],
      serviceName: 'Service',
      brand: { name: 'Service' } as Brand,
    };
    const fields = appFields(messagesFor('en'), { settings: rules });
    for (const [name, unit] of Object.entries(hostileUnits)) {
      const host = `https://${filled(unit, 32_000)}`;
      const form = {
        name: host,
        publisher: host,
        site_url: host,
        support: host,
        redirect_uris: host,
      };
      expectWithin(limit, () => validateUrl(host, rules), `webhook with ${name}`);
      expectWithin(limit, () => validateRedirectUri(host), `redirect URI with ${name}`);
      expectWithin(limit, () => fields.safeParse(form), `app with ${name}`);
    }
  });
});

describe('a body of 1 MB costs at most three times ordinary words of its size', () => {
  const megabyte = 1_000_000;
  const limit = timesWords(3, megabyte);
  const bodies = {
    'levels of arrays': '['.repeat(megabyte),
    'levels of objects': '{"a":'.repeat(megabyte / 5),
    'closed levels': '['.repeat(megabyte / 2) + ']'.repeat(megabyte / 2),
    members: `{${Array.from({ length: 90_000 }, (_, index) => `"${index}k":0`).join()}}`,
    'prototype keys': `{${'"__proto__":{},'.repeat(60_000)}"a":0}`,
    zeros: `[${'0,'.repeat(megabyte / 2 - 2)}0]`,
    'escaped quotes': `{"a":"${'\\"'.repeat(megabyte / 2 - 10)}"}`,
  };

  it.each(Object.entries(bodies))('as %s', (name, body) => {
    const bytes = encoder.encode(body);
    const decode = () => {
      try {
        return decodeJson(bytes, 'application/json');
      } catch (error) {
        return error;
      }
    };
    expectWithin(limit, decode, name);
  });

  it.each(Object.entries(hostileUnits))('as %s in any text', (_name, unit) => {
    const sent = filled(unit, megabyte);
    for (const place of places) expectWithin(limit, inZone(place, sent), place.name);
  });

  it.each([
    ['tags that never close', '<a'.repeat(megabyte / 2)],
    ['tags in tags', '<'.repeat(megabyte / 3) + 'a>'.repeat(megabyte / 3)],
    ['pairs of tags between letters', 'y<<b>c>'.repeat(megabyte / 7)],
    ['pairs of tags that end lines', 'y<<p>p>'.repeat(megabyte / 7)],
    ['tags that end lines', '<p>'.repeat(megabyte / 3)],
    ['tags of cells', '<TD>'.repeat(megabyte / 4)],
    ['empty tags and one', `${'<>'.repeat(megabyte / 2)}<a>`],
    ['signs between spaces', `${'< '.repeat(megabyte / 2)}<a>`],
  ])('as %s that are stripped', (name, sent) => {
    expectWithin(limit, () => cleanText(sent), name);
  });
});

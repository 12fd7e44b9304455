import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Schema } from '../../src/http/openapi-types.ts';
import { invalidBodyStatus } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { measured } from '../support/counted.ts';
import { publishedBody } from '../support/published-body.ts';
import { store } from '../support/store.ts';
import { breaksOf } from './breaks.ts';

const rows = sections.flatMap(({ operations }) => operations).filter(({ body }) => body);

describe('breaksOf', () => {
  it('spoils every field, also those of objects and lists within, and nothing else', () => {
    const schema = z.toJSONSchema(
      z.object({
        name: z.string().max(5),
        note: z.string().nullable().optional(),
        lines: z.array(z.object({ count: z.int().min(1) })).max(2),
        side: z.object({ ids: z.array(z.int()) }).optional(),
      }),
    ) as Schema;
    const example = { name: 'a', lines: [{ count: 1 }] };
    const found = breaksOf({ schema, example });
    expect(found.map(({ field }) => field)).toEqual([
      'name',
      'note',
      'lines',
      'lines.0',
      'lines.0.count',
      'side',
      'side.ids',
      'side.ids.0',
    ]);
    const names = fc.sample(found[0]!.bodies, 200) as { name?: unknown; lines: unknown }[];
    for (const { lines } of names) expect(lines).toEqual([{ count: 1 }]);
    expect(names.some((body) => !('name' in body))).toBe(true);
    expect(names.some(({ name }) => name === null)).toBe(true);
    expect(names.some(({ name }) => typeof name === 'string' && name.length > 5)).toBe(true);
    expect(names.some(({ name }) => typeof name === 'string' && name.length <= 5)).toBe(false);
  });
});

/** Members of which a body has exactly one: what is wrong with one says so of the others that were sent. */
const exclusive: Record<string, ReadonlySet<string>> = {
  createWebhookReplay: new Set(['seq', 'event_id', 'from']),
};

describe.each(rows.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  const status = invalidBodyStatus(row);
  const path = row.path.replace('/{alias}', '').replaceAll(/\{\w+\}/g, '1');

  it(`${status} naming the field that is wrong, before anything is read or written`, async () => {
    const shop = await store();
    const breaks = breaksOf(publishedBody(row));
    expect(breaks).not.toEqual([]);
    for (const { field, bodies } of breaks) {
      const refused = async (body: unknown) => {
        const { answer, data } = await measured(shop, `${row.verb} ${path}`, body);
        const named = Object.keys(answer.body.errors ?? {});
        const wrong = named.filter((name) => name === field || !exclusive[row.id]?.has(name));
        expect([answer.status, wrong], field).toEqual([status, [field]]);
        expect(data.trips, field).toBe(0);
      };
      await fc.assert(fc.asyncProperty(bodies, refused), { numRuns: 20 });
    }
  }, 30_000);
});

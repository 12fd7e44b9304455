import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { invalidBodyStatus } from '../../src/http/operation.ts';
import { callWithBindings, countingDatabase, noCost } from '../support/api/measure.ts';
import { hasTolerantItems, operations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { headersFor } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { shared } from '../support/shared.ts';
import { runsOf } from '../support/slow.ts';
import { invalidFieldCases } from './invalid-values.ts';

const operationsWithBody = operations.filter(({ body }) => body);

describe('invalidFieldCases', () => {
  it('makes one field invalid per case, including fields of nested objects and lists', () => {
    const schema = z.toJSONSchema(
      z.object({
        name: z.string().max(5),
        note: z.string().nullable().optional(),
        lines: z.array(z.object({ count: z.int().min(1) })).max(2),
        side: z.object({ ids: z.array(z.int()) }).optional(),
      }),
    ) as JsonSchema;
    const example = { name: 'a', lines: [{ count: 1 }] };
    const found = invalidFieldCases({ schema, example });
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
    const names = fc.sample(found[0]!.bodies, { numRuns: 200, seed: 1 }) as {
      name?: unknown;
      lines: unknown;
    }[];
    for (const { lines } of names) expect(lines).toEqual([{ count: 1 }]);
    expect(names.some((body) => !('name' in body))).toBe(true);
    expect(names.some(({ name }) => name === null)).toBe(true);
    expect(names.some(({ name }) => typeof name === 'string' && name.length > 5)).toBe(true);
    expect(names.some(({ name }) => typeof name === 'string' && name.length <= 5)).toBe(false);
  });
});

/** The cost of all requests on the databases of stores: there must be none. */
const cost = noCost();
const counted = {
  STORE_0: countingDatabase(env.STORE_0, cost),
  STORE_1: countingDatabase(env.STORE_1, cost),
};

/** A store of which the bodies change nothing. */
const sharedStore = shared(() => createTestStore());

/**
 * Members of which a body must have exactly one. An error of one also names the others that were
 * sent.
 */
const exclusive: Record<string, ReadonlySet<string>> = {
  createWebhookReplay: new Set(['seq', 'event_id', 'from']),
};

describe.each(operationsWithBody.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    const status = invalidBodyStatus(operation);
    const path = operation.path.replace('/{alias}', '').replaceAll(/\{\w+\}/g, '1');

    it(`returns ${status} and names the invalid field, before anything is read or written`, async () => {
      const own = await sharedStore();
      const testStore = { ...own, headers: await headersFor(operation, own.headers) };
      const cases = invalidFieldCases(publishedBody(operation)).filter(
        ({ field }) => !(hasTolerantItems(operation) && field.includes('.')),
      );
      expect(cases).not.toEqual([]);
      for (const { field, bodies } of cases) {
        const checkRejection = async (body: unknown) => {
          const request = `${operation.method} ${path}`;
          const response = await callWithBindings(testStore, request, body, counted);
          const named = Object.keys(response.body.errors ?? {});
          const wrong = named.filter(
            (name) => name === field || !exclusive[operation.id]?.has(name),
          );
          expect([response.status, wrong], field).toEqual([status, [field]]);
          expect(cost.roundTrips, field).toBe(0);
        };
        await fc.assert(fc.asyncProperty(bodies, checkRejection), { numRuns: runsOf(20, 4) });
      }
    });
  },
);

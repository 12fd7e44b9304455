import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AppEnv } from '../../src/http/app-env.ts';
import {
  getPath,
  holdForm,
  holdText,
  isMalformedJson,
  isParsedByHono,
  validated,
  validator,
} from '../../src/http/hono-adapter.ts';

const refused = (errors: object) => new Error(JSON.stringify(errors));

/** Runs a handler with a request, and returns its answer. */
async function answer(
  handle: (c: Parameters<typeof validated>[0]) => Promise<unknown>,
  request: RequestInit = {},
): Promise<unknown> {
  const app = new Hono<AppEnv>();
  app.all('/:id/*', async (c) => c.json({ answer: await handle(c) }));
  app.onError((error) => Response.json({ answer: error.message }));
  const response = await app.request('/7/x', request);
  const { answer: given } = await response.json<{ answer: unknown }>();
  return given;
}

// A failure here names what a new version of Hono made otherwise, and so what else must change.
describe('a validator that runs inside a handler', () => {
  const json = validator('json', z.object({ a: z.number() }), refused);
  const typed = (type: string, body = '{"a":1}') => ({
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });

  it('reads the ids of the path, once `parse` has', async () => {
    const schema = z.object({ id: z.coerce.number() });
    const ids = validator('param', schema, refused, (value) => schema.safeParse(value));
    expect(await answer((c) => validated(c, 'param', ids))).toEqual({ id: 7 });
  });

  it('takes the held text for the body, and leaves the body unread', async () => {
    const found = await answer(async (c) => {
      holdText(c, '{"a":2}');
      return [await validated(c, 'json', json), c.req.raw.bodyUsed];
    }, typed('application/json'));
    expect(found).toEqual([{ a: 2 }, false]);
  });

  it('takes the held fields for the form, with those of one name as a list', async () => {
    const form = validator('form', z.object({ a: z.string(), b: z.array(z.string()) }), refused);
    const sent = new FormData();
    for (const [name, value] of [
      ['a', '1'],
      ['b', '2'],
      ['b', '3'],
    ] as const)
      sent.append(name, value);
    const found = await answer(
      async (c) => {
        holdForm(c, sent);
        return [await validated(c, 'form', form), c.req.raw.bodyUsed];
      },
      typed('application/x-www-form-urlencoded', 'a=9'),
    );
    expect(found).toEqual([{ a: '1', b: ['2', '3'] }, false]);
  });

  it('throws what the field errors become', async () => {
    const found = await answer(
      (c) => validated(c, 'json', json),
      typed('application/json', '{"a":"x"}'),
    );
    expect(found).toMatch(/^\{"a":\[/);
  });

  it('throws an error of its own for malformed JSON', async () => {
    const found = await answer(
      (c) => validated(c, 'json', json).catch((error: unknown) => isMalformedJson(error)),
      typed('application/json', '{'),
    );
    expect(found).toBe(true);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
    'application/vnd.a_b.c+json',
    'application/a!b+json',
    'application/ld+json+x',
    'text/json',
    'text/plain',
  ])('takes a body of %s for JSON exactly if the adapter says so', async (type) => {
    const seen = validator('json', z.unknown(), refused, (value) => ({
      success: true,
      data: { value },
    }));
    const found = await answer((c) => validated(c, 'json', seen), typed(type));
    expect(found).toEqual({ value: isParsedByHono(type) ? { a: 1 } : {} });
  });
});

it('reads the path of an address as the router does', () => {
  const pathOf = (path: string) => getPath(new Request(`https://api.test${path}`));
  expect(pathOf('/v2/demo/orders?page=1')).toBe('/v2/demo/orders');
  expect(pathOf('/v2/%64emo')).toBe('/v2/demo');
  expect(pathOf('/a%2Fb')).toBe('/a%2Fb');
});

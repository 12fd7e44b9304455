import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventNames, meanings, readScope } from '../../src/events/catalogue.ts';
import { statusesOf } from '../../src/http/operation.ts';
import { inZone } from '../../src/wire/zone.ts';
import { firstProduct, firstWebhook } from '../../src/docs/samples.ts';
import { bodies, delivered, document, documented, get, published, rows } from './support.ts';

const names = (all: Iterable<[string, unknown]>) => [...all].map(([name]) => name).sort();
const own = new Map(documented);

describe('GET /openapi.json', () => {
  it('200 without credentials, kept for five minutes, with an ETag', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(response.headers.get('ETag')).toMatch(/^"[0-9a-f]{14}"$/);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('304 for a client that has it, weakened by a proxy or not', async () => {
    const etag = (await get('/openapi.json')).headers.get('ETag') ?? '';
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const response = await get('/openapi.json', { 'If-None-Match': sent });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('ETag')).toBe(etag);
    }
    expect((await get('/openapi.json', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('names itself and the address of this deployment', async () => {
    const { openapi, info, servers } = await published();
    expect(openapi).toMatch(/^3\.1\.\d$/);
    expect(info).toMatchObject({ title: 'Online Store Administration API', version: '2.0' });
    expect(servers.map(({ url }) => url)).toEqual(['/v2']);
  });
});

describe('the operations of the document', () => {
  it('are the rows, no more and no less', () => {
    expect(names(own)).toEqual(rows.map(({ route }) => route as string).sort());
  });

  it('have ids of their own, those of the webhooks included', () => {
    const ids = [...documented, ...delivered].map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have tags that the document lists', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const [, row] of [...documented, ...delivered]) {
      expect(row.tags.every((tag) => tags.has(tag))).toBe(true);
    }
  });

  it.each(rows)('$route tells its scope, statuses and note', (row) => {
    const shown = own.get(row.route);
    expect(shown?.['x-scope']).toBe(row.access);
    expect(shown?.description).toBe(row.note);
    expect(Object.keys(shown?.responses ?? {}).map(Number)).toEqual(
      [...new Set([row.reply.status, ...statusesOf(row), 401, 429, 500, 503])].sort(
        (a, b) => a - b,
      ),
    );
    expect(shown?.security).toEqual([
      { userToken: [], userSecretKey: [] },
      { oauth: row.access === 'signed-in' ? [] : [row.access], partnerClientId: [] },
    ]);
    expect(shown?.requestBody === undefined).toBe(row.body === undefined);
  });

  it.each(rows.filter(({ body }) => body))('$route takes its own example', (row) => {
    const body = own.get(row.route)?.requestBody?.content['application/json'];
    const result = inZone('UTC', () => row.body?.safeParse(body?.example));
    expect(result?.error?.issues).toBeUndefined();
  });

  it.each(rows.filter(({ body }) => body))('$route requires what it refuses without', (row) => {
    const body = own.get(row.route)?.requestBody?.content['application/json'];
    for (const name of body?.schema.required ?? []) {
      const { [name]: _, ...rest } = { ...(body?.example as object) } as Record<string, unknown>;
      const result = inZone('UTC', () => row.body?.safeParse(rest));
      expect(result?.error?.issues[0]?.path, name).toEqual([name]);
    }
  });

  it('has first calls that work', () => {
    const row = (id: string) => rows.find((one) => one.id === id)?.body;
    expect(
      row('createWebhook')?.safeParse(firstWebhook('https://example.com/hook')).error,
    ).toBeUndefined();
    expect(row('createProduct')?.safeParse(firstProduct).error).toBeUndefined();
  });
});

describe('the structure of the document', () => {
  const text = JSON.stringify(document);

  it('holds only references that lead somewhere in it', () => {
    for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const keys = reference.replace(/^#\//, '').split('/');
      const found = keys.reduce<unknown>(
        (node, key) => (node as Record<string, unknown> | undefined)?.[key],
        document,
      );
      expect(found, reference).toBeDefined();
    }
    expect(text).not.toContain('$defs');
  });

  it('uses every shared schema, response, parameter and header', () => {
    for (const [kind, shared] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(shared)) {
        expect(text).toContain(`"$ref":"#/components/${kind}/${name}"`);
      }
    }
  });

  it('declares exactly the parameters of each path, each once', () => {
    for (const [route, row] of documented) {
      const declared = (row.parameters ?? []).map((one) =>
        '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? '']! : one,
      );
      const inPath = declared.filter((one) => one.in === 'path');
      const asked = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(asked);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const keys = declared.map((one) => `${one.in} ${one.name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('names only security schemes that it declares, and scopes that they know', () => {
    const { securitySchemes } = document.components;
    const { flows } = securitySchemes.oauth as {
      flows: { authorizationCode: { scopes: Record<string, string> } };
    };
    for (const [, row] of documented) {
      for (const [name, scopes] of (row.security ?? []).flatMap((one) => Object.entries(one))) {
        expect(securitySchemes).toHaveProperty(name);
        for (const scope of scopes) expect(flows.authorizationCode.scopes).toHaveProperty([scope]);
      }
    }
  });

  it('gives every answer a description, and every name the form of a component', () => {
    for (const shared of Object.values(document.components)) {
      for (const name of Object.keys(shared)) expect(name).toMatch(/^[\w.-]+$/);
    }
    for (const [, { responses }] of [...documented, ...delivered]) {
      for (const [status, answer] of Object.entries(responses)) {
        expect(status).toMatch(/^([1-5](\d\d|XX)|default)$/);
        expect('$ref' in answer || answer.description.length > 0).toBe(true);
      }
    }
  });

  it.each(bodies())('$where: the schema takes its examples', ({ schema, examples }) => {
    const validator = z.fromJSONSchema({
      ...JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')),
      $defs: JSON.parse(
        JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
      ),
    });
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(validator.safeParse(example).error?.issues).toBeUndefined();
    }
  });
});

describe('the webhooks of the document', () => {
  it('are the 13 events, each with its meaning and scope', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventNames);
    expect(eventNames).toHaveLength(13);
    for (const [name, row] of delivered) {
      const event = name as (typeof eventNames)[number];
      expect(row.summary).toBe(meanings[event]);
      expect(row['x-scope']).toBe(readScope(event));
    }
  });

  it('hold event, time, merchant and resource, in this order', () => {
    for (const [name, row] of delivered) {
      const schema = row.requestBody?.content['application/json']?.schema;
      expect(schema?.required).toEqual(['event', 'time', 'merchant', 'resource']);
      expect(Object.keys(schema?.properties ?? {})).toEqual(schema?.required);
      expect(schema?.properties?.event?.const).toBe(name);
    }
  });

  it('carry both signatures and the identity of the delivery', () => {
    for (const [, row] of delivered) {
      const headers = (row.parameters ?? []).flatMap((one) => ('name' in one ? [one.name] : []));
      expect(headers).toEqual(
        expect.arrayContaining([
          'X-Service-Hmac-SHA256',
          'webhook-id',
          'webhook-timestamp',
          'webhook-signature',
          'X-Service-Delivery-Id',
          'X-Service-Sequence',
          'X-Service-Attempt',
        ]),
      );
      expect(row.responses).toHaveProperty('2XX');
      expect(row.security).toEqual([]);
    }
  });
});

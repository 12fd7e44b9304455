import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runInZone } from '../../src/codecs/time/zone.ts';
import { firstProductBody, firstWebhookBody } from '../../src/docs/curl-examples.ts';
import { eventMeanings, eventNames, requiredScopes } from '../../src/events/catalogue.ts';
import { errorStatuses } from '../../src/http/operation.ts';
import { operations } from '../support/api/operations.ts';
import {
  document,
  documentedOperations,
  documentedWebhooks,
  fetchDocument,
  get,
  jsonBodies,
} from './support.ts';

const documented = new Map(documentedOperations);

describe('GET /openapi.json', () => {
  it('returns 200 without authentication, with an ETag and a cache time of five minutes', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(response.headers.get('ETag')).toMatch(/^"[0-9a-f]{14}"$/);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('returns 304 if the client has the current document, even with a weak ETag', async () => {
    const etag = (await get('/openapi.json')).headers.get('ETag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const response = await get('/openapi.json', { 'If-None-Match': tag });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('ETag')).toBe(etag);
    }
    expect((await get('/openapi.json', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('has a title, a version and the base path', async () => {
    const { openapi, info, servers } = await fetchDocument();
    expect(openapi).toMatch(/^3\.1\.\d$/);
    expect(info).toMatchObject({ title: 'Online Store Administration API', version: '2.0' });
    expect(servers.map(({ url }) => url)).toEqual(['/v2']);
  });
});

describe('the operations of the document', () => {
  it('are exactly the operations of the API', () => {
    expect([...documented.keys()].sort()).toEqual(
      operations.map(({ route }) => route as string).sort(),
    );
  });

  it('have unique ids, including those of the webhooks', () => {
    const ids = [...documentedOperations, ...documentedWebhooks].map(
      ([, { operationId }]) => operationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have only tags that the document lists', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const [, operation] of [...documentedOperations, ...documentedWebhooks]) {
      expect(operation.tags.every((tag) => tags.has(tag))).toBe(true);
    }
  });

  it.each(operations)('$route has its scope, statuses and note', (operation) => {
    const described = documented.get(operation.route);
    expect(described?.['x-scope']).toBe(operation.access);
    expect(described?.description).toBe(operation.note);
    expect(Object.keys(described?.responses ?? {}).map(Number)).toEqual(
      [...new Set([operation.reply.status, ...errorStatuses(operation), 401, 429, 500, 503])].sort(
        (a, b) => a - b,
      ),
    );
    expect(described?.security).toEqual([
      { userToken: [], userSecretKey: [] },
      { oauth: operation.access === 'signed-in' ? [] : [operation.access], partnerClientId: [] },
    ]);
    expect(described?.requestBody === undefined).toBe(operation.body === undefined);
  });

  it.each(operations.filter(({ body }) => body))('$route accepts its own example', (operation) => {
    const body = documented.get(operation.route)?.requestBody?.content['application/json'];
    const result = runInZone('UTC', () => operation.body?.safeParse(body?.example));
    expect(result?.error?.issues).toBeUndefined();
  });

  it.each(operations.filter(({ body }) => body))(
    '$route rejects a body without a required field',
    (operation) => {
      const body = documented.get(operation.route)?.requestBody?.content['application/json'];
      for (const name of body?.schema.required ?? []) {
        const { [name]: _, ...rest } = { ...(body?.example as object) } as Record<string, unknown>;
        const result = runInZone('UTC', () => operation.body?.safeParse(rest));
        expect(result?.error?.issues[0]?.path, name).toEqual([name]);
      }
    },
  );

  it('has valid bodies in the first calls', () => {
    const bodySchema = (id: string) => operations.find((operation) => operation.id === id)?.body;
    expect(
      bodySchema('createWebhook')?.safeParse(firstWebhookBody('https://example.com/hook')).error,
    ).toBeUndefined();
    expect(bodySchema('createProduct')?.safeParse(firstProductBody).error).toBeUndefined();
  });
});

describe('the structure of the document', () => {
  const text = JSON.stringify(document);

  it('contains only references that resolve', () => {
    for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const keys = reference.replace(/^#\//, '').split('/');
      const target = keys.reduce<unknown>(
        (node, key) => (node as Record<string, unknown> | undefined)?.[key],
        document,
      );
      expect(target, reference).toBeDefined();
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
    for (const [route, operation] of documentedOperations) {
      const declared = (operation.parameters ?? []).map((parameter) =>
        '$ref' in parameter
          ? document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']!
          : parameter,
      );
      const inPath = declared.filter((parameter) => parameter.in === 'path');
      const placeholders = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(placeholders);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const keys = declared.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('uses only declared security schemes and scopes', () => {
    const { securitySchemes } = document.components;
    const { flows } = securitySchemes.oauth as {
      flows: { authorizationCode: { scopes: Record<string, string> } };
    };
    for (const [, operation] of documentedOperations) {
      for (const [name, scopes] of (operation.security ?? []).flatMap((scheme) =>
        Object.entries(scheme),
      )) {
        expect(securitySchemes).toHaveProperty(name);
        for (const scope of scopes) expect(flows.authorizationCode.scopes).toHaveProperty([scope]);
      }
    }
  });

  it('has a description for every response and a valid name for every component', () => {
    for (const shared of Object.values(document.components)) {
      for (const name of Object.keys(shared)) expect(name).toMatch(/^[\w.-]+$/);
    }
    for (const [, { responses }] of [...documentedOperations, ...documentedWebhooks]) {
      for (const [status, response] of Object.entries(responses)) {
        expect(status).toMatch(/^([1-5](\d\d|XX)|default)$/);
        expect('$ref' in response || response.description.length > 0).toBe(true);
      }
    }
  });

  it.each(jsonBodies())('$where: the schema accepts its examples', ({ schema, examples }) => {
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
    for (const [name, operation] of documentedWebhooks) {
      const event = name as (typeof eventNames)[number];
      expect(operation.summary).toBe(eventMeanings[event]);
      expect(operation['x-scope']).toBe(requiredScopes(event).join(' '));
    }
  });

  it('contain event, time, merchant and resource, in this order', () => {
    for (const [name, operation] of documentedWebhooks) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      expect(schema?.required).toEqual(['event', 'time', 'merchant', 'resource']);
      expect(Object.keys(schema?.properties ?? {})).toEqual(schema?.required);
      expect(schema?.properties?.event?.const).toBe(name);
    }
  });

  it('have both signatures and the identity of the delivery', () => {
    for (const [, operation] of documentedWebhooks) {
      const headers = (operation.parameters ?? []).flatMap((parameter) =>
        'name' in parameter ? [parameter.name] : [],
      );
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
      expect(operation.responses).toHaveProperty('2XX');
      expect(operation.security).toEqual([]);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import {
  eventMeanings,
  eventNames,
  specifiedEventNames,
  requiredScopes,
} from '../../../src/data/grants/event-catalogue.ts';
import { componentName } from '../../../src/http/openapi/normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from '../../../src/http/openapi/types.ts';
import { errorStatuses, isTagged, noteOf } from '../../../src/http/operation.ts';
import { answersQuery, queryFormats } from '../../../src/http/query-method.ts';
import { appEventDefinitions } from '../../../src/webhooks/events/app-event-schemas.ts';
import { operations } from '../../support/api/operations.ts';
import { publishedBody } from '../../support/api/published-body.ts';
import {
  apiOperations,
  document,
  documentedBodies,
  documentedOperations,
  documentedWebhooks,
  origin,
} from './support.ts';

const documented = new Map(documentedOperations);
const withJsonBody = operations.filter(({ body }) => body);

describe('the examples of the document', () => {
  it('have values of their own fields, none of them a stopgap', () => {
    expect(JSON.stringify(document).match(/"[^"]*":\[?"Example/g) ?? []).toEqual([]);
  });

  it('are integers where a constant is one', () => {
    expect(document.components.schemas.DateTime?.properties?.timezone_type).toMatchObject({
      type: 'integer',
      const: 3,
    });
  });
});

describe('the operations of the document', () => {
  it('are exactly the operations of the API, and those of the authorization server', () => {
    expect(apiOperations.map(([route]) => route).sort()).toEqual(
      operations.map(({ route }) => route as string).sort(),
    );
    const others = documentedOperations.filter(([, { servers }]) => servers);
    expect(others.map(([route]) => route)).toEqual([
      'GET /oauth/authorize',
      'POST /oauth/token',
      'POST /oauth/revoke',
      'POST /oauth/register',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /.well-known/oauth-authorization-server',
    ]);
  });

  it('are at absolute addresses', () => {
    expect(document.servers.map(({ url }) => url)).toEqual([`${origin}/v2`]);
    const { oauth } = document.components.securitySchemes;
    expect(oauth?.flows?.authorizationCode).toMatchObject({
      authorizationUrl: `${origin}/oauth/authorize`,
      tokenUrl: `${origin}/oauth/token`,
      refreshUrl: `${origin}/oauth/token`,
    });
    for (const [, { servers }] of documentedOperations) {
      expect(servers?.map(({ url }) => url) ?? [origin]).toEqual([origin]);
    }
  });

  it('have unique ids, including those of the webhooks', () => {
    const ids = [...documentedOperations, ...documentedWebhooks].map(
      ([, { operationId }]) => operationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have only tags that the document lists, each in one group of the reference', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const [, operation] of [...documentedOperations, ...documentedWebhooks]) {
      expect(operation.tags.every((tag) => tags.includes(tag))).toBe(true);
    }
    const grouped = document['x-tagGroups'].flatMap((group) => group.tags);
    expect(grouped.toSorted()).toEqual(tags.toSorted());
  });

  it.each(operations)('$route has its scope, statuses, text and note', (operation) => {
    const described = documented.get(operation.route);
    expect(described?.['x-scope']).toBe(operation.access);
    expect(described?.description?.endsWith(noteOf(operation) ?? '')).toBe(true);
    expect(described?.description).not.toBe(noteOf(operation));
    const statuses = [
      operation.reply.status,
      ...(isTagged(operation) ? [304] : []),
      ...errorStatuses(operation),
      401,
      429,
      500,
      503,
    ];
    expect(Object.keys(described?.responses ?? {}).map(Number)).toEqual(
      [...new Set(statuses)].sort((a, b) => a - b),
    );
    const scopes = operation.access === 'signed-in' ? [] : [operation.access];
    expect(described?.security).toEqual([
      { userToken: [], userSecretKey: [] },
      ...(operation.access === 'operator' ? [] : [{ oauth: scopes, partnerClientId: [] }]),
    ]);
    const query = answersQuery(operation)
      ? Object.values(queryFormats).join().split(', ')
      : undefined;
    expect(described?.['x-query']).toEqual(query);
    expect(described?.requestBody === undefined).toBe(!operation.body && !operation.upload);
  });

  it.each(withJsonBody)('$route accepts its own example', (operation) => {
    const { example } = publishedBody(operation);
    const result = runInZone('UTC', () => operation.body?.safeParse(example));
    expect(result?.error?.issues).toBeUndefined();
  });

  it.each(withJsonBody)('$route rejects a body without a required field', (operation) => {
    const { schema, example } = publishedBody(operation);
    for (const name of schema.required ?? []) {
      const { [name]: _, ...rest } = { ...(example as object) } as Record<string, unknown>;
      const result = runInZone('UTC', () => operation.body?.safeParse(rest));
      expect(result?.error?.issues[0]?.path, name).toEqual([name]);
    }
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
        '$ref' in parameter ? document.components.parameters[componentName(parameter)]! : parameter,
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
    const scopes = securitySchemes.oauth?.flows?.authorizationCode?.scopes;
    for (const [, operation] of documentedOperations) {
      for (const [name, required] of (operation.security ?? []).flatMap(Object.entries)) {
        expect(securitySchemes).toHaveProperty(name);
        for (const scope of required as string[]) expect(scopes).toHaveProperty([scope]);
      }
    }
  });

  it('has valid statuses and a valid name for every component', () => {
    for (const shared of Object.values(document.components)) {
      for (const name of Object.keys(shared)) expect(name).toMatch(/^[\w.-]+$/);
    }
    for (const [, { responses }] of [...documentedOperations, ...documentedWebhooks]) {
      for (const status of Object.keys(responses)) {
        expect(status).toMatch(/^([1-5](\d\d|XX)|default)$/);
      }
    }
  });

  const asDefinitions = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'));

  /** The components that a schema needs, which are few of all. */
  function definitionsOf(schema: JsonSchema, found: JsonSchemas = {}): JsonSchemas {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const component = document.components.schemas[name];
      if (!component || name in found) continue;
      found[name] = component;
      definitionsOf(component, found);
    }
    return found;
  }

  /** Operations share most schemas, such as those of errors. */
  const validators = new Map<string, z.ZodType>();

  function validatorOf(schema: JsonSchema): z.ZodType {
    const key = JSON.stringify(schema);
    const validator =
      validators.get(key) ??
      z.fromJSONSchema({
        ...asDefinitions(schema),
        $defs: asDefinitions(definitionsOf(schema)),
      });
    validators.set(key, validator);
    return validator;
  }

  it.each(documentedBodies())('$where: the schema accepts its examples', ({ schema, examples }) => {
    const validator = validatorOf(schema);
    // A text is no example of a file.
    expect(examples.length > 0).toBe(schema.format !== 'binary');
    for (const example of examples) {
      expect(validator.safeParse(example).error?.issues).toBeUndefined();
    }
  });
});

describe('the webhooks of the document', () => {
  it('are the 13 events of the specification, the additional one and those of apps, with meaning and scope', () => {
    const ofApps = appEventDefinitions.map(({ name }) => name);
    expect(Object.keys(document.webhooks)).toEqual([...eventNames, ...ofApps]);
    expect(eventNames).toEqual([...specifiedEventNames, 'catalog.import_completed']);
    expect(specifiedEventNames).toHaveLength(13);
    for (const [name, operation] of documentedWebhooks) {
      if (ofApps.some((one) => one === name)) {
        expect(operation['x-scope']).toBe('');
        continue;
      }
      const event = name as (typeof eventNames)[number];
      expect(operation.summary).toBe(eventMeanings[event]);
      expect(operation['x-scope']).toBe(requiredScopes(event).join(' '));
    }
  });

  it('contain event, time, merchant and resource, in this order', () => {
    for (const [name, operation] of documentedWebhooks) {
      const media = operation.requestBody?.content['application/json'];
      const schema = document.components.schemas[componentName(media?.schema ?? {})];
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

  it('show ids of events as they are sent: evt_, and up to 64 characters', () => {
    const idHeaders = documentedWebhooks
      .flatMap(([, { parameters = [] }]) => parameters)
      .flatMap((parameter) => ('name' in parameter ? [parameter] : []))
      .filter(({ name }) => /^(webhook-id|X-Service-(Webhook|Event)-Id)$/.test(name));
    expect(idHeaders).toHaveLength(3 * documentedWebhooks.length);
    for (const { example } of idHeaders) expect(example).toMatch(/^evt_[0-9a-f]{1,60}$/);
  });
});

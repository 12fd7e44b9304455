import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';

interface Entry {
  key: string;
  value: string;
  disabled?: true;
}

interface Item {
  name: string;
  request: {
    method: string;
    url: { raw: string; host: string[]; path: string[]; query: Entry[]; variable: Entry[] };
    header: Entry[];
    body?: { mode: string; raw?: string };
  };
}

interface Collection {
  variable: Entry[];
  item: { name: string; item: Item[] }[];
}

let demo: RunningDemo;
let collection: Collection;
let openapi: { paths: Record<string, Record<string, { operationId: string }>> };

const read = async <T>(path: string) => (await (await fetch(demo.origin + path)).json()) as T;

beforeAll(async () => {
  demo = await startDemo();
  collection = await read('/docs/postman.json');
  openapi = await read('/openapi.json');
});
afterAll(async () => demo?.close());

const allItems = () => collection.item.flatMap(({ item }) => item);

/** Fills in the variables of the collection, as Postman does. */
function fill(text: string): string {
  const values = new Map(collection.variable.map(({ key, value }) => [key, value]));
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values.get(name) ?? whole);
}

/** Sends a request as it stands in the collection. */
const send = ({ request: { method, url, header, body } }: Item) =>
  fetch(
    fill(url.variable.reduce((raw, { key, value }) => raw.replace(`:${key}`, value), url.raw)),
    {
      method,
      headers: header
        .filter(({ disabled }) => !disabled)
        .map(({ key, value }): [string, string] => [key, fill(value)]),
      ...(body?.raw !== undefined && { body: fill(body.raw) }),
    },
  );

describe('the collection for Postman and Bruno', () => {
  it('is valid by the schema that Postman publishes for its format 2.1', () => {
    // From github.com/postmanlabs/schemas (Apache-2.0), in one file and without its descriptions.
    const schema = JSON.parse(
      readFileSync('test/support/fixtures/postman-collection.schema.json', 'utf8'),
    ) as object;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(collection), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...collection, info: {} })).toBe(false);
    expect(validate({ ...collection, item: [{ request: { method: 1 } }] })).toBe(false);
  });

  it('has every operation of the document once, with its method and its path', () => {
    const listed = allItems().map(
      ({ request: { method, url } }) => `${method} ${url.raw.replace(/\?.*/, '')}`,
    );
    const documented = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => {
        const isAtRoot = /^\/(?:oauth|\.well-known)/.test(path);
        const address = path.replace('{alias}', '{{alias}}').replaceAll(/(?<!\{)\{(\w+)\}/g, ':$1');
        return `${method.toUpperCase()} {{serviceUrl}}${isAtRoot ? '' : '/v2'}${address}`;
      }),
    );
    expect(listed.toSorted()).toEqual(documented.toSorted());
    expect(new Set(listed).size).toBe(listed.length);
    for (const { request } of allItems()) {
      const { host, path, raw } = request.url;
      expect([...host, ...path].join('/')).toBe(raw.replace(/\?.*/, ''));
    }
  });

  it('uses only variables that it has, and has a value for each part of a path', () => {
    const text = JSON.stringify(collection.item);
    const used = new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name));
    expect([...used].toSorted()).toEqual(collection.variable.map(({ key }) => key).toSorted());
    for (const { name, request } of allItems()) {
      const parts = Array.from(request.url.raw.matchAll(/:(\w+)(?=\/|$|\?)/g), ([, part]) => part);
      expect(
        request.url.variable.map(({ key }) => key),
        name,
      ).toEqual(parts);
      expect(
        request.url.variable.every(({ value }) => value !== ''),
        name,
      ).toBe(true);
    }
  });

  it('works as it is imported from a local service: every list answers 200, also those of operators', async () => {
    const lists = allItems().filter(
      ({ request: { method, url, body } }) =>
        method === 'GET' &&
        body === undefined &&
        url.variable.length === 0 &&
        (url.path.includes('{{alias}}') || url.path.includes('operator')),
    );
    expect(lists.length).toBeGreaterThan(25);
    for (const item of lists) expect((await send(item)).status, item.name).toBe(200);
  });

  it('makes records and changes others in its order, and gives no two of them one name', async () => {
    const taken: string[] = [];
    for (const item of allItems()) {
      const { method, url } = item.request;
      if (!['POST', 'PUT'].includes(method) || !url.path.includes('{{alias}}')) continue;
      const answer = await send(item);
      if (item.name === 'Create a brand') expect(answer.status).toBe(201);
      const text = await answer.text();
      if (/already taken|already has/i.test(text)) taken.push(`${item.name}: ${text}`);
    }
    expect(taken).toEqual([]);
  });
});

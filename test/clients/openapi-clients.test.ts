import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';

const run = promisify(execFile);

/** Inside the project, so that the generators and the compiler find its packages. */
const folder = mkdtempSync(resolve('test/clients/node_modules/.generated-'));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  const document = path('openapi.json');
  writeFileSync(document, JSON.stringify(getOpenApiDocument('Service', '/v2')));
  await run(process.execPath, ['test/clients/generate.ts', document, folder]);
});

afterAll(() => rmSync(folder, { recursive: true }));

const strictProject = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    // `Blob` and `File`, the types of a file in a response.
    lib: ['es2023', 'dom'],
    types: [],
  },
};

/** The generated types without comments and without words in texts. */
const typesOf = (name: string) =>
  readFileSync(path(name), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '');

describe('clients that other tools generate from the document', () => {
  it('compile with all strict checks', async () => {
    writeFileSync(path('use.ts'), use);
    writeFileSync(path('tsconfig.json'), JSON.stringify(strictProject));
    const compiler = resolve('node_modules/.bin/tsc');
    const { stdout } = await run(compiler, ['--project', folder]).catch((failure) => failure);
    expect(stdout).toBe('');
  });

  it('know the type of every value: openapi-typescript', () => {
    // It gives each response this type for headers that the document does not name. It is no value
    // of the document.
    const own = /headers: \{\s*\[name: string\]: unknown;/g;
    const text = typesOf('openapi-typescript.ts');
    expect(text).toMatch(own);
    expect(withoutHeaders(text)).not.toMatch(/\bunknown\b|\bany\b/);
  });

  it('know the type of every value: @hey-api/openapi-ts', () => {
    expect(typesOf('hey-api/types.gen.ts')).not.toMatch(/\bunknown\b|\bany\b/);
  });
});

const withoutHeaders = (text: string) => text.replaceAll('[name: string]: unknown;', '');

/**
 * Uses the types as a program of a partner does; it does not compile if one of them is too wide.
 */
const use = `
import type { components } from './openapi-typescript.ts';
import type { FeedEvent, ProductPatch, OrderStatus } from './hey-api/types.gen.ts';

type Feed = components['schemas']['FeedEvent'];

export function total(event: Feed): number {
  return event.event === 'order.paid' ? event.resource.value_total : 0;
}

export function stock(event: FeedEvent): number {
  return event.event === 'product.inventory.updated' ? event.resource.quantity : 0;
}

export const patch: ProductPatch = { active: true, description: null };
export const status: OrderStatus = 'ready_for_shipping';
// @ts-expect-error: no status of an order
export const wrong: OrderStatus = 'sent';
// @ts-expect-error: a boolean
export const word: ProductPatch = { active: 'yes' };
`;

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AppEnv } from '../../src/http/app-env.ts';
import { describeDeprecation } from '../../src/http/deprecation.ts';
import { addDefaults } from '../../src/http/mount.ts';
import { operation } from '../../src/http/operation.ts';
import { bareRecord } from '../../src/http/replies.ts';
import { registerOperations } from '../../src/http/run-operation.ts';
import { operations } from '../support/api/operations.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const deprecated = {
  since: '2031-03-05',
  sunset: '2032-03-05',
  link: '/docs/guides/versions',
} as const;

const oldOperation = operation({
  id: 'showOld',
  route: 'GET /{alias}/old',
  access: 'signed-in',
  deprecated,
  reply: bareRecord(z.object({ id: z.int() })),
  errors: [],
  run: () => Promise.resolve({ id: 1 }),
});

async function call(headers: Record<string, string>, alias: string) {
  const app = addDefaults(new Hono<AppEnv>());
  registerOperations(app, '/v2', [{ tag: 'Old', operations: [oldOperation] }], {
    wakeEndpoints: () => Promise.resolve(),
  });
  const request = new Request(`https://api.test/v2/${alias}/old`, { headers });
  return app.fetch(request, env, createExecutionContext());
}

describe('a deprecated operation', () => {
  it('says so with each response, refusals included (200, 401)', async () => {
    const store = await createTestStore();
    for (const [sent, status] of [
      [store.headers, 200],
      [{}, 401],
    ] as const) {
      const response = await call(sent, store.alias);
      expect(response.status).toBe(status);
      expect(response.headers.get('Deprecation')).toBe('@1930435200');
      expect(response.headers.get('Sunset')).toBe('Fri, 05 Mar 2032 00:00:00 GMT');
      expect(response.headers.get('Link')).toBe(
        '</docs/guides/versions>; rel="deprecation"; type="text/html", </docs/guides/versions>; rel="sunset"; type="text/html"',
      );
    }
  });

  it('is described, and none exists today', () => {
    expect(describeDeprecation(deprecated)).toBe(
      'Deprecated since 2031-03-05. From 2032-03-05 on it may be gone. What to use instead: /docs/guides/versions',
    );
    expect(operations.filter((one) => one.deprecated)).toEqual([]);
  });
});

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { randomBase64, randomBase64url } from '../../src/base/crypto/random.ts';
import { sealedPrefixOf } from '../../src/base/crypto/seal.ts';
import { schemaVersion } from '../../src/data/schema/schema-version.ts';
import { declaredChanges, type LongChange } from '../../src/data/shards/long-changes.ts';
import { checkReadiness } from '../../src/http/readiness.ts';
import { deployedEnv } from '../support/fixtures/deployed-env.ts';

const app = createApp();

const ready = (bindings: object, headers: Record<string, string> = {}, query = '') =>
  app.fetch(
    new Request(`https://api.test/ready${query}`, { headers }),
    { ...env, ...bindings },
    createExecutionContext(),
  );

/**
 * A database that answers the readiness check with `row`, and counts how many checks run at once.
 */
function respondingWith(row: object, load = { now: 0, most: 0 }) {
  const first = async () => {
    load.most = Math.max(load.most, (load.now += 1));
    await new Promise((resolve) => setTimeout(resolve, 2));
    load.now -= 1;
    return row;
  };
  const statement = { bind: () => statement, first };
  return { prepare: () => statement } as unknown as D1Database;
}

/** Marks the declared changes as finished in a shard. */
const finishChanges = (db: D1Database) =>
  db.batch(
    declaredChanges.map(({ name }) =>
      db
        .prepare(
          'insert or replace into long_changes (name, started_at, finished_at) values (?, 1, 2)',
        )
        .bind(name),
    ),
  );

const titles = (change: Partial<LongChange>): LongChange[] => [
  { name: 'titles-1', since: schemaVersion - 1, steps: [], ...change },
];

describe('/ready', () => {
  it('returns 200 if every dependency responds, with the version and all schemas', async () => {
    await Promise.all([env.STORE_0, env.STORE_1].map(finishChanges));
    const response = await ready({ CF_VERSION_METADATA: { id: 'v-1', tag: '', timestamp: '' } });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ok',
        version: 'v-1',
        checks: { directory: 'ok', store_0: 'ok', store_1: 'ok', kv: 'ok', queue: 'ok' },
        schema: { directory: schemaVersion, store_0: schemaVersion, store_1: schemaVersion },
      },
    ]);
  });

  it('returns 503 and names the failed dependency', async () => {
    const broken = {
      prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('down')) }) }),
    };
    const response = await ready({ STORE_0: broken });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { store_0: 'failed', directory: 'ok' } });
  });

  it.each([
    ['the version before', schemaVersion - 1, 200],
    ['the next version', schemaVersion + 1, 200],
    ['a version that is two behind', schemaVersion - 2, 503],
    ['a version that is two ahead', schemaVersion + 2, 503],
  ])('accepts a database of a neighbouring schema only: %s', async (_name, schema, status) => {
    const response = await ready({ STORE_0: respondingWith({ schema }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      checks: { store_0: status === 200 ? 'ok' : 'failed' },
      schema: { store_0: schema },
    });
  });

  it('does not ask a shard that is being restored, and is ready without it', async () => {
    const response = await ready({ STORE_1: undefined, RESTORING_SHARDS: '1' });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { checks: { store_0: 'ok', store_1: 'restoring' } },
    ]);
  });

  it('reports the shards that have not finished a long change, and fails where the release needs it', async () => {
    const [begun, finished, empty] = [
      { schema: schemaVersion, changes: '[]', is_empty: 0 },
      { schema: schemaVersion, changes: '["titles-1"]', is_empty: 0 },
      { schema: schemaVersion, changes: '[]', is_empty: 1 },
    ].map((row) => respondingWith(row));
    const bindings = {
      ...env,
      STORE_0: begun,
      STORE_1: finished,
      STORE_2: empty,
    } as unknown as Env;
    expect(await checkReadiness(bindings, 0, titles({}))).toMatchObject({
      status: 'ok',
      changes: { 'titles-1': 1 },
    });
    const next = titles({ neededFrom: schemaVersion + 1 });
    expect((await checkReadiness(bindings, 0, next)).status).toBe('ok');
    expect(await checkReadiness(bindings, 0, titles({ neededFrom: schemaVersion }))).toMatchObject({
      status: 'failed',
      checks: { store_0: 'failed', store_1: 'ok', store_2: 'ok' },
      changes: { 'titles-1': 1 },
    });
  });

  it('asks 100 databases six at a time', async () => {
    const load = { now: 0, most: 0 };
    const shards = Object.fromEntries(
      Array.from({ length: 100 }, (_, shard) => [
        `STORE_${shard}`,
        respondingWith({ schema: schemaVersion }, load),
      ]),
    );
    const response = await ready(shards);
    expect([response.status, load.most]).toEqual([200, 6]);
  });

  it('answers for 250 databases at a time, and names the next one', async () => {
    const well = respondingWith({ schema: schemaVersion });
    const names = Array.from({ length: 600 }, (_, shard) => `STORE_${shard}`);
    const shards = Object.fromEntries(names.map((name) => [name, well]));
    const bindings = { ...shards, STORE_599: undefined, RESTORING_SHARDS: '1 599' };
    const seen: string[] = [];
    const nexts: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const response = await ready(bindings, {}, `?from_shard=${from}`);
      const { checks, next_shard: next }: { checks: object; next_shard?: number } =
        await response.json();
      const asked = Object.keys(checks).filter((name) => name.startsWith('store_'));
      expect(asked.length).toBeLessThanOrEqual(251);
      expect(checks).toMatchObject({ directory: 'ok', kv: 'ok', queue: 'ok' });
      seen.push(...asked);
      nexts.push((from = next));
    }
    // One of the first part is being restored, so the part has one more.
    expect(nexts).toEqual([251, 501, undefined]);
    expect(seen.toSorted()).toEqual(names.map((name) => name.toLowerCase()).toSorted());
  });

  it.each(['-1', 'x', '1.5', ''])('returns 400 for from_shard=%j', async (value) => {
    const response = await ready({}, {}, `?from_shard=${value}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_query',
      errors: { from_shard: ['Must be a whole number from 0.'] },
    });
  });

  it('reports during a rotation which shards still need the previous sealing key', async () => {
    const keys = { current: randomBase64(32), previous: env.SEALING_KEY };
    await env.STORE_0.prepare(
      'insert into resealings (prefix, pass_began_at, started_at, done_at, unreadable) values (?, 0, 0, 1, 2)',
    )
      .bind(await sealedPrefixOf(keys))
      .run();
    const response = await ready({
      SEALING_KEY: keys.current,
      SEALING_KEY_PREVIOUS: keys.previous,
    });
    expect(await response.json()).toMatchObject({ sealing: { shards_left: 1, unreadable: 2 } });
  });

  it('returns 401 in a deployment without a key, and 200 for its key', async () => {
    expect((await ready(deployedEnv)).status).toBe(401);
    const READY_KEY = randomBase64url(24);
    const keyed = { ...deployedEnv, READY_KEY };
    expect((await ready(keyed)).status).toBe(401);
    expect((await ready(keyed, { Authorization: `Bearer ${READY_KEY}` })).status).toBe(200);
  });
});

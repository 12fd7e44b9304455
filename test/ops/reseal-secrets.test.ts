import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomBase64 } from '../../src/base/crypto/random.ts';
import { seal, sealedPrefixOf, unseal } from '../../src/base/crypto/seal.ts';
import { resealSecrets } from '../../src/ops/reseal-secrets.ts';
import { wranglerVars } from '../support/node/runtime/runtime.ts';
import { simulationSchema } from '../support/webhooks/simulation/schema.ts';
import { createSqliteD1 } from '../support/webhooks/simulation/sqlite-d1.ts';

const minute = 60_000;
const start = Date.UTC(2031, 0, 1);
const [oldKey, newKey] = [randomBase64(32), randomBase64(32)];
const [before, rotating, after] = [
  { current: oldKey, previous: undefined },
  { current: newKey, previous: oldKey },
  { current: newKey, previous: undefined },
];
const endpointCount = 450;

/** A shard with webhooks and mail accounts of several stores, all sealed with the old key. */
async function createShard() {
  const db = createSqliteD1(simulationSchema);
  let statements = 0;
  const counted = {
    prepare: (sql: string) => {
      statements += 1;
      return db.prepare(sql);
    },
    batch: (all: D1PreparedStatement[]) => db.batch(all),
  } as unknown as D1Database;
  for (let id = 1; id <= endpointCount; id += 1) {
    await addEndpoint(db, before, id, id % 7 === 0 ? `previous ${id}` : null);
  }
  for (let store = 1; store <= 3; store += 1) {
    await db
      .prepare(
        `insert into email_configurations (store_id, host, port, username, password_sealed, encryption, "from", name, created_at, updated_at)
         values (?, '', 1, '', ?, 'tls', '', '', 0, 0)`,
      )
      .bind(store, await seal(before, `password ${store}`, `email-password:${store}`))
      .run();
  }
  return { db: counted, countStatements: () => statements };
}

async function addEndpoint(
  db: D1Database,
  keys: Parameters<typeof seal>[0],
  id: number,
  previous: string | null,
) {
  const place = `webhook-secret:${id % 5}`;
  await db
    .prepare(
      `insert into webhook_endpoints (id, store_id, url, url_folded, name, name_folded, secret_current, secret_previous, created_at, updated_at)
       values (?, ?, '', '', '', '', ?, ?, 0, 0)`,
    )
    .bind(
      id,
      id % 5,
      await seal(keys, `secret ${id}`, place),
      previous && (await seal(keys, previous, place)),
    )
    .run();
}

/** Runs the task with these keys; `steps` limits how often it may go on. */
function run(db: D1Database, keys: typeof rotating | typeof after, at: number, steps = Infinity) {
  let left = steps;
  const env = {
    ...wranglerVars,
    SEALING_KEY: keys.current,
    SEALING_KEY_PREVIOUS: keys.previous,
  } as unknown as Env;
  return resealSecrets({ env, shard: 0, db, now: () => at, hasTime: () => left-- > 0 });
}

const progressOf = (db: D1Database) =>
  db.prepare('select * from resealings').first<{ done_at: number | null; unreadable: number }>();

/** The stored texts of a shard as they open with some keys. */
async function openAll(db: D1Database, keys: Parameters<typeof seal>[0]) {
  const { results } = await db
    .prepare(
      `select id, 'webhook-secret:' || store_id as place, secret_current as sealed from webhook_endpoints
       union all select -id, 'webhook-secret:' || store_id, secret_previous from webhook_endpoints
         where secret_previous is not null
       union all select 10000 + id, 'email-password:' || store_id, password_sealed from email_configurations`,
    )
    .all<{ id: number; place: string; sealed: string }>();
  return Promise.all(
    results.map(async ({ id, place, sealed }) => [id, await unseal(keys, sealed, place)] as const),
  );
}

beforeEach(() => {
  for (const level of ['log', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
});
// Other files share the console.
afterEach(() => void vi.restoreAllMocks());

describe('a rotation of the sealing key', () => {
  it('seals everything again in steps, whatever is written meanwhile, until the old key can go', async () => {
    const { db } = await createShard();
    const values = await openAll(db, before);
    // Interrupted after each step, and twice at once.
    let resealed = 0;
    for (let tick = 0; tick < 6; tick += 1) {
      const counts = await Promise.all([
        run(db, rotating, start + tick * minute, 1),
        run(db, rotating, start + tick * minute, 1),
      ]);
      resealed += Math.max(...counts);
      // An instance that does not know the new key yet still seals with the old one, also behind
      // the cursor.
      const sealed = await seal(before, 'secret 1', 'webhook-secret:1');
      await db
        .prepare('update webhook_endpoints set secret_current = ? where id = 1')
        .bind(sealed)
        .run();
      // In the middle of it, every value opens.
      expect(await openAll(db, rotating)).toEqual(values);
    }
    expect(resealed).toBeGreaterThanOrEqual(endpointCount);
    for (let tick = 6; tick < 40 && (await progressOf(db))?.done_at === null; tick += 1) {
      await run(db, rotating, start + tick * minute);
    }
    expect(await progressOf(db)).toMatchObject({ done_at: expect.any(Number), unreadable: 0 });
    expect(await openAll(db, after)).toEqual(values);
    const prefix = await sealedPrefixOf(after);
    const left = await db
      .prepare(
        'select count(*) as n from webhook_endpoints where substr(secret_current, 1, ?) <> ?',
      )
      .bind(prefix.length, prefix)
      .first<number>('n');
    expect(left).toBe(0);
  });

  it('is not done before the workers with the old key must have ended', async () => {
    const { db } = await createShard();
    for (let tick = 0; tick < 10; tick += 1) await run(db, rotating, start + tick * minute);
    expect(await progressOf(db)).toMatchObject({ done_at: null });
  });

  it('counts secrets that no key opens, and alerts at the end', async () => {
    const { db } = await createShard();
    const lost = { current: randomBase64(32), previous: undefined };
    await addEndpoint(db, lost, endpointCount + 1, null);
    for (let tick = 0; tick < 14; tick += 1) await run(db, rotating, start + tick * minute);
    expect(await progressOf(db)).toMatchObject({ done_at: expect.any(Number), unreadable: 1 });
    expect(vi.mocked(console.error).mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      expect.objectContaining({ event: 'secrets_unreadable', alert: true, unreadable: 1 }),
    ]);
  });

  it('costs nothing without a previous key, and one call after the end', async () => {
    const { db, countStatements } = await createShard();
    await run(db, after, start);
    expect(countStatements()).toBe(0);
    for (let tick = 0; tick < 14; tick += 1) await run(db, rotating, start + tick * minute);
    const made = countStatements();
    expect(await run(db, rotating, start + 20 * minute)).toBe(0);
    expect(countStatements() - made).toBe(3);
  });
});

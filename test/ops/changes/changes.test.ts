import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { rawDatabaseStatement } from '../../../src/data/core/raw.ts';
import { declaredChanges, type LongChange } from '../../../src/data/shards/long-changes.ts';
import { factsOf } from '../../../src/data/shards/placements.ts';
import { beginChanges } from '../../../src/ops/changes/begin-changes.ts';
import { runChanges } from '../../../src/ops/changes/run-changes.ts';
import { claimJob, endStep, failStep, saveProgress } from '../../../src/stores/job-steps.ts';
import { placementsStatement } from '../../support/fixtures/shards.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { dyingBindings, finishJob, readJob } from '../../support/jobs.ts';
import { move } from '../../support/move/run-moves.ts';
import { upTo } from '../../support/transfers/catalog.ts';

const db = env.CHANGED;
const shard = 43;
const bindings = { ...env, [`STORE_${shard}`]: db } as unknown as Env;
const directory = openDatabase(env.DIRECTORY);
const minute = 60_000;
/** The minute of an hour in which the sweep of this shard looks again. */
const now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + shard * minute;

/** Four chunks: the last one is not full. */
const items = 13;

/** A backfill of a column and an index on it. `times` shows a row that was changed twice. */
const titles: LongChange = {
  name: 'titles-1',
  since: 1,
  steps: [
    {
      table: 'items',
      key: 'id',
      rowsPerChunk: 4,
      statements: ({ shard: database }, keys) => [
        rawDatabaseStatement(
          database,
          sql`update items set title = upper(name), times = times + 1
            where id between ${keys[0]} and ${keys.at(-1)}`,
        ),
      ],
    },
    { index: 'items_title', table: 'items', columns: '(title)', maxRows: items },
  ],
};

beforeAll(async () => {
  await applyD1Migrations(db, env.STORE_MIGRATIONS);
});

beforeEach(async () => {
  await db.batch(
    [
      'drop table if exists items',
      'create table items (id integer primary key, name text, title text, times integer default 0)',
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${items})
        insert into items (id, name) select i * 3, 'n' || i from n`,
      'delete from long_changes',
      'delete from incoming_moves',
      'insert into placements (store_id, works) values (1, 1) on conflict do nothing',
    ].map((statement) => db.prepare(statement)),
  );
  await env.DIRECTORY.prepare('delete from jobs where shard = ?').bind(shard).run();
});

const sweep = (at: number, bound = bindings) => ({
  env: bound,
  shard,
  db: bound[`STORE_${shard}` as 'STORE_0'],
  now: () => at,
  hasTime: () => true,
});

/** Makes the job, as the sweep does. */
const begin = (changes: readonly LongChange[] = [titles]) => beginChanges(sweep(now), changes);

const openJobs = () =>
  env.DIRECTORY.prepare('select count(*) as n from jobs where shard = ? and finished_at is null')
    .bind(shard)
    .first<number>('n');

const jobOf = async () => {
  const [job] = await directory.all<{ id: number }>(
    sql`select id from jobs where shard = ${shard} order by id desc limit 1`,
  );
  return job && readJob(job);
};

/** Takes one step of the job at a time, for so many chunks, as the sweep does. */
async function step(
  at: number,
  { bound = bindings, chunks = Infinity, changes = [titles] as readonly LongChange[] } = {},
) {
  const database = openDatabase(bound.DIRECTORY);
  const job = await claimJob(database, shard, at);
  if (!job) return undefined;
  let left = chunks;
  const outcome = await runChanges(
    {
      env: bound,
      job,
      now: () => at,
      hasTime: () => left-- > 0,
      save: (progress) => saveProgress(database, job, progress),
    },
    changes,
  );
  await endStep(database, job, outcome, at);
  return outcome;
}

const rowStatement = db.prepare(
  `select step, position, rows, finished_at from long_changes where name = 'titles-1'`,
);

const rowOf = () =>
  rowStatement.first<{
    step: number;
    position: number | null;
    rows: number;
    finished_at: number | null;
  }>();

/** Every item is changed once, and the index is there. */
async function expectChanged(context: string) {
  const [counts, index, row] = await db.batch([
    db.prepare('select count(*) as n, sum(title = upper(name) and times = 1) as once from items'),
    db.prepare("select count(*) as n from sqlite_master where name = 'items_title'"),
    rowStatement,
  ]);
  expect(counts!.results, context).toEqual([{ n: items, once: items }]);
  expect(index!.results, context).toEqual([{ n: 1 }]);
  expect(row!.results, context).toMatchObject([{ step: 2, rows: items }]);
}

describe('a long change', () => {
  it('begins ten minutes after the release, goes on where it stopped, and is done once', async () => {
    await begin();
    await begin();
    expect(await step(now + 9 * minute)).toBeUndefined();
    expect(await rowOf()).toMatchObject({ step: 0, rows: 0 });

    const first = await step(now + 10 * minute, { chunks: 3 });
    expect(first).toEqual({ state: 'waits', dueAt: now + 11 * minute });
    expect(await rowOf()).toEqual({ step: 0, position: 36, rows: 12, finished_at: null });
    expect(await jobOf()).toMatchObject({
      kind: 'shard_change',
      state: 'running',
      done: 0,
      total: 1,
      progress: { change: 'titles-1', rows: 12 },
    });

    expect(await step(now + 11 * minute)).toMatchObject({ state: 'done' });
    await expectChanged('all');
    expect(await jobOf()).toMatchObject({ state: 'done', done: 1, total: 1 });
    await begin();
    expect(await jobOf()).toMatchObject({ state: 'done' });
  });

  describe('of the next release, while one of the release before goes on', () => {
    const next: LongChange = {
      ...titles,
      name: 'titles-2',
      since: 2,
      steps: [titles.steps[0]!],
    };
    const both = [titles, next];
    const hour = 60 * minute;
    const rowsOfNext = () =>
      db.prepare("select rows from long_changes where name = 'titles-2'").first<number>('rows');

    it('waits until no older version writes', async () => {
      await begin();
      await step(now + 10 * minute, { chunks: 3 });
      // The release arrives an hour later, while the job is at its third chunk.
      await beginChanges(sweep(now + hour), both);
      expect(await openJobs()).toBe(1);
      const due = now + hour + 10 * minute;
      const waits = { state: 'waits', dueAt: due };
      expect(await step(now + hour, { changes: both })).toEqual(waits);
      await expectChanged('the change of the release before');
      expect(await rowsOfNext()).toBe(0);
      expect(await step(due - 1, { changes: both })).toBeUndefined();
      expect(await step(due, { changes: both })).toMatchObject({ state: 'done' });
      expect(await rowsOfNext()).toBe(items);
    });

    it('waits also if a step of the job is before its sweep', async () => {
      await begin();
      await step(now + 10 * minute, { chunks: 3 });
      const due = now + hour + 10 * minute;
      expect(await step(now + hour, { changes: both })).toEqual({ state: 'waits', dueAt: due });
      expect(await rowsOfNext()).toBe(0);
      await beginChanges(sweep(now + hour + 2 * minute), both);
      expect(await step(due, { changes: both })).toMatchObject({ state: 'done' });
      expect(await rowsOfNext()).toBe(items);
    });
  });

  it('may die at any call: no row is left out, and none is changed twice', async () => {
    await begin();
    const whole = dyingBindings(Infinity, bindings);
    await step(now + 10 * minute, { bound: whole.bindings });
    await expectChanged('whole');
    const { count } = whole.calls;
    expect(count).toBeGreaterThan(15);
    for (const call of upTo(count)) {
      await db.batch([
        db.prepare('delete from long_changes'),
        db.prepare('drop index items_title'),
        db.prepare('update items set title = null, times = 0'),
      ]);
      await env.DIRECTORY.prepare('delete from jobs where shard = ?').bind(shard).run();
      await begin();
      const dying = dyingBindings(call, bindings).bindings;
      await step(now + 10 * minute, { bound: dying }).catch(() => undefined);
      await step(now + 13 * minute);
      await expectChanged(`${call}`);
      expect(await jobOf(), `${call}`).toMatchObject({ state: 'done' });
    }
  });

  it('stops beside a run that is further', async () => {
    await begin();
    const job = (await claimJob(directory, shard, now + 10 * minute))!;
    let chunks = 0;
    const outcome = await runChanges(
      {
        env: bindings,
        job,
        now: () => now + 10 * minute,
        hasTime() {
          chunks += 1;
          return true;
        },
        save: () => Promise.resolve(),
      },
      [
        {
          ...titles,
          steps: [
            {
              table: 'items',
              key: 'id',
              rowsPerChunk: 4,
              async statements({ shard: database }, keys) {
                // Another run commits the same chunk before.
                await db.prepare('update long_changes set position = ?').bind(keys.at(-1)).run();
                return [rawDatabaseStatement(database, sql`update items set times = 9`)];
              },
            },
          ],
        },
      ],
    );
    expect([outcome.state, chunks]).toEqual(['waits', 1]);
    const changed = await db.prepare('select sum(times) as n from items').first<number>('n');
    expect(changed).toBe(0);
  });

  it('rests while a store moves into the shard', async () => {
    await begin();
    await db
      .prepare("insert into incoming_moves (store_id, move_id, from_shard) values (9, 'm', 1)")
      .run();
    expect(await step(now + 10 * minute)).toMatchObject({ state: 'waits' });
    expect(await rowOf()).toMatchObject({ step: 0, rows: 0 });
    await db.prepare('delete from incoming_moves').run();
    expect(await step(now + 12 * minute)).toMatchObject({ state: 'done' });
  });

  it('creates no index on a table with more rows than were measured, and looks again in an hour', async () => {
    await db.prepare("insert into items (id, name) values (1000, 'more')").run();
    await begin();
    const at = now + 10 * minute;
    expect(await step(at)).toEqual({ state: 'waits', dueAt: at + 60 * minute });
    expect(await rowOf()).toMatchObject({ step: 1, rows: items + 1, finished_at: null });
    await db.prepare('delete from items where id = 1000').run();
    expect(await step(at + 60 * minute)).toMatchObject({ state: 'done' });
    expect(await rowOf()).toMatchObject({ step: 2 });
  });

  it('waits longer after each step that fails, and is not given up', async () => {
    await begin();
    let at = now + 10 * minute;
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]) {
      const job = (await claimJob(directory, shard, at))!;
      await failStep(directory, job, at);
      at += wait * minute;
      expect(await jobOf()).toMatchObject({ due_at: at, error: 'will_be_tried_again' });
    }
    expect(await step(at - 1)).toBeUndefined();
    expect(await step(at)).toMatchObject({ state: 'done' });
    await expectChanged('all');
  });

  it('begins at once in a shard without stores', async () => {
    await db.prepare('delete from placements').run();
    await begin();
    expect(await step(now)).toMatchObject({ state: 'done' });
  });

  it('begins anew in a shard to which a store comes whose rows have not had it', async () => {
    const insert = (database: D1Database, name: string) =>
      database
        .prepare(
          'insert into long_changes (name, started_at, finished_at) values (?, 1, 2) on conflict do update set finished_at = 2',
        )
        .bind(name)
        .run();
    await insert(env.STORE_0, 'both-1');
    await insert(env.STORE_1, 'both-1');
    await insert(env.STORE_1, 'new-1');
    const store = await createTestStore({ shard: 0 });
    await move(store, 0, 1);
    const { results } = await env.STORE_1.prepare(
      "select name from long_changes where name in ('both-1', 'new-1')",
    ).all();
    expect(results).toEqual([{ name: 'both-1' }]);
    await env.STORE_0.prepare("delete from long_changes where name = 'both-1'").run();
    await env.STORE_1.prepare("delete from long_changes where name = 'both-1'").run();
  });
});

describe('the change of facts', () => {
  it('brings the facts of every store of a shard to the form of the release', async () => {
    const stores = [await createTestStore(), await createTestStore()];
    await placementsStatement(db, ...stores.map(({ id }) => id)).run();
    await db.prepare(`update placements set facts = '["of a release before",true]'`).run();
    await begin(declaredChanges);
    const job = (await jobOf())!;
    expect(await finishJob(job, now + 10 * minute, 3, bindings)).toMatchObject({ state: 'done' });
    for (const { id } of stores) {
      const store = await env.DIRECTORY.prepare('select * from stores where id = ?')
        .bind(id)
        .first();
      const { active, test, ...columns } = store!;
      const facts = await db
        .prepare('select facts from placements where store_id = ?')
        .bind(id)
        .first<string>('facts');
      expect(facts).toBe(
        factsOf({ ...columns, active: active === 1, test: test === 1 } as Parameters<
          typeof factsOf
        >[0]),
      );
    }
  });

  it('has a new name when the form changes', () => {
    const forms = declaredChanges
      .map(({ name }) => name)
      .filter((name) => name.startsWith('facts-'));
    const store = { alias: 'a', zone: 'UTC', base_url: 'https://a.test', event_budget: null };
    const limited = { ...store, test: true, active: false, requests_per_minute: 60, version: 1 };
    // A form that differs from this one needs a further change, and its name here.
    expect([forms.at(-1), factsOf(limited), factsOf({ ...limited, mfa_required: true })]).toEqual([
      'facts-1',
      '["a","UTC","https://a.test",true,60,false]',
      '["a","UTC","https://a.test",true,60,"factor",false]',
    ]);
  });
});

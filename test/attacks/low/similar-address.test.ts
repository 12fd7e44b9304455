import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { eraseUser } from '../../../src/accounts/users/erase-user.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { countingDatabase, noCost, type StatementCost } from '../../support/api/measure.ts';
import { operatorAction } from '../../support/jobs.ts';

const insertUser = async (email: string) =>
  (await env.DIRECTORY.prepare(
    'insert into users (email, name, created_at, updated_at) values (?, ?, 1, 1) returning id',
  )
    .bind(email, 'Ana')
    .first<number>('id'))!;

/** Inserts a line of the audit about another record, with these changes. Returns its id. */
const insertLine = (changes: Record<string, unknown>, target = ['invitation', '999999999']) =>
  env.DIRECTORY.prepare(
    `insert into audit (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, changes)
      values (1, 'system', '', '', 'test', ?1, ?2, ?3) returning id`,
  )
    .bind(...target, JSON.stringify(changes))
    .first<number>('id');

const changesOf = async (id: number | null) =>
  JSON.parse(
    (await env.DIRECTORY.prepare('select changes from audit where id = ?')
      .bind(id)
      .first<string>('changes')) ?? 'null',
  ) as unknown;

/** Erases a user, and returns what each statement on the directory cost. */
async function erase(userId: number): Promise<StatementCost[]> {
  const statements: StatementCost[] = [];
  const directory = openDatabase(countingDatabase(env.DIRECTORY, noCost(), statements));
  await eraseUser({ ...operatorAction(), directory }, { userId, reason: 'asked' });
  return statements;
}

describe('the erasure of a user', () => {
  it('blanks the lines with the address, and keeps those with an address that contains it', async () => {
    const start = crypto.randomUUID().slice(0, 8);
    const [address, longer] = [`${start}@demo.test`, `maria-${start}@demo.test`];
    const userId = await insertUser(address);
    const kept = [
      { email: [null, longer], role: [null, 'viewer'] },
      { email: [longer, null] },
      { temporary_email: [null, `${address}.br`] },
      { alias: [start, longer] },
    ];
    const blanked = [
      { email: [null, address.toUpperCase()], role: [null, 'viewer'] },
      { email: [address, longer] },
      { email: [longer, address] },
      { temporary_email: [null, address] },
    ];
    const keptIds = await Promise.all(kept.map((changes) => insertLine(changes)));
    const blankedIds = await Promise.all(blanked.map((changes) => insertLine(changes)));
    await erase(userId);
    expect(await Promise.all(keptIds.map(changesOf))).toEqual(kept);
    expect(await Promise.all(blankedIds.map(changesOf))).toEqual(blanked.map(() => ({})));
  });

  it('reads the lines about the user, however many there are about others', async () => {
    const address = `${crypto.randomUUID()}@demo.test`;
    const userId = await insertUser(address);
    const own = await insertLine({ email: [null, address] });
    await env.DIRECTORY.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
        insert into audit (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, changes)
        select 1, 'user', 'x' || n, '', 'test', 'user', 'x' || n,
          json_object('email', json_array(null, 'x' || n || '@demo.test')) from numbers`,
    ).run();
    const costs = await erase(userId);
    expect(await changesOf(own)).toEqual({});
    const ofAudit = costs.filter(({ sql }) => /^\s*update "?audit/i.test(sql));
    expect(ofAudit.length).toBeGreaterThan(0);
    for (const { sql, rowsRead } of ofAudit) expect(rowsRead, sql).toBeLessThan(50);
  });
});

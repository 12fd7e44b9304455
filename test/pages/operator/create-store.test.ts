import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/base/settings.ts';
import type { ActionContext } from '../../../src/data/audit/action.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { ShardState } from '../../../src/data/schema/directory/directory-tables.ts';
import { followDirectory } from '../../../src/ops/follow-directory.ts';
import { createStore } from '../../../src/stores/create-store.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { sentMails } from '../../support/mail.ts';
import {
  actionsOf,
  ask,
  auditOfStore,
  makeStore,
  newStore,
  operator,
  type OperatedStore,
} from './store-requests.ts';

const countStores = (alias: string) =>
  env.DIRECTORY.prepare('select count(*) as count from stores where alias = ?')
    .bind(alias)
    .first<number>('count');

const isInShard = async ({ id, shard }: Pick<OperatedStore, 'id' | 'shard'>) => {
  const database = shard === 0 ? env.STORE_0 : env.STORE_1;
  const row = await database
    .prepare('select 1 from placements where store_id = ?')
    .bind(id)
    .first();
  return row !== null;
};

describe('POST /operator/stores', () => {
  it('returns 201, and invites an owner who has no account in the same batch', async () => {
    const store = newStore();
    const { status, data } = await ask('POST /operator/stores', store);
    expect(status).toBe(201);
    expect(data).toMatchObject({
      alias: store.alias,
      timezone: store.timezone,
      state: 'active',
      members: [{ email: store.owner_email, role: 'owner' }],
    });
    expect(await isInShard(data)).toBe(true);
    expect((await sentMails(store.owner_email)).map(({ kind }) => kind)).toEqual(['invitation']);
    const [made] = await auditOfStore(data.id);
    expect(made).toMatchObject({
      action: 'store.created',
      actor_id: String(operator.userId),
      by_operator: 1,
    });
  });

  it('notifies an owner who has an account', async () => {
    const owner = await createTestOperator({ isOperator: false });
    const data = await makeStore({ ...newStore(), owner_email: owner.email.toUpperCase() });
    expect(data.members).toMatchObject([{ user_id: owner.userId, role: 'owner' }]);
    expect((await sentMails(owner.email)).map(({ kind }) => kind)).toEqual(['store_made']);
  });

  it('returns 201 with the same store for the same request again, and does nothing twice', async () => {
    const store = newStore();
    const first = await makeStore(store);
    const again = await ask('POST /operator/stores', store);
    expect([again.status, again.data.id]).toEqual([201, first.id]);
    expect(await sentMails(store.owner_email)).toHaveLength(1);
    expect(await actionsOf(first.id)).toEqual(['store.created', 'member.invited']);
  });

  it('creates one store from ten requests at once', async () => {
    const store = newStore();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST /operator/stores', store)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await countStores(store.alias)).toBe(1);
    expect(await sentMails(store.owner_email)).toHaveLength(1);
  });

  it('returns 409 (alias_taken) for the alias of another store, and creates no user', async () => {
    const { alias } = await makeStore();
    const other = { ...newStore(), alias };
    const { status, body } = await ask('POST /operator/stores', other);
    expect([status, body.code]).toEqual([409, 'alias_taken']);
    expect(body.errors).toHaveProperty('alias');
    expect(await sentMails(other.owner_email)).toEqual([]);
  });

  it.each([
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+03:00'],
    ['alias', 'operator'],
    ['alias', 'Nova'],
    ['alias', 'a--b'],
    ['owner_email', 'nobody'],
    ['name', ''],
  ])('returns 422 for %s %j, and creates nothing', async (field, value) => {
    const store = { ...newStore(), [field]: value };
    const { status, body } = await ask('POST /operator/stores', store);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(await countStores(store.alias)).toBe(0);
  });

  it('returns 409 (no_room) when all databases are closed', async () => {
    const setState = (from: number, to: number) =>
      env.DIRECTORY.prepare('update shards set state = ? where state = ?').bind(to, from).run();
    await setState(ShardState.open, -1);
    const store = newStore();
    const { status, body } = await ask('POST /operator/stores', store);
    await setState(-1, ShardState.open);
    expect([status, body.code]).toEqual([409, 'no_room']);
    expect(await countStores(store.alias)).toBe(0);
  });
});

/** An action of the operator in an environment of its own. */
const actionIn = (environment: Env): ActionContext => ({
  env: environment,
  settings: settingsOf(env),
  directory: openDatabase(env.DIRECTORY),
  now: Date.now(),
  actor: { kind: 'operator', id: String(operator.userId), name: 'Olga', userId: operator.userId },
  from: { country: null, network: null },
  defer: (work) => void work.catch(() => undefined),
});

/** A database whose n-th call and all later ones fail. */
function failingFrom(binding: D1Database, call: number): D1Database {
  let calls = 0;
  const reach = async <T>(action: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls >= call) throw new Error('D1_ERROR: Network connection lost.');
    return action();
  };
  const watched = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const apply = (...input: unknown[]): unknown => Reflect.apply(value, target, input);
        if (name === 'bind')
          return (...input: unknown[]) => watched(apply(...input) as D1PreparedStatement);
        return (...input: unknown[]) => reach(async () => apply(...input));
      },
    });
  return fakeDatabase({
    prepare: (text: string) => watched(binding.prepare(text)),
    batch: (statements: D1PreparedStatement[]) => reach(() => binding.batch(statements)),
  });
}

describe('createStore while a shard does not respond', () => {
  it('creates nothing when it is down from the start', async () => {
    const { alias, name, timezone, owner_email: ownerEmail } = newStore();
    const down = {
      ...env,
      STORE_0: failingFrom(env.STORE_0, 1),
      STORE_1: failingFrom(env.STORE_1, 1),
    };
    const making = createStore(actionIn(down), { alias, name, timezone, ownerEmail });
    await expect(making).rejects.toThrow('503');
    expect(await countStores(alias)).toBe(0);
    expect(await sentMails(ownerEmail)).toEqual([]);
  });

  it('lets its sweep add the store when it goes down after the commit', async () => {
    const { alias, name, timezone, owner_email: ownerEmail } = newStore();
    const down = {
      ...env,
      STORE_0: failingFrom(env.STORE_0, 2),
      STORE_1: failingFrom(env.STORE_1, 2),
    };
    const { store } = await createStore(actionIn(down), { alias, name, timezone, ownerEmail });
    expect(await isInShard(store)).toBe(false);
    const db = store.shard === 0 ? env.STORE_0 : env.STORE_1;
    await followDirectory({ env, shard: store.shard, db, now: Date.now, hasTime: () => true });
    expect(await isInShard(store)).toBe(true);
  });
});
